"""Stress: vertices as far apart as the shortest path between them is long.

Stress majorisation (SMACOF) with weights d^-2: every step moves each vertex to the weighted mean of
the places that the others would like it to have, and never increases the stress
sum over v < w of d(v, w)^-2 (|x_v - x_w| - d(v, w))^2. O(n^2) per step.
"""

from __future__ import annotations

import numpy as np

from wlkg.reports.pictures.plane import Points, Shape

#: The steps end when they gain less than this share of the stress.
_GAIN = 1e-6
#: Vertices closer than this are pushed apart.
_CLOSEST = 0.55


def distances(shape: Shape) -> Points:
    """The lengths of shortest paths between the vertices of a connected graph."""
    result = np.zeros((len(shape), len(shape)))
    for v in range(len(shape)):
        for length, layer in enumerate(shape.layers([v])):
            result[v, layer] = length
    return result


def relaxed(start: Points, wanted: Points, steps: int) -> tuple[Points, float]:
    """Places of low stress near the start, and their stress."""
    points = start - start.mean(axis=0)
    weights = np.zeros_like(wanted)
    np.divide(1.0, wanted**2, out=weights, where=wanted > 0)
    total = weights.sum(axis=1)
    before = np.inf
    for _ in range(steps):
        apart = points[:, None, :] - points[None, :, :]
        lengths = np.sqrt((apart**2).sum(axis=2))
        now = float((weights * (lengths - wanted) ** 2).sum()) / 2
        if before - now < _GAIN * now:
            break
        before = now
        unit = apart / np.maximum(lengths, 1e-9)[:, :, None]
        aims = points[None, :, :] + wanted[:, :, None] * unit
        points = (weights[:, :, None] * aims).sum(axis=1) / np.maximum(total, 1e-9)[:, None]
    return points, now


def pushed_apart(points: Points, closest: float = _CLOSEST, steps: int = 60) -> Points:
    """The same places with vertices at least about ``closest`` from each other."""
    points = points.copy()
    for _ in range(steps):
        apart = points[:, None, :] - points[None, :, :]
        lengths = np.sqrt((apart**2).sum(axis=2))
        np.fill_diagonal(lengths, 2 * closest)
        near = lengths < closest
        if not near.any():
            break
        # Vertices in the same place part in a direction that their numbers decide.
        number = np.arange(len(points))
        apart[(lengths < 1e-6), 0] = 1e-3
        apart[(lengths < 1e-6) & (number[:, None] > number[None, :]), 0] = -1e-3
        lengths = np.maximum(lengths, 1e-3)
        push = np.where(near, (closest - lengths) / lengths / 2, 0.0)
        points += 0.6 * (push[:, :, None] * apart).sum(axis=1)
    return points
