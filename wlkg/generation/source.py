"""What every generator provides: any piece of its triples, by their numbers."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from wlkg.arrays import Int64Array
from wlkg.graph.names import DEFAULT_RELATION


class Piece(NamedTuple):
    """Some triples, as ids of vertices and relations."""

    head: Int64Array
    relation: Int64Array
    tail: Int64Array


class TripleSource(Protocol):
    """Triples by number, so that a file does not depend on the pieces in which it was written."""

    #: Vertices are called 0 .. vertices - 1.
    @property
    def vertices(self) -> int: ...

    @property
    def relation_names(self) -> tuple[str, ...]: ...

    #: Whether triples have a direction; otherwise each stands for an undirected edge.
    @property
    def directed(self) -> bool: ...

    #: How many numbers there are.
    @property
    def count(self) -> int: ...

    def piece(self, start: int, stop: int) -> Piece:
        """The triples with the numbers ``start`` .. ``stop - 1``; some numbers may have none."""


def relation_names(count: int) -> tuple[str, ...]:
    """A single relation is called ``edge``; several are called ``edge1``, ``edge2``, ..."""
    if count == 1:
        return (DEFAULT_RELATION,)
    return tuple(f"{DEFAULT_RELATION}{i}" for i in range(1, count + 1))
