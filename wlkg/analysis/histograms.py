"""Graphs that a test does not tell apart: those with equal histograms of colours.

The graphs are the blocks of one run, refined together, so a colour means the same in all of them.
Cost: a sort of all colours.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import IntArray
from wlkg.partition import Partition
from wlkg.refinement.results import Refinement


def with_equal_histograms(run: Refinement, colours: IntArray) -> Partition:
    """The blocks of a run by the colours that their vertices (or tuples) have at some round."""
    ends = np.cumsum([size**run.arity for size in run.blocks])[:-1]
    numbers: dict[bytes, int] = {}
    keys = (np.sort(block).tobytes() for block in np.split(colours, ends))
    return Partition.of([numbers.setdefault(key, len(numbers)) for key in keys])
