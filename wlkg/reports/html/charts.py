"""Charts as inline SVG: lines, bars and bounds, and the numbers as a table below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeGuard

from wlkg.reports.blocks import Chart, Series
from wlkg.reports.html.axes import Axis, axis
from wlkg.reports.html.escaping import cut, text_of
from wlkg.reports.html.named_bars import named_bars_svg
from wlkg.reports.numbers import written

_WIDTH, _HEIGHT = 680, 320
_RIGHT, _TOP, _BOTTOM = 18, 34, 48
#: The width of a digit beside an axis, on a phone, where letters are larger.
_DIGIT = 10.2
#: More points on a line are drawn without marks.
_MOST_MARKS = 40
#: Values from here on cannot be subtracted from each other.
_LARGEST = 1e300
#: The most rows of the table of numbers.
_MOST_ROWS = 200

#: The marks of series, around (0, 0).
_MARKS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-3.6-3.6h7.2v7.2h-7.2z",
    "M0-5.2L5.2 0L0 5.2L-5.2 0z",
    "M0-5L4.8 3.6H-4.8z",
    "M0 5L4.8-3.6H-4.8z",
)
#: The dashes of lines: a second sign beside colour.
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2 1 2 1 2")


def chart_html(chart: Chart) -> str:
    """The chart with its title, its legend and its numbers."""
    if not _drawn_points(chart):
        return f'<p class="note">{text_of(chart.title)}: no values.</p>\n'
    return (
        f'<figure class="chart"><figcaption>{text_of(chart.title)}</figcaption>{_legend(chart)}'
        f'<div class="canvas">{chart_svg(chart)}</div>{_numbers(chart)}</figure>\n'
    )


def chart_svg(chart: Chart) -> str:
    """The chart alone."""
    if chart.x_names:
        return named_bars_svg(chart)
    points = _drawn_points(chart)
    has_bars = any(series.kind == "bars" for series in chart.series)
    bottom = _HEIGHT - _BOTTOM
    from_zero = has_bars or (not chart.log_y and _begins_low([y for _, y in points]))
    across = axis([x for x, _ in points], 0, 1, log=chart.log_x)
    up = axis(
        [y for _, y in points], bottom, _TOP, log=chart.log_y, from_zero=from_zero, to_tick=True
    )
    labels = [_tick(value, chart.style) for value in up.ticks()]
    left = 14 + _DIGIT * max(map(len, labels), default=1)
    inset = _inset(chart, has_bars=has_bars)
    across = axis([x for x, _ in points], left + inset, _WIDTH - _RIGHT - inset, log=chart.log_x)
    inside = (
        _grid(up, labels, left)
        + _bottom(across, bottom)
        + _titles(chart, left, bottom)
        + _series(chart, across, up)
    )
    about = f"{chart.title}: {chart.y_title} over {chart.x_title}"
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{text_of(about)}">'
        f"{inside}</svg>"
    )


def _is_drawn(value: float | None) -> TypeGuard[float]:
    """Whether there is a value, and a place for it: numbers near infinity have none."""
    return value is not None and abs(value) < _LARGEST


def _drawn_points(chart: Chart) -> list[tuple[float, float]]:
    return [(x, y) for series in chart.series for x, y in series.points if _is_drawn(y)]


def _tick(value: float, style: str) -> str:
    """A value beside the axis, as short as can be."""
    if style == "share":
        return f"{100 * value:g} %"
    if style == "scientific" and value > 0:
        power = math.floor(math.log10(value) + 1e-9)
        return f"{value / 10**power:g}e{power}"
    return written(value, style)


def _begins_low(values: Sequence[float]) -> bool:
    """Whether an axis that begins at 0 still shows how values differ."""
    return min(values) >= 0 and (min(values) < 0.6 * max(values) or min(values) == max(values))


def _inset(chart: Chart, *, has_bars: bool) -> float:
    """Room at both ends, so that bars and marks are not cut."""
    if not has_bars:
        return 10
    count = len({x for series in chart.series for x, _ in series.points})
    return 0.5 * (_WIDTH - 100) / max(count, 1)


def _grid(up: Axis, labels: Sequence[str], left: float) -> str:
    lines = []
    for value, label in zip(up.ticks(), labels, strict=True):
        y = round(up.at(value), 1)
        lines.append(f'<path class="grid" d="M{left:.1f} {y}H{_WIDTH - _RIGHT}"/>')
        lines.append(f'<text class="tick" x="{left - 7:.1f}" y="{y + 4}" text-anchor="end">')
        lines.append(f"{text_of(label)}</text>")
    return "".join(lines)


def _bottom(across: Axis, bottom: float) -> str:
    drawn = []
    for value in _spread(across, across.ticks()):
        x = round(across.at(value), 1)
        drawn.append(f'<path class="axis" d="M{x} {bottom}v4"/>')
        label = text_of(written(int(value) if value.is_integer() else value))
        drawn.append(
            f'<text class="tick" x="{x}" y="{bottom + 18}" text-anchor="middle">{label}</text>'
        )
    return "".join(drawn)


def _spread(across: Axis, ticks: list[float]) -> list[float]:
    """Ticks that leave room for their labels."""
    kept: list[float] = []
    for value in map(float, ticks):
        room = _DIGIT * len(written(value)) + 8
        if not kept or across.at(value) - across.at(kept[-1]) >= room:
            kept.append(value)
    return kept


def _titles(chart: Chart, left: float, bottom: float) -> str:
    middle = (left + _WIDTH - _RIGHT) / 2
    x_title, y_title = text_of(chart.x_title), text_of(chart.y_title)
    below = f'x="{middle:.0f}" y="{_HEIGHT - 8}" text-anchor="middle"'
    return (
        f'<path class="axis" d="M{left:.1f} {bottom}H{_WIDTH - _RIGHT}"/>'
        f'<text class="title" {below}>{x_title}</text>'
        f'<text class="title" x="2" y="15">{y_title}</text>'
    )


def _series(chart: Chart, across: Axis, up: Axis) -> str:
    bars = [series for series in chart.series if series.kind == "bars"]
    drawn = []
    for i, series in enumerate(chart.series):
        if series.kind == "bars":
            drawn.append(_bars(chart, series, i, (bars.index(series), len(bars)), across, up))
    for i, series in enumerate(chart.series):
        if series.kind != "bars":
            drawn.append(_line(chart, series, i, across, up))
    return "".join(drawn)


def _bars(
    chart: Chart, series: Series, number: int, place: tuple[int, int], across: Axis, up: Axis
) -> str:
    at = sorted({across.at(x) for each in chart.series for x, _ in each.points})
    gaps = [b - a for a, b in pairwise(at)]
    whole = min([0.8 * gap for gap in gaps] + [64.0])
    width = whole / place[1]
    drawn = [f'<g class="s{number % 8} bars">']
    for x, y in series.points:
        if _is_drawn(y):
            left = across.at(x) - whole / 2 + place[0] * width
            top = min(up.at(y), up.start - 1)
            drawn.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(width - 1, 1):.1f}"'
                f' height="{up.start - top:.1f}">{_title(chart, series, x, y)}</rect>'
            )
    return "".join(drawn) + "</g>"


def _line(chart: Chart, series: Series, number: int, across: Axis, up: Axis) -> str:
    """The pieces between missing values, and a mark at each value."""
    path, pen = [], "M"
    marks = []
    for x, y in series.points:
        if not _is_drawn(y):
            pen = "M"
            continue
        place = f"{across.at(x):.1f} {up.at(y):.1f}"
        path.append(f"{pen}{place}")
        pen = "L"
        marks.append(
            f'<path class="mark" transform="translate({place})" d="{_MARKS[number % len(_MARKS)]}">'
            f"{_title(chart, series, x, y)}</path>"
        )
    is_bound = series.kind == "bound"
    shown = "" if len(marks) > _MOST_MARKS or (is_bound and len(marks) > 1) else "".join(marks)
    dash = "6 5" if is_bound else _DASHES[number % len(_DASHES)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    kind = "bound" if is_bound else "line"
    return f'<g class="s{number % 8}"><path class="{kind}" d="{"".join(path)}"{dashes}/>{shown}</g>'


def _title(chart: Chart, series: Series, x: float, y: float) -> str:
    where = f"{chart.x_title} {written(x)}: {written(y, chart.style)}"
    return f"<title>{text_of(f'{series.name}, {where}')}</title>"


def _legend(chart: Chart) -> str:
    if len(chart.series) < 2:
        return ""
    entries = []
    for i, series in enumerate(chart.series):
        entries.append(
            f'<li><svg class="swatch s{i % 8}" viewBox="0 0 28 12" aria-hidden="true">'
            f"{_swatch(series, i)}</svg><bdi>{text_of(cut(series.name, 48))}</bdi></li>"
        )
    return f'<ul class="legend">{"".join(entries)}</ul>'


def _swatch(series: Series, number: int) -> str:
    if series.kind == "bars":
        return '<g class="bars"><rect x="7" y="1" width="14" height="10"/></g>'
    dash = "6 5" if series.kind == "bound" else _DASHES[number % len(_DASHES)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    mark = _MARKS[number % len(_MARKS)]
    shown = (
        ""
        if series.kind == "bound"
        else f'<path class="mark" transform="translate(14 6)" d="{mark}"/>'
    )
    return f'<path class="line" d="M1 6H27"{dashes}/>{shown}'


def _place(chart: Chart, x: float) -> str:
    """A place on the axis: a number or a name."""
    is_named = x == int(x) and 0 <= x < len(chart.x_names)
    return chart.x_names[int(x)] if is_named else written(x)


def _numbers(chart: Chart) -> str:
    """The values as a table, for those who cannot see the chart, and for copying."""
    places = sorted({x for series in chart.series for x, _ in series.points})
    values = [dict(series.points) for series in chart.series]
    head = "".join(
        f'<th scope="col" class="number"><bdi>{text_of(title)}</bdi></th>'
        for title in (chart.x_title, *(series.name for series in chart.series))
    )
    rows = "".join(
        f'<tr><td class="number"><bdi>{text_of(_place(chart, x))}</bdi></td>'
        + "".join(
            f'<td class="number">{text_of(written(known.get(x), chart.style))}</td>'
            for known in values
        )
        + "</tr>"
        for x in places[:_MOST_ROWS]
    )
    left = len(places) - _MOST_ROWS
    more = f'<p class="remark">{left:,} more rows are left out.</p>' if left > 0 else ""
    return (
        '<details class="numbers"><summary>Numbers</summary><div class="scroll" tabindex="0"'
        f' role="group" aria-label="{text_of(chart.title)}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{more}</details>"
    )
