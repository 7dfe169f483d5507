"""The input of a tuple test: tuples in blocks, their atomic types, and arcs.

The atomic type of (v_1, ..., v_K) consists of the labels, which vertices are equal, the relations
between any two of them, and the loops at each of them. It is stored as *pair types*: two ordered
pairs (u, v) have the same pair type exactly if they have the same labels, loops and relations both
ways, and if u = v in both or in neither. So two K-tuples have the same atomic type exactly if their
pairs have the same types. The tests of link prediction start with labels and equalities only, as if
there were no arcs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wlkg.arrays import IntArray, frozen, id_dtype
from wlkg.catalogue import TupleTest
from wlkg.errors import GraphError
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.atomic_types import labels_of, relation_sets, vertex_types
from wlkg.refinement.compiled.arc_arrays import ArcArrays

#: Colours seen that count as one step for `wlkg.compiled.kernel`. The kernels of tuple
#: tests take longer to compile than others, so compiling pays off later.
COLOURS_PER_STEP = 10


@dataclass(frozen=True, eq=False)
class Block:
    """The K-tuples of one graph: ``first:first + count`` of all tuples, in lexicographic order."""

    first: int
    count: int
    num_vertices: int
    #: The number of its first vertex in the whole graph.
    first_vertex: int
    #: Its arcs, with vertices numbered from 0 within the block.
    arcs: ArcArrays
    #: The types of its pairs of vertices as a matrix; if K = 1, the types of its vertices as a row.
    types: IntArray

    @property
    def tuples(self) -> slice:
        return slice(self.first, self.first + self.count)


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
        """About how many colours are seen in a round."""
        if self.test.looks == "local":
            return sum(_local_steps(block, self.test) for block in self.blocks)
        if self.test.looks == "everywhere":
            return 2 * self.arity * self.num_tuples
        return sum(self.arity * block.count * block.num_vertices for block in self.blocks)


def _local_steps(block: Block, test: TupleTest) -> int:
    arcs = len(block.arcs.neighbour) * (test.arity - test.fixed)
    return block.count + arcs * (block.count // max(block.num_vertices, 1))


def tuple_problem(graph: RelationalGraph, test: TupleTest, sizes: Sequence[int]) -> TupleProblem:
    """The problem of a test on a graph, in the graph's direction mode.

    The first ``sizes[0]`` vertices are the first block, the next ``sizes[1]`` the second, etc.
    """
    arcs = graph.arcs()
    if not test.sees_relations:
        arcs = arcs.without_relations()
    at_start = arcs if test.starts_with_relations else arcs.none()
    pair_types = _PairTypes(at_start, vertex_types(labels_of(graph), at_start))
    blocks = []
    first = first_vertex = 0
    for size in sizes:
        block_arcs = _block_arcs(arcs, first_vertex, size)
        vertices = slice(first_vertex, first_vertex + size)
        is_single = test.arity == 1
        types = pair_types.of_vertices(vertices) if is_single else pair_types.of_pairs(vertices)
        block = Block(
            first=first,
            count=size**test.arity,
            num_vertices=size,
            first_vertex=first_vertex,
            arcs=block_arcs,
            types=types,
        )
        blocks.append(block)
        first += block.count
        first_vertex += size
    return TupleProblem(test=test, blocks=tuple(blocks), arcs=arcs)


def _block_arcs(arcs: Arcs, low: int, size: int) -> ArcArrays:
    begin, end = int(arcs.offsets[low]), int(arcs.offsets[low + size])
    neighbour = arcs.neighbour[begin:end] - low
    if len(neighbour) and (neighbour.min() < 0 or neighbour.max() >= size):
        raise GraphError("an arc leads from one block of vertices to another")
    return ArcArrays(
        arcs.offsets[low : low + size + 1] - begin, neighbour, arcs.relation[begin:end]
    )


class _PairTypes:
    """Types of vertices and of ordered pairs of vertices, as numbers.

    Pairs without an arc come first: their type is made of the types of both ends. Then come pairs
    with an arc one way or the other, then pairs (v, v).
    """

    def __init__(self, arcs: Arcs, vertices: Partition) -> None:
        """``vertices`` are the atomic types of single vertices."""
        self._vertex = vertices
        source, neighbour, relations = relation_sets(arcs, arcs.source != arcs.neighbour)
        self._head, self._tail, between = _both_ways(
            source, neighbour, relations, arcs.num_vertices
        )
        count = self._vertex.num_classes
        own = self._vertex.colours.astype(np.int64)
        ends = Partition.of(own[self._head] * count + own[self._tail])
        self._adjacent = count**2 + between.meet(ends).colours.astype(np.int64)
        self._equal = count**2 + len(self._head)
        self._dtype: npt.DTypeLike = id_dtype(self._equal + count)

    def of_vertices(self, vertices: slice) -> IntArray:
        return frozen(self._vertex.colours[vertices].reshape(1, -1).copy())

    def of_pairs(self, vertices: slice) -> IntArray:
        own = self._vertex.colours[vertices].astype(self._dtype)
        types: IntArray = np.add.outer(np.multiply(own, self._vertex.num_classes), own)
        inside = (self._head >= vertices.start) & (self._head < vertices.stop)
        head, tail = self._head[inside] - vertices.start, self._tail[inside] - vertices.start
        types[head, tail] = self._adjacent[inside]
        np.fill_diagonal(types, self._equal + own)
        return frozen(types)


def _both_ways(
    source: IntArray, neighbour: IntArray, relations: IntArray, n: int
) -> tuple[IntArray, IntArray, Partition]:
    """All pairs with an arc one way or the other, partitioned by the relations both ways."""
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
