"""Tables as Markdown, LaTeX and CSV.

A cell is text, a number, or several numbers that belong together. For people they are formatted
and joined; CSV has every number in full, in a column of its own.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from wlkg.typesetting import latex as as_latex
from wlkg.typesetting import markdown as as_markdown
from wlkg.typesetting.text_table import TextTable

Number = int | float | None
Cell = str | Number | tuple[Number, ...]
Kind = Literal["text", "count", "percent", "spread", "points", "interval", "p"]

_MISSING = "-"


@dataclass(frozen=True)
class Column:
    """A column, and what its numbers are."""

    title: str
    kind: Kind = "text"


@dataclass(frozen=True)
class StudyTable:
    """A table, and remarks below it."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()


def shown(column: Column, cell: Cell) -> str:
    """A cell as people read it."""
    if isinstance(cell, str):
        return cell
    if cell is None or (isinstance(cell, tuple) and cell[0] is None):
        return _MISSING
    numbers = cell if isinstance(cell, tuple) else (cell,)
    return _SHOWN[column.kind](*numbers)


def _spread(mean: float, deviation: float | None) -> str:
    rest = "" if deviation is None else f" ± {100 * deviation:.1f}"
    return f"{100 * mean:.1f}{rest}"


_SHOWN: dict[str, Callable[..., str]] = {
    "count": lambda number: f"{number:,}",
    "percent": lambda share: f"{100 * share:.1f}",
    "spread": _spread,
    "points": lambda share: f"{100 * share:+.1f}",
    "interval": lambda low, high: f"{100 * low:+.1f} to {100 * high:+.1f}",
    "p": lambda p: f"{p:.3f}",
}


def _as_text(table: StudyTable) -> TextTable:
    """The table as people read it."""
    return TextTable(
        title=table.title,
        titles=tuple(column.title for column in table.columns),
        rows=tuple(
            tuple(shown(*pair) for pair in zip(table.columns, row, strict=True))
            for row in table.rows
        ),
        is_number=tuple(column.kind != "text" for column in table.columns),
        notes=table.notes,
        label=table.name,
    )


def markdown(table: StudyTable) -> str:
    """The table with its title and remarks."""
    return as_markdown.table(_as_text(table))


def latex(table: StudyTable) -> str:
    """The table for a document that uses booktabs."""
    return as_latex.table(_as_text(table))


_PARTS = {"spread": ("", " deviation"), "interval": (" low", " high")}


def comma_separated(table: StudyTable) -> str:
    """The numbers in full; shares are not turned into percent."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        f"{column.title}{part}"
        for column in table.columns
        for part in _PARTS.get(column.kind, [""])
    )
    for row in table.rows:
        values: list[str | Number] = []
        for column, cell in zip(table.columns, row, strict=True):
            count = len(_PARTS.get(column.kind, [""]))
            parts = cell if isinstance(cell, tuple) else (cell,)
            values += [*parts, *[None] * (count - len(parts))]
        writer.writerow("" if value is None else value for value in values)
    return stream.getvalue()


FORMATS: dict[str, Callable[[StudyTable], str]] = {
    ".md": markdown,
    ".tex": latex,
    ".csv": comma_separated,
}
