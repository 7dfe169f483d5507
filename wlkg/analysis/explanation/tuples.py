"""The K-tuples of vertices that a local tuple test colours, as the items of formulas.

Facts about (v_1, ..., v_K) are its atomic type: the label of each vertex, which vertices are equal,
and the relations between them. A tuple sees, at position j along relation R, the tuples with v_j
replaced by a vertex of N_R(v_j). So a formula of depth t says what K-rlwl (or, with relations
forgotten, delta-K-lwl) sees in t rounds.

Tuples are numbered as in `wlkg.refinement.results.TupleRefinement`: block by block, in
lexicographic order. Evaluating a formula for all of them takes O(n^(K-1) m) for each part.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, product

import numpy as np

from wlkg.analysis.explanation.evaluation import equal_runs, evaluate, relations_of
from wlkg.analysis.explanation.formulas import (
    ANY,
    Formula,
    Modality,
    Relation,
    edge,
    equal,
    label,
)
from wlkg.arrays import BoolArray, Int64Array, IntArray
from wlkg.catalogue import TupleTest
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph


class Tuples:
    """The tuples of one graph, or of the blocks of a union of graphs."""

    sees_shares = False

    def __init__(self, graph: RelationalGraph, test: TupleTest, sizes: Sequence[int]) -> None:
        self.graph = graph
        self._test = test
        self._sizes = tuple(sizes)
        # A graph with one vertex has one tuple, which sees the same for every K.
        self.arity = test.arity if max(self._sizes, default=0) > 1 else 1
        #: Where the vertices and the tuples of each block begin.
        self._first_vertex = [0, *accumulate(self._sizes)]
        self._first = [0, *accumulate(int(size**self.arity) for size in self._sizes)]

    @cached_property
    def _arcs(self) -> Arcs:
        arcs = self.graph.arcs()
        return arcs if self._test.sees_relations else arcs.without_relations()

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The relation of each arc, by id, as formulas name it."""
        return relations_of(self.graph) if self._test.sees_relations else (ANY,)

    # -- tuples and vertices ----------------------------------------------------------------------

    def vertices(self, item: int) -> tuple[int, ...]:
        """The vertices of a tuple."""
        block = bisect_right(self._first, item) - 1
        rest, size, first = item - self._first[block], self._sizes[block], self._first_vertex[block]
        backwards = []
        for _ in range(self.arity):
            rest, vertex = divmod(rest, size)
            backwards.append(first + vertex)
        return tuple(reversed(backwards))

    def diagonal(self, vertex: int) -> int:
        """The tuple (v, ..., v)."""
        block, place, size = self._place(vertex)
        return self._first[block] + sum(place * int(size**j) for j in range(self.arity))

    def beginning_with(self, vertex: int) -> Int64Array:
        """The tuples whose first vertex is v."""
        block, place, size = self._place(vertex)
        count = int(size ** (self.arity - 1))
        return self._first[block] + place * count + np.arange(count)

    def of_block(self, block: int) -> Int64Array:
        """The tuples of a block."""
        return np.arange(self._first[block], self._first[block + 1])

    def _place(self, vertex: int) -> tuple[int, int, int]:
        """The block of a vertex, its number in the block, and the size of the block."""
        block = bisect_right(self._first_vertex, vertex) - 1
        return block, vertex - self._first_vertex[block], self._sizes[block]

    # -- one tuple at a time ----------------------------------------------------------------------

    def facts(self, item: int) -> tuple[Formula, ...]:
        """The atoms that are true of a tuple."""
        return tuple(self._facts(self.vertices(item)))

    def _facts(self, vertices: tuple[int, ...]) -> Iterator[Formula]:
        places = list(enumerate(vertices, 1))
        for (i, v), (j, w) in product(places, places):
            if i < j and v == w:
                yield equal(i, j)
        if self.graph.labels is not None:
            for i, v in places:
                yield label(self.graph.label_names[self.graph.labels[v]], i)
        for (i, v), (j, w) in product(places, places):
            if i <= j or not self._is_symmetric:
                yield from (edge(relation, i, j) for relation in self._between(v, w))

    @cached_property
    def _is_symmetric(self) -> bool:
        """Whether an arc from v to w is also an arc of the same relation from w to v."""
        mode = self.graph.direction
        return mode == "undirected" or (mode == "both" and not self._test.sees_relations)

    def _between(self, v: int, w: int) -> Iterator[Relation]:
        """The relations from v to w; inverse ones are left out where they say the same again."""
        begin, end = self._arcs.offsets[v : v + 2].tolist()
        for i in np.flatnonzero(self._arcs.neighbour[begin:end] == w).tolist():
            relation = self.relations[self._arcs.relation[begin + i]]
            if self.graph.direction != "both" or not relation.inverse:
                yield relation

    def arc_counts(self, _item: int) -> dict[Relation, int]:
        """Tuple tests have no atoms about numbers of arcs."""
        return {}

    def around(self, item: int) -> list[tuple[Modality, IntArray]]:
        """The tuples with a neighbour in the place of a vertex, by position and relation."""
        vertices = self.vertices(item)
        _, _, size = self._place(vertices[0])
        seen: list[tuple[Modality, IntArray]] = []
        for position, vertex in enumerate(vertices, 1):
            begin, end = self._arcs.offsets[vertex : vertex + 2].tolist()
            step = size ** (self.arity - position)
            moved = item + (self._arcs.neighbour[begin:end].astype(np.int64) - vertex) * step
            seen += [
                (Modality(self.relations[relation], position), moved[low:high])
                for relation, low, high in equal_runs(self._arcs.relation[begin:end])
            ]
        return seen

    # -- all tuples at once -----------------------------------------------------------------------

    def holds(self, formula: Formula) -> BoolArray:
        """For each tuple, whether the formula is true of it."""
        return evaluate([formula], self._value)[0]

    def _value(self, part: Formula, args: list[BoolArray]) -> BoolArray:
        if part.op == "not":
            return ~args[0]
        if part.op in ("true", "and", "or"):
            value = np.full(self._first[-1], part.op != "or")
            for arg in args:
                value = value & arg if part.op == "and" else value | arg
            return value
        blocks = (
            self._value_in(block, part, [arg[first:end] for arg in args])
            for block, (first, end) in enumerate(zip(self._first, self._first[1:], strict=False))
        )
        return np.concatenate([np.zeros(0, dtype=bool), *blocks])

    def _value_in(self, block: int, part: Formula, args: list[BoolArray]) -> BoolArray:
        """The value of an atom, or of a number of neighbours, in a block."""
        size, first = self._sizes[block], self._first_vertex[block]
        if part.op == "label":
            value = np.array(
                [self._label(first + v) == part.value for v in range(size)], dtype=bool
            )
            return self._spread(value, part.positions, size)
        if not args:
            matrix = np.eye(size, dtype=bool)
            if part.relation is not None:
                matrix = self._adjacency(block, part.relation) > 0
            if part.positions[0] == part.positions[1]:
                return self._spread(matrix.diagonal(), part.positions[:1], size)
            return self._spread(matrix, part.positions, size)
        assert part.relation is not None
        assert part.count is not None
        axis = part.positions[0] - 1
        holds = np.moveaxis(args[0].reshape((size,) * self.arity), axis, 0)
        counts = np.zeros(holds.shape, dtype=np.int64)
        for v, neighbours in enumerate(self._neighbours(block, part.relation)):
            counts[v] = holds[neighbours].sum(axis=0)
        counts = np.moveaxis(counts, 0, axis).reshape(-1)
        return np.asarray(counts >= part.count if part.op == "at_least" else counts == part.count)

    def _label(self, vertex: int) -> str:
        labels = self.graph.labels
        return "" if labels is None else self.graph.label_names[labels[vertex]]

    def _spread(self, value: BoolArray, positions: tuple[int, ...], size: int) -> BoolArray:
        """What is true of the vertices at some positions, for all tuples."""
        if list(positions) != sorted(positions):
            value, positions = value.T, positions[::-1]
        shape = [size if position in positions else 1 for position in range(1, self.arity + 1)]
        return np.broadcast_to(value.reshape(shape), (size,) * self.arity).reshape(-1)

    def _neighbours(self, block: int, relation: Relation) -> Iterator[IntArray]:
        """For each vertex of a block, its neighbours under a relation, numbered in the block."""
        first = self._first_vertex[block]
        for vertex in range(first, first + self._sizes[block]):
            begin, end = self._arcs.offsets[vertex : vertex + 2].tolist()
            runs = equal_runs(self._arcs.relation[begin:end])
            chosen = [
                self._arcs.neighbour[begin + low : begin + high].astype(np.int64) - first
                for number, low, high in runs
                if relation in (ANY, self.relations[number])
            ]
            yield np.concatenate([np.zeros(0, dtype=np.int64), *chosen])

    def _adjacency(self, block: int, relation: Relation) -> Int64Array:
        matrix = np.zeros((self._sizes[block],) * 2, dtype=np.int64)
        for v, neighbours in enumerate(self._neighbours(block, relation)):
            matrix[v, neighbours] = 1
        return matrix
