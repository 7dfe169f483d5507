"""Charts with matplotlib: lines, bars and bounds."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

from wlkg.reports.blocks import Chart, Series
from wlkg.reports.numbers import written
from wlkg.text import printable
from wlkg.typesetting.figures import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

#: Lines with more points have no marks.
_MOST_MARKS = 30
_LONGEST_NAME = 32
#: Letters of a title on a line.
_TITLE_WIDTH = 44
_STEPS = [1, 2, 2.5, 5, 10]
_BOUND: dict[str, Any] = {"linestyle": (0, (4, 3)), "linewidth": 1.1}


def chart_height(chart: Chart) -> float:
    """The height in inches; bars with names need a line each, and a legend is below."""
    legend = 0.16 * ((len(chart.series) + 1) // 2) if len(chart.series) > 1 else 0.0
    if not chart.x_names:
        return 2.2 + legend
    bars = sum(series.kind != "bound" for series in chart.series)
    return max(0.9 + 0.13 * max(bars, 1.4) * len(chart.x_names), 1.2) + legend


def draw_chart(panel: SubFigure, chart: Chart) -> None:
    """A chart with its title, its axes, and its legend below."""
    axes = panel.add_subplot()
    axes.set_title(textwrap.fill(printable(chart.title), _TITLE_WIDTH))
    if chart.x_names:
        _draw_named_bars(axes, chart)
    else:
        _draw_points(axes, chart)
    if len(chart.series) > 1:
        handles, names = axes.get_legend_handles_labels()
        panel.legend(handles, names, loc="outside lower center", ncols=2)


def _draw_points(axes: Axes, chart: Chart) -> None:
    zero = _place_of_zero(chart)
    bars = [series for series in chart.series if series.kind == "bars"]
    for number, series in enumerate(chart.series):
        points = [(x, zero if chart.log_y and not y else y) for x, y in series.points]
        values: dict[str, Any] = {"label": printable(series.name)}
        values["color"] = COLOURS[number % len(COLOURS)]
        x, y = [x for x, _ in points], [math.nan if y is None else y for _, y in points]
        if series.kind == "bars":
            width = 0.8 / len(bars)
            shift = width * (bars.index(series) - (len(bars) - 1) / 2)
            axes.bar([each + shift for each in x], y, width, **values)
        elif series.kind == "bound":
            axes.plot(x, y, **values, **_BOUND)
        else:
            marker = MARKERS[number % len(MARKERS)] if len(points) <= _MOST_MARKS else ""
            axes.plot(x, y, marker=marker, **values)
    axes.set_xlabel(printable(chart.x_title))
    axes.set_ylabel(printable(chart.y_title))
    _scale(axes, chart, zero)


def _place_of_zero(chart: Chart) -> float | None:
    """Where 0 is drawn on a logarithmic axis: below all other values; None if there is no 0."""
    values = [y for series in chart.series for _, y in series.points if y is not None]
    positive = [y for y in values if y > 0]
    if not chart.log_y or len(positive) == len(values) or not positive:
        return None
    return float(10.0 ** (math.floor(math.log10(min(positive))) - 1))


def _scale(axes: Axes, chart: Chart, zero: float | None) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    if chart.log_y:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: _power(y)))
    if chart.log_x:
        axes.set_xscale("symlog", linthresh=1)
    whole = all(float(x).is_integer() for series in chart.series for x, _ in series.points)
    if whole and not chart.log_x:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, steps=_STEPS))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    if not chart.log_y and chart.style in ("count", "share"):
        is_count = chart.style == "count"
        axes.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=is_count, steps=_STEPS))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: _tick(y, chart)))
    if zero is not None:
        low, high = axes.get_ylim()
        axes.set_yticks([zero, *(t for t in axes.get_yticks() if t > 3 * zero)])
        axes.set_yticklabels(["0", *map(_power, axes.get_yticks()[1:])])
        axes.set_ylim(min(low, zero / 2), high)


def _power(value: float) -> str:
    """A power of ten: plain if it is short, as in 0.01 and 1,000."""
    return f"{value:,.6g}" if 0.001 <= value < 1e6 else f"1e{round(math.log10(value))}"


def _tick(value: float, chart: Chart) -> str:
    return f"{100 * value:g} %" if chart.style == "share" else f"{value:,.0f}"


def _draw_named_bars(axes: Axes, chart: Chart) -> None:
    """Bars from left to right, the first name at the top; a bound is a line across its bars."""
    bars = [series for series in chart.series if series.kind != "bound"]
    height = 0.8 / max(len(bars), 1)
    for number, series in enumerate(chart.series):
        colour = COLOURS[number % len(COLOURS)]
        places, values = _finite(series)
        if series.kind == "bound":
            low, high = [p - 0.44 for p in places], [p + 0.44 for p in places]
            axes.vlines(values, low, high, label=printable(series.name), color=colour, **_BOUND)
            continue
        shift = height * (bars.index(series) - (len(bars) - 1) / 2)
        drawn = axes.barh(
            [place + shift for place in places],
            values,
            height,
            color=colour,
            label=printable(series.name),
        )
        texts = [written(value, chart.style) for value in values]
        axes.bar_label(drawn, texts, padding=2, fontsize=6.5)
    names = [printable(name) for name in chart.x_names]
    shown = [f"…{name[-_LONGEST_NAME:]}" if len(name) > _LONGEST_NAME else name for name in names]
    axes.set_yticks(range(len(shown)), shown)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.margins(x=0.12)
    axes.set_xlabel(printable(chart.y_title))


def _finite(series: Series) -> tuple[list[float], list[float]]:
    points = [(x, y) for x, y in series.points if y is not None]
    return [x for x, _ in points], [y for _, y in points]
