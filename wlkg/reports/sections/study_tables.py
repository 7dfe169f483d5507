"""Tables of studies: a cell of several numbers, as a mean with its deviation, gets two columns."""

from __future__ import annotations

from wlkg.reports.blocks import Column, NumberStyle, Table, Value
from wlkg.reports.fields import Fields
from wlkg.reports.sections.words import listed

#: For each kind of column of a study: how its numbers are written, and the titles of its parts.
_KINDS: dict[str, tuple[NumberStyle, tuple[str, ...]]] = {
    "count": ("count", ("",)),
    "percent": ("share", ("",)),
    "spread": ("share", ("", " deviation")),
    "points": ("share", ("",)),
    "interval": ("share", (" low", " high")),
    "p": ("number", ("",)),
}


def study_table(name: str, rows: list[Fields], about: Fields | None) -> Table:
    """A table from the rows of a document; without ``about`` all columns are text."""
    if about is None:
        titles = list(dict.fromkeys(title for row in rows for title in row.content))
        kinds = dict.fromkeys(titles, "text")
    else:
        kinds = {each.text("title"): each.text("kind") for each in about.many("columns")}
    columns = tuple(column for title, kind in kinds.items() for column in _columns(title, kind))
    body = tuple(
        tuple(value for title, kind in kinds.items() for value in _cells(row, title, kind))
        for row in rows
    )
    note = "" if about is None else " ".join(about.texts("notes"))
    title = name if about is None else about.text("title")
    return Table(title, columns, body, note=note, searchable=len(rows) > 15)


def _columns(title: str, kind: str) -> list[Column]:
    if kind not in _KINDS:
        return [Column(title)]
    style, parts = _KINDS[kind]
    return [Column(f"{title}{part}", style) for part in parts]


def _cells(row: Fields, title: str, kind: str) -> list[Value]:
    """The values of a cell, and None for those that it does not have."""
    parts = row.parts(title)
    if kind not in _KINDS:
        return [listed([f"{part}" for part in parts if part is not None]) or None]
    width = len(_KINDS[kind][1])
    return [*parts, *[None] * width][:width]
