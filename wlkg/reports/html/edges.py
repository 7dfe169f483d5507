"""Triples as curves: parallel ones side by side, loops as petals, arrows where direction counts."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.reports.html.canvas import Point

#: Between parallel edges, and how far an edge bends around a vertex in its way.
_BESIDE = 26.0
_AROUND = 34.0
_ARROW, _ARROW_WIDTH = 8.5, 3.9

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class Curve:
    """An edge: its path, its arrow head, and where its label stands, turned by an angle."""

    path: str
    arrow: str
    label: Point
    angle: float


def curves(
    triples: Sequence[Triple], places: Sequence[Point], radii: Sequence[float], *, arrows: bool
) -> list[Curve]:
    """A curve for each triple."""
    together: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, (head, _, tail) in enumerate(triples):
        together[min(head, tail), max(head, tail)].append(i)
    result: dict[int, Curve] = {}
    for (a, b), group in together.items():
        if a == b:
            away = _away(a, triples, places)
            for rank, i in enumerate(group):
                turn = away + (rank - (len(group) - 1) / 2) * 1.2
                result[i] = _loop(places[a], radii[a], turn, arrows=arrows)
            continue
        around = min(_AROUND, 0.2 * math.dist(places[a], places[b]))
        bend = around if len(group) == 1 and _is_in_the_way(a, b, places, radii) else 0.0
        for rank, i in enumerate(group):
            offset = (rank - (len(group) - 1) / 2) * _BESIDE + bend
            head, _, tail = triples[i]
            # The bend is to one side of the pair, whichever way the triple points.
            signed = offset if head == a else -offset
            result[i] = _curve(places[head], places[tail], radii[head], radii[tail], signed, arrows)
    return [result[i] for i in range(len(triples))]


def _curve(
    start: Point, end: Point, from_radius: float, to_radius: float, offset: float, arrows: bool
) -> Curve:
    """A quadratic curve from rim to rim; its middle is ``offset`` beside the straight line."""
    length = math.dist(start, end) or 1.0
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    control = (middle[0] - along[1] * offset * 2, middle[1] + along[0] * offset * 2)
    first = _towards(start, control, from_radius + 1.5)
    tip = _towards(end, control, to_radius + 2.5)
    last = _towards(end, control, to_radius + 2.5 + _ARROW * 0.8) if arrows else tip
    path = f"M{_xy(first)}" + (f"L{_xy(last)}" if offset == 0 else f"Q{_xy(control)} {_xy(last)}")
    label = (middle[0] - along[1] * offset, middle[1] + along[0] * offset)
    return Curve(path, _arrow(control, tip) if arrows else "", label, _upright(along))


def _loop(place: Point, radius: float, turn: float, *, arrows: bool) -> Curve:
    """A petal that leaves and enters the rim in a direction."""
    reach = radius + 58.0

    def at(angle: float, distance: float) -> Point:
        return (place[0] + distance * math.cos(angle), place[1] + distance * math.sin(angle))

    first, tip = at(turn - 0.5, radius + 1.5), at(turn + 0.5, radius + 2.5)
    out, back = at(turn - 0.55, reach), at(turn + 0.55, reach)
    last = _towards(tip, back, _ARROW * 0.8) if arrows else tip
    path = f"M{_xy(first)}C{_xy(out)} {_xy(back)} {_xy(last)}"
    label = at(turn, 0.64 * reach + 0.22 * radius)
    across = (-math.sin(turn), math.cos(turn))
    return Curve(path, _arrow(back, tip) if arrows else "", label, _upright(across))


def _towards(start: Point, goal: Point, distance: float) -> Point:
    length = math.dist(start, goal) or 1.0
    share = distance / length
    return (start[0] + (goal[0] - start[0]) * share, start[1] + (goal[1] - start[1]) * share)


def _arrow(before: Point, tip: Point) -> str:
    """The head of an arrow that comes from a point."""
    base = _towards(tip, before, _ARROW)
    x, y = (tip[0] - base[0]) / _ARROW, (tip[1] - base[1]) / _ARROW
    left = (base[0] - y * _ARROW_WIDTH, base[1] + x * _ARROW_WIDTH)
    right = (base[0] + y * _ARROW_WIDTH, base[1] - x * _ARROW_WIDTH)
    return f"M{_xy(tip)}L{_xy(left)}L{_xy(right)}z"


def _upright(along: Point) -> float:
    """The angle of a label along an edge, never upside down."""
    angle = math.degrees(math.atan2(along[1], along[0]))
    if angle > 90:
        return angle - 180
    return angle + 180 if angle <= -90 else angle


def _away(vertex: int, triples: Sequence[Triple], places: Sequence[Point]) -> float:
    """The direction with the widest gap between the edges of a vertex."""
    x, y = places[vertex]
    others = {t if h == vertex else h for h, _, t in triples if vertex in (h, t)} - {vertex}
    angles = sorted(math.atan2(places[u][1] - y, places[u][0] - x) for u in others)
    if not angles:
        return -math.pi / 2
    gaps = [
        (following - angle, angle)
        for angle, following in zip(angles, [*angles[1:], angles[0] + 2 * math.pi], strict=True)
    ]
    gap, angle = max(gaps, key=lambda pair: (round(pair[0], 6), -pair[1]))
    return angle + gap / 2


def _is_in_the_way(a: int, b: int, places: Sequence[Point], radii: Sequence[float]) -> bool:
    """Whether a vertex lies on the straight line between two others."""
    start, end = places[a], places[b]
    length = math.dist(start, end) or 1.0
    for v, (x, y) in enumerate(places):
        if v in (a, b):
            continue
        along = (
            (x - start[0]) * (end[0] - start[0]) + (y - start[1]) * (end[1] - start[1])
        ) / length
        beside = (
            (x - start[0]) * (end[1] - start[1]) - (y - start[1]) * (end[0] - start[0])
        ) / length
        if 0 < along < length and abs(beside) < 0.85 * radii[v]:
            return True
    return False


def _xy(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
