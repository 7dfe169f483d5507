"""Tests against groups of pairs as data and as a table."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.hierarchy.table import Cell, Hierarchy, Row
from wlkg.reports.terminal import console, printable, shortened

_NAME = 24
#: Pairs that a test misses are listed if they are no more than this.
_FEW = 5

#: A table as titles of columns and rows of texts.
_Layout = tuple[list[str], list[list[str]]]


def hierarchy_document(result: Hierarchy) -> dict[str, Any]:
    """What ``wlkg hierarchy --json`` prints."""
    return {
        "groups": [
            {
                "group": group.name,
                "graphs": len(group.graphs),
                "pairs": group.num_pairs,
                "pairing": group.pairing,
                "direction": group.graphs[0].direction,
            }
            for group in result.groups
        ],
        "rows": [_row_document(row) for row in result.rows],
    }


def _row_document(row: Row) -> dict[str, Any]:
    whole = asdict(row.whole)
    totals = {key: whole[key] for key in ("separated", "total", "skipped", "undecided", "rounds")}
    cells = [asdict(cell) for cell in row.cells]
    return {"test": row.test, "kind": row.kind, "cells": cells, **totals}


def print_hierarchy(name: str, result: Hierarchy, seconds: float) -> None:
    """The table, in the layout that fits, and what is to be said about single cells."""
    out = console()
    out.print(Text(f"{shortened(name, 60)}: pairs separated", style="bold"))
    layouts = (_tests_by_groups(result), _groups_by_tests(result))
    fitting = (layout for layout in layouts if _width(layout) <= out.width)
    titles, rows = next(fitting, _cell_by_cell(result))
    table = Table(box=None, pad_edge=False)
    for place, title in enumerate(titles):
        table.add_column(title, justify="right" if place else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    out.print(table)
    for text in _remarks(result):
        out.print(Text(printable(text), style="dim"), soft_wrap=True)
    out.print(Text(f"compared in {seconds:.3f} s", style="dim"))


def _tests_by_groups(result: Hierarchy) -> _Layout:
    names = [shortened(group.name, _NAME) for group in result.groups]
    several = len(names) > 1
    titles = ["test", *names, *["all"] * several, "by round"]
    rows = []
    for row in result.rows:
        cells = [*row.cells, *[row.whole] * several]
        rows.append([row.test, *map(_share, cells), _round(row.whole)])
    return titles, rows


def _groups_by_tests(result: Hierarchy) -> _Layout:
    rows = []
    for place, group in enumerate(result.groups):
        cells = [row.cells[place] for row in result.rows]
        rows.append([shortened(group.name, _NAME), *map(_share, cells)])
    rows.append(["all", *(_share(row.whole) for row in result.rows)])
    return ["group", *(row.test for row in result.rows)], rows


def _cell_by_cell(result: Hierarchy) -> _Layout:
    rows = []
    for place, group in enumerate(result.groups):
        for row in result.rows:
            cell = row.cells[place]
            rows.append([shortened(group.name, _NAME), row.test, _share(cell), _round(cell)])
    rows += [["all", row.test, _share(row.whole), _round(row.whole)] for row in result.rows]
    return ["group", "test", "separated", "by round"], rows


def _width(layout: _Layout) -> int:
    titles, rows = layout
    columns = zip(titles, *rows, strict=True)
    return sum(max(map(len, column)) + 2 for column in columns) - 2


def _share(cell: Cell) -> str:
    """As 60/60; what was skipped or not decided is no zero, and marked."""
    marks = "*" * bool(cell.skipped) + "?" * bool(cell.undecided)
    return f"{cell.separated:,}/{cell.total:,}{marks}"


def _round(cell: Cell) -> str:
    return "" if cell.rounds is None else f"{cell.rounds:,}"


def _remarks(result: Hierarchy) -> list[str]:
    """What the marks mean, and the pairs that were missed where they are few."""
    remarks = []
    for row in result.rows:
        whole = row.whole
        if whole.skipped:
            remarks.append(f"* {row.test}: {whole.skipped:,} skipped: {whole.reason}")
        if whole.undecided:
            remarks.append(
                f"? {row.test}: {whole.undecided:,} undecided: its numbers cannot carry a verdict"
            )
        if 0 < whole.not_separated <= _FEW:
            remarks.append(f"{row.test} misses {', '.join(whole.missed)}")
        if whole.exact is False:
            remarks.append(f"{row.test} was not proved: colours rest on hashes")
    return remarks
