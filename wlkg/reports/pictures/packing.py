"""Connected components side by side: the largest first, in rows, without overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from wlkg.reports.pictures.plane import Points

#: Between components, and the wanted ratio of width to height.
_GAP = 0.7
_RATIO = 1.5


def packed(components: Sequence[Points]) -> list[Points]:
    """The components moved apart, in the order in which they were given."""
    sizes = [np.ptp(points, axis=0) + _GAP for points in components]
    rows = _best_rows([(float(width), float(height)) for width, height in sizes])
    result = [np.array(points) for points in components]
    top = 0.0
    for row in rows:
        height = max(float(sizes[i][1]) for i in row)
        left = -sum(float(sizes[i][0]) for i in row) / 2
        for i in row:
            middle = (components[i].min(axis=0) + components[i].max(axis=0)) / 2
            target = np.array([left + sizes[i][0] / 2, top + height / 2])
            result[i] = components[i] - middle + target
            left += float(sizes[i][0])
        top += height
    return result


def _best_rows(sizes: Sequence[tuple[float, float]]) -> list[list[int]]:
    """The rows whose common outline is closest to the wanted ratio."""
    order = sorted(range(len(sizes)), key=lambda i: (-round(sizes[i][1], 6), i))
    widths = [width for width, _ in sizes]
    rooms = {round(sum(widths[i] for i in order[:count]), 9) for count in _counts(len(order))}
    choices = [_rows(order, widths, max(room, *widths, 0.0)) for room in sorted(rooms)]

    def ratio(rows: list[list[int]]) -> float:
        width = max(sum(widths[i] for i in row) for row in rows)
        return abs(math.log(width / sum(max(sizes[i][1] for i in row) for row in rows) / _RATIO))

    return min(choices, key=lambda rows: round(ratio(rows), 9), default=[])


def _counts(components: int) -> list[int]:
    """Numbers of components for the first row: all if they are few, otherwise a selection."""
    return sorted({max(1, round(components * i / 40)) for i in range(1, 41)} if components else ())


def _rows(order: Sequence[int], widths: Sequence[float], room: float) -> list[list[int]]:
    """Fill rows from left to right."""
    rows: list[list[int]] = []
    used = math.inf
    for i in order:
        if used + widths[i] > room + 1e-6:
            rows.append([])
            used = 0.0
        rows[-1].append(i)
        used += widths[i]
    return rows
