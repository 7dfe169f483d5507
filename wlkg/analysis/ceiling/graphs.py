"""Graphs as items: two graphs are alike at a round if their colour histograms agree.

A model that sums the features of all vertices (or tuples) before it decides sees no more. Only
rounds that separate some graphs are kept, so that many rounds take no memory.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wlkg.memory import check_fits
from wlkg.partition import History
from wlkg.refinement.histograms import rounds_that_split, with_equal_histograms
from wlkg.refinement.results import Refinement


def graph_history(refinement: Refinement, *, max_memory: int | None = None) -> History:
    """The partitions of the graphs that were refined together, at all rounds."""
    sizes = refinement.items_per_block
    steps = min(refinement.rounds + 1, len(sizes))
    check_fits(
        f"a history of {len(sizes):,} graphs",
        f"up to {steps:,} rounds that separate some",
        8 * len(sizes) * steps,
        max_memory,
        "use fewer graphs or --rounds",
    )
    history = refinement.history
    everything = np.arange(history.num_items)
    by_round = rounds_that_split(
        lambda t: with_equal_histograms(sizes, history.class_at(everything, t)), refinement.rounds
    )
    graphs = History.from_rounds([partition.colours for partition in by_round.values()])
    birth = np.array(list(by_round))[graphs.birth]
    return replace(graphs, birth=birth, rounds=int(birth.max(initial=0)))
