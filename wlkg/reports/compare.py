"""A comparison of two graphs as data and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.compare import Comparison
from wlkg.analysis.model_verdicts import ModelVerdict
from wlkg.analysis.verdicts import NOT_RUN, Verdict
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.differences import differences_document, print_differences
from wlkg.reports.names import Name, in_sentence
from wlkg.reports.styles import remark, verdict
from wlkg.reports.terminal import Terminal, console, new_table, printable

_NAMES_IGNORED = "names of vertices are not compared (--names compares them)"
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
        "verdicts": [asdict(each) for each in comparison.verdicts],
        "weakest": comparison.weakest,
        "weakest_tests": list(comparison.weakest_tests),
        "differences": [differences_document(d) for d in comparison.differences],
        "isomorphic": comparison.isomorphic,
        "isomorphism_rests_on": comparison.isomorphism_rests_on,
        "names": comparison.names,
        "names_ignored": comparison.names_ignored,
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
    out.print(graphs_table(out, names, graphs))
    for text in comparison.notes:
        out.print(remark(f"compared by name: {printable(text)}"))
    out.print()
    print_verdicts(comparison.verdicts)
    if comparison.models:
        _print_models(comparison)
    if comparison.weakest_tests:
        out.print(f"weakest separating test: {' and '.join(comparison.weakest_tests)}")
    else:
        out.print("no test separates the graphs")
    for differing in comparison.differences:
        print_differences(names, graphs, differing)
    included = ", names of vertices included" if comparison.names else ""
    out.print(f"{_ISOMORPHIC[comparison.isomorphic]}{included}")
    if comparison.names_ignored:
        out.print(_NAMES_IGNORED)
    if not comparison.weakest_tests:
        out.print(remark(f"isomorphism: {comparison.isomorphism_rests_on}"))
    out.print(remark(f"direction {comparison.direction}; compared in {seconds:.3f} s"))


def vertex_comparison_document(
    graphs: tuple[str, str],
    vertices: tuple[str, str],
    direction: str,
    verdicts: Iterable[Verdict],
) -> dict[str, Any]:
    """What ``wlkg compare --vertices --json`` prints."""
    return {
        "graphs": list(graphs),
        "vertices": list(vertices),
        "direction": direction,
        "verdicts": [asdict(each) for each in verdicts],
    }


def print_vertex_comparison(
    graphs: tuple[str, str],
    vertices: tuple[str, str],
    direction: str,
    verdicts: Sequence[Verdict],
) -> None:
    """The verdicts on a vertex of each of two graphs."""
    out = console()
    for vertex, graph in zip(vertices, graphs, strict=True):
        out.print(f"{in_sentence(vertex, out)} in {printable(graph)}")
    print_verdicts(verdicts)
    if not any(each.separated for each in verdicts):
        out.print("no test separates the vertices")
    out.print(remark(f"direction {direction}"))


def graphs_table(out: Terminal, names: Iterable[str], graphs: Iterable[RelationalGraph]) -> Table:
    """The sizes of graphs, one column per graph."""
    table = new_table(out)
    table.add_column("", no_wrap=True)
    rows: dict[str, list[str]] = {"vertices": [], "triples": [], "relations": [], "labels": []}
    for name, graph in zip(names, graphs, strict=True):
        table.add_column(Name(name), justify="right")
        rows["vertices"].append(f"{graph.num_vertices:,}")
        rows["triples"].append(f"{graph.num_triples:,}")
        rows["relations"].append(f"{graph.num_relations:,}")
        rows["labels"].append("none" if graph.labels is None else f"{len(graph.label_names):,}")
    for title, cells in rows.items():
        table.add_row(title, *cells)
    return table


def print_verdicts(verdicts: Sequence[Verdict]) -> None:
    """A row for each test, and why tests were not run."""
    out = console()
    table = new_table(out)
    table.add_column("test", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for title in ("at round", "stable at", "classes"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in verdicts:
        if each.skipped is not None:
            table.add_row(each.test, _not_run(each.skipped), "", "", "")
            continue
        word = "separated" if each.separated else "same"
        text = word if each.exact else f"{word}, not proved"
        at_round = "" if each.round is None else f"{each.round:,}"
        rest = (f"{each.rounds:,}", f"{each.classes:,}")
        table.add_row(each.test, verdict(word, text), at_round, *rest)
    out.print(table)
    for reason in _reasons(verdicts):
        out.print(remark(reason), soft_wrap=True)


def _not_run(reason: str) -> Text:
    """Why there is no verdict: it is not needed, or the test does not fit."""
    return verdict("not run" if reason.startswith(NOT_RUN) else "skipped")


def _reasons(verdicts: Sequence[Verdict]) -> list[str]:
    """Why tests were not run; tests that are known to separate the graphs share a line."""
    reasons = []
    for below in dict.fromkeys(each.implied_by for each in verdicts if each.implied_by):
        above = [each.test for each in verdicts if each.implied_by == below]
        them = "it" if len(above) == 1 else "them"
        reasons.append(f"{NOT_RUN}{', '.join(above)}, implied by {below}; --all runs {them}")
    others = [each.skipped for each in verdicts if each.implied_by is None]
    reasons += [
        reason if reason.startswith(NOT_RUN) else f"skipped: {reason}"
        for reason in dict.fromkeys(filter(None, others))
    ]
    return reasons


def _print_models(comparison: Comparison) -> None:
    """A row for each model, and remarks about those that are not as they should be."""
    out = console()
    table = new_table(out)
    for title in ("model", "weights", "verdict", "at layer", "draws", "bounded by", "bound"):
        justify = "right" if title == "at layer" else "left"
        is_name = title in ("model", "weights")
        table.add_column(title, justify=justify, no_wrap=not is_name)  # type: ignore[arg-type]
    for model in comparison.models:
        name, weights = Name(model.model), Name(model.weights)
        if model.skipped is not None:
            table.add_row(name, weights, verdict("skipped"))
            continue
        draws = f"{model.separating_draws} of {model.draws}" if model.draws > 1 else ""
        layer = "" if model.layer is None else f"{model.layer}"
        bound = "" if model.bound is None else f"{model.bound}"
        holds = verdict(_BOUND[model.bound_holds])
        table.add_row(name, weights, _word(model.separated), layer, draws, bound, holds)
    out.print()
    out.print(table)
    for model in comparison.models:
        for text in _remarks(model, comparison.isomorphic):
            out.print(Text(text), soft_wrap=True)
    out.print()


def _word(separated: bool | None) -> Text:
    return verdict("undecided" if separated is None else "separated" if separated else "same")


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
