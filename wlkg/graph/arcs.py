"""Arcs: "u is in N_i(v)", as compressed sparse rows, from triples (h, i, t) and a direction mode.

===========  ==================================================================  ==================
mode         arcs of a triple (h, i, t)                                          relations
===========  ==================================================================  ==================
both         h -> t under i, and t -> h under the distinct inverse i^-1          2r
undirected   h -> t and t -> h under i; N_i is a set, so a loop is one arc        r
out          h -> t under i                                                      r
in           t -> h under i                                                      r
===========  ==================================================================  ==================

The arcs of a vertex are sorted by (relation, neighbour). Building them costs one integer sort of
the triples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.arrays import Int64Array, IntArray, frozen, id_dtype, sorted_distinct
from wlkg.catalogue import Direction
from wlkg.display import Brief
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
    head, relation, tail = triples
    inverse = (tail, relation, head)
    sizes = (num_vertices, len(relation_names), num_vertices)
    if direction == "undirected":
        columns = [np.concatenate(pair) for pair in zip(triples, inverse, strict=True)]
        return _compressed(sorted_distinct(columns, sizes), num_vertices, relation_names)
    rows = sorted_distinct(inverse, sizes)
    if direction == "in":
        return _compressed(rows, num_vertices, relation_names)
    return _interleaved(triples, rows, num_vertices, relation_names)


def _interleaved(
    out: Sequence[IntArray],
    inverse: Sequence[IntArray],
    num_vertices: int,
    relation_names: tuple[str, ...],
) -> Arcs:
    """Mode ``both``: the outgoing arcs of a vertex come first, then the inverse arcs, each sorted.

    Inverse relations have the larger ids, so no further sort is needed.
    """
    out_offsets = _offsets(out[0], num_vertices)
    inverse_offsets = _offsets(inverse[0], num_vertices)
    count = len(out[0])
    out_places = np.arange(count, dtype=np.int64) + inverse_offsets[out[0]]
    inverse_places = np.arange(count, dtype=np.int64) + out_offsets[1:][inverse[0]]
    num_relations = len(relation_names)
    relation = np.empty(2 * count, dtype=id_dtype(2 * num_relations))
    neighbour = np.empty(2 * count, dtype=out[2].dtype)
    relation[out_places] = out[1]
    relation[inverse_places] = inverse[1] + num_relations
    neighbour[out_places] = out[2]
    neighbour[inverse_places] = inverse[2]
    return Arcs(
        offsets=frozen(out_offsets + inverse_offsets),
        relation=frozen(relation),
        neighbour=frozen(neighbour),
        relation_names=relation_names + tuple(name + INVERSE_SUFFIX for name in relation_names),
    )


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
