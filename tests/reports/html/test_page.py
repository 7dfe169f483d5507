"""Pages as text: escaping, policy, size, and what every renderer writes; no browser needed."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wlkg
from tests.reports.pages import HOSTILE, drawn, page_of
from wlkg.reports.blocks import Block, Chart, Column, Paragraph, Section, Series, Table
from wlkg.reports.html.axes import axis
from wlkg.reports.html.charts import chart_svg
from wlkg.reports.html.content import _RENDERERS
from wlkg.reports.html.edges import curves
from wlkg.reports.html.escaping import cut, json_of, text_of, visible
from wlkg.reports.html.frame import frame
from wlkg.reports.html.page import page
from wlkg.reports.numbers import written


class _Parsed(HTMLParser):
    """The elements, attributes and texts of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self._open[-1] if self._open else "", []).append(data)


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def test_the_policy_allows_exactly_the_script_and_the_style_of_the_page() -> None:
    html = page_of(drawn("example:c6"))
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    parsed = _Parsed(html)
    (policy,) = [a["content"] for t, a in parsed.elements if t == "meta" and "http-equiv" in a]
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == _hash(script)
    assert rules["style-src"] == _hash(style)


def test_nothing_on_a_page_comes_from_elsewhere_or_is_styled_in_place() -> None:
    for _, attributes in _Parsed(page_of(drawn("example:c6", "example:2xc3"))).elements:
        assert not {"src", "style", "onclick", "onload"} & set(attributes)
        assert not (attributes.get("href") or "#").startswith("http")


@given(st.text(st.characters()))
def test_any_text_stays_text_and_can_be_written_as_utf8(text: str) -> None:
    html = page([Section(text, (Paragraph(text, "verdict"),), {"command": text})])
    parsed = _Parsed(html)
    html.encode()
    assert [tag for tag, _ in parsed.elements].count("script") == 2
    assert "".join(parsed.texts.get("p", [""])) == visible(text)


@given(st.recursive(st.text(st.characters()), lambda inner: st.lists(inner, max_size=3)))
def test_json_in_a_script_is_the_same_value_without_marks(value: object) -> None:
    text = json_of({"value": value})
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text)["value"] == json.loads(json.dumps(_seen(value)))
    text.encode()


def _seen(value: object) -> object:
    return visible(value) if isinstance(value, str) else [_seen(v) for v in value]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", HOSTILE)
def test_what_cannot_be_seen_is_written_out_and_the_rest_is_kept(name: str) -> None:
    seen = visible(name)
    assert not re.search("[\x00-\x08\u202a-\u202e\u2028\ud800-\udfff]", seen)
    assert visible("עברית 日本語 👩‍🔬 \t\n") == "עברית 日本語 👩‍🔬 \t\n"
    assert "<" not in text_of(name)
    assert len(cut(name, 20)) <= 20


@pytest.mark.parametrize("kind", Block.__args__)
def test_every_block_has_a_renderer(kind: type) -> None:
    assert kind in _RENDERERS


@pytest.mark.parametrize(
    "pair", [("c6", "2xc3"), ("cfi-g,k=2", "cfi-h,k=2"), ("rook", "shrikhande"), ("petersen",)]
)
def test_pages_of_small_graphs_are_below_300_kilobytes(pair: tuple[str, ...]) -> None:
    html = page_of(drawn(*(f"example:{name}" for name in pair)))
    assert len(html.encode()) < 300_000


def test_the_largest_drawing_is_below_300_kilobytes() -> None:
    triples = [
        (f"person number {i}", f"r{i % 5}", f"person number {i * 7 % 150}") for i in range(400)
    ]
    graph = wlkg.RelationalGraph.from_triples(
        [(h, r, t) for (h, r, t) in triples if int(h.split()[-1]) < 150]
    )
    html = page_of(drawn(graph, tests=("1-wl", "weak-rwl", "1-rwl", "mean-rwl")))
    assert len(html.encode()) < 300_000


def test_equal_input_gives_equal_bytes_whatever_the_hash_seed() -> None:
    program = (
        "from tests.reports.pages import *\n"
        "import sys; sys.stdout.buffer.write(page_of(drawn('examples/graphs/family.ttl',"
        " tests=['1-rwl', 'weak-rwl'])).encode())"
    )
    pages = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("3", "4")
    }
    assert len(pages) == 1


def test_numbers_are_written_by_what_they_mean() -> None:
    assert written(1_234_567, "count") == "1,234,567"
    assert written(0.5, "share") == "50.0 %"
    assert written(2.43e-12, "scientific") == "2.4e-12"
    assert written(0.0, "scientific") == "0"
    assert written(1e-9) == "1.0e-09"
    assert written(None) == ""
    assert (written(True), written(False)) == ("yes", "no")
    assert written(math.inf) == "inf"


def test_tables_write_numbers_to_the_right_and_say_what_is_cut() -> None:
    rows = tuple((f"row {i}", 1000 * i) for i in range(60))
    html = page_of(Table("many", (Column("name"), Column("n", "count")), rows))
    assert '<td class="number"><bdi>24,000</bdi></td>' in html
    assert "25,000</bdi></td>" not in html
    assert "The first 25 of 60 rows." in html


def test_very_long_tables_are_cut_and_say_so() -> None:
    rows = tuple((i,) for i in range(6000))
    html = page_of(Table("many", (Column("n", "count"),), rows))
    assert "The first 25 of 5,000 rows." in html
    assert "1,000 more rows are not in this page." in html


@pytest.mark.parametrize("log", [False, True])
def test_charts_put_values_where_the_axis_says(*, log: bool) -> None:
    values = [1.0, 10.0, 100.0, 1000.0]
    up = axis(values, 300, 0, log=log)
    places = [up.at(value) for value in values]
    assert places[0] == pytest.approx(300)
    assert places[-1] == pytest.approx(0)
    if log:
        assert places == pytest.approx([300, 200, 100, 0])
    assert all(up.low <= tick <= up.high for tick in up.ticks())


def test_zero_on_a_logarithmic_axis_lies_below_all_other_values() -> None:
    up = axis([0.0, 1e-9, 1e-3], 300, 0, log=True)
    assert up.at(0) == 300 > up.at(1e-9)
    assert up.ticks()[0] == 0


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.floats() | st.none()), max_size=8),
    st.booleans(),
    st.sampled_from(["line", "bars", "bound"]),
)
@example([(0, math.inf), (1, -1.7e308), (2, 1.7e308)], False, "line")
@example([(0, 5e-324), (1, 1e299)], True, "bars")
@example([(0, 1e17), (1, 1e17 + 16)], False, "line")
def test_any_chart_can_be_drawn(
    points: list[tuple[int, float | None]], log: bool, kind: str
) -> None:
    series = Series("s", tuple(points), kind)  # type: ignore[arg-type]
    chart = Chart("t", "x", "y", (series,), log_y=log)
    html = page_of(chart)
    drawn_svgs = re.findall(r"<svg viewBox.*?</svg>", html, re.DOTALL)
    assert not [svg for svg in drawn_svgs if re.search(r'(=|")[^">]*(nan|inf)', svg)]
    if any(y is not None and abs(y) < 1e300 for _, y in points):
        assert chart_svg(chart).startswith("<svg")


def test_parallel_relations_are_separate_curves_and_loops_leave_their_vertex() -> None:
    triples = [(0, 0, 1), (0, 1, 1), (1, 0, 0), (0, 0, 0), (0, 1, 0)]
    drawn_curves = curves(triples, [(0.0, 0.0), (100.0, 0.0)], [15.0, 15.0], arrows=True)
    assert len({curve.path for curve in drawn_curves}) == 5
    assert len({curve.label for curve in drawn_curves}) == 5
    assert all(curve.arrow for curve in drawn_curves)
    for curve in drawn_curves[3:]:
        assert math.hypot(*curve.label) > 20


def test_undirected_graphs_have_no_arrows() -> None:
    assert 'class="tip"' not in page_of(drawn("example:c6"))
    assert 'class="tip"' in page_of(drawn("example:triangles-g"))


def test_marked_vertices_are_pointed_out() -> None:
    drawing = replace(drawn("example:c6", tests=["1-wl"]), marked=((0, 3),))
    (marked,) = re.findall(r'<g class="vertex marked" data-vertex="(\d+)"', page_of(drawing))
    assert marked == "3"


def test_a_frame_is_one_element_that_cannot_reach_the_page_around_it() -> None:
    html = frame(Section("</iframe><script>", (drawn("example:c6"),)))
    ((tag, attributes),) = _Parsed(html).elements
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts"
    assert attributes["srcdoc"] is not None
    assert attributes["srcdoc"].startswith("<!doctype html>")
    height = attributes["height"]
    assert height is not None
    assert 160 <= int(height) <= 900


def test_the_assets_are_where_an_installed_package_has_them() -> None:
    from importlib.resources import files

    names = {entry.name for entry in (files("wlkg.reports.html") / "assets").iterdir()}
    assert {"page.js", "page.css", "drawing.js", "drawing.css"} <= names
