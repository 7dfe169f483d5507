"""Arcs: "u is in N_i(v)", as compressed sparse rows, from triples (h, i, t) and a direction mode.

===========  ==================================================================  ==================
mode         arcs of a triple (h, i, t)                                          relations
===========  ==================================================================  ==================
both         h -> t under i, and t -> h under the distinct inverse i^-1          2r
undirected   h -> t and t -> h under i; N_i is a set, so a loop is one arc        r
out          h -> t under i                                                      r
in           t -> h under i                                                      r
===========  ==================================================================  ==================

The arcs of a vertex are sorted by (relation, neighbour). Building costs one integer sort of the
triples.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wlkg.arrays import IntArray, frozen, id_dtype, sorted_distinct
from wlkg.catalogue import Direction
from wlkg.graph.names import INVERSE_SUFFIX


@dataclass(frozen=True, eq=False)
class Arcs:
    """Vertex v has the arcs ``offsets[v]:offsets[v + 1]`` of ``relation`` and ``neighbour``."""

    offsets: npt.NDArray[np.int64]
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
    def source(self) -> npt.NDArray[np.int64]:
        """For each arc the vertex that it belongs to."""
        return frozen(np.repeat(np.arange(self.num_vertices), np.diff(self.offsets)))


def build_arcs(
    head: IntArray,
    relation: IntArray,
    tail: IntArray,
    num_vertices: int,
    relation_names: tuple[str, ...],
    direction: Direction,
) -> Arcs:
    """The arcs of triples that are sorted by (head, relation, tail) and distinct."""
    num_relations = len(relation_names)
    sizes = (num_vertices, num_relations, num_vertices)
    if direction == "out":
        return _compressed(head, relation, tail, num_vertices, relation_names)
    if direction == "in":
        rows = sorted_distinct((tail, relation, head), sizes)
        return _compressed(rows[0], rows[1], rows[2], num_vertices, relation_names)
    if direction == "undirected":
        columns = [
            np.concatenate(pair) for pair in ((head, tail), (relation, relation), (tail, head))
        ]
        rows = sorted_distinct(columns, sizes)
        return _compressed(rows[0], rows[1], rows[2], num_vertices, relation_names)
    inverse = sorted_distinct((tail, relation, head), sizes)
    return _interleaved((head, relation, tail), inverse, num_vertices, relation_names)


def _interleaved(
    out: tuple[IntArray, IntArray, IntArray],
    inverse: list[IntArray],
    num_vertices: int,
    relation_names: tuple[str, ...],
) -> Arcs:
    """Mode ``both``: a vertex has its outgoing arcs first, then its inverse ones, each sorted."""
    out_offsets = _offsets(out[0], num_vertices)
    in_offsets = _offsets(inverse[0], num_vertices)
    count = len(out[0])
    out_place = np.arange(count, dtype=np.int64) + in_offsets[out[0]]
    in_place = np.arange(count, dtype=np.int64) + out_offsets[1:][inverse[0]]
    num_relations = len(relation_names)
    relation = np.empty(2 * count, dtype=id_dtype(2 * num_relations))
    neighbour = np.empty(2 * count, dtype=out[2].dtype)
    relation[out_place] = out[1]
    relation[in_place] = inverse[1] + num_relations
    neighbour[out_place] = out[2]
    neighbour[in_place] = inverse[2]
    names = relation_names + tuple(name + INVERSE_SUFFIX for name in relation_names)
    return Arcs(frozen(out_offsets + in_offsets), frozen(relation), frozen(neighbour), names)


def _compressed(
    source: IntArray,
    relation: IntArray,
    neighbour: IntArray,
    num_vertices: int,
    relation_names: tuple[str, ...],
) -> Arcs:
    offsets = frozen(_offsets(source, num_vertices))
    return Arcs(offsets, frozen(relation), frozen(neighbour), relation_names)


def _offsets(sorted_source: IntArray, num_vertices: int) -> npt.NDArray[np.int64]:
    offsets = np.zeros(num_vertices + 1, dtype=np.int64)
    np.cumsum(np.bincount(sorted_source, minlength=num_vertices), out=offsets[1:])
    return offsets


def neighbour_sets(arcs: Arcs) -> Arcs:
    """Each neighbour once, whatever the relations: what 1-WL sees."""
    size = arcs.num_vertices
    rows = sorted_distinct((arcs.source, arcs.neighbour), (size, size))
    offsets = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows[0], minlength=size), out=offsets[1:])
    return Arcs(frozen(offsets), frozen(np.zeros_like(rows[1])), frozen(rows[1]), ("neighbour",))
