"""Tests against groups of pairs as data and as a table."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from wlkg.analysis.hierarchy.table import Cell, Hierarchy, Row
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import Terminal, console, new_table, printable, shortened

#: The longest name of a group in a terminal.
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
    out.print(heading(f"{printable(name)}: pairs separated"), soft_wrap=True)
    names = [_group(group.name, out) for group in hierarchy.groups]
    layouts = (_tests_by_groups(hierarchy, names), _groups_by_tests(hierarchy, names))
    fitting = (layout for layout in layouts if layout.width <= out.columns)
    layout = next(fitting, _cell_by_cell(hierarchy, names))
    table = new_table(out)
    for place, title in enumerate(layout.titles):
        table.add_column(title, justify="right" if place else "left", no_wrap=True)
    for row in layout.rows:
        table.add_row(*row)
    out.print(table)
    for text in _remarks(hierarchy):
        out.print(remark(printable(text)), soft_wrap=True)
    out.print(remark(f"compared in {seconds:.3f} s"))


def _group(name: str, out: Terminal) -> str:
    """The name of a group; a terminal may have little room."""
    return printable(name) if out.is_pipe else shortened(name, _NAME)


def _tests_by_groups(hierarchy: Hierarchy, names: list[str]) -> _Layout:
    several = len(names) > 1
    rows = []
    for row in hierarchy.rows:
        cells = [*row.cells, *[row.whole] * several]
        rows.append([row.test, *map(_share, cells), _round(row.whole)])
    return _Layout(titles=["test", *names, *["all"] * several, "by round"], rows=rows)


def _groups_by_tests(hierarchy: Hierarchy, names: list[str]) -> _Layout:
    rows = []
    for place, name in enumerate(names):
        cells = [row.cells[place] for row in hierarchy.rows]
        rows.append([name, *map(_share, cells)])
    rows.append(["all", *(_share(row.whole) for row in hierarchy.rows)])
    return _Layout(titles=["group", *(row.test for row in hierarchy.rows)], rows=rows)


def _cell_by_cell(hierarchy: Hierarchy, names: list[str]) -> _Layout:
    rows = []
    for place, name in enumerate(names):
        for row in hierarchy.rows:
            cell = row.cells[place]
            rows.append([name, row.test, _share(cell), _round(cell)])
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
