"""How large the graphs of a drawing are drawn: from the unit square to pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.reports.blocks import DrawnGraph

Point = tuple[float, float]

#: The wanted distance of a vertex from the next one, the same for vertices that stand for classes
#: and have long labels between them, and the limits of the larger side.
_APART = 84.0
_CLASSES_APART = 150.0
_SMALLEST, _LARGEST = 230.0, 1000.0


@dataclass(frozen=True)
class Canvas:
    """One scale for all graphs of a drawing."""

    scale: float
    #: The radius of a vertex.
    radius: float

    def places(self, graph: DrawnGraph) -> list[Point]:
        """The pixels of the vertices of a graph, whose middle is (0, 0)."""
        if not graph.places:
            return []
        (left, top), (right, bottom) = _corners(graph)
        x, y = (left + right) / 2, (top + bottom) / 2
        return [
            (round((px - x) * self.scale, 1), round((py - y) * self.scale, 1))
            for px, py in graph.places
        ]


def canvas_of(graphs: Sequence[DrawnGraph]) -> Canvas:
    """A canvas on which vertices of all graphs are well apart."""
    nearest = min((_nearest(graph) for graph in graphs), default=1.0)
    apart = _CLASSES_APART if any(graph.sizes for graph in graphs) else _APART
    scale = min(max(apart / max(nearest, 1e-6), _SMALLEST), _LARGEST)
    radius = min(max(nearest * scale / 4.2, 9.0), 17.0)
    return Canvas(scale, round(radius, 1))


def _corners(graph: DrawnGraph) -> tuple[Point, Point]:
    xs, ys = [x for x, _ in graph.places], [y for _, y in graph.places]
    return (min(xs), min(ys)), (max(xs), max(ys))


def _nearest(graph: DrawnGraph) -> float:
    """The distance to the next vertex that all but the most crowded tenth of the vertices keep."""
    if len(graph.places) < 2:
        return 1.0
    nearest = sorted(
        min(math.dist(a, b) for j, b in enumerate(graph.places) if j != i)
        for i, a in enumerate(graph.places)
    )
    return nearest[len(nearest) // 10]
