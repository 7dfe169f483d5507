"""Separated pairs as data and as text."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from wlkg.analysis.pairs import PairsOfTests
from wlkg.reports.terminal import console, shortened
from wlkg.text import counted

_WIDTH = 34


def pairs_document(result: PairsOfTests) -> dict[str, Any]:
    """What ``wlkg pairs --json`` prints."""
    return {
        "test": result.test,
        "not_by": result.not_by,
        "direction": result.direction,
        "exact": result.exact,
        "count": result.count,
        "pairs": [list(pair) for pair in result.pairs],
    }


def print_pairs(result: PairsOfTests) -> None:
    """The number of pairs, and the listed pairs with the round that separates them."""
    out = console()
    but = "" if result.not_by is None else f" and {result.not_by} does not"
    number = counted(result.count, "vertex pair", "vertex pairs")
    out.print(f"{number} that {result.test} separates{but}")
    if not result.pairs:
        return
    table = Table("round", "", "", box=None, pad_edge=False)
    table.columns[0].justify = "right"
    for v, w, t in result.pairs:
        table.add_row(f"{t:,}", shortened(v, _WIDTH), shortened(w, _WIDTH))
    out.print(table)
    if result.count > len(result.pairs):
        out.print(f"{result.count - len(result.pairs):,} more; --limit lists more of them")
