"""The page: its head, its sections, its scripts and styles, all in one file that works offline."""

from __future__ import annotations

from collections.abc import Sequence

from wlkg.reports.blocks import Section
from wlkg.reports.html.assets import policy, script, style
from wlkg.reports.html.content import Content, block_html
from wlkg.reports.html.escaping import json_of, text_of
from wlkg.reports.html.provenance import provenance_html

_THEME = '<button type="button" id="theme" class="tool" aria-pressed="false" hidden>Dark</button>'


def page(sections: Sequence[Section], title: str | None = None) -> str:
    """A whole HTML document with a section for each result."""
    if title is None:
        title = sections[0].title if len(sections) == 1 else f"{len(sections)} results"
    content = Content()
    body = "".join(section_html(section, i, content) for i, section in enumerate(sections))
    contents = _contents(sections) if len(sections) > 1 else ""
    heading = f"<h1>{text_of(title)}</h1>" if len(sections) > 1 else ""
    footer = "<footer>Written by wlkg. This page works without a network.</footer>"
    bar = f'<header class="bar"><span class="brand">wlkg</span>{_THEME}</header>'
    return document(title, f"{bar}<main>{heading}{contents}{body}</main>{footer}", content)


def document(title: str, body: str, content: Content, kind: str = "page") -> str:
    """A document around a body."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{text_of(policy())}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text_of(title)} · wlkg</title>\n<style>{style()}</style>\n</head>\n"
        f'<body class="{kind}">\n{body}\n'
        f'<script type="application/json" id="data">{json_of(content.data)}</script>\n'
        f"<script>{script()}</script>\n</body>\n</html>\n"
    )


def section_html(section: Section, number: int, content: Content) -> str:
    """A section with its provenance."""
    blocks = "".join(block_html(block, content) for block in section.blocks)
    return (
        f'<section class="result" id="section-{number + 1}">'
        f'<h2 dir="auto">{text_of(section.title)}</h2>{blocks}'
        f"{provenance_html(section.provenance)}</section>\n"
    )


def _contents(sections: Sequence[Section]) -> str:
    """The table of contents."""
    entries = "".join(
        f'<li><a href="#section-{i + 1}" dir="auto">{text_of(section.title)}</a></li>'
        for i, section in enumerate(sections)
    )
    return f'<nav class="contents" aria-label="Contents"><h2>Contents</h2><ol>{entries}</ol></nav>'
