"""Compiled loops for statistics of the messages to each vertex, which lie side by side.

Messages have an axis for arcs, sorted by their vertex, and one for entries. Where several messages
share the largest or smallest entry, the gradient goes to the first of them. The inner loops are
over entries, which are next to each other in memory.
"""

from __future__ import annotations

from typing import Any

from wlkg.compiled.kernel import Kernel


@Kernel
def find_statistics(
    offsets: Any, messages: Any, least: float, statistics: Any, largest: Any, smallest: Any
) -> None:
    """Mean, largest, smallest, standard deviation of each entry; and the arcs of the extremes."""
    width = messages.shape[1]
    for v in range(len(offsets) - 1):
        begin, end = offsets[v], offsets[v + 1]
        if begin == end:
            continue
        mean, high, low, deviation = (
            statistics[v, 0],
            statistics[v, 1],
            statistics[v, 2],
            statistics[v, 3],
        )
        for k in range(width):
            mean[k] = high[k] = low[k] = messages[begin, k]
            largest[v, k] = smallest[v, k] = begin
        for arc in range(begin + 1, end):
            for k in range(width):
                value = messages[arc, k]
                mean[k] += value
                if value > high[k]:
                    high[k] = value
                    largest[v, k] = arc
                if value < low[k]:
                    low[k] = value
                    smallest[v, k] = arc
        count = end - begin
        for k in range(width):
            mean[k] /= count
        # In two passes: the mean square less the square of the mean would cancel.
        for arc in range(begin, end):
            for k in range(width):
                off = messages[arc, k] - mean[k]
                deviation[k] += off * off
        for k in range(width):
            deviation[k] = max(deviation[k] / count, least) ** 0.5


@Kernel
def add_statistics_gradients(
    offsets: Any,
    messages: Any,
    least: float,
    statistics: Any,
    largest: Any,
    smallest: Any,
    gradient: Any,
    by_messages: Any,
) -> None:
    """Add the gradients to ``by_messages``, given those of the statistics, which change here."""
    width = messages.shape[1]
    for v in range(len(offsets) - 1):
        begin, end = offsets[v], offsets[v + 1]
        if begin == end:
            continue
        count = end - begin
        mean, by_mean, slope = statistics[v, 0], gradient[v, 0], gradient[v, 3]
        for k in range(width):
            deviation = statistics[v, 3, k]
            by_mean[k] /= count
            # At the least variance the deviation is constant.
            slope[k] = slope[k] / (deviation * count) if deviation**2 > 1.000001 * least else 0.0
        for arc in range(begin, end):
            for k in range(width):
                by_messages[arc, k] += by_mean[k] + slope[k] * (messages[arc, k] - mean[k])
        for k in range(width):
            by_messages[largest[v, k], k] += gradient[v, 1, k]
            by_messages[smallest[v, k], k] += gradient[v, 2, k]
