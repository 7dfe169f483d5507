"""Graphs as items: two graphs are alike at a round if their colour histograms agree.

A model that sums the features of all vertices (or tuples) before it decides sees no more.
"""

from __future__ import annotations

import numpy as np

from wlkg.partition import History
from wlkg.refinement.histograms import with_equal_histograms
from wlkg.refinement.results import Refinement


def graph_history(refinement: Refinement) -> History:
    """The partitions of the graphs that were refined together, at all rounds."""
    history = refinement.history
    everything = np.arange(history.num_items)
    rounds = []
    for number in range(refinement.rounds + 1):
        colours = history.class_at(everything, number)
        partition = with_equal_histograms(refinement.items_per_block, colours)
        rounds.append(partition.colours)
        if partition.num_classes == partition.num_items:
            break
    return History.from_rounds(rounds)
