"""Where the names of vertices stand: on the side of the vertex where most room is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.reports.html.canvas import Point

#: The width of a letter and the height of a line of names.
_LETTER, _LINE = 6.6, 12.0


#: Left, top, right and bottom.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class NamePlace:
    """Relative to the vertex, with the SVG anchor of the text."""

    x: float
    y: float
    anchor: str

    def box(self, name: str, place: Point) -> Box:
        """The room that a name takes beside a vertex."""
        length = _LETTER * len(name)
        left = place[0] + self.x - {"start": 0.0, "middle": length / 2, "end": length}[self.anchor]
        bottom = place[1] + self.y + 2
        return left, bottom - _LINE, left + length, bottom


def name_places(
    names: Sequence[str],
    places: Sequence[Point],
    radii: Sequence[float],
    touches: Sequence[tuple[int, Point]],
) -> list[NamePlace]:
    """A place for each name, away from edges, vertices, and the names placed before.

    ``touches`` says which vertices have edges, and where the middles of these are.
    """
    angles: list[list[float]] = [[] for _ in places]
    for v, (x, y) in touches:
        angles[v].append(math.atan2(y - places[v][1], x - places[v][0]))
    taken = [(x - r, y - r, x + r, y + r) for (x, y), r in zip(places, radii, strict=True)]
    result = []
    for v, name in enumerate(names):
        sides = _sides(radii[v])
        boxes = [side.box(name, places[v]) for side in sides]
        costs = [
            _cost(box, side, angles[v], taken, v) + 0.05 * rank
            for rank, (box, side) in enumerate(zip(boxes, sides, strict=True))
        ]
        best = min(range(len(sides)), key=lambda i: round(costs[i], 6))
        taken.append(boxes[best])
        result.append(sides[best])
    return result


def _sides(radius: float) -> list[NamePlace]:
    """Below, above, to the right, to the left, and the four corners."""
    far, near = radius + 10, 0.75 * radius + 7
    return [
        NamePlace(0, radius + 18, "middle"),
        NamePlace(0, -radius - 10, "middle"),
        NamePlace(far, 4, "start"),
        NamePlace(-far, 4, "end"),
        NamePlace(near, near + 5, "start"),
        NamePlace(-near, near + 5, "end"),
        NamePlace(near, -near + 2, "start"),
        NamePlace(-near, -near + 2, "end"),
    ]


def _cost(
    box: Box, side: NamePlace, angles: Sequence[float], taken: Sequence[Box], own: int
) -> float:
    direction = math.atan2(side.y, side.x)
    edges = sum(max(0.0, math.cos(angle - direction) - 0.6) for angle in angles)
    overlaps = sum(_overlap(box, other) for i, other in enumerate(taken) if i != own)
    return 2.5 * edges + overlaps / 60


def _overlap(one: Box, two: Box) -> float:
    across = min(one[2], two[2]) - max(one[0], two[0])
    down = min(one[3], two[3]) - max(one[1], two[1])
    return max(across, 0.0) * max(down, 0.0)
