"""Drawings in a real browser: rounds, classes, search and keys do what they say."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import wlkg
from tests.reports.pages import TESTS, Opened, drawings, drawn, named, page_of
from wlkg.reports.blocks import Drawing
from wlkg.reports.pictures.looks import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

_SHOWN = """() => [...document.querySelectorAll('svg.graph')].map(graph =>
  [...graph.querySelectorAll('.vertex .class')].map(node => Number(node.textContent)))"""
_FILLS = """() => [...document.querySelectorAll('svg.graph')].map(graph =>
  [...graph.querySelectorAll('.vertex .disc')].map(node =>
    getComputedStyle(node).fill + node.getAttribute('d')))"""
_LIT = """() => [...document.querySelectorAll('svg.graph')].map(graph =>
  [...graph.querySelectorAll('.vertex')].map(node => node.classList.contains('lit')))"""


def _go_to(page: Page, test: int, round_: int) -> None:
    chooser = page.locator(".controls select")
    if chooser.count():
        chooser.select_option(str(test))
    page.locator("input[type=range]").fill(str(round_))


def _pair() -> Drawing:
    return drawn("example:relation-matters-g", "example:relation-matters-h")


def test_the_slider_shows_the_classes_of_every_round_of_every_test(opened: Opened) -> None:
    drawing = _pair()
    page = opened(page_of(drawing))
    for number, colouring in enumerate(drawing.colourings):
        for t, expected in enumerate(colouring.rounds):
            _go_to(page, number, t)
            assert page.evaluate(_SHOWN) == [list(graph) for graph in expected]
            assert (
                page.locator("output").inner_text() == f"round {t} of {len(colouring.rounds) - 1}"
            )


def test_vertices_have_the_same_colour_and_outline_exactly_if_they_share_a_class(
    opened: Opened,
) -> None:
    graph = wlkg.RelationalGraph.from_triples([(i, "r", i + 1) for i in range(25)])
    drawing = drawn(graph, tests=["1-rwl"])
    page = opened(page_of(drawing), reduced_motion="reduce")
    for t, (expected,) in enumerate(drawing.colourings[0].rounds):
        page.locator("input[type=range]").fill(str(t))
        (fills,) = page.evaluate(_FILLS)
        pairs = set(zip(fills, expected, strict=True))
        assert len(pairs) == len(set(fills)) == len(set(expected))


def test_a_click_lights_up_exactly_the_class_in_both_graphs(opened: Opened) -> None:
    drawing = _pair()
    page = opened(page_of(drawing))
    for number, t in ((2, 0), (2, 2), (3, 3)):
        _go_to(page, number, t)
        colours = drawing.colourings[number].rounds[t]
        for g, v in ((0, 1), (1, 4)):
            page.locator("svg.graph").nth(g).locator(".vertex").nth(v).click()
            assert page.evaluate(_LIT) == [[c == colours[g][v] for c in side] for side in colours]
            page.keyboard.press("Escape")
            assert not any(any(side) for side in page.evaluate(_LIT))


def test_the_class_stays_lit_when_the_round_changes(opened: Opened) -> None:
    drawing = _pair()
    page = opened(page_of(drawing))
    _go_to(page, 2, 0)
    page.locator("svg.graph").nth(0).locator(".vertex").nth(3).click()
    page.locator("input[type=range]").fill("2")
    colours = drawing.colourings[2].rounds[2]
    assert page.evaluate(_LIT) == [[c == colours[0][3] for c in side] for side in colours]


def _random_graph(seed: int) -> wlkg.RelationalGraph:
    """A small graph with loops, parallel relations, isolated vertices and labels."""
    random = np.random.default_rng(seed)
    n, m, r = int(random.integers(2, 8)), int(random.integers(1, 14)), int(random.integers(1, 4))
    directions = ("both", "undirected", "out", "in")
    graph = wlkg.RelationalGraph.from_arrays(
        random.integers(0, n, m),
        random.integers(0, r, m),
        random.integers(0, n, m),
        num_vertices=n,
        direction=directions[seed % 4],  # type: ignore[arg-type]
    )
    return graph.with_label_ids(random.integers(0, 2, n)) if seed % 3 == 0 else graph


_GROUPS = """() => [...document.querySelectorAll('figure.drawing')].map(figure => {
  const state = figure.drawing;
  return state.data.colourings.map((colouring, test) => {
    state.chooseTest(test);
    return colouring.rounds.map((colours, round) => {
      state.goTo(round);
      return colours.map((side, graph) => side.map((c, vertex) => {
        state.choose({graph, vertex});
        const head = [...figure.querySelectorAll('.why thead th')].slice(1);
        return {groups: head.length,
                sizes: head.map(th => Number(th.querySelector('button').textContent.split(' ')[0])),
                differs: figure.querySelectorAll('.why tr.differs').length};
      }));
    });
  });
})"""


def test_what_a_vertex_is_shown_to_see_decides_its_next_colour(opened: Opened) -> None:
    tests = ("1-wl", "weak-rwl", "1-rwl", "mean-rwl", "1-rlwl", "1-wl-all", "1-rwl-all")
    drawings = [drawn(_random_graph(seed), tests=tests) for seed in range(12)]
    drawings += [
        drawn(_random_graph(seed), _random_graph(seed + 4), tests=tests) for seed in range(12, 16)
    ]
    page = opened(page_of(*drawings))
    for drawing, shown in zip(drawings, page.evaluate(_GROUPS), strict=True):
        for colouring, rounds in zip(drawing.colourings, shown, strict=True):
            for t, sides in enumerate(rounds):
                _check_groups(colouring.rounds, t, sides)


def _check_groups(
    rounds: tuple[tuple[tuple[int, ...], ...], ...], t: int, shown: list[list[dict[str, object]]]
) -> None:
    """The groups of every vertex's class are the classes of the next round."""
    now = [c for side in rounds[t] for c in side]
    following = [c for side in rounds[min(t + 1, len(rounds) - 1)] for c in side]
    for side, seen in zip(rounds[t], shown, strict=True):
        for own, told in zip(side, seen, strict=True):
            parts = Counter(b for a, b in zip(now, following, strict=True) if a == own)
            assert told["groups"] == min(len(parts), 5)
            if len(parts) <= 5:
                assert sorted(told["sizes"]) == sorted(parts.values())  # type: ignore[call-overload]
            assert bool(told["differs"]) == (len(parts) > 1)


def test_the_histogram_counts_and_says_where_the_graphs_differ(opened: Opened) -> None:
    drawing = _pair()
    page = opened(page_of(drawing))
    _go_to(page, 2, 1)
    assert "still equal" in page.locator(".verdict-line").inner_text()
    assert page.locator(".unequal", has_text="≠").count() == 0
    page.get_by_role("button", name="Go to round 2").click()
    assert page.locator("input[type=range]").input_value() == "2"
    assert "here the histograms differ" in page.locator(".verdict-line").inner_text()
    colours = drawing.colourings[2].rounds[2]
    expected = [
        [str(list(side).count(number)) for side in colours]
        for number in sorted({c for side in colours for c in side})
    ]
    rows = page.locator(".bars-of button")
    counts = [rows.nth(i).locator(".count").all_inner_texts() for i in range(rows.count())]
    assert counts == expected
    unequal = sum(one != two for one, two in expected)
    assert page.locator(".unequal", has_text="≠").count() == unequal > 0


def test_the_page_opens_at_the_round_that_separates(opened: Opened) -> None:
    page = opened(page_of(drawn("example:c6", "example:2xc3")))
    assert page.locator("select").input_value() == str(TESTS.index("2-rlwl"))
    options = page.locator("option").all_inner_texts()
    assert options == [*(f"{test}: same" for test in TESTS[:4]), "2-rlwl: differs at round 1"]
    assert page.locator("input[type=range]").input_value() == "1"
    assert "differ" in page.locator(".verdict-line").inner_text()


def test_search_finds_names_and_labels(opened: Opened) -> None:
    page = opened(page_of(drawn("examples/graphs/family.ttl", tests=["1-rwl"])))
    page.locator(".search").fill("ADA")
    assert page.locator(".matches").inner_text() == "2 found"
    names = page.locator(".vertex.match").evaluate_all(
        "nodes => nodes.map(n => n.getAttribute('aria-label').split(',')[0])"
    )
    assert sorted(names) == ['"Ada"@en', ":ada"]
    page.locator(".search").press("Enter")
    assert page.locator(".vertex.chosen").count() == 1
    page.locator(".search").fill("nobody")
    assert page.locator(".matches").inner_text() == "0 found"
    assert page.locator(".vertex.match").count() == 0


def test_play_goes_to_the_last_round_and_stops(opened: Opened) -> None:
    page = opened(page_of(_pair()))
    page.clock.install()
    _go_to(page, 2, 0)
    page.get_by_role("button", name="Play").click()
    assert page.locator("output").inner_text() == "round 0 of 3"
    page.clock.run_for(1200)
    assert page.locator("output").inner_text() == "round 1 of 3"
    page.clock.run_for(5000)
    assert page.locator("output").inner_text() == "round 3 of 3"
    assert page.locator(".play").inner_text() == "Play"


def test_hovering_tells_name_label_class_and_history(opened: Opened) -> None:
    page = opened(page_of(drawn("example:weak-rwl", tests=["1-rwl"])))
    page.locator(".vertex").nth(2).hover()
    tip = page.locator(".tip-box")
    assert tip.is_visible()
    assert tip.inner_text().split("\n")[:2] == ["v", "label 0"]
    assert tip.locator(".history .chip").count() == 2
    page.mouse.move(2, 2)
    assert not tip.is_visible()


def test_everything_can_be_reached_and_done_by_keyboard(opened: Opened) -> None:
    page = opened(page_of(drawn("example:c6", "example:2xc3")))
    reached: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        kind = page.evaluate(
            "() => document.activeElement.getAttribute('class') || document.activeElement.tagName"
        )
        if reached and kind in ("BODY", reached[0]):
            break
        reached.append(kind)
    assert [k for k in reached if k.startswith("vertex")] == ["vertex", "vertex"]
    assert {"SELECT", "play tool", "search"} <= set(reached)
    vertex = page.locator("svg.graph").first.locator(".vertex").first
    vertex.focus()
    # 0 is the upper right corner of the hexagon, 5 the upper left one.
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("() => document.activeElement.dataset.vertex") == "5"
    page.keyboard.press("Enter")
    assert page.locator(".vertex.chosen").get_attribute("data-vertex") == "5"
    assert page.locator(".vertex.chosen").get_attribute("aria-pressed") == "true"
    page.keyboard.press("Escape")
    assert page.locator(".vertex.chosen").count() == 0
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("output").inner_text() == "round 0 of 2"
    outline = page.locator("input[type=range]").evaluate("n => getComputedStyle(n).outlineStyle")
    assert outline != "none"


def test_parts_of_two_large_graphs_are_not_said_to_be_equal_or_different(opened: Opened) -> None:
    one = wlkg.RelationalGraph.from_triples([(i, "r", i + 1) for i in range(200)])
    two = wlkg.RelationalGraph.from_triples([(i, "r", i + 1) for i in range(300)])
    blocks = looks(named(one, two), tests=["1-rwl"], marked=[(0, 3), (1, 3)])
    (context,) = drawings(blocks)
    page = opened(page_of(context))
    line = page.locator(".verdict-line").inner_text()
    assert "separate" not in line
    assert "that are drawn" in line
    assert "differ from round" in line
    assert page.locator(".unequal", has_text="≠").count() == 0


def test_vertices_with_more_triples_than_drawn_are_not_explained(opened: Opened) -> None:
    drawing = drawn("example:c6", tests=["1-rwl"])
    partial = replace(drawing, graphs=(replace(drawing.graphs[0], partial=(0,)),))
    page = opened(page_of(partial))
    page.locator(".vertex").nth(0).click()
    assert "Only a part" in page.locator(".why").inner_text()
    page.locator(".vertex").nth(1).click()
    assert "All 5 vertices" in page.locator(".why").inner_text()


def test_a_marked_pair_opens_where_it_is_about_to_be_separated(opened: Opened) -> None:
    drawing = replace(
        drawn("example:weak-rwl", tests=["1-rwl", "weak-rwl"]), marked=((0, 2), (0, 3))
    )
    page = opened(page_of(replace(drawing, colourings=drawing.colourings[:1])))
    assert page.locator("output").inner_text() == "round 0 of 1"
    assert page.locator(".vertex.chosen").get_attribute("data-vertex") == "2"
    assert page.locator(".vertex.lit").count() == 2
    assert page.locator(".why thead th").count() == 3
    assert page.locator(".why tr.differs").count() == 2
    assert "differ from round 1 on" in page.locator(".verdict-line").inner_text()
    page = opened(page_of(replace(drawing, colourings=drawing.colourings[1:])))
    assert page.locator(".vertex.chosen").count() == 0
    assert "at every round" in page.locator(".verdict-line").inner_text()


@pytest.mark.parametrize("count", [0, 1])
def test_a_drawing_without_triples_or_rounds_works(opened: Opened, count: int) -> None:
    graph = wlkg.RelationalGraph.from_triples([], vertices=["only"])
    page = opened(page_of(drawn(graph, tests=["1-rwl"][:count] or ["1-wl"])))
    page.locator(".vertex").click()
    assert "only vertex" in page.locator(".why").inner_text()
