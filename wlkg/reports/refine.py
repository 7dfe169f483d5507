"""A refinement as data and as text."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.results import Refinement
from wlkg.reports.terminal import bar, console, printable, shortened
from wlkg.text import counted

_LARGEST = 5
_MEMBERS = 3
#: Columns for the names of a class.
_ROOM = 62
_FIRST_ROUNDS = 12
_LAST_ROUNDS = 4
_ITEMS = {1: "vertices", 2: "pairs of vertices", 3: "triples of vertices"}


def refinement_document(result: Refinement, seconds: float) -> dict[str, Any]:
    """What ``wlkg refine --json`` prints."""
    return {
        "test": result.test,
        "direction": result.direction,
        "rounds": result.rounds,
        "stable": result.stable,
        "exact": result.exact,
        "proof": result.proof,
        "arity": result.arity,
        "classes": result.classes,
        "classes_per_round": result.classes_per_round,
        "distinguishable_pairs": result.distinguishable_pairs,
        "indistinguishable_pairs": result.indistinguishable_pairs,
        "vertex_classes": result.vertices.partition().num_classes,
        "seconds": seconds,
    }


def print_refinement(name: str, graph: RelationalGraph, result: Refinement, seconds: float) -> None:
    """The rounds, the verdict and the largest classes."""
    out = console()
    out.print(Text(f"{printable(name)}: {result.test}, direction {result.direction}", style="bold"))
    out.print(_rounds_table(result))
    end = "stable at" if result.stable else "stopped after"
    classes = counted(result.classes, "class", "classes")
    items = f"{result.num_items:,} {_ITEMS.get(result.arity, f'{result.arity}-tuples')}"
    out.print(f"{end} round {result.rounds:,} with {classes} of {items}")
    alike = counted(result.indistinguishable_pairs, "pair", "pairs")
    out.print(f"{alike} {'of them ' if result.arity > 1 else ''}cannot be told apart")
    if result.arity > 1:
        vertices = counted(result.vertices.partition().num_classes, "class", "classes")
        out.print(f"as colours of vertices: {vertices} of {graph.num_vertices:,}")
    out.print(Text(f"{'exact' if result.exact else 'not proved'}: {result.proof}", style="dim"))
    _print_largest(graph, result)
    out.print(Text(f"refined in {seconds:.3f} s", style="dim"))


def _rounds_table(result: Refinement) -> Table:
    classes = result.classes_per_round
    pairs = result.distinguishable_per_round
    everything = max(result.num_items, 1)
    table = Table(box=None, pad_edge=False)
    for title in ("round", "classes", "pairs told apart"):
        table.add_column(title, justify="right", no_wrap=True)
    item = "vertex" if result.arity == 1 else "tuple"
    table.add_column(f"classes per {item}", no_wrap=True)
    shown = list(range(len(classes)))
    if len(shown) > _FIRST_ROUNDS + _LAST_ROUNDS + 1:
        shown = [*shown[:_FIRST_ROUNDS], -1, *shown[-_LAST_ROUNDS:]]
    for t in shown:
        if t < 0:
            table.add_row("...", "", "", "")
        else:
            table.add_row(
                f"{t:,}", f"{classes[t]:,}", f"{pairs[t]:,}", bar(classes[t] / everything, 24)
            )
    return table


def _print_largest(graph: RelationalGraph, result: Refinement) -> None:
    out = console()
    partition = result.vertices.partition()
    sizes = partition.sizes
    largest = [
        int(c) for c in np.lexsort([np.arange(len(sizes)), -sizes])[:_LARGEST] if sizes[c] > 1
    ]
    if not largest:
        return
    out.print("largest classes" if result.arity == 1 else "largest classes of vertices")
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    for colour in largest:
        names = [graph.vertex_names[v] for v in partition.members(colour)[:_MEMBERS].tolist()]
        if sum(map(len, names)) > _ROOM:
            names = names[:2]
        more = ", ..." if sizes[colour] > len(names) else ""
        width = _ROOM // len(names)
        shown = ", ".join(shortened(name, width) for name in names)
        table.add_row(f"{int(sizes[colour]):,}", Text(shown + more))
    out.print(table)
