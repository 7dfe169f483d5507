"""Graphs and pages that tests of reports share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import wlkg
from wlkg.reports.blocks import Block, Drawing, Section, flat
from wlkg.reports.html.page import page
from wlkg.reports.pictures.looks import looks
from wlkg.reports.results import NamedGraph

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: Opens a page in a browser, as in ``opened(html, width=360, dark=True)``.
Opened = Callable[..., "Page"]

TESTS = ("1-wl", "weak-rwl", "1-rwl", "mean-rwl", "2-rlwl")


def named(*sources: str | wlkg.RelationalGraph) -> list[NamedGraph]:
    """Graphs by what ``wlkg.read`` accepts, or graphs themselves."""
    return [
        NamedGraph(source, wlkg.read(source), {})
        if isinstance(source, str)
        else NamedGraph(f"graph {i}", source, {})
        for i, source in enumerate(sources)
    ]


def drawn(*sources: str | wlkg.RelationalGraph, tests: Sequence[str] = TESTS) -> Drawing:
    """The drawing of small graphs."""
    (drawing,) = [b for b in looks(named(*sources), tests=tests) if isinstance(b, Drawing)]
    return drawing


def page_of(*blocks: Block, title: str = "A test") -> str:
    """A page with one section."""
    return page([Section(title, blocks)])


def drawings(blocks: Sequence[Block]) -> list[Drawing]:
    """All drawings among some blocks."""
    return [block for block in flat(blocks) if isinstance(block, Drawing)]


#: Names that a careless page would obey, drop or choke on.
HOSTILE = (
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 2</script>",
    "</style><img src=x onerror='window.hacked=3'>",
    "<!-- <script>",
    "]]>",
    "\"onmouseover='window.hacked=4'",
    "&lt;b&gt; &amp;",
    "\u202egpj.exe\u200f",
    "line\u2028separator\u2029",
    "lone \ud800 surrogate \udc80",
    "null \x00 byte \x1b[31m",
    "long " + "x" * 5000,
    "javascript:window.hacked=5",
    "${window.hacked=6}`",
    "",
    " ",
    "עברית العربية",
    "👩‍🔬 日本語",
)
