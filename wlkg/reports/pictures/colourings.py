"""The colours of small graphs at every round of a test, numbered so that they change little.

Classes are numbered from 1 in the order in which they appear; when a class splits, its largest part
keeps the number. So between two rounds only vertices that were split off change their colour.
"""

from __future__ import annotations

import numpy as np

from wlkg.analysis.side_by_side import SideBySide
from wlkg.arrays import IntArray
from wlkg.catalogue import TupleTest, find_test
from wlkg.errors import TooLargeError
from wlkg.partition import History
from wlkg.reports.blocks import Colouring

#: Tests with more tuples than this are left out of pictures.
_MOST_TUPLES = 2_000_000
#: The most rounds that a picture shows.
MOST_ROUNDS = 200


def colouring_of(pair: SideBySide, test: str, rounds: int | None = None) -> Colouring | None:
    """The classes of all vertices at every round; None if the test is too large for a picture."""
    chosen = find_test(test)
    is_tuple = isinstance(chosen, TupleTest)
    if isinstance(chosen, TupleTest) and sum(n**chosen.arity for n in pair.sizes) > _MOST_TUPLES:
        return None
    try:
        pair.check_size(test)
    except TooLargeError:
        return None
    refinement = pair.refine(test, rounds)
    last = min(refinement.rounds, MOST_ROUNDS)
    colours = numbered([refinement.vertices.partition(t).colours for t in range(last + 1)])
    return Colouring(
        test=test,
        of="tuples" if is_tuple else "vertices",
        rounds=tuple(_split(row, pair.sizes) for row in colours),
        separated_at=refinement.differs_at if len(pair.graphs) > 1 else None,
    )


def numbered(colourings: list[IntArray]) -> list[IntArray]:
    """The same partitions with numbers that a class keeps as long as it can."""
    history = History.from_rounds(colourings)
    everything = np.arange(history.num_items)
    return [history.class_at(everything, t) + 1 for t in range(len(colourings))]


def _split(row: IntArray, sizes: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    ends = np.cumsum(sizes)[:-1]
    return tuple(tuple(part.tolist()) for part in np.split(row, ends))
