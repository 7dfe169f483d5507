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

#: The most classes that are shown, and the most members of each.
_MAX_CLASSES = 5
_MAX_MEMBERS = 3
#: The width of the names of a class.
_NAMES_WIDTH = 62
_FIRST_ROUNDS = 12
_LAST_ROUNDS = 4
_ITEMS = {1: "vertices", 2: "pairs of vertices", 3: "triples of vertices"}


def refinement_document(refinement: Refinement, seconds: float) -> dict[str, Any]:
    """What ``wlkg refine --json`` prints."""
    return {
        "test": refinement.test,
        "direction": refinement.direction,
        "rounds": refinement.rounds,
        "stable": refinement.stable,
        "exact": refinement.exact,
        "proof": refinement.proof,
        "arity": refinement.arity,
        "classes": refinement.classes,
        "classes_per_round": refinement.classes_per_round,
        "distinguishable_pairs": refinement.distinguishable_pairs,
        "indistinguishable_pairs": refinement.indistinguishable_pairs,
        "vertex_classes": refinement.vertices.partition().num_classes,
        "seconds": seconds,
    }


def print_refinement(
    name: str, graph: RelationalGraph, refinement: Refinement, seconds: float
) -> None:
    """The rounds, what they show, and the largest classes."""
    out = console()
    title = f"{printable(name)}: {refinement.test}, direction {refinement.direction}"
    out.print(Text(title, style="bold"))
    out.print(_rounds_table(refinement))
    end = "stable at" if refinement.stable else "stopped after"
    classes = counted(refinement.classes, "class", "classes")
    items = f"{refinement.num_items:,} {_ITEMS.get(refinement.arity, f'{refinement.arity}-tuples')}"
    out.print(f"{end} round {refinement.rounds:,} with {classes} of {items}")
    alike = counted(refinement.indistinguishable_pairs, "pair", "pairs")
    out.print(f"{alike} {'of them ' if refinement.arity > 1 else ''}cannot be told apart")
    if refinement.arity > 1:
        vertices = counted(refinement.vertices.partition().num_classes, "class", "classes")
        out.print(f"as colours of vertices: {vertices} of {graph.num_vertices:,}")
    how = "exact" if refinement.exact else "not proved"
    out.print(Text(f"{how}: {refinement.proof}", style="dim"))
    _print_largest(graph, refinement)
    out.print(Text(f"refined in {seconds:.3f} s", style="dim"))


def _rounds_table(refinement: Refinement) -> Table:
    classes = refinement.classes_per_round
    pairs = refinement.distinguishable_per_round
    num_items = max(refinement.num_items, 1)
    table = Table(box=None, pad_edge=False)
    for title in ("round", "classes", "pairs told apart"):
        table.add_column(title, justify="right", no_wrap=True)
    item = "vertex" if refinement.arity == 1 else "tuple"
    table.add_column(f"classes per {item}", no_wrap=True)
    shown = list(range(len(classes)))
    if len(shown) > _FIRST_ROUNDS + _LAST_ROUNDS + 1:
        shown = [*shown[:_FIRST_ROUNDS], -1, *shown[-_LAST_ROUNDS:]]
    for t in shown:
        if t < 0:
            table.add_row("...", "", "", "")
        else:
            table.add_row(
                f"{t:,}", f"{classes[t]:,}", f"{pairs[t]:,}", bar(classes[t] / num_items, 24)
            )
    return table


def _print_largest(graph: RelationalGraph, refinement: Refinement) -> None:
    out = console()
    partition = refinement.vertices.partition()
    sizes = partition.sizes
    largest = [
        int(c) for c in np.lexsort([np.arange(len(sizes)), -sizes])[:_MAX_CLASSES] if sizes[c] > 1
    ]
    if not largest:
        return
    out.print("largest classes" if refinement.arity == 1 else "largest classes of vertices")
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    for colour in largest:
        names = [graph.vertex_names[v] for v in partition.members(colour)[:_MAX_MEMBERS].tolist()]
        if sum(map(len, names)) > _NAMES_WIDTH:
            names = names[:2]
        more = ", ..." if sizes[colour] > len(names) else ""
        width = _NAMES_WIDTH // len(names)
        shown = ", ".join(shortened(name, width) for name in names)
        table.add_row(f"{int(sizes[colour]):,}", Text(shown + more))
    out.print(table)
