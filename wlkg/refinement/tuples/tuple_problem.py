"""What the engine for tuple tests is given: tuples in blocks, their atomic types, and arcs.

The atomic type of (v_1, ..., v_K) tells the labels, which of the vertices are equal, and the
relations between any two of them and at each of them (loops). It is made of codes for ordered
pairs: two pairs (u, v) have the same code exactly if they have the same labels, loops and relations
both ways. So a K-tuple has the atomic type of another exactly if the codes of all its pairs agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wlkg.arrays import IntArray, frozen, id_dtype
from wlkg.catalogue import Direction, TupleTest
from wlkg.errors import GraphError
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.compiled.arc_arrays import ArcArrays

#: Compiling pays later than elsewhere (see `kernel`): it takes longer here.
PER_STEP = 10


@dataclass(frozen=True, eq=False)
class Block:
    """The K-tuples of one graph: ``first:first + count`` of all tuples, in lexicographic order."""

    first: int
    count: int
    num_vertices: int
    #: The place of its first vertex among all vertices.
    first_vertex: int
    #: Its arcs, its vertices counted from 0.
    arcs: ArcArrays
    #: The codes of its pairs of vertices; of its vertices, as one row, if K = 1.
    types: npt.NDArray[np.signedinteger]

    @property
    def tuples(self) -> slice:
        return slice(self.first, self.first + self.count)

    @property
    def vertices(self) -> slice:
        return slice(self.first_vertex, self.first_vertex + self.num_vertices)


@dataclass(frozen=True, eq=False)
class TupleProblem:
    """One tuple test on one graph, or on several side by side whose tuples never mix."""

    test: TupleTest
    blocks: tuple[Block, ...]
    arcs: Arcs

    @property
    def arity(self) -> int:
        return self.test.arity

    @property
    def num_tuples(self) -> int:
        return sum(block.count for block in self.blocks)

    @property
    def steps(self) -> int:
        """About how many colours are looked at in a round."""
        if self.test.looks == "local":
            return sum(_local_steps(block, self.arity) for block in self.blocks)
        if self.test.looks == "everywhere":
            return 2 * self.arity * self.num_tuples
        return sum(self.arity * block.count * block.num_vertices for block in self.blocks)


def _local_steps(block: Block, arity: int) -> int:
    arcs = len(block.arcs.neighbour)
    return block.count + arity * arcs * (block.count // max(block.num_vertices, 1))


def tuple_problem(
    graph: RelationalGraph, direction: Direction, test: TupleTest, sizes: Sequence[int]
) -> TupleProblem:
    """The problem of a test on a graph whose first ``sizes[0]`` vertices are a block, and so on."""
    arcs = graph.arcs(direction)
    if not test.sees_relations:
        arcs = arcs.without_relations()
    labels = np.zeros(graph.num_vertices, dtype=np.int64) if graph.labels is None else graph.labels
    codes = _Codes(arcs, labels)
    blocks = []
    first = first_vertex = 0
    for size in sizes:
        local = _local_arcs(arcs, first_vertex, size)
        vertices = slice(first_vertex, first_vertex + size)
        types = codes.of_vertices(vertices) if test.arity == 1 else codes.of_pairs(vertices)
        blocks.append(Block(first, size**test.arity, size, first_vertex, local, types))
        first += size**test.arity
        first_vertex += size
    return TupleProblem(test, tuple(blocks), arcs)


def _local_arcs(arcs: Arcs, low: int, size: int) -> ArcArrays:
    begin, end = int(arcs.offsets[low]), int(arcs.offsets[low + size])
    neighbour = arcs.neighbour[begin:end] - low
    if len(neighbour) and (neighbour.min() < 0 or neighbour.max() >= size):
        raise GraphError("an arc leads from one block of vertices to another")
    return ArcArrays(
        arcs.offsets[low : low + size + 1] - begin, neighbour, arcs.relation[begin:end]
    )


class _Codes:
    """Codes of vertices and of ordered pairs of vertices."""

    def __init__(self, arcs: Arcs, labels: npt.ArrayLike) -> None:
        source, neighbour, relations = _relation_sets(arcs)
        loop = source == neighbour
        loops = np.zeros(arcs.num_vertices, dtype=np.int64)
        loops[source[loop]] = relations[loop]
        #: Label and loops of each vertex.
        self.vertex = Partition.of(np.asarray(labels, dtype=np.int64)).meet(Partition.of(loops))
        self._head, self._tail, between = _both_ways(
            source[~loop], neighbour[~loop], relations[~loop], arcs.num_vertices
        )
        kinds = self.vertex.num_classes
        own = self.vertex.colours.astype(np.int64)
        ends = Partition.of(own[self._head] * kinds + own[self._tail])
        self._adjacent = kinds**2 + between.meet(ends).colours.astype(np.int64)
        self._equal = kinds**2 + len(self._head)
        self._dtype: npt.DTypeLike = id_dtype(self._equal + kinds)

    def of_vertices(self, vertices: slice) -> IntArray:
        return frozen(self.vertex.colours[vertices].reshape(1, -1).copy())

    def of_pairs(self, vertices: slice) -> IntArray:
        own = self.vertex.colours[vertices].astype(self._dtype)
        types: IntArray = np.add.outer(np.multiply(own, self.vertex.num_classes), own)
        inside = (self._head >= vertices.start) & (self._head < vertices.stop)
        head, tail = self._head[inside] - vertices.start, self._tail[inside] - vertices.start
        types[head, tail] = self._adjacent[inside]
        np.fill_diagonal(types, self._equal + own)
        return frozen(types)


def _relation_sets(arcs: Arcs) -> tuple[IntArray, IntArray, IntArray]:
    """The pairs (v, u) with an arc from v to u, sorted, and a number for the set of its relations.

    Numbers begin with 1: 0 stands for no arc at all.
    """
    order = np.lexsort([arcs.relation, arcs.neighbour, arcs.source])
    source, neighbour = arcs.source[order], arcs.neighbour[order].astype(np.int64)
    relation = arcs.relation[order].astype(np.int64)
    fresh = np.ones(len(source), dtype=bool)
    fresh[1:] = (source[1:] != source[:-1]) | (neighbour[1:] != neighbour[:-1])
    start = np.flatnonzero(fresh)
    length = np.diff(np.append(start, len(source)))
    sets = Partition.of(length)
    for position in range(int(length.max(initial=0))):
        member = np.full(len(start), -1, dtype=np.int64)
        long_enough = length > position
        member[long_enough] = relation[start[long_enough] + position]
        sets = sets.meet(Partition.of(member))
    return source[start], neighbour[start], sets.colours.astype(np.int64) + 1


def _both_ways(
    source: IntArray, neighbour: IntArray, relations: IntArray, n: int
) -> tuple[IntArray, IntArray, Partition]:
    """All pairs with an arc one way or the other, by the relations there and back."""
    there, back = source * n + neighbour, neighbour * n + source
    pairs = np.union1d(there, back)
    head, tail = pairs // max(n, 1), pairs % max(n, 1)
    forth = Partition.of(_looked_up(pairs, there, relations))
    return head, tail, forth.meet(Partition.of(_looked_up(tail * n + head, there, relations)))


def _looked_up(wanted: IntArray, keys: IntArray, values: IntArray) -> IntArray:
    """The value of each wanted key among sorted keys, 0 where it is missing."""
    if not len(keys):
        return np.zeros(len(wanted), dtype=np.int64)
    place = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return np.where(keys[place] == wanted, values[place], 0)
