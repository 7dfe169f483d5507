"""Tables of a section as texts, for Markdown and LaTeX alike."""

from __future__ import annotations

import re

from wlkg.reports.blocks import Table
from wlkg.reports.numbers import written
from wlkg.typesetting.text_table import TextTable

#: The most rows of a table on paper; a page and JSON have more.
MOST_ROWS = 200


def text_table(table: Table, label: str = "") -> TextTable:
    """The cells as people read them; what is left out is said below."""
    notes = [table.note] if table.note else []
    if len(table.rows) > MOST_ROWS:
        notes.append(f"{MOST_ROWS} of {len(table.rows):,} rows; --json has all.")
    return TextTable(
        title=table.title,
        titles=tuple(column.title for column in table.columns),
        rows=tuple(
            tuple(
                written(value, column.style)
                for value, column in zip(row, table.columns, strict=True)
            )
            for row in table.rows[:MOST_ROWS]
        ),
        is_number=tuple(column.style != "text" for column in table.columns),
        notes=tuple(notes),
        label=label,
    )


def label_of(*parts: str) -> str:
    """A label for LaTeX: letters, digits and hyphens.

    >>> label_of("example:c6: 2-rlwl", "Classes per round")
    'example-c6-2-rlwl-classes-per-round'
    """
    return re.sub(r"[^a-z0-9]+", "-", " ".join(parts).lower()).strip("-")
