"""Separated pairs as data and as text."""

from __future__ import annotations

from typing import Any

from wlkg.analysis.pairs import PairsOfTests
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import Name, ReportNames
from wlkg.reports.terminal import console, new_table
from wlkg.text import counted


def pairs_document(result: PairsOfTests) -> dict[str, Any]:
    """What ``wlkg pairs --json`` prints."""
    return {
        "test": result.test,
        "not_by": result.not_by,
        "same": result.same,
        "direction": result.direction,
        "exact": result.exact,
        "count": result.count,
        "pairs": [list(pair) for pair in result.pairs],
    }


def print_pairs(result: PairsOfTests, graph: RelationalGraph | None = None) -> None:
    """The number of pairs, and the listed pairs with the round that separates them, if any."""
    out = console()
    out.print(f"{counted(result.count, 'vertex pair', 'vertex pairs')} that {_condition(result)}")
    if not result.pairs:
        return
    names = ReportNames(graph)
    table = new_table(out)
    table.show_header = not result.same
    if not result.same:
        table.add_column("round", justify="right", no_wrap=True)
    table.add_column("vertex")
    table.add_column("vertex")
    for v, w, t in result.pairs:
        at_round = [] if t is None else [f"{t:,}"]
        table.add_row(*at_round, Name(names.vertex(v)), Name(names.vertex(w)))
    out.print(table)
    if result.count > len(result.pairs):
        out.print(f"{result.count - len(result.pairs):,} more; --limit lists more of them")


def _condition(result: PairsOfTests) -> str:
    """What the pairs have in common."""
    if result.same:
        both = result.not_by is not None
        return (
            f"neither {result.test} nor {result.not_by} separates"
            if both
            else (f"{result.test} does not separate")
        )
    but = "" if result.not_by is None else f" and {result.not_by} does not"
    return f"{result.test} separates{but}"
