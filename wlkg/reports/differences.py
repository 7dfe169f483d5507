"""What differs between two graphs that a test separates, as data and as text."""

from __future__ import annotations

from typing import Any

from wlkg.analysis.differences import ColourDifference, Differences
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import Name, NameList, ReportNames
from wlkg.reports.terminal import console, new_table
from wlkg.text import counted


def differences_document(differing: Differences) -> dict[str, Any]:
    """An entry of ``differences`` in what ``wlkg compare --json`` prints."""
    return {
        "test": differing.test,
        "round": differing.round,
        "colours": differing.colours,
        "largest": [
            {"counts": list(row.counts), "vertices": [list(names) for names in row.vertices]}
            for row in differing.largest
        ],
    }


def print_differences(
    names: tuple[str, str],
    graphs: tuple[RelationalGraph, RelationalGraph],
    differing: Differences,
) -> None:
    """The colours that differ most in number, a column for each graph."""
    out = console()
    colours = counted(differing.colours, "colour of vertices is", "colours of vertices are")
    out.print(f"at round {differing.round:,} of {differing.test}, {colours} not equally frequent:")
    table = new_table(out)
    for name in names:
        table.add_column(Name(name))
    shown = [ReportNames(graph) for graph in graphs]
    for difference in differing.largest:
        table.add_row(*(_cell(difference, side, shown[side]) for side in (0, 1)))
    out.print(table)
    more = differing.colours - len(differing.largest)
    if more:
        out.print(f"and {counted(more, 'more colour', 'more colours')}")


def _cell(difference: ColourDifference, side: int, shown: ReportNames) -> NameList | str:
    """How many vertices of a graph have the colour, and the first of them."""
    count, names = difference.counts[side], difference.vertices[side]
    if not count:
        return "none"
    return NameList([shown.vertex(name) for name in names], count, lead=f"{count:,}: ")
