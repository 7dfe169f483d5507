"""The result of a run: the partition of every round, of vertices or of K-tuples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.arrays import UInt64Array
from wlkg.catalogue import Direction
from wlkg.display import Displayed
from wlkg.engines import DEFAULT_ENGINE, EngineChoice
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History, Partition
from wlkg.refinement.tuples.tuple_problem import TupleProblem
from wlkg.refinement.tuples.tuple_tests import TupleRun, codes_per_round, tuple_history


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Refinement(Displayed, ABC):
    """The result of a test on a graph: colours of its *items*, which are vertices or K-tuples."""

    test: str
    #: The graph, in the direction mode in which it was refined.
    graph: RelationalGraph
    direction: Direction
    #: K, the number of vertices in an item.
    arity: int
    #: Whether the last partition is known to be stable.
    stable: bool
    #: Whether it was proved, without hashing, that no split was missed.
    exact: bool
    #: What the proof covers: every round, or the stable partition only.
    proof: str
    #: The number of vertices of each of the graphs that were refined together.
    blocks: tuple[int, ...]
    #: What ran the test, and why.
    engine: EngineChoice = DEFAULT_ENGINE

    @property
    def rounds(self) -> int:
        """The last round: the smallest t with the partition of t + 1, or where the run stopped."""
        return len(self.classes_per_round) - 1

    @property
    def classes(self) -> int:
        return self.classes_per_round[-1]

    @property
    def num_items(self) -> int:
        """The number of vertices or tuples that have colours."""
        return sum(self.items_per_block)

    @property
    def items_per_block(self) -> tuple[int, ...]:
        return tuple(int(size**self.arity) for size in self.blocks)

    @property
    def distinguishable_pairs(self) -> int:
        """The number of pairs of items with different colours in the last round."""
        return self.distinguishable_per_round[-1]

    @property
    def indistinguishable_pairs(self) -> int:
        """The number of pairs of items with the same colour in the last round."""
        return self.num_items * (self.num_items - 1) // 2 - self.distinguishable_pairs

    @property
    @abstractmethod
    def classes_per_round(self) -> list[int]:
        """The number of classes at rounds 0 .. ``rounds``."""

    @property
    @abstractmethod
    def distinguishable_per_round(self) -> list[int]:
        """The number of pairs of items with different colours at rounds 0 .. ``rounds``."""

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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class KeptRefinement(Refinement):
    """A result that keeps the split tree of its items, from which all else follows."""

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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class VertexRefinement(KeptRefinement):
    """The result of a vertex test."""

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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TupleRefinement(Refinement):
    """The result of a tuple test; tuples are in lexicographic order of their vertices' ids.

    Two vertices v and w share a class at a round if (v, ..., v) and (w, ..., w) have the same
    colour and the tuples that begin with v have the same multiset of colours as those that begin
    with w.
    """

    _problem: TupleProblem
    _run: TupleRun

    @property
    def classes_per_round(self) -> list[int]:
        return list(self._run.classes_per_round)

    @property
    def distinguishable_per_round(self) -> list[int]:
        pairs = self.num_items * (self.num_items - 1) // 2
        return [pairs - equal for equal in self._run.indistinguishable_per_round]

    @cached_property
    def partition(self) -> Partition:
        return Partition.of(self._run.codes)

    @cached_property
    def history(self) -> History:
        return tuple_history(self._problem, self._run)

    def codes_per_round(self) -> Iterator[UInt64Array]:
        """Codes of the tuples at rounds 0 .. ``rounds``, equal for equal colours.

        They are computed once more, in memory that the next round overwrites.
        """
        return codes_per_round(self._problem, self._run)

    @property
    def vertices(self) -> History:
        return self._run.vertices

    @property
    def differs_at(self) -> int | None:
        return self._run.differs_at
