"""A section for notebooks: a page in a frame that can run its script and nothing more."""

from __future__ import annotations

from html import escape

from wlkg.reports.blocks import (
    Block,
    Chart,
    Code,
    Drawing,
    Neighbourhoods,
    Paragraph,
    Picture,
    Section,
    Table,
)
from wlkg.reports.html.content import Content
from wlkg.reports.html.page import document, section_html

#: The least and the most height of a frame in pixels; longer sections scroll inside it.
_LEAST, _MOST = 160, 900
_ROW = 31
_HEIGHTS: dict[type, int] = {
    Paragraph: 52,
    Drawing: 760,
    Chart: 420,
    Neighbourhoods: 620,
    Picture: 480,
}


def frame(section: Section) -> str:
    """An ``iframe`` with the whole section in it; it can be put into any page, as often as needed.

    The frame has an origin of its own: it cannot reach the page around it, and so cannot tell that
    page its height, which is estimated from the blocks instead.
    """
    content = Content()
    body = f"<main>{section_html(section, 0, content)}</main>"
    inside = escape(document(section.title, body, content, "frame"), quote=True)
    height = min(max(96 + sum(map(_height, section.blocks)), _LEAST), _MOST)
    title = escape(section.title, quote=True)
    return (
        f'<iframe sandbox="allow-scripts" title="{title}" width="100%" height="{height}"'
        f' style="border:0;width:100%;resize:vertical" loading="lazy" srcdoc="{inside}"></iframe>'
    )


def _height(block: Block) -> int:
    """About how high a block is, in a notebook of usual width."""
    if isinstance(block, Table):
        return 70 + _ROW * min(len(block.rows), 61)
    if isinstance(block, Code):
        return 70 + 20 * block.text.count("\n")
    return _HEIGHTS.get(type(block), 44)
