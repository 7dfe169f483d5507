"""Arcs: "u is in N_i(v)", as compressed sparse rows, from triples (h, i, t) and a direction mode.

===========  ==================================================================  ==================
mode         arcs of a triple (h, i, t)                                          relations
===========  ==================================================================  ==================
both         h -> t under i, and t -> h under the distinct inverse i^-1          2r
undirected   h -> t and t -> h under i; N_i is a set, so a loop is one arc        r
out          h -> t under i                                                      r
in           t -> h under i                                                      r
===========  ==================================================================  ==================

The arcs of a vertex are sorted by (relation, neighbour). The triples are sorted already, so that
takes two passes of counting (see `arc_kernels`) and no sort.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.arrays import Int64Array, IntArray, frozen, id_dtype, sorted_distinct
from wlkg.catalogue import Direction
from wlkg.compiled.kernel import run
from wlkg.display import Brief
from wlkg.graph.arc_kernels import deal_out, merge
from wlkg.graph.names import INVERSE_SUFFIX

#: The name of the only relation of `Arcs.without_relations`.
_NEIGHBOUR = "neighbour"


@dataclass(frozen=True, eq=False)
class Arcs(Brief):
    """Vertex v has the arcs ``offsets[v]:offsets[v + 1]`` of ``relation`` and ``neighbour``."""

    offsets: Int64Array
    relation: IntArray
    neighbour: IntArray
    relation_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.neighbour)

    @property
    def num_vertices(self) -> int:
        return len(self.offsets) - 1

    @property
    def num_relations(self) -> int:
        return len(self.relation_names)

    @cached_property
    def source(self) -> Int64Array:
        """The vertex that each arc belongs to."""
        return frozen(np.repeat(np.arange(self.num_vertices), np.diff(self.offsets)))

    def without_relations(self) -> Arcs:
        """One arc to each distinct neighbour: all that 1-WL and delta-K-LWL see of a graph."""
        size = self.num_vertices
        source, neighbour = sorted_distinct((self.source, self.neighbour), (size, size))
        return _compressed((source, np.zeros_like(neighbour), neighbour), size, (_NEIGHBOUR,))

    def none(self) -> Arcs:
        """The same vertices and relations without arcs."""
        return _compressed([self.relation[:0]] * 3, self.num_vertices, self.relation_names)


def build_arcs(
    triples: Sequence[IntArray],
    *,
    num_vertices: int,
    relation_names: tuple[str, ...],
    direction: Direction,
) -> Arcs:
    """The arcs of triples: columns head, relation, tail, whose rows are sorted and distinct."""
    if direction == "out":
        return _compressed(triples, num_vertices, relation_names)
    if direction == "both":
        return _both_ways(triples, num_vertices, relation_names)
    inverse = _inverse(triples, num_vertices, relation_names)
    return inverse if direction == "in" else _merged(triples, inverse)


def _inverse(
    triples: Sequence[IntArray], num_vertices: int, relation_names: tuple[str, ...]
) -> Arcs:
    """Mode ``in``: every triple is an arc of its tail."""
    head, relation, tail = triples
    offsets = _offsets(tail, num_vertices)
    relation_out, neighbour_out = np.empty_like(relation), np.empty_like(head)
    _deal_out(
        _by_relation(relation), (tail, relation, head), 0, offsets, relation_out, neighbour_out
    )
    return Arcs(
        offsets=frozen(offsets),
        relation=frozen(relation_out),
        neighbour=frozen(neighbour_out),
        relation_names=relation_names,
    )


def _both_ways(
    triples: Sequence[IntArray], num_vertices: int, relation_names: tuple[str, ...]
) -> Arcs:
    """Mode ``both``: the outgoing arcs of a vertex come first, then the inverse arcs, each sorted.

    Inverse relations have the larger ids, so all arcs of a vertex are sorted.
    """
    head, relation, tail = triples
    count, num_relations = len(head), len(relation_names)
    offsets = _offsets(head, num_vertices) + _offsets(tail, num_vertices)
    relation_out = np.empty(2 * count, dtype=id_dtype(2 * num_relations))
    neighbour_out = np.empty(2 * count, dtype=tail.dtype)
    order: IntArray = np.arange(count, dtype=np.int64)
    cursor = _deal_out(order, triples, 0, offsets, relation_out, neighbour_out)
    inverse, order = (tail, relation, head), _by_relation(relation)
    _deal_out(order, inverse, num_relations, cursor, relation_out, neighbour_out)
    return Arcs(
        offsets=frozen(offsets),
        relation=frozen(relation_out),
        neighbour=frozen(neighbour_out),
        relation_names=relation_names + tuple(name + INVERSE_SUFFIX for name in relation_names),
    )


def _merged(triples: Sequence[IntArray], inverse: Arcs) -> Arcs:
    """Mode ``undirected``: the arcs of the triples and the inverse arcs, as sets."""
    out = _compressed(triples, inverse.num_vertices, inverse.relation_names)
    relation = np.empty(2 * len(out), dtype=out.relation.dtype)
    neighbour = np.empty(2 * len(out), dtype=out.neighbour.dtype)
    offsets = np.zeros_like(out.offsets)
    lists = [(arcs.offsets, arcs.relation, arcs.neighbour) for arcs in (out, inverse)]
    size = inverse.num_vertices + 2 * len(out)
    run(merge, size, *lists[0], *lists[1], offsets, relation, neighbour)
    count = int(offsets[-1])
    return Arcs(
        offsets=frozen(offsets),
        relation=frozen(_shortened(relation, count)),
        neighbour=frozen(_shortened(neighbour, count)),
        relation_names=inverse.relation_names,
    )


def _deal_out(
    order: IntArray,
    rows: Sequence[IntArray],
    shift: int,
    cursor: Int64Array,
    relation: IntArray,
    neighbour: IntArray,
) -> Int64Array:
    """Append rows to the arcs of their owners; return where the next rows would go."""
    following = cursor.copy()
    run(deal_out, len(order), order, *rows, shift, following, relation, neighbour)
    return following


def _by_relation(relation: IntArray) -> IntArray:
    """The rows relation by relation, else in the order in which they are.

    NumPy sorts 16-bit numbers by counting.
    """
    is_short = relation.max(initial=0) < 2**16
    return np.argsort(relation.astype(np.uint16) if is_short else relation, kind="stable")


def _shortened(array: IntArray, count: int) -> IntArray:
    """The beginning of an array, without keeping the rest in memory."""
    return array if count == len(array) else array[:count].copy()


def _compressed(
    rows: Sequence[IntArray], num_vertices: int, relation_names: tuple[str, ...]
) -> Arcs:
    """The arcs of sorted rows (vertex, relation, neighbour)."""
    vertex, relation, neighbour = rows
    return Arcs(
        offsets=frozen(_offsets(vertex, num_vertices)),
        relation=frozen(relation),
        neighbour=frozen(neighbour),
        relation_names=relation_names,
    )


def _offsets(sorted_vertices: IntArray, num_vertices: int) -> Int64Array:
    """Where the rows of each vertex start, and after the last vertex where they end."""
    offsets = np.zeros(num_vertices + 1, dtype=np.int64)
    np.cumsum(np.bincount(sorted_vertices, minlength=num_vertices), out=offsets[1:])
    return offsets
