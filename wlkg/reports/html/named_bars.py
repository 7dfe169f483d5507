"""Bars with names: a chart whose places are things, such as relations, drawn from top to bottom."""

from __future__ import annotations

from wlkg.reports.blocks import Chart, Series
from wlkg.reports.html.axes import Axis, axis
from wlkg.reports.html.escaping import cut, text_of
from wlkg.reports.numbers import written

_WIDTH = 680
#: The room for the value of the longest bar.
_RIGHT = 64
_TOP, _BOTTOM = 6, 24
#: The height of a bar, and the room between two names.
_BAR, _GAP = 15, 9
_CHARACTER = 7.0
_LONGEST_NAME = 34


def named_bars_svg(chart: Chart) -> str:
    """The chart alone; a bound is a line across the bars of its name."""
    bars = [series for series in chart.series if series.kind != "bound"]
    values = [y for series in chart.series for _, y in series.points if y is not None]
    names = [cut(name, _LONGEST_NAME) for name in chart.x_names]
    left = 16 + _CHARACTER * max(map(len, names), default=1)
    across = axis(values, left, _WIDTH - _RIGHT, log=chart.log_y, from_zero=not chart.log_y)
    row = _BAR * max(len(bars), 1) + _GAP
    height = _TOP + row * len(names) + _BOTTOM
    drawn = [_row(chart, names[i], i, across, row) for i in range(len(names))]
    about = f"{chart.title}: {chart.y_title} by {chart.x_title}"
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{text_of(about)}">'
        f"{''.join(drawn)}{_below(chart, height, left)}</svg>"
    )


def _row(chart: Chart, name: str, place: int, across: Axis, row: int) -> str:
    """A name, its bars with their values, and its bounds."""
    top = _TOP + row * place
    middle = top + (row - _GAP) / 2
    where = f'x="{across.start - 8:.1f}" y="{middle + 4:.1f}" text-anchor="end"'
    title = f"<title>{text_of(chart.x_names[place])}</title>"
    drawn = [f'<text class="tick" {where}>{text_of(name)}{title}</text>']
    bars = [i for i, series in enumerate(chart.series) if series.kind != "bound"]
    for line, number in enumerate(bars):
        value = _value(chart.series[number], place)
        if value is not None:
            drawn.append(_bar(chart, number, value, across, top + line * _BAR))
    for number, series in enumerate(chart.series):
        value = _value(series, place)
        if series.kind == "bound" and value is not None:
            x = across.at(value)
            end = top + row - _GAP + 1
            drawn.append(
                f'<g class="s{number % 8}"><path class="bound" d="M{x:.1f} {top - 2}V{end}"'
                ' stroke-dasharray="6 5"/></g>'
            )
    return "".join(drawn)


def _value(series: Series, place: int) -> float | None:
    return dict(series.points).get(place)


def _bar(chart: Chart, number: int, value: float, across: Axis, y: float) -> str:
    end = max(across.at(value), across.start + 1)
    text = text_of(written(value, chart.style))
    return (
        f'<g class="s{number % 8} bars"><rect x="{across.start:.1f}" y="{y:.1f}"'
        f' width="{end - across.start:.1f}" height="{_BAR - 2}"/></g>'
        f'<text class="tick" x="{end + 6:.1f}" y="{y + 11:.1f}">{text}</text>'
    )


def _below(chart: Chart, height: int, left: float) -> str:
    return (
        f'<path class="axis" d="M{left:.1f} {_TOP - 4}V{height - _BOTTOM}"/>'
        f'<text class="title" x="{left:.1f}" y="{height - 6}">{text_of(chart.y_title)}</text>'
    )
