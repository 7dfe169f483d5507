"""Counterexamples as data and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.counterexample import LIFT, Counterexample, Findings, Outcome
from wlkg.examples import FAMILIES, PREFIX, Claim, Family
from wlkg.reports.compare import graphs_table
from wlkg.reports.names import Name
from wlkg.reports.results import NamedGraph
from wlkg.reports.styles import heading, remark, verdict
from wlkg.reports.terminal import Terminal, console, new_table, printable

_LIFT_SUMMARY = "two copies / a random 2-lift of any graph given with --of"
_HOLDS = {True: verdict("yes"), False: verdict("no", "NO"), None: Text("")}


def families_document() -> dict[str, Any]:
    """What ``wlkg counterexample --json`` prints: every family with its default parameters."""
    return {"counterexamples": [_family_document(family) for family in FAMILIES.values()]}


def _family_document(family: Family) -> dict[str, Any]:
    values = family.values({})
    return {
        "name": family.name,
        "summary": family.summary,
        "source": family.source,
        "graphs": list(family.graphs),
        "parameters": values,
        "verdicts": [asdict(claim) for claim in family.claims(values)],
    }


def counterexample_document(
    example: Counterexample, findings: Findings | None, written: tuple[str, ...]
) -> dict[str, Any]:
    """What ``wlkg counterexample NAME --json`` prints."""
    verdicts: list[dict[str, Any]] = [asdict(claim) for claim in example.claims]
    if findings is not None:
        verdicts = [_outcome_document(outcome) for outcome in findings.outcomes]
    return {
        "name": example.name,
        "summary": example.summary,
        "source": example.source,
        "parameters": dict(example.parameters),
        "graphs": [
            {
                "name": name,
                "vertices": graph.num_vertices,
                "triples": graph.num_triples,
                "relations": graph.num_relations,
            }
            for name, graph in zip(example.graph_names, example.graphs, strict=True)
        ],
        "vertices": None if example.vertices is None else list(example.vertices),
        "pairs": None if example.pairs is None else [list(pair) for pair in example.pairs],
        "checked": findings is not None,
        "verdicts": verdicts,
        "facts": [] if findings is None else [asdict(fact) for fact in findings.facts],
        "written": list(written),
    }


def graphs_of(example: Counterexample) -> list[NamedGraph]:
    """The graphs with names by which they can be read again; a lift has no such names."""
    prefix = "" if example.name == LIFT else PREFIX
    return [
        NamedGraph(f"{prefix}{name}", graph, {})
        for name, graph in zip(example.graph_names, example.graphs, strict=True)
    ]


def _outcome_document(outcome: Outcome) -> dict[str, Any]:
    """The verdict; ``claimed`` and ``holds`` compare it with the claim."""
    claimed = None if outcome.claim is None else asdict(outcome.claim)
    return {**asdict(outcome.verdict), "claimed": claimed, "holds": outcome.holds}


def print_families() -> None:
    """One line per family."""
    out = console()
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    for family in FAMILIES.values():
        table.add_row(_with_parameters(family), family.summary)
    table.add_row(LIFT, _LIFT_SUMMARY)
    out.print(table)
    out.print()
    out.print("wlkg counterexample NAME --check checks the claims; --out DIR writes the graphs")


def _with_parameters(family: Family) -> str:
    settings = (f"{name}={value}" for name, value in family.values({}).items())
    return ",".join([family.name, *settings])


def print_counterexample(
    example: Counterexample, findings: Findings | None, written: tuple[str, ...]
) -> None:
    """The graphs side by side, the claims, and what the tests say."""
    out = console()
    out.print(heading(f"{example.name}: {printable(example.summary)}"))
    out.print(remark(f"source: {example.source}"))
    out.print(graphs_table(out, example.graph_names, example.graphs))
    if example.vertices is not None:
        out.print(
            _about(example.graph_names, "vertex", "vertices", example.vertices), soft_wrap=True
        )
    if example.pairs is not None:
        named = [f"({source}, {candidate})" for source, candidate in example.pairs]
        out.print(_about(example.graph_names, "pair", "pairs", named), soft_wrap=True)
    out.print()
    claims = _claims_table(out, example) if findings is None else _outcomes_table(out, findings)
    out.print(claims)
    if findings is not None:
        for outcome in findings.outcomes:
            if outcome.verdict.skipped is not None:
                out.print(remark(f"skipped: {outcome.verdict.skipped}"), soft_wrap=True)
        for fact in findings.facts:
            word = verdict("holds") if fact.holds else verdict("does not hold", "DOES NOT HOLD")
            out.print(Text.assemble(word, f": {fact.text}"))
        if example.name == LIFT:
            out.print(_lift_verdict(findings))
    for path in written:
        out.print(f"written: {printable(path)}", soft_wrap=True)


def _about(graphs: tuple[str, ...], one: str, several: str, names: Sequence[str]) -> str:
    if len(graphs) == 1:
        return f"about the {several} {' and '.join(names)}"
    each = (f"{one} {name} of {graph}" for name, graph in zip(names, graphs, strict=True))
    return f"about {' and '.join(each)}"


def _lift_verdict(findings: Findings) -> str:
    separating = [
        outcome.verdict.test for outcome in findings.outcomes if outcome.verdict.separated
    ]
    if separating:
        return f"the weakest test of the ladder that separates them: {separating[0]}"
    return "no test that fits into memory separates them; --piece 200 lifts a piece of the graph"


def _said(separated: bool | None, at_round: int | None) -> Text:
    if separated is None:
        return verdict("skipped")
    if not separated:
        return verdict("same")
    at = "" if at_round is None else f" at round {at_round:,}"
    return verdict("separated", f"separated{at}")


def _claimed(claim: Claim | None) -> Text:
    return Text("") if claim is None else _said(claim.separated, claim.round)


def _claims_table(out: Terminal, example: Counterexample) -> Table:
    table = new_table(out)
    for title in ("test", "claimed"):
        table.add_column(title)
    for claim in example.claims:
        table.add_row(claim.test, _claimed(claim))
    return table


def _outcomes_table(out: Terminal, findings: Findings) -> Table:
    table = new_table(out)
    for title in ("test", "claimed", "found", "holds"):
        table.add_column(title)
    for outcome in findings.outcomes:
        found = outcome.verdict
        table.add_row(
            Name(found.test),
            _claimed(outcome.claim),
            _said(found.separated, found.round),
            _HOLDS[outcome.holds],
        )
    return table
