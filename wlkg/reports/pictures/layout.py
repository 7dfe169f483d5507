"""Where the vertices of a small graph are drawn.

Each connected component gets the best of several layouts: a form of its own (a polygon for a cycle,
a line for a path, a tree from its centre), circles and rings, a planar drawing, or places of low
stress. Components stand side by side at one scale. Nothing depends on chance or on hashing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from wlkg.reports.pictures.known_shapes import known_shape
from wlkg.reports.pictures.modules import modular_layout
from wlkg.reports.pictures.packing import packed
from wlkg.reports.pictures.plane import Edge, Points, Shape, on_circle
from wlkg.reports.pictures.quality import cost, stands_straight
from wlkg.reports.pictures.rings import hamiltonian_circles, ring_layouts
from wlkg.reports.pictures.stress import distances, pushed_apart, relaxed

#: Components with more vertices or edges are only laid out by stress.
_MOST_TRIED = 48
_MOST_TRIED_EDGES = 140
_SEED = 7
#: From this cost on a drawing is a tangle.
_TANGLED = 1.0
#: The steps in which stress is relaxed, for small and for larger components.
_STEPS = 400
_FEWER_STEPS = 120
#: Drawings are turned if one axis has this much more of their spread than the other.
_ROUND = 0.15


def layout(num_vertices: int, edges: Iterable[Edge]) -> tuple[tuple[float, float], ...]:
    """A place in the unit square for each vertex.

    >>> [(round(x, 2), round(y, 2)) for x, y in layout(3, [(0, 1), (1, 2)])]
    [(0.0, 0.5), (0.5, 0.5), (1.0, 0.5)]
    """
    shape = Shape.of(num_vertices, edges)
    components = shape.components()
    points = packed([component_layout(shape.induced(part)) for part in components])
    placed = np.zeros((num_vertices, 2))
    for part, places in zip(components, points, strict=True):
        placed[part] = places
    return _in_unit_square(placed)


def component_layout(shape: Shape) -> Points:
    """Places of the vertices of a connected graph; edges have about length 1."""
    known = known_shape(shape)
    if known is not None:
        return known
    candidates = list(_candidates(shape))
    costs = [cost(shape, points) for points in candidates]
    best = candidates[int(np.argmin(np.round(costs, 6)))]
    if min(costs) > _TANGLED:
        # No layout is clean. One by modules crosses even more, but it shows a structure.
        modular = modular_layout(shape, component_layout)
        best = best if modular is None else modular
    return _upright(shape, pushed_apart(_scaled(shape, best)))


def _candidates(shape: Shape) -> Iterator[Points]:
    """Layouts to choose from; the earlier one wins a tie."""
    wanted = distances(shape)
    if len(shape) <= _MOST_TRIED and len(shape.edges) <= _MOST_TRIED_EDGES:
        yield from hamiltonian_circles(shape)
        yield from ring_layouts(shape)
        planar = _planar(shape)
        if planar is not None:
            yield planar
            yield relaxed(planar * 3, wanted, _STEPS)[0]
    steps = _STEPS if len(shape) <= _MOST_TRIED else _FEWER_STEPS
    for start in _starts(shape):
        yield relaxed(start, wanted, steps)[0]


def _starts(shape: Shape) -> Iterator[Points]:
    """Places from which stress is relaxed: a circle, breadth-first rings, and at random."""
    n = len(shape)
    hub = max(range(n), key=lambda v: (shape.degrees[v], -v))
    layers = shape.layers([hub])
    yield on_circle([v for layer in layers for v in layer], n, n / 6)
    yield sum(
        (on_circle(layer, n, float(depth), 0.1 * depth) for depth, layer in enumerate(layers)),
        np.zeros((n, 2)),
    )
    random = np.random.default_rng(_SEED)
    for _ in range(3 if n <= _MOST_TRIED else 0):
        yield random.normal(size=(n, 2)) * np.sqrt(n) / 2


def _planar(shape: Shape) -> Points | None:
    """Tutte's drawing: a largest face as a polygon, every other vertex amid its neighbours."""
    import networkx

    planar, embedding = networkx.check_planarity(networkx.Graph(shape.edges))
    if not planar:
        return None
    assert isinstance(embedding, networkx.PlanarEmbedding)
    seen: set[Edge] = set()
    faces = [
        embedding.traverse_face(v, w, mark_half_edges=seen)
        for v, w in sorted(embedding.edges)
        if (v, w) not in seen
    ]
    simple = [face for face in faces if len(set(face)) == len(face)]
    if not simple:
        return None
    return _amid_neighbours(shape, max(simple, key=len))


def _amid_neighbours(shape: Shape, face: Sequence[int]) -> Points:
    n = len(shape)
    points = on_circle(list(face), n, 1.0)
    inner = [v for v in range(n) if v not in set(face)]
    if inner:
        matrix, right = np.zeros((n, n)), np.zeros((n, 2))
        for v in range(n):
            matrix[v, v] = len(shape.neighbours[v])
            matrix[v, list(shape.neighbours[v])] = -1
        fixed = list(face)
        right = -matrix[np.ix_(inner, fixed)] @ points[fixed]
        points[inner] = np.linalg.solve(matrix[np.ix_(inner, inner)], right)
    return points


def _scaled(shape: Shape, points: Points) -> Points:
    """Edges of mean length 1."""
    edges = np.array(shape.edges)
    lengths = np.hypot(*(points[edges[:, 0]] - points[edges[:, 1]]).T)
    return points / float(lengths.mean())


def _upright(shape: Shape, points: Points) -> Points:
    """The longest way across lies level, because pages are wide; round drawings stay."""
    centred = points - points.mean(axis=0)
    (xx, xy), (_, yy) = centred.T @ centred
    spread = float(np.hypot(xx - yy, 2 * xy)) / float(xx + yy)
    if spread < _ROUND:
        return points if stands_straight(shape, points) else _topped(centred)
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    turned: Points = centred @ np.array(
        [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    )
    # The first vertex that is off the axis decides what is left and what is up.
    for axis in (0, 1):
        off = turned[np.abs(turned[:, axis]) > 1e-6, axis]
        turned[:, axis] *= -1.0 if len(off) and off[0] > 0 else 1.0
    return turned


def _topped(centred: Points) -> Points:
    """A round drawing turned so that an outermost vertex is at the top."""
    radii = np.round(np.hypot(*centred.T), 3)
    outer = np.flatnonzero(radii == radii.max())
    angles = np.arctan2(centred[outer, 0], -centred[outer, 1])
    angle = float(angles[int(np.argmin(np.round(np.abs(angles), 6)))])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turned: Points = centred @ turn
    return turned


def _in_unit_square(points: Points) -> tuple[tuple[float, float], ...]:
    if not len(points):
        return ()
    low, high = points.min(axis=0), points.max(axis=0)
    size = float((high - low).max()) or 1.0
    placed = (points - (low + high) / 2) / size + 0.5
    return tuple((round(float(x), 5), round(float(y), 5)) for x, y in placed)
