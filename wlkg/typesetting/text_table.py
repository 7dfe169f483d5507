"""A table of texts, in no format yet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TextTable:
    """A table whose cells are texts as people read them; formats escape them."""

    title: str
    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    #: For each column, whether it holds numbers, which are aligned to the right.
    is_number: tuple[bool, ...]
    #: Remarks below the table.
    notes: tuple[str, ...] = ()
    #: How a LaTeX document refers to it.
    label: str = ""
