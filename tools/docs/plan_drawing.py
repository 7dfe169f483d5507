"""The plan of the house as one drawing: a row for each level, lines for what uses what.

The written page has the drawing as Mermaid, which some viewers draw; a browser would load a
program for that from elsewhere, so the site has this picture instead.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape

from tools import architecture
from tools.architecture import LEVELS

rooms = cache(architecture.rooms)
uses = cache(architecture.uses)

WIDTH = 1040
ROW = 54
HEIGHT = 24
#: Room for a letter, and for the edges of a box.
LETTER, PADDING = 7.2, 16
_MERMAID = re.compile(r"```mermaid\n.*?```\n", re.DOTALL)

Places = dict[str, tuple[float, float]]


def with_drawing(page: str) -> str:
    """The page with the picture in the place of its Mermaid block."""
    return _MERMAID.sub(lambda _: drawing() + "\n", page)


def drawing() -> str:
    """The picture as inline SVG, in the colours of the page."""
    levels = [[room for room in level if rooms()[room]] for level in reversed(LEVELS)]
    levels = [level for level in levels if level]
    places = _places(levels)
    lines = [_line(places[room], places[other]) for room in places for other in _direct(room)]
    boxes = [_box(room, *place) for room, place in places.items()]
    height = ROW * len(levels)
    return (
        f'<svg class="plan" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="The rooms and who uses whom">{"".join(lines)}{"".join(boxes)}</svg>\n'
    )


def _direct(room: str) -> set[str]:
    """What a room uses and does not also use through others."""
    used = uses(room)
    return used - {far for near in used for far in _reachable(near)}


@cache
def _reachable(room: str) -> set[str]:
    return uses(room).union(*map(_reachable, uses(room)))


def _places(levels: list[list[str]]) -> Places:
    """Rows from the top; inside a row, rooms stand near the middle of those that use them."""
    places: Places = {}
    for row, level in enumerate(levels):
        wanted = {room: _wanted(room, places) for room in level}
        free = WIDTH - sum(map(_width, level))
        left = 0.0
        for room in sorted(level, key=lambda room: (wanted[room], room)):
            left += free / (len(level) + 1)
            places[room] = (left + _width(room) / 2, ROW * (row + 0.5))
            left += _width(room)
    return places


def _wanted(room: str, places: Places) -> float:
    users = [x for other, (x, _) in places.items() if room in uses(other)]
    return sum(users) / len(users) if users else WIDTH / 2


def _width(room: str) -> float:
    return LETTER * len(room) + PADDING


def _box(room: str, x: float, y: float) -> str:
    width = _width(room)
    wing = escape(room.split(".", maxsplit=1)[0])
    return (
        f'<g class="room {wing}"><rect x="{x - width / 2:.0f}" y="{y - HEIGHT / 2:.0f}" '
        f'width="{width:.0f}" height="{HEIGHT}" rx="5"/>'
        f'<text x="{x:.0f}" y="{y + 4:.0f}">{escape(room)}</text></g>'
    )


def _line(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (u, v) = start, end
    top, bottom = y + HEIGHT / 2, v - HEIGHT / 2
    bend = (bottom - top) / 2
    return (
        f'<path d="M{x:.0f} {top:.0f}C{x:.0f} {top + bend:.0f} {u:.0f} {bottom - bend:.0f} '
        f'{u:.0f} {bottom:.0f}"/>'
    )
