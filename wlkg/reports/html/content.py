"""Blocks as HTML: one renderer for each type of block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wlkg.reports.blocks import (
    Block,
    Chart,
    Code,
    Details,
    Drawing,
    Neighbourhoods,
    Paragraph,
    Picture,
    Table,
)
from wlkg.reports.html.charts import chart_html
from wlkg.reports.html.drawings import drawing_html
from wlkg.reports.html.escaping import text_of
from wlkg.reports.html.explorer import neighbourhoods_html
from wlkg.reports.html.tables import table_html


@dataclass
class Content:
    """What the blocks of a page hand to its script, by the id of an element."""

    data: dict[str, Any] = field(default_factory=dict)

    def add(self, kind: str, value: Any) -> str:
        """Keep data for the script; the id of the element that it belongs to."""
        name = f"{kind}-{len(self.data) + 1}"
        self.data[name] = value
        return name


def block_html(block: Block, content: Content) -> str:
    """A block as HTML."""
    return _RENDERERS[type(block)](block, content)


def _paragraph(block: Paragraph, _content: Content) -> str:
    role = ' role="note"' if block.kind in ("note", "warning") else ""
    return f'<p class="{block.kind}" dir="auto"{role}>{text_of(block.text)}</p>\n'


def _code(block: Code, _content: Content) -> str:
    title = f"<figcaption>{text_of(block.title)}</figcaption>" if block.title else ""
    copy = '<button type="button" class="copy tool" hidden>Copy</button>'
    language = f' data-language="{text_of(block.language)}"' if block.language else ""
    return (
        f'<figure class="code">{title}{copy}<pre tabindex="0"{language}><code>'
        f"{text_of(block.text)}</code></pre></figure>\n"
    )


def _details(block: Details, content: Content) -> str:
    inside = "".join(block_html(inner, content) for inner in block.blocks)
    return f"<details><summary>{text_of(block.title)}</summary>{inside}</details>\n"


def _picture(block: Picture, _content: Content) -> str:
    title = f"<figcaption>{text_of(block.title)}</figcaption>" if block.title else ""
    return (
        f'<figure class="picture">{title}<div class="scroll" tabindex="0" role="group"'
        f' aria-label="{text_of(block.title or "picture")}">{block.svg}</div></figure>\n'
    )


_RENDERERS: dict[type, Callable[[Any, Content], str]] = {
    Paragraph: _paragraph,
    Code: _code,
    Table: lambda block, content: table_html(block, content.add),
    Chart: lambda block, _content: chart_html(block),
    Drawing: lambda block, content: drawing_html(block, content.add),
    Neighbourhoods: lambda block, content: neighbourhoods_html(block, content.add),
    Picture: _picture,
    Details: _details,
}
