"""Graphs as items: two are alike at a round if their histograms of colours agree.

A model that adds up the features of all vertices (or tuples) and then decides sees no more. The
graphs are refined together, so a colour means the same in all of them. Cost: a sort of all colours
per round, until all graphs differ.
"""

from __future__ import annotations

import numpy as np

from wlkg.partition import History
from wlkg.refinement import Refinement
from wlkg.triples import IntArray


def graph_history(found: Refinement) -> History:
    """The partitions of the graphs that were refined together, at all rounds."""
    sizes = [int(size**found.arity) for size in found.blocks]
    graph_of = np.repeat(np.arange(len(sizes)), sizes)
    history = found.history
    rounds: list[list[int]] = []
    for number in range(found.rounds + 1):
        colours = history.class_at(np.arange(history.num_items), number)
        rounds.append(_by_histogram(graph_of, colours, len(sizes)))
        if len(set(rounds[-1])) == len(sizes):
            break
    return History.from_rounds(rounds)


def _by_histogram(graph_of: IntArray, colours: IntArray, count: int) -> list[int]:
    """Graphs numbered so that equal numbers mean equal histograms."""
    base = int(colours.max(initial=0)) + 1
    keys, sizes = np.unique(graph_of * base + colours, return_counts=True)
    ends = np.searchsorted(keys, np.arange(count + 1) * base)
    entries = np.stack([keys % base, sizes], axis=1)
    numbers: dict[bytes, int] = {}
    return [
        numbers.setdefault(entries[begin:end].tobytes(), len(numbers))
        for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    ]
