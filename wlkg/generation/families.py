"""Graphs by rule: each is a formula that turns the number of a triple into the triple.

==========  =====================================================================================
random      ``triples`` distinct triples, all sets of them equally likely
path        vertex i and i + 1
tree        vertex i > 0 and its parent: any of 0 .. i - 1, equally likely (a random recursive
            tree), or (i - 1) // b (the complete tree in which a vertex has b children)
grid        rows of ``width`` vertices; each is joined to its right and its lower neighbour
cfi         the paper's G_k, or H_k if ``odd``; see `wlkg.examples.cfi` for the ids
==========  =====================================================================================

All but ``random`` are undirected: an edge is one triple, from the smaller to the larger id.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from wlkg.arrays import Int64Array
from wlkg.errors import TooLargeError, UsageError
from wlkg.examples.cfi import num_vertices
from wlkg.generation.permutation import Permutation, random_numbers
from wlkg.generation.source import Piece, relation_names

#: The numbers of triples, and what permutes them, are 64-bit integers.
_MOST = 2**62


@dataclass(frozen=True)
class RandomTriples:
    """A permutation of all N · R · N possible triples, of which the first ``count`` are taken."""

    vertices: int
    count: int
    relations: int
    seed: int
    directed: bool = True

    def __post_init__(self) -> None:
        possible = self.vertices**2 * self.relations
        if possible > _MOST:
            raise TooLargeError(
                f"{self.vertices:,} vertices and {self.relations:,} relations have more than 2^62 "
                "possible triples. Choose fewer"
            )
        if self.count > possible:
            raise UsageError(
                f"{self.vertices:,} vertices and {self.relations:,} relations have only "
                f"{possible:,} possible triples, not {self.count:,}"
            )

    @cached_property
    def relation_names(self) -> tuple[str, ...]:
        return relation_names(self.relations)

    @cached_property
    def _order(self) -> Permutation:
        return Permutation(self.vertices**2 * self.relations, self.seed)

    def piece(self, start: int, stop: int) -> Piece:
        ends, relation = np.divmod(self._order(np.arange(start, stop)), self.relations)
        head, tail = np.divmod(ends, self.vertices)
        return Piece(head, relation, tail)


class _Plain:
    """An undirected graph with one relation."""

    relation_names = relation_names(1)
    directed = False


@dataclass(frozen=True)
class Path(_Plain):
    """0 - 1 - 2 - ..."""

    vertices: int

    @property
    def count(self) -> int:
        return self.vertices - 1

    def piece(self, start: int, stop: int) -> Piece:
        head = np.arange(start, stop)
        return _plain_piece(head, head + 1)


@dataclass(frozen=True)
class Tree(_Plain):
    """A random recursive tree, or the complete tree with ``branching`` children per vertex."""

    vertices: int
    branching: int | None
    seed: int

    @property
    def count(self) -> int:
        return self.vertices - 1

    def piece(self, start: int, stop: int) -> Piece:
        before = np.arange(start, stop)
        if self.branching is not None:
            return _plain_piece(before // self.branching, before + 1)
        choices = (before + 1).astype(np.uint64)
        parent = (random_numbers(before, self.seed) % choices).astype(np.int64)
        return _plain_piece(parent, before + 1)


@dataclass(frozen=True)
class Grid(_Plain):
    """Rows of ``width`` vertices, of which the last may be shorter; first the edges downwards."""

    vertices: int
    width: int

    @property
    def _downwards(self) -> int:
        return max(self.vertices - self.width, 0)

    @property
    def count(self) -> int:
        rows, rest = divmod(self.vertices, self.width)
        return self._downwards + rows * (self.width - 1) + max(rest - 1, 0)

    def piece(self, start: int, stop: int) -> Piece:
        number = np.arange(start, stop)
        down = number[number < self._downwards]
        row, column = np.divmod(number[len(down) :] - self._downwards, max(self.width - 1, 1))
        right = row * self.width + column
        return _plain_piece(
            np.concatenate([down, right]), np.concatenate([down + self.width, right + 1])
        )


@dataclass(frozen=True)
class Cfi(_Plain):
    """G_k or H_k: first the edges between e^0 and e^1, then those of each (v, S), by v and e."""

    k: int
    odd: bool

    def __post_init__(self) -> None:
        if self.k > 40:
            raise TooLargeError(f"k = {self.k} has more than 2^40 vertices. Choose a smaller k")

    @property
    def vertices(self) -> int:
        return num_vertices(self.k)

    @property
    def _half(self) -> int:
        """The number of even, or odd, subsets of k elements."""
        return 1 << (self.k - 1)

    @cached_property
    def _zero_ends(self) -> Int64Array:
        """The id of e^0 for each base vertex v and each edge e at v, in order of e."""
        edges = list(combinations(range(self.k + 1), 2))
        first = (self.k + 1) * self._half
        return np.array(
            [
                [first + 2 * number for number, edge in enumerate(edges) if v in edge]
                for v in range(self.k + 1)
            ]
        )

    @property
    def _base_edges(self) -> int:
        return self.k * (self.k + 1) // 2

    @property
    def count(self) -> int:
        return self._base_edges + (self.k + 1) * self.k * self._half

    def piece(self, start: int, stop: int) -> Piece:
        number = np.arange(start, stop)
        base = number[number < self._base_edges]
        zero_end = (self.k + 1) * self._half + 2 * base
        place, rank = np.divmod(number[len(base) :] - self._base_edges, self._half)
        v, bit = np.divmod(place, self.k)
        # The subset with this rank: the lowest bit makes the number of members even, or odd.
        mask = 2 * rank + (_parity(rank) ^ ((v == 0) & self.odd))
        gadget_end = self._zero_ends[v, bit] + (mask >> bit & 1)
        return _plain_piece(
            np.concatenate([zero_end, v * self._half + rank]),
            np.concatenate([zero_end + 1, gadget_end]),
        )


def _parity(values: Int64Array) -> Int64Array:
    for shift in (32, 16, 8, 4, 2, 1):
        values = values ^ (values >> shift)
    return values & 1


def _plain_piece(head: Int64Array, tail: Int64Array) -> Piece:
    return Piece(head, np.zeros_like(head), tail)


def default_width(vertices: int) -> int:
    """The width of a grid that is nearly a square."""
    return max(math.isqrt(vertices - 1) + 1, 1) if vertices else 1
