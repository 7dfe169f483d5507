"""Building a graph from edges, and the limit on the size of built-in graphs.

``example:NAME,n=...`` may come from an untrusted source, so a builder states the size of its graph
before it allocates anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wlkg.arrays import IntArray
from wlkg.errors import TooLargeError
from wlkg.graph.names import DEFAULT_RELATION
from wlkg.graph.relational_graph import RelationalGraph

MOST_VERTICES = 5_000_000
MOST_TRIPLES = 20_000_000


def refuse_large(what: str, vertices: int, triples: int) -> None:
    """Refuse to build a graph that exceeds the limits."""
    if vertices > MOST_VERTICES or triples > MOST_TRIPLES:
        raise TooLargeError(
            f"{what} has {_amount(vertices)} vertices and {_amount(triples)} triples; built-in "
            f"graphs go up to {MOST_VERTICES:,} vertices and {MOST_TRIPLES:,} triples. "
            "Choose smaller parameters"
        )


def _amount(count: int) -> str:
    """A count in digits or, if there are too many to read, as a power of ten."""
    if count < 10**15:
        return f"{count:,}"
    return f"more than 10^{int((count.bit_length() - 1) * np.log10(2)):,}"


def undirected(
    edges: npt.ArrayLike, num_vertices: int, r: int = 1, vertex_names: Sequence[str] | None = None
) -> RelationalGraph:
    """The undirected graph with every edge (a row of two ids) in each of r relations.

    A single relation is called ``edge``; several are called ``edge1``, ``edge2``, ...
    """
    ends: IntArray = np.sort(np.asarray(edges), axis=1)
    names = [DEFAULT_RELATION] if r == 1 else [f"{DEFAULT_RELATION}{i}" for i in range(1, r + 1)]
    return RelationalGraph.from_arrays(
        np.tile(ends[:, 0], r),
        np.repeat(np.arange(r), len(ends)),
        np.tile(ends[:, 1], r),
        num_vertices=num_vertices,
        vertex_names=vertex_names,
        relation_names=names,
        direction="undirected",
    )
