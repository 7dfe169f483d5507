"""Batches of pairs of graphs, counted by classes of graphs instead of pair by pair.

Graphs are known by their places in a list. Given a partition of the graphs of a batch, the sizes of
its classes tell how many pairs lie in different classes. A batch that is too large for memory
splits into smaller batches, down to single pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from wlkg.partition import Partition

Pair = tuple[int, int]


class Batch(Protocol):
    """Pairs of graphs."""

    @property
    def graphs(self) -> tuple[int, ...]:
        """The places of the graphs, ascending; partitions of the graphs use the same order."""

    @property
    def total(self) -> int:
        """The number of pairs."""

    def separated(self, classes: Partition) -> int:
        """The number of pairs that lie in different classes."""

    def alike(self, classes: Partition) -> Iterator[Pair]:
        """The pairs that lie in the same class, in order."""

    def parts(self) -> tuple[Batch, ...]:
        """Smaller batches with the same pairs."""


@dataclass(frozen=True)
class Within:
    """All pairs among some graphs."""

    graphs: tuple[int, ...]

    @property
    def total(self) -> int:
        return len(self.graphs) * (len(self.graphs) - 1) // 2

    def separated(self, classes: Partition) -> int:
        return classes.distinguishable_pairs

    def alike(self, classes: Partition) -> Iterator[Pair]:
        coloured = list(zip(self.graphs, classes.colours.tolist(), strict=True))
        return _pairs_of_equal_colour(coloured, coloured)

    def parts(self) -> tuple[Batch, ...]:
        low, high = _halves(self.graphs)
        return Within(low), Across(low, high), Within(high)


@dataclass(frozen=True)
class Across:
    """All pairs of a graph on the left and a graph on the right; all left places come first."""

    left: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def graphs(self) -> tuple[int, ...]:
        return self.left + self.right

    @property
    def total(self) -> int:
        return len(self.left) * len(self.right)

    def separated(self, classes: Partition) -> int:
        sides = classes.colours[: len(self.left)], classes.colours[len(self.left) :]
        left, right = (np.bincount(side, minlength=classes.num_classes) for side in sides)
        return self.total - int(left @ right)

    def alike(self, classes: Partition) -> Iterator[Pair]:
        coloured = list(zip(self.graphs, classes.colours.tolist(), strict=True))
        return _pairs_of_equal_colour(coloured[: len(self.left)], coloured[len(self.left) :])

    def parts(self) -> tuple[Batch, ...]:
        if len(self.left) > len(self.right):
            low, high = _halves(self.left)
            return Across(low, self.right), Across(high, self.right)
        low, high = _halves(self.right)
        return Across(self.left, low), Across(self.left, high)


def _halves(graphs: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return graphs[: len(graphs) // 2], graphs[len(graphs) // 2 :]


def _pairs_of_equal_colour(
    left: list[tuple[int, int]], right: list[tuple[int, int]]
) -> Iterator[Pair]:
    """From (graph, colour) on both sides, the pairs i < j of equal colour, in order."""
    graphs_of: dict[int, list[int]] = {}
    for graph, colour in right:
        graphs_of.setdefault(colour, []).append(graph)
    for i, colour in left:
        yield from ((i, j) for j in graphs_of.get(colour, ()) if j > i)
