"""A comparison of two graphs as data and as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.compare import Comparison, Verdict
from wlkg.analysis.model_verdicts import ModelVerdict
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.terminal import console, printable, shortened

_NAME, _MODEL, _WEIGHTS = 28, 20, 16
_ISOMORPHIC = {
    True: "the graphs are isomorphic",
    False: "the graphs are not isomorphic",
    None: "whether the graphs are isomorphic is open",
}

_BOUND = {True: "holds", False: "violated", None: "open"}


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """What ``wlkg compare --json`` prints."""
    return {
        "direction": comparison.direction,
        "verdicts": [asdict(verdict) for verdict in comparison.verdicts],
        "weakest": comparison.weakest,
        "weakest_tests": list(comparison.weakest_tests),
        "isomorphic": comparison.isomorphic,
        "isomorphism_rests_on": comparison.isomorphism_rests_on,
        "notes": list(comparison.notes),
        "models": [asdict(model) for model in comparison.models],
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
    if comparison.models:
        _print_models(comparison)
    if comparison.weakest_tests:
        out.print(f"weakest separating test: {' and '.join(comparison.weakest_tests)}")
    else:
        out.print("no test separates the graphs")
    out.print(_ISOMORPHIC[comparison.isomorphic])
    if not comparison.weakest_tests:
        out.print(Text(f"isomorphism: {comparison.isomorphism_rests_on}", style="dim"))
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


def _print_models(comparison: Comparison) -> None:
    """A row for each model, and remarks about those that are not as they should be."""
    out = console()
    table = Table(box=None, pad_edge=False)
    for title in ("model", "weights", "verdict", "at layer", "draws", "bounded by", "bound"):
        justify = "right" if title == "at layer" else "left"
        table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for model in comparison.models:
        name, weights = shortened(model.model, _MODEL), shortened(model.weights, _WEIGHTS)
        if model.skipped is not None:
            table.add_row(name, weights, Text("skipped", style="yellow"))
            continue
        draws = f"{model.separating_draws} of {model.draws}" if model.draws > 1 else ""
        layer = "" if model.layer is None else f"{model.layer}"
        bound = "" if model.bound is None else f"{model.bound}"
        holds = Text(_BOUND[model.bound_holds], style="" if model.bound_holds else "red")
        table.add_row(name, weights, _word(model.separated), layer, draws, bound, holds)
    out.print()
    out.print(table)
    for model in comparison.models:
        for remark in _remarks(model, comparison.isomorphic):
            out.print(Text(remark), soft_wrap=True)
    out.print()


def _word(separated: bool | None) -> Text:
    if separated is None:
        return Text("undecided", style="yellow")
    return Text("separated", style="bold green") if separated else Text("same")


def _remarks(model: ModelVerdict, isomorphic: bool | None) -> list[str]:
    """What a row alone does not say."""
    name = printable(model.model)
    if model.skipped is not None:
        return [f"skipped: {name}: {printable(model.skipped)}"]
    remarks = []
    if model.predicted is not None:
        one, two = map(printable, model.predicted)
        remarks.append(f"{name} predicts {one} for the first graph and {two} for the second")
    if model.separated is None:
        remarks.append(f"{name}: numbers too close to rounding to decide")
    if model.separated and isomorphic:
        remarks.append(f"{name} separates isomorphic graphs: it depends on how they are numbered")
    elif not model.graph_only:
        remarks.append(
            f"{name} depends on more than the graph, such as the numbers of vertices or chance:"
            " wlkg versus --module says on what"
        )
    elif model.bound_holds is False:
        late = "not at all" if model.bound_round is None else f"only at round {model.bound_round}"
        remarks.append(
            f"{name} violates its bound: it separates the graphs, and {model.bound} does {late}"
        )
    return remarks
