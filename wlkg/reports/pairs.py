"""Separated pairs as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table

from wlkg.reports.terminal import console, shortened
from wlkg.text import counted

_WIDTH = 34


def print_pairs(test: str, not_by: str | None, count: int, pairs: Sequence[Sequence[Any]]) -> None:
    """The count, and the pairs listed with the round that separates them."""
    out = console()
    but = "" if not_by is None else f" and {not_by} does not"
    pairs_found = counted(count, "vertex pair", "vertex pairs")
    out.print(f"{pairs_found} that {test} separates{but}")
    if not pairs:
        return
    table = Table("round", "", "", box=None, pad_edge=False)
    table.columns[0].justify = "right"
    for v, w, t in pairs:
        table.add_row(f"{t:,}", shortened(v, _WIDTH), shortened(w, _WIDTH))
    out.print(table)
    if count > len(pairs):
        out.print(f"{count - len(pairs):,} more; --limit lists more of them")
