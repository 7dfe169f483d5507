"""The WL tests: one table, one function.

``refine(graph, test="1-rwl")`` runs a test of the tables `TESTS` and `TUPLE_TESTS` to its stable
colouring and tells the partition of every round.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from wlkg.arcs import Direction, check_direction
from wlkg.errors import TooLargeError, UsageError, unknown_name
from wlkg.graph import RelationalGraph
from wlkg.memory import free_memory
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.catalogue import (
    DEFAULT_TEST,
    TESTS,
    TUPLE_TESTS,
    Test,
    TupleTest,
    find_test,
)
from wlkg.refinement.engines import ENGINES
from wlkg.refinement.problem import vertex_problem
from wlkg.refinement.tuples import TupleRun, bytes_needed, run_tuples, tuple_history
from wlkg.refinement.tuples.problem import TupleProblem, tuple_problem

__all__ = [
    "DEFAULT_TEST",
    "TESTS",
    "TUPLE_TESTS",
    "Refinement",
    "Test",
    "TupleRefinement",
    "TupleTest",
    "VertexRefinement",
    "check_size",
    "find_test",
    "refine",
]


@dataclass(frozen=True, eq=False, repr=False)
class Refinement(ABC):
    """The result of running a test on a graph: colours of vertices, or of K-tuples of them."""

    test: str
    direction: Direction
    #: K: how many vertices a colour is about.
    arity: int
    #: Whether the last partition is known to be stable.
    stable: bool
    #: Whether it was proved, without hashing, that no split was missed.
    exact: bool
    #: What the proof covers: every round, or the stable partition only.
    proof: str
    #: How many vertices each of the graphs has that were refined together.
    blocks: tuple[int, ...]

    @property
    def rounds(self) -> int:
        """The last round: the smallest t with the partition of t + 1, or where it was stopped."""
        return len(self.classes_per_round) - 1

    @property
    def classes(self) -> int:
        return self.classes_per_round[-1]

    @property
    def num_items(self) -> int:
        """How many vertices or tuples have colours."""
        return sum(int(size**self.arity) for size in self.blocks)

    @property
    def distinguishable_pairs(self) -> int:
        """How many pairs of items differ in colour at last."""
        return self.distinguishable_per_round[-1]

    @property
    def indistinguishable_pairs(self) -> int:
        """How many pairs of items share a colour at last."""
        return self.num_items * (self.num_items - 1) // 2 - self.distinguishable_pairs

    @property
    @abstractmethod
    def classes_per_round(self) -> list[int]:
        """The number of classes at rounds 0 .. ``rounds``."""

    @property
    @abstractmethod
    def distinguishable_per_round(self) -> list[int]:
        """The number of pairs of items that differ in colour at rounds 0 .. ``rounds``."""

    @property
    @abstractmethod
    def partition(self) -> Partition:
        """The last partition of the items."""

    @property
    @abstractmethod
    def history(self) -> History:
        """The partitions of the items at all rounds."""

    @property
    @abstractmethod
    def vertices(self) -> History:
        """The partitions of the vertices at all rounds."""

    @property
    @abstractmethod
    def differs_at(self) -> int | None:
        """The first round at which the blocks have different colour histograms, or None."""

    def __repr__(self) -> str:
        state = "stable" if self.stable else "stopped"
        return (
            f"Refinement({self.test}, {self.classes:,} classes, {state} at round {self.rounds:,})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class VertexRefinement(Refinement):
    """The result of a vertex test."""

    _history: History

    @property
    def classes_per_round(self) -> list[int]:
        return [int(count) for count in self._history.classes_per_round]

    @property
    def distinguishable_per_round(self) -> list[int]:
        return [int(count) for count in self._history.distinguishable_per_round]

    @cached_property
    def partition(self) -> Partition:
        return self._history.partition()

    @property
    def history(self) -> History:
        return self._history

    @property
    def vertices(self) -> History:
        return self._history

    @cached_property
    def differs_at(self) -> int | None:
        block_of = np.repeat(np.arange(len(self.blocks)), self.blocks)
        rounds = [
            self._history.imbalanced_at(block_of == 0, block_of == other)
            for other in range(1, len(self.blocks))
        ]
        return min((t for t in rounds if t is not None), default=None)


@dataclass(frozen=True, eq=False, repr=False)
class TupleRefinement(Refinement):
    """The result of a tuple test; tuples come in lexicographic order of their vertices' ids.

    Two vertices v and w are alike at a round if (v, ..., v) and (w, ..., w) have the same colour
    and the tuples that begin with v have the same colours as those that begin with w.
    """

    _problem: TupleProblem
    _run: TupleRun

    @property
    def classes_per_round(self) -> list[int]:
        return list(self._run.classes_per_round)

    @property
    def distinguishable_per_round(self) -> list[int]:
        pairs = self.num_items * (self.num_items - 1) // 2
        return [pairs - alike for alike in self._run.alike_per_round]

    @cached_property
    def partition(self) -> Partition:
        return Partition.of(self._run.names)

    @cached_property
    def history(self) -> History:
        return tuple_history(self._problem, self._run)

    @property
    def vertices(self) -> History:
        return self._run.vertices

    @property
    def differs_at(self) -> int | None:
        return self._run.differs_at


def refine(
    graph: RelationalGraph,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    rounds: int | None = None,
    *,
    blocks: Sequence[int] | None = None,
    max_memory: int | None = None,
    engine: str = "worklist",
    progress: Progress = SILENT,
) -> Refinement:
    """Run a test to its stable colouring, or for some rounds.

    ``blocks`` says that the graph is made of several graphs with so many vertices each (see
    `wlkg.disjoint_union`), whose tuples never mix. A tuple test that would take more than
    ``max_memory`` bytes (by default half of what is free) is refused.

    >>> import wlkg
    >>> refine(wlkg.read("example:c6")).classes_per_round
    [1]
    >>> refine(wlkg.read("example:c6"), "2-rlwl").classes_per_round
    [3, 4]
    """
    chosen = find_test(test)
    if rounds is not None and rounds < 0:
        raise UsageError(f"the number of rounds must not be negative, found {rounds}")
    if engine not in ENGINES:
        raise unknown_name("engine", engine, ENGINES)
    sizes = (graph.num_vertices,) if blocks is None else tuple(blocks)
    if sum(sizes) != graph.num_vertices or min(sizes, default=0) < 0:
        raise UsageError(f"blocks of {sizes} vertices in a graph with {graph.num_vertices}")
    mode = check_direction(graph.direction if direction is None else direction)
    progress.start(f"refining by {test}", rounds, "rounds")
    try:
        if isinstance(chosen, TupleTest):
            return _refine_tuples(graph, test, chosen, mode, rounds, sizes, max_memory, progress)
        return _refine_vertices(graph, test, chosen, mode, rounds, sizes, engine, progress)
    finally:
        progress.finish()


def _refine_vertices(
    graph: RelationalGraph,
    name: str,
    test: Test,
    direction: Direction,
    rounds: int | None,
    blocks: tuple[int, ...],
    engine: str,
    progress: Progress,
) -> VertexRefinement:
    problem = vertex_problem(
        graph,
        direction,
        sees_relations=test.sees_relations,
        sees_degrees=test.sees_degrees,
        sees_shares=test.sees_shares,
    )
    last_round = graph.num_vertices + 1 if rounds is None else rounds
    run = ENGINES[engine](problem, last_round, progress)
    return VertexRefinement(
        name, direction, 1, run.stable, run.exact, run.proof, blocks, run.history
    )


def _refine_tuples(
    graph: RelationalGraph,
    name: str,
    test: TupleTest,
    direction: Direction,
    rounds: int | None,
    blocks: tuple[int, ...],
    max_memory: int | None,
    progress: Progress,
) -> TupleRefinement:
    check_size(name, blocks, max_memory)
    # The only tuple of a single vertex says the same whatever its length.
    short = replace(test, arity=1) if max(blocks, default=0) < 2 else test
    problem = tuple_problem(graph, direction, short, blocks)
    run = run_tuples(problem, rounds, progress)
    return TupleRefinement(
        name, direction, test.arity, run.stable, run.exact, run.proof, blocks, problem, run
    )


def check_size(name: str, blocks: Sequence[int], max_memory: int | None = None) -> None:
    """Refuse a test whose colours of all tuples would not fit, with the numbers."""
    test = find_test(name)
    if not isinstance(test, TupleTest) or max(blocks, default=0) < 2:
        return
    limit = free_memory() // 2 if max_memory is None else max_memory
    largest = max(blocks)
    if test.arity * math.log2(largest) > 60:
        raise TooLargeError(
            f"{name} on {largest:,} vertices has {largest:,}^{test.arity} tuples, more than any"
            f" memory holds. Take a smaller K"
        )
    tuples, needed = bytes_needed(blocks, test)
    if needed > limit:
        raise TooLargeError(
            f"{name} on {' and '.join(f'{size:,}' for size in blocks)} vertices has {tuples:,}"
            f" tuples and needs {needed:,} bytes of memory, more than the {limit:,} allowed."
            f" Allow more with --max-memory, or take a smaller K or graph"
        )
