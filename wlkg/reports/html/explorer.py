"""Neighbourhoods of a large graph: a search that opens what is around a vertex."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wlkg.reports.blocks import Neighbourhoods
from wlkg.reports.html.escaping import text_of

Add = Callable[[str, Any], str]


def neighbourhoods_html(block: Neighbourhoods, add: Add) -> str:
    """The search box, a list of what is found, and room for a neighbourhood."""
    data = {
        "vertices": block.vertices,
        "searchable": block.searchable,
        "classes": block.classes,
        "sizes": block.sizes,
        "relations": block.relations,
        "triples": [number for triple in block.triples for number in triple],
        "degrees": block.degrees,
    }
    note = f'<p class="remark">{text_of(block.note)}</p>' if block.note else ""
    return (
        f'<figure class="neighbourhoods" id="{add("neighbourhoods", data)}">'
        f"<figcaption>{text_of(block.title)}</figcaption>"
        '<input type="search" class="search" placeholder="Find an entity"'
        ' aria-label="Find an entity" hidden><p class="remark matches" aria-live="polite"></p>'
        '<div class="split"><ul class="found"></ul>'
        f'<div class="around" aria-live="polite"></div></div>{note}</figure>\n'
    )
