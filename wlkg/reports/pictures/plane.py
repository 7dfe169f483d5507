"""Graphs and places as the layout modules see them: adjacency sets, and points as an array."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

#: One row (x, y) per vertex; y grows downwards.
Points = npt.NDArray[np.float64]
Edge = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """A simple undirected graph on 0 .. n - 1: all that a layout looks at."""

    neighbours: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, num_vertices: int, edges: Iterable[Edge]) -> Shape:
        """Loops and repeated edges are left out."""
        sets: list[set[int]] = [set() for _ in range(num_vertices)]
        for a, b in edges:
            if a != b:
                sets[a].add(b)
                sets[b].add(a)
        return cls(tuple(tuple(sorted(s)) for s in sets))

    def __len__(self) -> int:
        return len(self.neighbours)

    @property
    def edges(self) -> list[Edge]:
        return [(a, b) for a, near in enumerate(self.neighbours) for b in near if a < b]

    @property
    def degrees(self) -> list[int]:
        return [len(near) for near in self.neighbours]

    def layers(self, starts: Iterable[int]) -> list[list[int]]:
        """The vertices by their distance from the nearest start, breadth first."""
        layer = list(starts)
        seen = set(layer)
        layers = []
        while layer:
            layers.append(layer)
            following: list[int] = []
            for v in layer:
                fresh = [u for u in self.neighbours[v] if u not in seen]
                seen.update(fresh)
                following += fresh
            layer = following
        return layers

    def components(self) -> list[list[int]]:
        """The connected components, each in ascending order, by their first vertices."""
        found: list[list[int]] = []
        seen: set[int] = set()
        for v in range(len(self)):
            if v not in seen:
                members = sorted(u for layer in self.layers([v]) for u in layer)
                seen.update(members)
                found.append(members)
        return found

    def induced(self, vertices: list[int]) -> Shape:
        """The subgraph on some vertices, renumbered in their order."""
        place = {v: i for i, v in enumerate(vertices)}
        return Shape(
            tuple(
                tuple(sorted(place[u] for u in self.neighbours[v] if u in place)) for v in vertices
            )
        )


def on_circle(order: list[int], size: int, radius: float, start: float = 0.0) -> Points:
    """Vertices evenly on a circle, clockwise from the top; others stay at the centre."""
    points = np.zeros((size, 2))
    turn = start + 2 * np.pi * np.arange(len(order)) / max(len(order), 1)
    points[order] = radius * np.column_stack([np.sin(turn), -np.cos(turn)])
    return points
