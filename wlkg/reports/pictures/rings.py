"""Layouts on circles: along a cycle through all vertices, or ring by ring around a cycle.

Petersen's graph is a pentagon with a pentagram inside, a prism two nested polygons, a circulant
graph a polygon with its diagonals. A ring layout takes a cycle as its outermost ring; each vertex
of the next ring is placed at the mean angle of its neighbours further out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wlkg.reports.pictures.known_shapes import walk
from wlkg.reports.pictures.plane import Points, Shape, on_circle

#: The most steps of the search for cycles.
_STEPS = 4000
#: The most cycles of each length that are tried as outer rings.
_MOST_CYCLES = 10


def hamiltonian_circles(shape: Shape) -> Iterator[Points]:
    """All vertices on one circle, neighbours side by side, if such a cycle is soon found."""
    n = len(shape)
    for cycle in _cycles(shape, n, limit=3):
        flat = np.pi / n if n % 2 == 0 else 0.0
        yield on_circle(cycle, n, 0.5 / np.sin(np.pi / n), flat)


def ring_layouts(shape: Shape) -> Iterator[Points]:
    """Layouts around chordless cycles of several lengths."""
    n = len(shape)
    for length in range(3, n // 2 + 1):
        for cycle in _cycles(shape, length, limit=_MOST_CYCLES, chordless=True):
            for points in (_around(shape, cycle), _nested(shape, cycle)):
                if points is not None:
                    yield points


def _around(shape: Shape, cycle: list[int]) -> Points | None:
    """The rings around a cycle; None if a ring would be crowded or lopsided."""
    layers = shape.layers(cycle)
    if any(len(layer) > len(cycle) for layer in layers) or len(layers) > 4:
        return None
    radius = 0.5 / np.sin(np.pi / len(cycle))
    radii = np.linspace(radius + 0.45 * (len(layers) - 1), radius * 0.5, len(layers))
    points = np.zeros((len(shape), 2))
    angle: dict[int, float] = {}
    for depth, layer in enumerate(layers):
        order = layer if depth == 0 else _by_angle(shape, layer, angle)
        points += on_circle(order, len(shape), float(radii[depth]), _start(order, shape, angle))
        for v in order:
            angle[v] = float(np.arctan2(points[v, 0], -points[v, 1]))
    return points


def _nested(shape: Shape, cycle: list[int]) -> Points | None:
    """A cycle inside the cycle, if the other vertices form one of the same length."""
    rest = [v for v in range(len(shape)) if v not in set(cycle)]
    inside = shape.induced(rest)
    if len(rest) != len(cycle) or set(inside.degrees) != {2} or len(inside.components()) > 1:
        return None
    order = [rest[v] for v in walk(inside, 0)]
    outer = on_circle(cycle, len(shape), 2.2, np.pi / len(cycle) if len(cycle) % 2 == 0 else 0.0)
    angle = {v: float(np.arctan2(outer[v, 0], -outer[v, 1])) for v in cycle}
    choices = [
        outer + on_circle(way, len(shape), 1.2, _start(way, shape, angle))
        for way in (order, order[::-1])
    ]
    edges = np.array(shape.edges)
    return min(choices, key=lambda points: round(float(_length(edges, points)), 6))


def _length(edges: Points, points: Points) -> float:
    return float(np.hypot(*(points[edges[:, 0]] - points[edges[:, 1]]).T).sum())


def _mean_angle(shape: Shape, v: int, angle: dict[int, float]) -> float:
    """The direction in which the neighbours lie that have a place."""
    placed = [angle[u] for u in shape.neighbours[v] if u in angle]
    return float(np.arctan2(np.sin(placed).sum(), np.cos(placed).sum())) % (2 * np.pi)


def _by_angle(shape: Shape, layer: list[int], angle: dict[int, float]) -> list[int]:
    return sorted(layer, key=lambda v: (round(_mean_angle(shape, v, angle), 6), v))


def _start(order: list[int], shape: Shape, angle: dict[int, float]) -> float:
    """The turn of a ring that brings its vertices closest to their neighbours' angles."""
    if not angle:
        return float(np.pi / len(order)) if len(order) % 2 == 0 else 0.0
    off = [
        _mean_angle(shape, v, angle) - 2 * np.pi * i / len(order)
        for i, v in enumerate(order)
        if any(u in angle for u in shape.neighbours[v])
    ]
    return float(np.arctan2(np.sin(off).sum(), np.cos(off).sum()))


def _cycles(
    shape: Shape, length: int, limit: int, *, chordless: bool = False
) -> Iterator[list[int]]:
    """Some cycles of a length, by a bounded depth-first search; their smallest vertex is first."""
    steps = found = 0
    for first in range(len(shape)):
        waiting = [[first]]
        while waiting and steps < _STEPS and found < limit:
            steps += 1
            path = waiting.pop()
            if len(path) == length:
                if first in shape.neighbours[path[-1]] and path[1] < path[-1]:
                    found += 1
                    yield path
                continue
            for u in reversed(shape.neighbours[path[-1]]):
                fits = u > first and u not in path
                if fits and not (chordless and _has_chord(shape, path, u, length)):
                    waiting.append([*path, u])


def _has_chord(shape: Shape, path: list[int], u: int, length: int) -> bool:
    """Whether a vertex that goes on a path has another neighbour on it, the closing one aside."""
    inner = path[:-1] if len(path) + 1 < length else path[1:-1]
    return any(v in shape.neighbours[u] for v in inner)
