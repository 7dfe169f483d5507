"""Graphs that a test does not separate: those with equal colour histograms.

The graphs are the blocks of one run, refined together, so a colour means the same in all of them.
Cost of one round: a sort of all colours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from wlkg.arrays import IntArray
from wlkg.partition import Partition


def with_equal_histograms(sizes: Sequence[int], colours: IntArray) -> Partition:
    """The partition of blocks with these numbers of items by the colours of their items."""
    numbers: dict[bytes, int] = {}
    blocks = np.split(colours, np.cumsum(sizes)[:-1])
    keys = (np.sort(block).tobytes() for block in blocks)
    return Partition.of([numbers.setdefault(key, len(numbers)) for key in keys])


def rounds_that_split(
    partition_at: Callable[[int], Partition], last_round: int
) -> dict[int, Partition]:
    """Round 0 and every later round that splits a class, with the partitions of these rounds.

    The partition of each round refines that of the round before, so N blocks have at most N - 1
    rounds that split a class, and bisection finds them without a look at all rounds.
    """
    partition = cache(partition_at)

    def between(low: int, high: int) -> list[int]:
        if partition(low).num_classes == partition(high).num_classes:
            return []
        if high == low + 1:
            return [high]
        middle = (low + high) // 2
        return between(low, middle) + between(middle, high)

    return {t: partition(t) for t in [0, *between(0, last_round)]}
