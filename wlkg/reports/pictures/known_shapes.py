"""Shapes that have a drawing of their own: paths, cycles, stars and other trees.

Edges have about length 1.
"""

from __future__ import annotations

import math

import numpy as np

from wlkg.reports.pictures.plane import Points, Shape, on_circle

#: Longer paths are folded into rows.
_LONGEST_ROW = 8
#: Trees with more leaves are drawn around their centre instead of from top to bottom.
_MOST_LEAVES = 8


def known_shape(shape: Shape) -> Points | None:
    """The drawing of a connected graph that is a path, a cycle or a tree; None for others."""
    n, m = len(shape), len(shape.edges)
    if m == n and set(shape.degrees) == {2}:
        return polygon(walk(shape, 0))
    if m != n - 1:
        return None
    if max(shape.degrees, default=0) <= 2:
        ends = [v for v, degree in enumerate(shape.degrees) if degree < 2]
        return _rows(walk(shape, ends[0]))
    return _tree(shape)


def polygon(order: list[int]) -> Points:
    """A regular polygon with edges of length 1; an even one stands on a flat side."""
    n = len(order)
    flat = np.pi / n if n % 2 == 0 else 0.0
    return on_circle(order, n, 0.5 / math.sin(math.pi / max(n, 2)), flat)


def walk(shape: Shape, start: int) -> list[int]:
    """The vertices of a path or cycle, one after the other."""
    order = [start]
    seen = {start}
    while True:
        following = [u for u in shape.neighbours[order[-1]] if u not in seen]
        if not following:
            return order
        order.append(following[0])
        seen.add(following[0])


def _rows(order: list[int]) -> Points:
    """A path from left to right, and back in the next row if it is long."""
    n = len(order)
    width = n if n <= _LONGEST_ROW else math.ceil(math.sqrt(1.6 * n))
    points = np.zeros((n, 2))
    for i, v in enumerate(order):
        row, column = divmod(i, width)
        points[v] = (column if row % 2 == 0 else width - 1 - column, row)
    return points


def _tree(shape: Shape) -> Points:
    """From the centre down if there is room for the leaves, otherwise around the centre."""
    root = _centre(shape)
    across, depth = _hanging(shape, root)
    leaves = sum(degree == 1 for degree in shape.degrees)
    if leaves <= _MOST_LEAVES and max(shape.degrees) < len(shape) - 1:
        return np.column_stack([across, depth * 1.1])
    spread = max(leaves / (2 * np.pi * max(depth.max(), 1)), 1.0)
    turn = 2 * np.pi * across / max(leaves, 1)
    radius = depth * spread
    return np.column_stack([np.sin(turn) * radius, -np.cos(turn) * radius])


def _centre(shape: Shape) -> int:
    """The middle of a longest path; of two middles the one with more neighbours."""
    far = shape.layers([0])[-1][0]
    layers = shape.layers([far])
    end = layers[-1][0]
    from_end = {v: d for d, layer in enumerate(shape.layers([end])) for v in layer}
    length = len(layers) - 1
    middles = [
        v
        for d, layer in enumerate(layers)
        for v in layer
        if d + from_end[v] == length and abs(2 * d - length) <= 1
    ]
    return max(middles, key=lambda v: (shape.degrees[v], -v))


def _hanging(shape: Shape, root: int) -> tuple[Points, Points]:
    """Leaves one beside the other, every other vertex over the middle of its children; depths."""
    across, depth = np.zeros(len(shape)), np.zeros(len(shape))
    parent = {root: -1}
    order = [root]
    for v in order:
        children = [u for u in shape.neighbours[v] if u != parent[v]]
        parent.update(dict.fromkeys(children, v))
        order += children
    leaves = _leaves_in_order(shape, root, parent)
    across[leaves] = np.arange(len(leaves))
    for v in order:
        depth[v] = 0 if v == root else depth[parent[v]] + 1
    for v in reversed(order):
        children = [u for u in shape.neighbours[v] if u != parent[v]]
        if children:
            across[v] = (across[children[0]] + across[children[-1]]) / 2
    return across, depth


def _leaves_in_order(shape: Shape, root: int, parent: dict[int, int]) -> list[int]:
    """The leaves as a depth-first walk meets them."""
    leaves, waiting = [], [root]
    while waiting:
        v = waiting.pop()
        children = [u for u in shape.neighbours[v] if u != parent[v]]
        waiting += reversed(children)
        if not children:
            leaves.append(v)
    return leaves
