"""Tests against groups of pairs as data and as a table."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.hierarchy.table import Cell, Hierarchy, Row
from wlkg.reports.terminal import console, printable, shortened

_NAME = 24
#: The pairs that a test misses are listed if there are at most this many.
_MAX_LISTED = 5


@dataclass(frozen=True)
class _Layout:
    """A table of texts."""

    titles: list[str]
    rows: list[list[str]]

    @property
    def width(self) -> int:
        columns = zip(self.titles, *self.rows, strict=True)
        return sum(max(map(len, column)) + 2 for column in columns) - 2


def hierarchy_document(hierarchy: Hierarchy) -> dict[str, Any]:
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
            for group in hierarchy.groups
        ],
        "rows": [_row_document(row) for row in hierarchy.rows],
    }


def _row_document(row: Row) -> dict[str, Any]:
    whole = asdict(row.whole)
    totals = {key: whole[key] for key in ("separated", "total", "skipped", "undecided", "rounds")}
    cells = [asdict(cell) for cell in row.cells]
    return {"test": row.test, "kind": row.kind, "cells": cells, **totals}


def print_hierarchy(name: str, hierarchy: Hierarchy, seconds: float) -> None:
    """The table, in the first layout that fits, and remarks about single cells."""
    out = console()
    out.print(Text(f"{shortened(name, 60)}: pairs separated", style="bold"))
    layouts = (_tests_by_groups(hierarchy), _groups_by_tests(hierarchy))
    fitting = (layout for layout in layouts if layout.width <= out.width)
    layout = next(fitting, _cell_by_cell(hierarchy))
    table = Table(box=None, pad_edge=False)
    for place, title in enumerate(layout.titles):
        table.add_column(title, justify="right" if place else "left", no_wrap=True)
    for row in layout.rows:
        table.add_row(*row)
    out.print(table)
    for text in _remarks(hierarchy):
        out.print(Text(printable(text), style="dim"), soft_wrap=True)
    out.print(Text(f"compared in {seconds:.3f} s", style="dim"))


def _tests_by_groups(hierarchy: Hierarchy) -> _Layout:
    names = [shortened(group.name, _NAME) for group in hierarchy.groups]
    several = len(names) > 1
    rows = []
    for row in hierarchy.rows:
        cells = [*row.cells, *[row.whole] * several]
        rows.append([row.test, *map(_share, cells), _round(row.whole)])
    return _Layout(titles=["test", *names, *["all"] * several, "by round"], rows=rows)


def _groups_by_tests(hierarchy: Hierarchy) -> _Layout:
    rows = []
    for place, group in enumerate(hierarchy.groups):
        cells = [row.cells[place] for row in hierarchy.rows]
        rows.append([shortened(group.name, _NAME), *map(_share, cells)])
    rows.append(["all", *(_share(row.whole) for row in hierarchy.rows)])
    return _Layout(titles=["group", *(row.test for row in hierarchy.rows)], rows=rows)


def _cell_by_cell(hierarchy: Hierarchy) -> _Layout:
    rows = []
    for place, group in enumerate(hierarchy.groups):
        for row in hierarchy.rows:
            cell = row.cells[place]
            rows.append([shortened(group.name, _NAME), row.test, _share(cell), _round(cell)])
    rows += [["all", row.test, _share(row.whole), _round(row.whole)] for row in hierarchy.rows]
    return _Layout(titles=["group", "test", "separated", "by round"], rows=rows)


def _share(cell: Cell) -> str:
    """As in 60/60; a mark says that some pairs were skipped or not decided."""
    marks = "*" * bool(cell.skipped) + "?" * bool(cell.undecided)
    return f"{cell.separated:,}/{cell.total:,}{marks}"


def _round(cell: Cell) -> str:
    return "" if cell.rounds is None else f"{cell.rounds:,}"


def _remarks(hierarchy: Hierarchy) -> list[str]:
    """What the marks mean, and the missed pairs if they are few."""
    remarks = []
    for row in hierarchy.rows:
        whole = row.whole
        if whole.skipped:
            remarks.append(f"* {row.test}: {whole.skipped:,} skipped: {whole.reason}")
        if whole.undecided:
            remarks.append(f"? {row.test}: {whole.undecided:,} undecided: too close to rounding")
        if 0 < whole.not_separated <= _MAX_LISTED:
            remarks.append(f"{row.test} misses {', '.join(whole.missed)}")
        if whole.exact is False:
            remarks.append(f"{row.test} was not proved: its colours rely on hashes")
    return remarks
