"""Pages in a real browser: any width, any name, light and dark, and nothing from elsewhere runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import wlkg
from tests.reports.pages import HOSTILE, Opened, drawn, named, page_of
from wlkg.reports.blocks import (
    Block,
    Chart,
    Code,
    Column,
    Details,
    Drawing,
    Paragraph,
    Picture,
    Section,
    Series,
    Table,
)
from wlkg.reports.html.escaping import visible
from wlkg.reports.html.frame import frame
from wlkg.reports.html.page import page as page_html
from wlkg.reports.pictures.looks import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def _every_block(name: str = "a name") -> tuple[Block, ...]:
    """One block of every kind, with a name in every place for text."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="40"><circle r="9"/></svg>'
    rows = tuple((f"{name} {i}", i, i / 7, None) for i in range(120))
    return (
        Paragraph(name, "verdict"),
        Paragraph(name, "warning"),
        Code(name, name, name),
        Table(
            name,
            (Column(name), Column("n", "count"), Column("x"), Column("none")),
            rows,
            note=name,
            searchable=True,
        ),
        Chart(
            name,
            name,
            name,
            (
                Series(name, tuple((x, 10.0**-x) for x in range(9))),
                Series("bars", tuple((x, x or None) for x in range(9)), "bars"),
                Series("bound", ((0, 0.5), (8, 0.5)), "bound"),
            ),
            log_y=True,
        ),
        Picture(name, svg),
        Details(name, (Paragraph(name),)),
        _drawing(name),
    )


def _drawing(name: str) -> Drawing:
    """A drawing with a name in every place for text, also names that no graph accepts."""
    graph = wlkg.RelationalGraph.from_triples([("a", "r", "b"), ("b", "s", "a")])
    drawing = drawn(graph.with_labels(["x", "y"]), tests=["1-rwl", "weak-rwl"])
    named_graph = replace(
        drawing.graphs[0], name=name, vertices=(name, "other"), labels=(name, "other")
    )
    return replace(drawing, title=name, graphs=(named_graph,), relations=(name, "s"))


def _large() -> wlkg.RelationalGraph:
    triples = [(f"http://example.org/person/{i}", f"r{i % 3}", f"{i % 17}") for i in range(500)]
    return wlkg.RelationalGraph.from_triples(triples)


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("dark", [False, True])
def test_no_page_is_wider_than_the_window(opened: Opened, width: int, *, dark: bool) -> None:
    blocks = (*_every_block(), *looks(named(_large()), tests=["1-rwl", "1-wl"]))
    page = opened(page_of(*blocks, title="long" * 60), width=width, dark=dark)
    assert page.evaluate(_OVERFLOW) == 0
    page.locator(".drawing").nth(1).locator(".vertex").first.click()
    assert page.evaluate(_OVERFLOW) == 0


def test_hostile_names_stay_text(opened: Opened) -> None:
    page = opened(
        page_html(
            [
                Section(name, _every_block(name), {"command": name, "inputs": [{"path": name}]})
                for name in HOSTILE
            ]
        ),
        width=360,
    )
    assert page.locator("script").count() == 2
    assert page.locator("img, iframe, object, embed, link").count() == 0
    texts = "nodes => nodes.map(node => node.textContent)"
    shown = [visible(name) for name in HOSTILE]
    for selector in ("section > h2", "p.verdict", ".code code", ".contents a", ".panel h3"):
        assert page.locator(selector).evaluate_all(texts) == shown
    labels = "nodes => nodes.map(node => node.getAttribute('aria-label'))"
    vertices = page.locator(".vertex[data-vertex='0']")
    assert vertices.evaluate_all(labels) == [f"{n}, label {n}, class 1" for n in shown]
    for vertex in vertices.all():
        vertex.dispatch_event("click")
        vertex.dispatch_event("pointerenter")
    for box in page.locator(".table .search").all():
        box.fill("<")
    assert page.evaluate("() => window.hacked") is None
    assert page.evaluate(_OVERFLOW) == 0


def test_nothing_that_is_injected_can_run_or_load(browser: Browser) -> None:
    # What a hole in the escaping would let through: the policy still stops it.
    html = page_of(Paragraph("MARK")).replace(
        "MARK",
        "<script>window.hacked=1</script><b onclick='window.hacked=2'>x</b>"
        "<i style='color:red'>y</i><img src='https://example.org/x.png' onerror='hacked=3'>",
    )
    page = browser.new_page()
    arrived: list[str] = []
    failures: list[str | None] = []
    page.on("requestfinished", lambda request: arrived.append(request.url))
    page.on("requestfailed", lambda request: failures.append(request.failure))
    page.set_content(html)
    page.locator("p b").click()
    assert page.evaluate("() => window.hacked") is None
    assert page.locator("p i").evaluate("n => getComputedStyle(n).color") != "rgb(255, 0, 0)"
    assert (arrived, failures) == ([], ["csp"])
    page.close()


def test_tables_search_all_rows_and_show_more(opened: Opened) -> None:
    rows = tuple((f"row {i}", i) for i in range(1000))
    table = Table("many", (Column("name"), Column("n", "count")), rows)
    page = opened(page_of(table))
    assert page.locator("tbody tr").count() == 25
    assert page.locator(".count").inner_text() == "The first 25 of 1,000 rows."
    page.locator(".search").fill("row 99")
    texts = page.locator("tbody tr td:first-child").all_inner_texts()
    assert texts == ["row 99", *(f"row {i}" for i in range(990, 1000))]
    assert page.locator(".count").inner_text() == "11 rows."
    page.locator(".search").fill("")
    page.get_by_role("button", name="Show more").click()
    assert page.locator("tbody tr").count() == 225
    last = page.locator("tbody tr").last.locator("td").last
    assert last.evaluate("n => getComputedStyle(n).textAlign") == "right"


def test_light_and_dark_follow_the_system_and_the_button(opened: Opened) -> None:
    def darkness(page: object) -> list[float]:
        return page.evaluate(  # type: ignore[attr-defined, no-any-return]
            """() => ['backgroundColor', 'color'].map(p =>
                 getComputedStyle(document.body)[p].match(/\\d+/g).slice(0, 3)
                   .reduce((sum, c) => sum + Number(c), 0))"""
        )

    for dark in (False, True):
        page = opened(page_of(Paragraph("x"), drawn("example:c6", tests=["1-wl"])), dark=dark)
        paper, ink = darkness(page)
        assert (paper < ink) == dark
        page.locator("#theme").click()
        paper, ink = darkness(page)
        assert (paper < ink) != dark


def test_a_neighbourhood_opens_from_the_search(opened: Opened) -> None:
    graph = _large()
    page = opened(page_of(*looks(named(graph), tests=["1-rwl"])))
    figure = page.locator(".neighbourhoods")
    figure.locator(".search").fill("person/123")
    figure.locator(".found button").first.click()
    around = figure.locator(".around")
    assert "person/123" in around.locator("h4").inner_text()
    assert around.locator("h5").all_inner_texts() == ["→ r0"]
    assert around.locator("li").all_inner_texts()[0].strip().endswith(str(123 % 17))
    around.locator("li button").first.click()
    assert around.locator("h4").inner_text().strip().endswith(str(123 % 17))
    assert "← r0" in around.locator("h5").all_inner_texts()


def test_contents_lead_to_sections(opened: Opened) -> None:
    page = opened(page_html([Section(f"part {i}", (Paragraph("x"),)) for i in range(3)]))
    links = page.locator("nav a")
    assert links.all_inner_texts() == ["part 0", "part 1", "part 2"]
    target = links.nth(2).get_attribute("href")
    assert page.locator(f"section{target} h2").inner_text() == "part 2"


def test_several_frames_work_in_one_page(opened: Opened) -> None:
    section = Section("in a notebook", (drawn("example:c6", "example:2xc3"),))
    page = opened(f"<!doctype html><title>x</title><p>a</p>{frame(section)}{frame(section)}")
    for inner in page.locator("iframe").all():
        inner.scroll_into_view_if_needed()
        content = inner.content_frame
        content.locator("input[type=range]").fill("0")
        assert content.locator("output").inner_text() == "round 0 of 2"
        content.locator(".vertex").first.click()
        assert content.locator(".vertex.lit").count() == 12
        assert inner.get_attribute("sandbox") == "allow-scripts"


def test_print_shows_the_drawing_without_controls(opened: Opened) -> None:
    page = opened(page_of(drawn("example:c6", tests=["1-wl"])), dark=True)
    page.emulate_media(media="print")
    assert not page.locator(".controls").is_visible()
    assert page.locator("svg.graph").is_visible()
    background = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(255, 255, 255)"


def test_without_scripts_the_page_still_shows_graphs_and_tables(opened: Opened) -> None:
    page = opened(page_of(*_every_block()), java_script_enabled=False)
    assert page.locator("svg.graph .vertex").count() == 2
    assert page.locator("tbody tr").first.is_visible()
    assert not page.locator(".controls").is_visible()
