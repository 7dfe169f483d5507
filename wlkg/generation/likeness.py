"""A graph of any size that follows a real one.

The real graph has n vertices; the new one has N = q n + s, s < n. It consists of q copies of all
real vertices, and s vertices that follow a random choice of them. For each relation,

- it has m N / n triples, rounded, where m is the number of real ones;
- a copy of a vertex begins as many triples as the real vertex, and ends as many;
- beginnings and ends are joined at random, by a permutation of all of them.

So degrees keep their distribution, in and out and relation by relation, and so does what occurs
together at a vertex; what lies beyond a vertex's own triples is random. Relations are sets: where
chance joins the same two vertices twice, the second triple is left out.

The s further vertices cannot follow s real ones exactly, because their beginnings and ends would
not be equally many. The real vertices are put in random order instead, and of their beginnings (and
of their ends) as many are taken as the relation needs. The few that belong to a vertex beyond the
first s go to vertex number (place in the order) mod s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.arrays import BoolArray, Int64Array
from wlkg.errors import UsageError
from wlkg.generation.permutation import Permutation, derived_key
from wlkg.generation.source import Piece
from wlkg.graph.relational_graph import RelationalGraph


@dataclass(frozen=True)
class _Relation:
    """The beginnings and ends of one relation, numbered copy by copy, and how they are joined."""

    #: Real heads, sorted, and real tails.
    heads: Int64Array
    tails: Int64Array
    #: The ids of the heads, sorted, and tails beyond the last full copy.
    further_heads: Int64Array
    further_tails: Int64Array
    #: Beginnings in full copies, and in all.
    full: int
    count: int
    joined: Permutation

    def groups(self, number: int) -> tuple[int, int]:
        """The numbers of the triples that begin at the same vertex as this one."""
        if number >= self.full:
            heads, start, place = self.further_heads, self.full, number - self.full
        else:
            heads, place = self.heads, number % len(self.heads)
            start = number - place
        low, high = (int(np.searchsorted(heads, heads[place], side)) for side in ("left", "right"))
        return start + low, start + high


class Likeness:
    """The triples of a graph with ``vertices`` vertices that follows ``graph``."""

    def __init__(self, graph: RelationalGraph, vertices: int, seed: int) -> None:
        if not graph.num_triples:
            raise UsageError("the graph has no triples, so there is nothing to follow")
        self.vertices = vertices
        self.directed = graph.direction != "undirected"
        self.relation_names = graph.relation_names
        self._real = graph.num_vertices
        self._copies, rest = divmod(vertices, graph.num_vertices)
        place = Permutation(graph.num_vertices, derived_key(seed, -1))(
            np.arange(graph.num_vertices)
        )
        by_relation = np.argsort(graph.relation, kind="stable")
        counts = np.bincount(graph.relation, minlength=graph.num_relations)
        self._relations = []
        for number, rows in enumerate(np.split(by_relation, np.cumsum(counts)[:-1])):
            heads = graph.head[rows].astype(np.int64)
            tails = graph.tail[rows].astype(np.int64)
            count = (2 * len(rows) * vertices + self._real) // (2 * self._real)
            full = self._copies * len(rows)
            self._relations.append(
                _Relation(
                    heads=heads,
                    tails=tails,
                    further_heads=self._further(place[heads], count - full, rest),
                    further_tails=self._further(place[tails], count - full, rest),
                    full=full,
                    count=count,
                    joined=Permutation(count, derived_key(seed, number)),
                )
            )
        self._starts = np.cumsum([0, *(relation.count for relation in self._relations)])

    def _further(self, places: Int64Array, count: int, rest: int) -> Int64Array:
        """The sorted ids of the vertices beyond the full copies that ``count`` triples meet."""
        first = self._copies * self._real
        return first + np.sort(np.sort(places)[:count] % max(rest, 1))

    @property
    def count(self) -> int:
        return int(self._starts[-1])

    def piece(self, start: int, stop: int) -> Piece:
        nothing = np.empty(0, dtype=np.int64)
        parts = [Piece(nothing, nothing, nothing)]
        first = int(np.searchsorted(self._starts, start, "right")) - 1
        for number in range(first, len(self._relations)):
            offset = int(self._starts[number])
            if offset >= stop:
                break
            low = max(start - offset, 0)
            high = min(stop - offset, self._relations[number].count)
            if low < high:
                head, tail = self._joined(self._relations[number], low, high)
                parts.append(Piece(head, np.full(len(head), number), tail))
        return Piece(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _joined(self, relation: _Relation, low: int, high: int) -> tuple[Int64Array, Int64Array]:
        """Heads and tails of a relation's triples ``low:high`` that do not repeat earlier ones."""
        # Equal triples have the same head, and those of one head have consecutive numbers.
        begin, end = relation.groups(low)[0], relation.groups(high - 1)[1]
        number = np.arange(begin, end)
        head = self._ids(relation.heads, relation.further_heads, number, relation.full)
        ends = relation.joined(number)
        tail = self._ids(relation.tails, relation.further_tails, ends, relation.full)
        kept = _first_of_equals(head, tail)
        kept[: low - begin] = False
        kept[high - begin :] = False
        return head[kept], tail[kept]

    def _ids(
        self, real: Int64Array, further: Int64Array, number: Int64Array, full: int
    ) -> Int64Array:
        """The vertex to which each beginning or end belongs."""
        copy, place = np.divmod(number, len(real))
        ids: Int64Array = copy * self._real + real[place]
        beyond = number >= full
        ids[beyond] = further[number[beyond] - full]
        return ids


def _first_of_equals(head: Int64Array, tail: Int64Array) -> BoolArray:
    """Which pairs do not occur earlier."""
    order = np.lexsort([tail, head])  # stable: equal pairs stay in order
    kept = np.ones(len(head), dtype=np.bool_)
    same = (np.diff(head[order]) == 0) & (np.diff(tail[order]) == 0)
    kept[order[1:][same]] = False
    return kept
