"""What a graph contains, as data and as text."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from rich.table import Table

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import kind
from wlkg.reports.names import Name, ReportNames
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import Terminal, bar, console, new_table, printable
from wlkg.text import counted

#: The most relations that are listed.
_MAX_RELATIONS = 10


def summary(graph: RelationalGraph) -> dict[str, Any]:
    """The numbers that ``wlkg info --json`` prints for a graph."""
    counts = np.bincount(graph.relation, minlength=graph.num_relations).tolist()
    per_relation = sorted(
        zip(graph.relation_names, counts, strict=True), key=lambda item: (-item[1], item[0])
    )
    arcs = graph.arcs()
    degrees = np.diff(arcs.offsets)
    return {
        "vertices": graph.num_vertices,
        "triples": graph.num_triples,
        "relations": graph.num_relations,
        "self_loops": graph.num_self_loops,
        "duplicates": graph.duplicates,
        "isolated": len(graph.isolated),
        "kinds": dict(sorted(Counter(map(kind, graph.vertex_names)).items())),
        "labels": 0 if graph.labels is None else len(graph.label_names),
        "direction": graph.direction,
        "arcs": len(arcs),
        "degree": {
            "least": int(degrees.min(initial=0 if len(degrees) == 0 else degrees[0])),
            "median": float(np.median(degrees)) if len(degrees) else 0.0,
            "most": int(degrees.max(initial=0)),
        },
        "triples_per_relation": dict(per_relation),
        "notes": list(graph.notes),
    }


def print_summaries(
    name: str,
    summaries: list[dict[str, Any]],
    seconds: float,
    graph: RelationalGraph | None = None,
) -> None:
    """One graph in full, several as a table; ``graph`` is the one."""
    out = console()
    if len(summaries) == 1:
        _print_one(name, summaries[0], seconds, ReportNames(graph))
        return
    table = new_table(out)
    table.add_column("graph", no_wrap=True)
    for title in ("vertices", "triples", "relations", "loops"):
        table.add_column(title, justify="right", no_wrap=True)
    for number, entry in enumerate(summaries, 1):
        cells = (entry["vertices"], entry["triples"], entry["relations"], entry["self_loops"])
        table.add_row(f"#{number}", *(f"{cell:,}" for cell in cells))
    out.print(heading(printable(name)))
    out.print(table)


def _print_one(name: str, entry: dict[str, Any], seconds: float, names: ReportNames) -> None:
    out = console()
    out.print(heading(printable(name)))
    facts = Table.grid(padding=(0, 2))
    facts.add_column(no_wrap=True)
    facts.add_column(justify="right", no_wrap=True)
    facts.add_column()
    kinds = ", ".join(f"{count:,} {what}" for what, count in entry["kinds"].items())
    duplicates = counted(entry["duplicates"], "duplicate", "duplicates")
    degree = entry["degree"]
    spread = f"{degree['least']:,} to {degree['most']:,}, median {degree['median']:g}"
    remarks = {
        "vertices": "" if set(entry["kinds"]) <= {"name"} else kinds,
        "triples": f"{duplicates} dropped" if entry["duplicates"] else "",
        "relations": "",
        "self_loops": "",
        "isolated": "",
        "labels": "" if entry["labels"] else "all vertices start alike",
        "arcs": f"direction {entry['direction']}; per vertex {spread}",
    }
    for key, text in remarks.items():
        facts.add_row(key.replace("_", "-"), f"{entry[key]:,}", remark(text))
    facts.add_row("read in", f"{seconds:.2f} s", "")
    out.print(facts)
    _print_relations(out, entry["triples_per_relation"], names)


def _print_relations(out: Terminal, counts: dict[str, int], names: ReportNames) -> None:
    if not counts:
        return
    out.print()
    most = max(counts.values())
    table = new_table(out)
    table.add_column("relation")
    table.add_column("triples", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for name, count in list(counts.items())[:_MAX_RELATIONS]:
        shown = Name(names.relation(name))
        table.add_row(shown, f"{count:,}", bar(count / max(most, 1), 16))
    rest = list(counts.values())[_MAX_RELATIONS:]
    if rest:
        table.add_row(f"{len(rest):,} more relations", f"{sum(rest):,}", "")
    out.print(table)
