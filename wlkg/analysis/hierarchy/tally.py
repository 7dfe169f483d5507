"""How many pairs of a batch of graphs a test separates.

One refinement of all graphs together serves all pairs. Where the graphs do not fit into memory
together, the batch is split, down to single pairs; a pair that does not fit is skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from wlkg.analysis.hierarchy.batches import Batch, Pair
from wlkg.analysis.hierarchy.graph_classes import classes_of_graphs
from wlkg.analysis.side_by_side import SideBySide
from wlkg.analysis.verdicts import judge
from wlkg.errors import TooLargeError
from wlkg.partition import Partition

#: The most missed pairs that a tally lists.
MAX_MISSED = 10
#: Numbering the colours of a run on many graphs takes about as much memory as the run itself.
_NUMBERING_FACTOR = 2


@dataclass(frozen=True)
class Tally:
    """How many pairs a test separates."""

    separated: int = 0
    total: int = 0
    #: The number of pairs that did not fit into memory, and the reason for the first of them.
    skipped: int = 0
    reason: str | None = None
    #: The largest of the first separating rounds.
    rounds: int | None = None
    #: The first few pairs that the test does not separate.
    missed: tuple[Pair, ...] = ()
    #: Whether it was proved, without hashing, that no colours were confused.
    exact: bool = True

    def __add__(self, other: Tally) -> Tally:
        rounds = [tally.rounds for tally in (self, other) if tally.rounds is not None]
        return Tally(
            separated=self.separated + other.separated,
            total=self.total + other.total,
            skipped=self.skipped + other.skipped,
            reason=self.reason or other.reason,
            rounds=max(rounds, default=None),
            missed=tuple(sorted(self.missed + other.missed)[:MAX_MISSED]),
            exact=self.exact and other.exact,
        )


def count_separated(
    graphs: SideBySide,
    batch: Batch,
    test: str,
    max_memory: int,
    report: Callable[[int], None] = lambda _: None,
) -> Tally:
    """How many pairs of a batch a test separates.

    ``graphs`` are the graphs at the places ``batch.graphs``; ``report`` receives the numbers of
    pairs as they are judged.
    """
    if batch.total == 1:
        tally = _tally_of_pair(graphs, batch, test, max_memory)
    elif _fits(graphs, test, max_memory):
        tally = _tally_of_batch(graphs, batch, test)
    else:
        graph_at = dict(zip(batch.graphs, graphs.graphs, strict=True))
        tallies = (
            count_separated(
                SideBySide(tuple(graph_at[place] for place in part.graphs)),
                part,
                test,
                max_memory,
                report,
            )
            for part in batch.parts()
            if part.total
        )
        return sum(tallies, Tally())
    report(batch.total)
    return tally


def _fits(graphs: SideBySide, test: str, max_memory: int) -> bool:
    try:
        graphs.check_size(test, max_memory // _NUMBERING_FACTOR)
    except TooLargeError:
        return False
    return True


def _tally_of_pair(pair: SideBySide, batch: Batch, test: str, max_memory: int) -> Tally:
    verdict = judge(pair, test, max_memory=max_memory)
    if verdict.skipped is not None:
        return Tally(total=1, skipped=1, reason=verdict.skipped)
    return Tally(
        separated=int(bool(verdict.separated)),
        total=1,
        rounds=verdict.round,
        missed=() if verdict.separated else tuple(batch.alike(Partition.trivial(2))),
        exact=bool(verdict.exact),
    )


def _tally_of_batch(graphs: SideBySide, batch: Batch, test: str) -> Tally:
    classes = classes_of_graphs(graphs, test)
    separated = {t: batch.separated(partition) for t, partition in classes.by_round.items()}
    most = max(separated.values())
    first = min(t for t, count in separated.items() if count == most)
    return Tally(
        separated=most,
        total=batch.total,
        rounds=first if most else None,
        missed=tuple(islice(batch.alike(classes.last), MAX_MISSED)),
        exact=classes.exact,
    )
