"""A comparison of two graphs as data and as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.compare import Comparison, Verdict
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.terminal import console, printable, shortened

_NAME = 28
_ISOMORPHIC = {
    True: "the graphs are isomorphic",
    False: "the graphs are not isomorphic",
    None: "whether the graphs are isomorphic was not decided in time",
}


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """What ``wlkg compare --json`` prints."""
    return {
        "direction": comparison.direction,
        "verdicts": [asdict(verdict) for verdict in comparison.verdicts],
        "weakest": comparison.weakest,
        "weakest_tests": list(comparison.weakest_tests),
        "isomorphic": comparison.isomorphic,
        "notes": list(comparison.notes),
    }


def print_comparison(
    names: tuple[str, str],
    graphs: tuple[RelationalGraph, RelationalGraph],
    comparison: Comparison,
    seconds: float,
) -> None:
    """The graphs side by side, the verdicts, the weakest test, and whether they are isomorphic."""
    out = console()
    out.print(graphs_table(names, graphs))
    for text in comparison.notes:
        out.print(Text(f"compared by name: {printable(text)}", style="dim"))
    out.print()
    print_verdicts(comparison.verdicts)
    if comparison.separated:
        out.print(f"weakest separating test: {' and '.join(comparison.weakest_tests)}")
    else:
        out.print("no test separates the graphs")
    out.print(_ISOMORPHIC[comparison.isomorphic])
    out.print(Text(f"direction {comparison.direction}; compared in {seconds:.3f} s", style="dim"))


def graphs_table(names: Iterable[str], graphs: Iterable[RelationalGraph]) -> Table:
    """The sizes of graphs, one column per graph."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    rows: dict[str, list[str]] = {"vertices": [], "triples": [], "relations": [], "labels": []}
    for name, graph in zip(names, graphs, strict=True):
        table.add_column(shortened(name, _NAME), justify="right", no_wrap=True)
        rows["vertices"].append(f"{graph.num_vertices:,}")
        rows["triples"].append(f"{graph.num_triples:,}")
        rows["relations"].append(f"{graph.num_relations:,}")
        rows["labels"].append("none" if graph.labels is None else f"{len(graph.label_names):,}")
    for title, cells in rows.items():
        table.add_row(title, *cells)
    return table


def print_verdicts(verdicts: Iterable[Verdict]) -> None:
    """A row for each test, and why tests were skipped."""
    out = console()
    table = Table(box=None, pad_edge=False)
    table.add_column("test", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for title in ("at round", "stable at", "classes"):
        table.add_column(title, justify="right", no_wrap=True)
    skipped = []
    for verdict in verdicts:
        if verdict.skipped is not None:
            skipped.append(verdict.skipped)
            table.add_row(verdict.test, Text("skipped", style="yellow"), "", "", "")
            continue
        word = Text("separated", style="bold green") if verdict.separated else Text("same")
        word = word if verdict.exact else Text(f"{word}, not proved")
        at_round = "" if verdict.round is None else f"{verdict.round:,}"
        table.add_row(verdict.test, word, at_round, f"{verdict.rounds:,}", f"{verdict.classes:,}")
    out.print(table)
    for reason in skipped:
        out.print(Text(f"skipped: {reason}", style="dim"), soft_wrap=True)
