"""Classes of vertices as data and as text."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.classes import Classes, Group
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import NameList, ReportNames
from wlkg.reports.styles import heading
from wlkg.reports.terminal import Terminal, console, new_table, printable
from wlkg.text import counted

#: The most names that stand on one line, cut if they must be; more are wrapped.
_ON_A_LINE = 3


def classes_document(result: Classes) -> dict[str, Any]:
    """What ``wlkg classes --json`` prints."""
    shown = [field.name for field in fields(result) if field.compare]
    groups = [{**asdict(group), "vertices": list(group.vertices)} for group in result.groups]
    return {name: getattr(result, name) for name in shown} | {"groups": groups}


def print_classes(name: str, result: Classes, graph: RelationalGraph | None = None) -> None:
    """How many vertices are alone and how many are not, and the largest classes."""
    out = console()
    title = f"{printable(name)}: {result.test}, direction {result.direction}"
    out.print(heading(title))
    until = "stable at" if result.stable else "stopped after"
    vertices = counted(result.vertices, "vertex", "vertices")
    number = counted(result.classes, "class", "classes")
    out.print(f"{vertices} in {number}, {until} round {result.round:,}")
    pairs = counted(result.indistinguishable_pairs, "pair", "pairs")
    out.print(f"{result.alone:,} alone in their class; {pairs} cannot be told apart")
    if not result.groups and not result.omitted:
        out.print(f"no class has {result.min_size:,} vertices or more")
        return
    out.print(_table(out, result.groups, ReportNames(graph)))
    if result.omitted:
        more = counted(result.omitted, "more class", "more classes")
        out.print(f"{more} of {result.min_size:,} or more; --limit lists more of them")


def _table(out: Terminal, groups: tuple[Group, ...], names: ReportNames) -> Table:
    table = new_table(out)
    for title in ("size", "since round"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("vertices")
    for group in groups:
        table.add_row(f"{group.size:,}", f"{group.round:,}", _members(group, names))
    return table


def _members(group: Group, names: ReportNames) -> NameList | Text:
    """The listed members; up to three of them fit on a line, more are wrapped."""
    shown = [names.vertex(name) for name in group.vertices]
    if len(shown) <= _ON_A_LINE:
        return NameList(shown, group.size)
    more = ["..."] if group.size > len(shown) else []
    return Text(", ".join([*map(printable, shown), *more]))
