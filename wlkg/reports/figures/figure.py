"""The figure of a section for print: its charts side by side, or its drawing."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from wlkg.errors import UsageError
from wlkg.reports.blocks import Chart, Drawing, Section
from wlkg.reports.figures.charts import chart_height, draw_chart
from wlkg.reports.figures.drawings import draw_graphs
from wlkg.typesetting.figures import COLUMN_WIDTH, PAGE_WIDTH, PRINT, encoded

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure_bytes(section: Section, suffix: str, at_round: int | None = None) -> bytes:
    """The figure as the bytes of a file with this suffix; ``at_round`` is for drawings."""
    import matplotlib as mpl

    if not section.figure:
        raise UsageError(
            f"{section.title}: there is nothing to draw; graphs are drawn if they are small"
        )
    with mpl.rc_context(PRINT), warnings.catch_warnings():
        # Signs that the font does not have are drawn as boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        return encoded(_figure(section, at_round), suffix)


def _figure(section: Section, at_round: int | None) -> Figure:
    from matplotlib.figure import Figure

    drawings = [each for each in section.figure if isinstance(each, Drawing)]
    if drawings:
        return draw_graphs(drawings[0], at_round)
    if at_round is not None:
        raise UsageError("--figure-round has no effect: the figure is a chart of all rounds")
    charts = [each for each in section.figure if isinstance(each, Chart)]
    width = COLUMN_WIDTH if len(charts) == 1 else PAGE_WIDTH
    height = max(map(chart_height, charts))
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subfigures(1, len(charts), squeeze=False)[0]
    for panel, chart in zip(panels, charts, strict=True):
        draw_chart(panel, chart)
    return figure
