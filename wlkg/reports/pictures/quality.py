"""How good a drawing is: few crossings, even edges, nothing overlaps, and symmetry."""

from __future__ import annotations

import numpy as np

from wlkg.reports.pictures.plane import Points, Shape

#: A vertex closer to an edge than this share of the mean edge length seems to lie on it.
_ON_EDGE = 0.2
_TOO_CLOSE = 0.4


def cost(shape: Shape, points: Points) -> float:
    """Smaller is better."""
    edges = np.array(shape.edges)
    lengths = np.hypot(*(points[edges[:, 0]] - points[edges[:, 1]]).T)
    mean = float(lengths.mean())
    if mean == 0:
        return float("inf")
    flaws = crossings(edges, points) / len(edges) + float(lengths.std()) / mean
    overlaps = _vertices_on_edges(edges, points, mean) + _close_vertices(points, mean)
    return (flaws + 3 * overlaps / len(shape) + 0.3) / float(symmetries(shape, points) ** 0.8)


def crossings(edges: Points, points: Points) -> int:
    """The number of pairs of edges that cross, common ends aside."""
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    i, j = np.triu_indices(len(edges), 1)
    shared = (edges[i][:, :, None] == edges[j][:, None, :]).any(axis=(1, 2))
    i, j = i[~shared], j[~shared]
    straddles = (_side(a[i], b[i], a[j]) * _side(a[i], b[i], b[j]) < -1e-12) & (
        _side(a[j], b[j], a[i]) * _side(a[j], b[j], b[i]) < -1e-12
    )
    return int(np.count_nonzero(straddles))


def _side(a: Points, b: Points, c: Points) -> Points:
    """On which side of the line from a to b the point c lies."""
    product = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    return np.where(np.abs(product) < 1e-9, 0.0, product)


def _vertices_on_edges(edges: Points, points: Points, mean: float) -> int:
    a, b = points[edges[:, 0]][:, None, :], points[edges[:, 1]][:, None, :]
    along = ((points[None] - a) * (b - a)).sum(axis=2) / np.maximum(
        ((b - a) ** 2).sum(axis=2), 1e-12
    )
    foot = a + np.clip(along, 0, 1)[:, :, None] * (b - a)
    near = np.hypot(*np.moveaxis(points[None] - foot, 2, 0)) < _ON_EDGE * mean
    number = np.arange(len(points))[None]
    ends = (edges[:, :1] == number) | (edges[:, 1:] == number)
    return int(np.count_nonzero(near & ~ends))


def _close_vertices(points: Points, mean: float) -> int:
    apart = np.hypot(*np.moveaxis(points[:, None] - points[None], 2, 0))
    np.fill_diagonal(apart, np.inf)
    return int(np.count_nonzero(apart < _TOO_CLOSE * mean)) // 2


def symmetries(shape: Shape, points: Points) -> int:
    """The number of turns and mirrorings of the drawing that map the graph to itself."""
    centred = points - points.mean(axis=0)
    size = float(np.abs(centred).max()) or 1.0
    found = 1
    for order in range(min(len(shape), 12), 1, -1):
        if _maps(shape, centred, centred @ _turn(2 * np.pi / order).T, size):
            found = order
            break
    mirrors = _mirrors(centred, size)
    if any(_maps(shape, centred, centred @ _mirror(angle).T, size) for angle in mirrors):
        found *= 2
    return found


def stands_straight(shape: Shape, points: Points) -> bool:
    """Whether the left half of a drawing is the mirror image of the right half."""
    centred = points - points.mean(axis=0)
    size = float(np.abs(centred).max()) or 1.0
    return _maps(shape, centred, centred * np.array([-1.0, 1.0]), size)


def _mirrors(points: Points, size: float) -> list[float]:
    """The axes that map the outermost vertex to a vertex as far from the centre."""
    radii = np.hypot(*points.T)
    angles = np.arctan2(points[:, 1], points[:, 0])
    outermost = int(np.argmax(np.round(radii, 6)))
    others = np.flatnonzero(np.abs(radii - radii[outermost]) < 0.03 * size)
    return [float(angles[outermost] + angles[v]) / 2 for v in others]


def _maps(shape: Shape, points: Points, moved: Points, size: float) -> bool:
    """Whether every moved vertex lies on a vertex, and edges on edges."""
    apart = np.hypot(*np.moveaxis(moved[:, None] - points[None], 2, 0))
    image = apart.argmin(axis=1)
    if apart.min(axis=1).max() > 0.03 * size or len(set(image.tolist())) < len(points):
        return False
    return all(int(image[b]) in shape.neighbours[int(image[a])] for a, b in shape.edges)


def _turn(angle: float) -> Points:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _mirror(angle: float) -> Points:
    return np.array(
        [[np.cos(2 * angle), np.sin(2 * angle)], [np.sin(2 * angle), -np.cos(2 * angle)]]
    )
