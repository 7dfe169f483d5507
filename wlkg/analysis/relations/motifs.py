"""The motifs of MOTIF: which relations occur together on paths of three edges and on stars.

======  ==============================================================================
motif   hyperedge of relations (a, b, c), for an edge x -> y under b
======  ==============================================================================
tfh     x is a tail of a, and y is a head of c
tft     x is a tail of a, and y is a tail of c
hft     x is a head of a, and y is a tail of c
hfh     x is a head of a, and y is a head of c
======  ==============================================================================

These are the *3-paths*: walks of three edges, of which the second runs forwards. The edges may
coincide. A *k-star* is a set of k different relations that have a tail in common (``t-star``), or a
head (``h-star``). The motifs of two relations are the edges of ULTRA's relation graph.

After Huang, Barceló, Bronstein, Ceylan, Galkin, Reutter and Romero Orth, "How Expressive are
Knowledge Graph Foundation Models?", 2025, and its program: the 3-paths are those of its trained
model, and so is that hyperedges are sets, however often a motif occurs. Stars differ: its program
has, for its experiment with stars, only those with a common tail, as tuples in every order, which
say the same as sets. Here both kinds count, so that a query for heads is treated as one for tails;
and, as there, stars of k relations come with all smaller ones.

Cost: n^3 / 8 bytes for each kind of 3-path and n relations, since a table of bits is kept; stars
are listed, k numbers each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from wlkg.analysis.relations.edges import RelationEdges
from wlkg.analysis.relations.relation_graph import incidence
from wlkg.arrays import BoolArray, IntArray, UInt64Array
from wlkg.compiled.kernel import Kernel, run
from wlkg.memory import check_fits
from wlkg.refinement.compiled.arc_arrays import Array

#: The kinds of 3-paths: the role of the first vertex in a, and of the second in c.
PATHS: Mapping[str, tuple[str, str]] = {
    "tfh": ("tail", "head"),
    "tft": ("tail", "tail"),
    "hft": ("head", "tail"),
    "hfh": ("head", "head"),
}
STARS: Mapping[str, str] = {"t-star": "tail", "h-star": "head"}
_BITS = 64
#: Bytes per star and relation in it, while stars are being sorted out.
_BYTES_PER_STAR = 100


@dataclass(frozen=True, eq=False)
class PathTable:
    """A set of triples (a, b, c) of relations: bit c of ``bits[a, b]``."""

    bits: UInt64Array

    def others(self, relation: int, position: int) -> BoolArray:
        """Which pairs of relations complete a relation at a position to a triple."""
        if position == 2:
            word, bit = divmod(relation, _BITS)
            chosen: BoolArray = (self.bits[:, :, word] >> np.uint64(bit)) & np.uint64(1) != 0
            return chosen
        slab = self.bits[relation] if position == 0 else self.bits[:, relation]
        return _unpacked(slab, len(self.bits))

    @property
    def count(self) -> int:
        return sum(int(_unpacked(slab, len(self.bits)).sum()) for slab in self.bits)


def _unpacked(slab: UInt64Array, n: int) -> BoolArray:
    as_bytes = np.ascontiguousarray(slab).astype("<u8").view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, count=n, bitorder="little").astype(np.bool_)


def path_tables(edges: RelationEdges, max_memory: int | None = None) -> dict[str, PathTable]:
    """The 3-paths of each kind."""
    n = edges.num_relations
    words = -(-n // _BITS)
    check_fits(
        f"the 3-paths of {n:,} relations",
        f"{n**3:,} triples of relations of {len(PATHS)} kinds",
        8 * n * n * words * len(PATHS) + 8 * edges.num_vertices * words * 2,
        max_memory,
        "use the model ultra, which has no paths",
    )
    order = np.argsort(edges.relation, kind="stable")
    columns = edges.head[order], edges.relation[order], edges.tail[order]
    ends = {"head": incidence(edges, edges.head), "tail": incidence(edges, edges.tail)}
    packed = {role: _packed(*columns, edges.num_vertices, words) for role, columns in ends.items()}
    tables = {}
    for kind, (first, last) in PATHS.items():
        vertex, relation = ends[first]
        offsets = np.searchsorted(vertex, np.arange(edges.num_vertices + 1))
        bits = np.zeros((n, n, words), dtype=np.uint64)
        size = len(order) * words
        run(join_ends, size, *columns, offsets, relation.astype(np.int64), packed[last], bits)
        tables[kind] = PathTable(bits)
    return tables


def _packed(vertex: IntArray, relation: IntArray, vertices: int, words: int) -> UInt64Array:
    """For each vertex, the set of its relations as bits."""
    result = np.zeros((vertices, words), dtype=np.uint64)
    bit = np.left_shift(np.uint64(1), (relation % _BITS).astype(np.uint64))
    np.bitwise_or.at(result, (vertex, relation // _BITS), bit)
    return result


@Kernel
def join_ends(
    head: Array,
    relation: Array,
    tail: Array,
    offsets: Array,
    first: Array,
    last: Array,
    bits: Array,
) -> Any:
    """For every edge, join the relations at its head with the relations at its tail."""
    for edge in range(len(head)):
        x, b, y = head[edge], relation[edge], tail[edge]
        for place in range(offsets[x], offsets[x + 1]):
            a = first[place]
            for word in range(last.shape[1]):
                bits[a, b, word] |= last[y, word]


def star_tables(
    edges: RelationEdges, most: int, max_memory: int | None = None
) -> dict[str, dict[int, IntArray]]:
    """For each kind of star, the stars of 2, 3, ..., ``most`` relations: a row of ids for each."""
    result = {}
    for kind, role in STARS.items():
        vertex, relation = incidence(edges, edges.head if role == "head" else edges.tail)
        starts = np.searchsorted(vertex, np.unique(vertex))
        sets = {tuple(part.tolist()) for part in np.split(relation, starts[1:]) if len(part)}
        for size in range(3, most + 1):
            count = sum(math.comb(len(each), size) for each in sets)
            check_fits(
                f"the {kind}s of {size} relations",
                f"{count:,} stars at vertices with different sets of relations",
                _BYTES_PER_STAR * size * count,
                max_memory,
                "use smaller stars",
            )
        result[kind] = {size: _stars(sets, size) for size in range(2, most + 1)}
    return result


def _stars(sets: set[tuple[int, ...]], size: int) -> IntArray:
    stars = sorted({star for each in sets for star in combinations(each, size)})
    return np.array(stars, dtype=np.int64).reshape(-1, size)
