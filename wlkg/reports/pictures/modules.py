"""Layouts by modules: vertices that look alike from outside are drawn together.

The paper's G_k and H_k have a gadget of several vertices for each base vertex and a pair for each
base edge. They appear when (1) the edges that are a perfect matching among vertices of equal degree
are contracted, and (2) vertices with equal neighbourhoods are put together. The graph of these
modules is laid out, and the members of a module stand on a small circle around its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from wlkg.reports.pictures.plane import Points, Shape, on_circle

#: Modules are only worth drawing if there are at most this many for each vertex.
_MOST_MODULES = 0.6
#: How far modules are apart, and the radius of the circle of two members.
_APART = 3.2
_RADIUS = 0.55


def modular_layout(shape: Shape, layout: Callable[[Shape], Points]) -> Points | None:
    """A layout by modules; None if there are no pairs, or hardly any modules."""
    pair = _matched_pairs(shape)
    if max(pair) + 1 == len(shape):
        return None
    module = _modules(shape, pair)
    count = max(module) + 1
    if not 2 < count <= _MOST_MODULES * len(shape):
        return None
    outline = Shape.of(count, [(module[a], module[b]) for a, b in shape.edges])
    centres = _APART * layout(outline)
    middle = centres.mean(axis=0)
    points = np.zeros((len(shape), 2))
    for number in range(count):
        members = [v for v in range(len(shape)) if module[v] == number]
        out = centres[number] - middle
        turn = float(np.arctan2(out[0], -out[1])) if len(members) > 1 else 0.0
        radius = _RADIUS * (len(members) / 2) ** 0.7 if len(members) > 1 else 0.0
        ring = on_circle(list(range(len(members))), len(members), radius, turn + np.pi / 2)
        points[members] = centres[number] + ring
    return points


def _modules(shape: Shape, pair: list[int]) -> list[int]:
    """The number of the module of each vertex, when pairs are contracted."""
    contracted = Shape.of(max(pair) + 1, [(pair[a], pair[b]) for a, b in shape.edges])
    number: dict[tuple[int, ...], int] = {}
    twins = [number.setdefault(near, len(number)) for near in contracted.neighbours]
    return [twins[pair[v]] for v in range(len(shape))]


def _matched_pairs(shape: Shape) -> list[int]:
    """Vertices numbered so that two get one number if their class is a perfect matching."""
    by_degree: dict[int, list[int]] = defaultdict(list)
    for v, degree in enumerate(shape.degrees):
        by_degree[degree].append(v)
    partner = list(range(len(shape)))
    for members in by_degree.values():
        inside = shape.induced(members)
        if set(inside.degrees) == {1} and len(by_degree) > 1:
            for i, v in enumerate(members):
                partner[v] = min(v, members[inside.neighbours[i][0]])
    number = {v: i for i, v in enumerate(sorted(set(partner)))}
    return [number[v] for v in partner]
