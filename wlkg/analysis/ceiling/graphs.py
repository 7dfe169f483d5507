"""Graphs as items: two are alike at a round if their histograms of colours agree.

A model that adds up the features of all vertices (or tuples) and then decides sees no more.
"""

from __future__ import annotations

import numpy as np

from wlkg.analysis.histograms import with_equal_histograms
from wlkg.partition import History
from wlkg.refinement.results import Refinement


def graph_history(found: Refinement) -> History:
    """The partitions of the graphs that were refined together, at all rounds."""
    history = found.history
    everything = np.arange(history.num_items)
    rounds = []
    for number in range(found.rounds + 1):
        alike = with_equal_histograms(found, history.class_at(everything, number))
        rounds.append(alike.colours)
        if alike.num_classes == alike.num_items:
            break
    return History.from_rounds(rounds)
