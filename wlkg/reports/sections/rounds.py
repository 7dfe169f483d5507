"""Rounds of a test: which of many are shown."""

from __future__ import annotations

from collections.abc import Sequence

from wlkg.reports.blocks import Series

#: The most rows of a table of rounds, and the most points of a line.
MOST_ROWS = 40
MOST_POINTS = 400
#: From this many rounds on, the axis of rounds is logarithmic.
LONG = 200


def shown_rounds(count: int, most: int) -> list[int]:
    """At most ``most`` of the rounds 0, 1, ..., the first and last among them.

    The first half of them are the first rounds, where most happens; the others are spread evenly.

    >>> shown_rounds(5, 10), shown_rounds(100, 8)
    ([0, 1, 2, 3, 4], [0, 1, 2, 3, 27, 51, 75, 99])
    """
    if count <= most:
        return list(range(count))
    first = most // 2
    step = (count - first) / (most - first)
    return [*range(first), *(first - 1 + round(step * i) for i in range(1, most - first + 1))]


def left_out_note(count: int, most: int = MOST_ROWS) -> str:
    """What a table of rounds says about those that it leaves out."""
    return "" if count <= most else f"{most:,} of {count:,} rounds are shown; --json has all."


def line(name: str, values: Sequence[float | None]) -> Series:
    """A line over rounds 0, 1, ..."""
    shown = shown_rounds(len(values), MOST_POINTS)
    return Series(name, tuple((t, values[t]) for t in shown))
