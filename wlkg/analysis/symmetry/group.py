"""The group of a decomposed graph: generators and order, block by block.

The symmetries of a block permute the loose vertices of each colour, permute its children of each
type, and act on each child: with m children of a type whose group has order a, these contribute
m! * a^m. One child of each type needs generators of its own; those of the others are the same,
moved by a swap. Cores are solved by a library, once per type.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from wlkg.analysis.symmetry.canonical import BlockTypes, core_graph
from wlkg.analysis.symmetry.deadline import Deadline, OutOfTimeError
from wlkg.analysis.symmetry.generators import GeneratorList, Generators
from wlkg.analysis.symmetry.libraries import Library
from wlkg.analysis.symmetry.worker import WorkerError
from wlkg.arrays import IntArray


@dataclass(frozen=True)
class Group:
    """Generators and order; the order is None if it is not certain."""

    generators: Generators
    order: int | None
    #: The number of types of cores, and of those the library gave up on.
    core_types: int
    unsolved: int


@dataclass
class _Cores:
    """Solved cores by type: generators as permutations of the shared order of their vertices."""

    blocks: BlockTypes
    library: Library | None
    deadline: Deadline
    solved: dict[int, tuple[list[IntArray], int | None]] = field(default_factory=dict)
    unsolved: int = 0

    def solve(self, core: int) -> tuple[list[IntArray], int | None]:
        number = self.blocks.types[core]
        if number not in self.solved:
            self.solved[number] = self._solve(core)
        return self.solved[number]

    def _solve(self, core: int) -> tuple[list[IntArray], int | None]:
        assert self.library is not None
        tree = self.blocks.tree
        try:
            images, order = self.library.automorphisms(core_graph(tree, core), self.deadline)
        except (OutOfTimeError, WorkerError):
            self.unsolved += 1
            return [], None
        vertices = tree.own_vertices(core)
        shared = self.blocks.orders[core]
        place = np.argsort(np.argsort(shared))
        ascending = np.argsort(vertices)
        # local[i]: the number within the core of the i-th vertex of the shared order.
        local = ascending[place]
        position = np.argsort(local)
        return [position[image[local]] for image in images], order


def find_group(blocks: BlockTypes, library: Library | None, deadline: Deadline) -> Group:
    """The group of the first graph of a decomposition."""
    tree, types = blocks.tree, blocks.types
    cores = _Cores(blocks, library, deadline)
    found = GeneratorList()
    waiting = [0] if tree.roots else []
    visited = []
    while waiting:
        block = waiting.pop()
        visited.append(block)
        if tree.is_core[block]:
            order = blocks.orders[block]
            for image in cores.solve(block)[0]:
                found.add(order, order[image])
            continue
        vertices = tree.own_vertices(block)
        first, other = _firsts_and_others(tree.colours[vertices])
        found.add_transpositions(vertices[first], vertices[other])
        for same in _runs(blocks.children[block], types):
            for other_child in same[1:]:
                found.add_swap(blocks.orders[same[0]], blocks.orders[other_child])
            waiting.append(same[0])
    return Group(
        generators=found.frozen(len(tree.colours)),
        order=_order(blocks, visited, cores),
        core_types=len(cores.solved),
        unsolved=cores.unsolved,
    )


def _order(blocks: BlockTypes, visited: Sequence[int], cores: _Cores) -> int | None:
    """The order of the group; visited blocks include one of each type, parents first."""
    tree, types = blocks.tree, blocks.types
    orders: dict[int, int] = {}
    for block in reversed(visited):
        if tree.is_core[block]:
            order = cores.solve(block)[1]
            if order is None:
                return None
        else:
            order = math.prod(map(math.factorial, _run_lengths(tree.colours, blocks, block)))
            for same in _runs(blocks.children[block], types):
                order *= math.factorial(len(same)) * orders[types[same[0]]] ** len(same)
        orders[types[block]] = order
    return orders[types[visited[0]]] if visited else 1


def _run_lengths(colours: IntArray, blocks: BlockTypes, block: int) -> list[int]:
    """How many loose vertices of each colour a block has."""
    counts = np.unique(colours[blocks.tree.own_vertices(block)], return_counts=True)[1]
    shared: list[int] = counts[counts > 1].tolist()
    return shared


def _firsts_and_others(sorted_keys: IntArray) -> tuple[IntArray, IntArray]:
    """The places of keys that are equal to an earlier one, each with the first such place."""
    fresh = np.ones(len(sorted_keys), dtype=bool)
    fresh[1:] = sorted_keys[1:] != sorted_keys[:-1]
    first = np.maximum.accumulate(np.where(fresh, np.arange(len(fresh)), 0))
    other = np.flatnonzero(~fresh)
    return first[other], other


def _runs(children: list[int], types: list[int]) -> Iterator[list[int]]:
    """The children of each type; they come sorted by type."""
    start = 0
    for end in range(1, len(children) + 1):
        if end == len(children) or types[children[end]] != types[children[start]]:
            yield children[start:end]
            start = end
