"""Figures: one style, the same bytes every time, and names that stay text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wlkg.errors import UsageError
from wlkg.reports.blocks import Chart, Drawing, Section, Series
from wlkg.reports.results import Result
from wlkg.reports.sections.registry import section_of

pytest.importorskip("matplotlib", reason="figures need matplotlib: pip install 'wlkg[plots]'")

from wlkg.reports.figures.charts import _place_of_zero
from wlkg.reports.figures.figure import figure_bytes

WithGraphs = Callable[[str], Result]
BEGINNINGS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", BEGINNINGS)
@pytest.mark.parametrize("name", ["refine", "ceiling", "hierarchy", "compare"])
def test_equal_results_give_equal_files(name: str, suffix: str, with_graphs: WithGraphs) -> None:
    one, two = (figure_bytes(section_of(with_graphs(name)), suffix) for _ in range(2))
    assert one == two
    assert one.startswith(BEGINNINGS[suffix])
    assert b"Date>" not in one


def test_a_comparison_is_drawn_at_the_round_that_separates(with_graphs: WithGraphs) -> None:
    section = section_of(with_graphs("compare"))
    (drawing,) = section.figure
    assert isinstance(drawing, Drawing)
    assert drawing.colourings[0].separated_at == 1
    pictures = {at: figure_bytes(section, ".svg", at) for at in (None, 0, 1)}
    assert pictures[None] == pictures[1] != pictures[0]
    with pytest.raises(UsageError, match="--figure-round 9: the last round of 2-rlwl is 2"):
        figure_bytes(section, ".svg", 9)


def test_charts_have_no_round_to_choose(with_graphs: WithGraphs) -> None:
    with pytest.raises(UsageError, match="--figure-round has no effect"):
        figure_bytes(section_of(with_graphs("refine")), ".svg", 1)


def test_what_has_no_figure_says_so() -> None:
    with pytest.raises(UsageError, match="there is nothing to draw"):
        figure_bytes(Section("Empty", ()), ".svg")


def test_names_are_text_also_with_dollars_and_other_scripts() -> None:
    names = ("$x_1$", "a\nb\x00", "漢字", r"\frac{1}{2}")
    series = Series("$\\alpha", tuple((i, i + 1) for i in range(4)), "bars")
    chart = Chart("T$", "x", "y$", (series, Series("b", ((0, None),), "bound")), x_names=names)
    assert figure_bytes(Section("S", (), figure=(chart,)), ".svg").startswith(b"<?xml")


def test_zero_has_a_place_below_all_others_on_a_logarithmic_axis() -> None:
    series = Series("s", ((1, 0.0), (2, 3e-5), (3, None)))
    chart = Chart("T", "x", "y", (series,), log_y=True)
    assert _place_of_zero(chart) == pytest.approx(1e-6)
    assert figure_bytes(Section("S", (), figure=(chart, chart)), ".png").startswith(b"\x89PNG")
    assert _place_of_zero(Chart("T", "x", "y", (Series("s", ((1, 2.0),)),), log_y=True)) is None
