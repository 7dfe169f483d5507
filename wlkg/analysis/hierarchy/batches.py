"""Many pairs of graphs judged at once: one refinement, then only histograms are compared.

All graphs are refined together, side by side. The colour of a vertex or tuple after t rounds says
what it sees t steps deep in its own graph, whatever else is refined beside it; so two graphs have
the same histogram of colours here exactly if they have it when refined alone with each other, at
every round. Graphs with equal histograms make classes, and the classes of round t + 1 refine those
of round t. So of N graphs all N (N - 1) / 2 pairs are counted by the sizes of classes, and
bisection finds the at most N - 1 rounds at which some class is split.

Where the graphs do not fit into memory together, a batch of pairs falls into smaller ones, down to
single pairs; a pair that does not fit is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import Protocol

import numpy as np

from wlkg.analysis.compare import judge
from wlkg.analysis.histograms import with_equal_histograms
from wlkg.errors import TooLargeError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.refinement.refine import check_size, refine
from wlkg.refinement.results import VertexRefinement

#: How many of the pairs that a test misses are kept.
FEW = 10
#: Numbering the colours of a run on many graphs takes about as much memory as the run itself.
_NUMBERING = 2
#: Of so many tuples the colours of all rounds are kept, which takes some 50 megabytes at most; of
#: more, those of a single round are computed again, which takes less time, too.
_SMALL = 200_000

Pair = tuple[int, int]


@dataclass(frozen=True)
class Tally:
    """How many pairs a test separates."""

    separated: int = 0
    total: int = 0
    #: How many pairs did not fit into memory, and why the first of them did not.
    skipped: int = 0
    reason: str | None = None
    #: The largest of the first separating rounds.
    rounds: int | None = None
    #: The first few pairs that the test does not separate.
    missed: tuple[Pair, ...] = ()
    #: Whether it was proved, without hashing, that no colours were confused.
    exact: bool = True

    def __add__(self, other: Tally) -> Tally:
        rounds = [found.rounds for found in (self, other) if found.rounds is not None]
        return Tally(
            self.separated + other.separated,
            self.total + other.total,
            self.skipped + other.skipped,
            self.reason or other.reason,
            max(rounds, default=None),
            tuple(sorted(self.missed + other.missed)[:FEW]),
            self.exact and other.exact,
        )


class Batch(Protocol):
    """Pairs of graphs; graphs are known by their places in a list, and kept in ascending order."""

    @property
    def graphs(self) -> tuple[int, ...]:
        """The graphs in question; a partition of them has their order."""

    @property
    def total(self) -> int:
        """How many pairs there are."""

    def separated(self, classes: Partition) -> int:
        """How many pairs lie in different classes."""

    def alike(self, classes: Partition) -> Iterator[Pair]:
        """The pairs that lie in one class, in order."""

    def parts(self) -> tuple[Batch, ...]:
        """Smaller batches with the same pairs."""


@dataclass(frozen=True)
class Within:
    """All pairs of some graphs."""

    graphs: tuple[int, ...]

    @property
    def total(self) -> int:
        return len(self.graphs) * (len(self.graphs) - 1) // 2

    def separated(self, classes: Partition) -> int:
        return classes.distinguishable_pairs

    def alike(self, classes: Partition) -> Iterator[Pair]:
        coloured = list(zip(self.graphs, classes.colours.tolist(), strict=True))
        return _of_one_colour(coloured, coloured)

    def parts(self) -> tuple[Batch, ...]:
        low, high = _halves(self.graphs)
        return Within(low), Across(low, high), Within(high)


@dataclass(frozen=True)
class Across:
    """All pairs of a graph on the left and one on the right, which come later."""

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
        one, two = (np.bincount(side, minlength=classes.num_classes) for side in sides)
        return self.total - int(one @ two)

    def alike(self, classes: Partition) -> Iterator[Pair]:
        coloured = list(zip(self.graphs, classes.colours.tolist(), strict=True))
        return _of_one_colour(coloured[: len(self.left)], coloured[len(self.left) :])

    def parts(self) -> tuple[Batch, ...]:
        if len(self.left) > len(self.right):
            low, high = _halves(self.left)
            return Across(low, self.right), Across(high, self.right)
        low, high = _halves(self.right)
        return Across(self.left, low), Across(self.left, high)


def _halves(graphs: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return graphs[: len(graphs) // 2], graphs[len(graphs) // 2 :]


def _of_one_colour(left: list[Pair], right: list[Pair]) -> Iterator[Pair]:
    """Of (graph, colour) on both sides, the graphs i < j of one colour, in order."""
    having: dict[int, list[int]] = {}
    for graph, colour in right:
        having.setdefault(colour, []).append(graph)
    for i, colour in left:
        yield from ((i, j) for j in having.get(colour, ()) if j > i)


def count_separated(
    graphs: Sequence[RelationalGraph],
    batch: Batch,
    test: str,
    max_memory: int,
    done: Callable[[int], None] = lambda _: None,
) -> Tally:
    """How many pairs of a batch a test separates; ``done`` is told how many have been judged."""
    chosen = [graphs[i] for i in batch.graphs]
    if batch.total > 1 and not _fits(chosen, test, max_memory):
        tallies = (
            count_separated(graphs, part, test, max_memory, done)
            for part in batch.parts()
            if part.total
        )
        return sum(tallies, Tally())
    if batch.total == 1:
        tally = _judged(chosen, batch, test, max_memory)
    else:
        tally = _refined_together(chosen, batch, test)
    done(batch.total)
    return tally


def _fits(graphs: Sequence[RelationalGraph], test: str, max_memory: int) -> bool:
    try:
        check_size(test, [graph.num_vertices for graph in graphs], max_memory // _NUMBERING)
    except TooLargeError:
        return False
    return True


def _judged(graphs: Sequence[RelationalGraph], batch: Batch, test: str, max_memory: int) -> Tally:
    one, two = graphs
    found = judge(one, two, test, max_memory=max_memory)
    if found.skipped is not None:
        return Tally(0, 1, 1, found.skipped)
    (pair,) = batch.alike(Partition.trivial(2))
    missed = () if found.separated else (pair,)
    return Tally(int(not missed), 1, 0, None, found.round, missed, bool(found.exact))


def _refined_together(graphs: Sequence[RelationalGraph], batch: Batch, test: str) -> Tally:
    rounds, exact = classes_by_round(graphs, test)
    separated = {t: batch.separated(classes) for t, classes in rounds.items()}
    last = max(rounds)
    first = min(t for t, count in separated.items() if count == separated[last])
    return Tally(
        separated[last],
        batch.total,
        rounds=first if separated[last] else None,
        missed=tuple(islice(batch.alike(rounds[last]), FEW)),
        exact=exact,
    )


def classes_by_round(
    graphs: Sequence[RelationalGraph], test: str
) -> tuple[dict[int, Partition], bool]:
    """Graphs with equal histograms of colours: at round 0, and whenever a class of them is split.

    And whether the colours are exact.
    """
    sizes = [graph.num_vertices for graph in graphs]
    # The caller has seen to it that they fit.
    again = partial(refine, disjoint_union(*graphs), test, blocks=sizes, max_memory=2**63)
    found = again()
    keeps_all = isinstance(found, VertexRefinement) or found.num_items <= _SMALL

    @cache
    def at(t: int) -> Partition:
        if t == found.rounds:
            return with_equal_histograms(found, found.partition.colours)
        colours = found.history.partition(t) if keeps_all else again(rounds=t).partition
        return with_equal_histograms(found, colours.colours)

    def splits(low: int, high: int) -> list[int]:
        if at(low).num_classes == at(high).num_classes:
            return []
        if high == low + 1:
            return [high]
        return splits(low, (low + high) // 2) + splits((low + high) // 2, high)

    return {t: at(t) for t in [0, *splits(0, found.rounds)]}, found.exact
