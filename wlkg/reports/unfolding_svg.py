"""Unfolding trees as one SVG picture: both side by side, the branch that differs in bold.

The picture stands on its own: no scripts, styles or fonts from elsewhere, a white background, and
every text escaped. Levels of the two trees are at the same height.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from html import escape
from unicodedata import east_asian_width

from wlkg.analysis.explanation.languages import Setting
from wlkg.analysis.explanation.unfolding import Level, Look, Unfolding
from wlkg.reports.unfolding_words import (
    below_words,
    branch_words,
    cut_words,
    other_words,
    vertex_words,
)

_COLUMN = 560
_MARGIN = 24
#: The box of a vertex, and where the texts about its other relations begin.
_BOX_WIDTH = 290
_OTHERS_AT = _BOX_WIDTH + 34
_LINE = 18
_NAME_LENGTH = 32
_BRANCH_LENGTH = 64
_OTHER_LENGTH = 32

_COLOURS = ("#1a5fb4", "#b5470b")
_TEXT, _FAINT, _GUIDE = "#1f1f1f", "#5f6368", "#b8bcc2"


@dataclass(frozen=True)
class _Row:
    """One level of one tree, as lines of text."""

    lead: str
    name: list[str]
    title: str
    branch: list[str]
    others: list[str]

    @property
    def box_height(self) -> int:
        return _LINE * len(self.name) + 14

    @property
    def top_height(self) -> int:
        """From the top of the row to where the branch begins."""
        lead = _LINE if self.lead else 0
        return max(lead + self.box_height, _LINE * len(self.others)) + 8


def unfolding_svg(unfolding: Unfolding, setting: Setting) -> str:
    """The picture as text."""
    trees = [_rows(unfolding, side, setting) for side in (0, 1)]
    width = 2 * _COLUMN + 3 * _MARGIN
    drawn: list[str] = []
    y = _MARGIN
    for i in range(max(map(len, trees))):
        rows = [tree[i] for tree in trees if i < len(tree)]
        top = max(row.top_height for row in rows)
        bottom = y + top + _LINE * max(len(row.branch) for row in rows) + 24
        for side, tree in enumerate(trees):
            if i < len(tree):
                place = _Place(_MARGIN + side * (_COLUMN + _MARGIN), y, y + top, bottom)
                below = tree[i + 1] if i + 1 < len(tree) else None
                drawn += _drawn(tree[i], below, place, _COLOURS[side])
        y = bottom
    height = y + _MARGIN
    middle = _MARGIN + _COLUMN + _MARGIN // 2
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    font = 'font-family="system-ui, Helvetica, Arial, sans-serif" font-size="13"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {font}>',
        "<title>Where two unfolding trees part</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _line(middle, _MARGIN, middle, height - _MARGIN, "#e3e5e8", 1),
        *drawn,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _rows(unfolding: Unfolding, side: int, setting: Setting) -> list[_Row]:
    rows: list[_Row] = []
    above: Look | None = None
    for level in unfolding.levels:
        look = level.sides[side]
        if look is None:
            break
        lead = "" if above is None else below_words(above, satisfies=look.satisfies)
        rows.append(_row(level, look, lead, setting))
        above = look
    cut = cut_words(unfolding)
    if cut is not None:
        last = rows[-1]
        rows[-1] = _Row(last.lead, last.name, last.title, [*last.branch, cut], last.others)
    return rows


def _row(level: Level, look: Look, lead: str, setting: Setting) -> _Row:
    title = vertex_words(look, setting, width=2000)
    name = vertex_words(look, setting, width=3 * _NAME_LENGTH - 6)
    branch = branch_words(level, look, setting)
    return _Row(
        lead=lead,
        name=_wrapped(name, _NAME_LENGTH),
        title=title,
        branch=[] if branch is None else _wrapped(branch, _BRANCH_LENGTH),
        others=[
            line for words in other_words(look, setting) for line in _wrapped(words, _OTHER_LENGTH)
        ],
    )


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of a text; wide characters, as in Chinese, take the room of two."""
    if any(east_asian_width(ch) in "WF" for ch in text):
        width //= 2
    return textwrap.wrap(text.replace("`", ""), width, break_on_hyphens=False) or [""]


@dataclass(frozen=True)
class _Place:
    """Where a row is drawn."""

    x: int
    y: int
    #: Where the text about its branch begins, and where the next row does.
    branch: int
    bottom: int


def _drawn(row: _Row, below: _Row | None, place: _Place, colour: str) -> list[str]:
    """One row: the box of a vertex, its other relations, its branch, and the way to the next."""
    parts: list[str] = []
    top = place.y
    if row.lead:
        parts.append(_text(place.x + 34, top + 12, row.lead, _FAINT))
        top += _LINE
    box_end = top + row.box_height
    if row.branch or below is not None:
        end = place.branch + _LINE * len(row.branch)
        if below is not None:
            end = place.bottom + (_LINE if below.lead else 0)
        parts.append(_line(place.x + 20, box_end, place.x + 20, end, colour, 3))
    rectangle = f'x="{place.x}" y="{top}" width="{_BOX_WIDTH}" height="{row.box_height}" rx="8"'
    parts += [
        f"<g><title>{escape(row.title)}</title>",
        f'<rect {rectangle} fill="#ffffff" stroke="{colour}" stroke-width="2"/>',
        *_texts(place.x + 12, top + 20, row.name, _TEXT, weight="bold"),
        "</g>",
        *_texts(place.x + _OTHERS_AT, place.y + 14, row.others, _FAINT),
        *_texts(place.x + 34, place.branch + 14, row.branch, colour, weight="bold"),
    ]
    if row.others:
        middle = (top + box_end) // 2
        edge, last = place.x + _OTHERS_AT - 10, place.y + 4 + _LINE * len(row.others)
        parts.append(_line(place.x + _BOX_WIDTH, middle, edge, middle, _GUIDE, 1))
        parts.append(_line(edge, min(place.y + 2, middle), edge, max(last, middle), _GUIDE, 1))
    return parts


def _texts(x: int, y: int, lines: list[str], colour: str, weight: str = "normal") -> list[str]:
    return [_text(x, y + i * _LINE, line, colour, weight) for i, line in enumerate(lines)]


def _text(x: int, y: int, text: str, colour: str, weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" fill="{colour}" font-weight="{weight}">{escape(text)}</text>'


def _line(x1: int, y1: int, x2: int, y2: int, colour: str, width: int) -> str:
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="{width}"/>'
    )
