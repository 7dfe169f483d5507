"""Graphs that a test does not separate: those with equal colour histograms.

The graphs are the blocks of one run, refined together, so a colour means the same in all of them.
Cost: a sort of all colours.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import IntArray
from wlkg.partition import Partition
from wlkg.refinement.results import Refinement


def with_equal_histograms(refinement: Refinement, colours: IntArray) -> Partition:
    """The partition of the blocks of a run by the colours of their vertices (or tuples)."""
    ends = np.cumsum([size**refinement.arity for size in refinement.blocks])[:-1]
    numbers: dict[bytes, int] = {}
    keys = (np.sort(block).tobytes() for block in np.split(colours, ends))
    return Partition.of([numbers.setdefault(key, len(numbers)) for key in keys])
