"""Colours of relations on the hypergraph of motifs: the first stage of MOTIF.

A round gives relation r the colour made of its own colour and, for every motif and every position
that r takes in a hyperedge of it, the multiset of the colours of the other members, each with its
position:

    C(r) <- (C(r), {{ (motif, i, ((C(s_j), j) : j != i)) : (s_1, ..., s_k) in motif, s_i = r }})

This is the relational WL test of hypergraphs that bounds HCNets (Huang, Romero Orth, Barceló,
Bronstein and Ceylan, "Link Prediction with Relational Hypergraphs", 2025); MOTIF's first stage is
one. In the conditional test the relation q of the query has a colour of its own at the start.

Colours are compared exactly, without hashing: what a relation sees is counted by classes. Counting
takes about n^2 steps for each kind of 3-path, so it is done only for relations that share a class
with another one in partitions that are known to be coarser (`guides`): those of the same test
without a query, and those of ULTRA, which sees fewer motifs. If C refines its guide at every round,
the guide can be met with C without changing anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from wlkg.analysis.relations.motifs import PathTable
from wlkg.arrays import BoolArray, IntArray

#: The 3-paths of a relation are kept if there are at most this many of them.
_MOST_KEPT = 20_000


@dataclass(frozen=True, eq=False)
class Hypergraph:
    """The hyperedges between n relations, by motif."""

    num_relations: int
    pairs: Mapping[str, BoolArray]
    paths: Mapping[str, PathTable]
    #: By kind and size; stars of two relations are pairs, too.
    stars: Mapping[str, Mapping[int, IntArray]]
    _kept: dict[int, tuple[IntArray, IntArray, IntArray]] = field(default_factory=dict)

    @cached_property
    def has_edges(self) -> BoolArray:
        """Which relations are in a hyperedge; whoever is in one of any motif is in a pair."""
        tables = [table | table.T for table in self.pairs.values()]
        return np.logical_or.reduce(tables).any(axis=1)

    def seen(self, relation: int, colours: IntArray) -> bytes:
        """What a relation sees: equal bytes for equal multisets."""
        if not self.has_edges[relation]:
            return b""
        size = int(colours.max(initial=0)) + 1
        parts = [
            np.bincount(colours[row], minlength=size)
            for table in self.pairs.values()
            for row in (table[relation], table[:, relation])
        ]
        place, one, two = self._on_paths(relation)
        parts.append(np.sort((place * size + colours[one]) * size + colours[two]))
        parts += [
            _star_colours(rows, relation, colours)
            for by_size in self.stars.values()
            for rows in by_size.values()
        ]
        return b"".join(np.int64(len(part)).tobytes() + part.tobytes() for part in parts)

    def _on_paths(self, relation: int) -> tuple[IntArray, IntArray, IntArray]:
        """The 3-paths with a relation: the motif and its position there, and the other two."""
        known = self._kept.get(relation)
        if known is None:
            places = [(table, position) for table in self.paths.values() for position in range(3)]
            found = [np.nonzero(table.others(relation, position)) for table, position in places]
            none = np.zeros(0, dtype=np.int64)
            known = (
                np.repeat(np.arange(len(found)), [len(one) for one, _ in found]),
                np.concatenate([none, *(one for one, _ in found)]),
                np.concatenate([none, *(two for _, two in found)]),
            )
            if len(known[0]) <= _MOST_KEPT:
                self._kept[relation] = known
        return known


def _star_colours(rows: IntArray, relation: int, colours: IntArray) -> IntArray:
    """The colours of the other members of each star, sorted in each star, and the stars sorted."""
    mine = rows[(rows == relation).any(axis=1)]
    others = mine[mine != relation].reshape(len(mine), rows.shape[1] - 1)
    seen = np.sort(colours[others], axis=1)
    return seen[np.lexsort(seen.T[::-1])].astype(np.int64).ravel()


def refine_hypergraph(
    hypergraph: Hypergraph, start: IntArray, guides: Sequence[Sequence[IntArray]] = ()
) -> list[IntArray]:
    """The colours of the relations at rounds 0, 1, ... until they are stable.

    A guide has the colours of a test that is known to be coarser at rounds 0, 1, ...
    """
    rounds = [_numbered(start.tolist())]
    while True:
        now = rounds[-1]
        coarse = [guide[min(len(rounds), len(guide) - 1)] for guide in guides]
        following = _next_round(hypergraph, now, coarse)
        if following.max(initial=0) == now.max(initial=0):
            return rounds
        rounds.append(following)


def _next_round(hypergraph: Hypergraph, now: IntArray, coarse: Sequence[IntArray]) -> IntArray:
    known = list(zip(now.tolist(), *(guide.tolist() for guide in coarse), strict=True))
    group = _numbered(known)
    shared = np.bincount(group)[group] > 1
    keys = [
        (own, hypergraph.seen(relation, now) if is_shared else b"")
        for relation, (own, is_shared) in enumerate(zip(known, shared.tolist(), strict=True))
    ]
    return _numbered(keys)


def _numbered(keys: Sequence[object]) -> IntArray:
    """Numbers from 0, in the order in which the keys first occur."""
    number: dict[object, int] = {}
    return np.array([number.setdefault(key, len(number)) for key in keys], dtype=np.int64)
