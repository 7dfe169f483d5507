"""Tables: numbers to the right, long ones cut, with a search over all their rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wlkg.reports.blocks import Table, Value
from wlkg.reports.html.escaping import text_of, visible
from wlkg.reports.numbers import written

#: The most rows in the page itself; a script shows more on request.
_MOST_ROWS = 25
#: The most rows that the script knows.
_MOST_KNOWN = 5000
#: Cells longer than this are cut, and whole when they are pointed at.
_LONGEST = 160

Add = Callable[[str, Any], str]


def table_html(table: Table, add: Add) -> str:
    """A table with its title, its note and, if it is long or searchable, a search box."""
    rows = [_row(table, row) for row in table.rows[:_MOST_KNOWN]]
    is_long = len(rows) > _MOST_ROWS
    body = "".join(_row_html(table, row) for row in rows[:_MOST_ROWS])
    left = len(table.rows) - len(rows)
    cut = f"{left:,} more rows are not in this page." if left else ""
    note = "".join(f'<p class="remark">{text_of(line)}</p>' for line in (cut, table.note) if line)
    search = more = name = ""
    if is_long or table.searchable:
        name = f' id="{add("table", {"rows": rows, "shown": _MOST_ROWS})}"'
        search = _search(table.title)
    if is_long:
        count = f"The first {_MOST_ROWS} of {len(rows):,} rows."
        more = f'<p class="remark count" aria-live="polite">{count}</p>'
        more += '<button type="button" class="more tool" hidden>Show more</button>'
    return (
        f'<figure class="table"{name}><figcaption>{text_of(table.title)}</figcaption>{search}'
        f'<div class="scroll" tabindex="0" role="group" aria-label="{text_of(table.title)}"><table>'
        f"<thead><tr>{_head(table)}</tr></thead><tbody>{body}</tbody></table></div>{more}{note}"
        "</figure>\n"
    )


def _search(title: str) -> str:
    return (
        f'<input type="search" class="search" placeholder="Search" hidden'
        f' aria-label="Search: {text_of(title)}">'
    )


def _head(table: Table) -> str:
    return "".join(
        f'<th scope="col" class="{_kind(column.style)}">{text_of(column.title)}</th>'
        for column in table.columns
    )


def _kind(style: str) -> str:
    return "text" if style == "text" else "number"


def _row(table: Table, row: tuple[Value, ...]) -> list[str]:
    return [
        visible(written(value, column.style))
        for value, column in zip(row, table.columns, strict=True)
    ]


def _row_html(table: Table, row: list[str]) -> str:
    cells = "".join(
        _cell(cell, _kind(column.style)) for cell, column in zip(row, table.columns, strict=True)
    )
    return f"<tr>{cells}</tr>"


def _cell(cell: str, kind: str) -> str:
    if len(cell) > _LONGEST:
        short = f"{cell[:_LONGEST]}…"
        return f'<td class="{kind}" title="{text_of(cell)}"><bdi>{text_of(short)}</bdi></td>'
    return f'<td class="{kind}"><bdi>{text_of(cell)}</bdi></td>'
