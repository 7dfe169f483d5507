"""A refinement as data and as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.results import Refinement
from wlkg.refinement.sources import SourceRefinement
from wlkg.reports.names import NameList, ReportNames
from wlkg.reports.rounds_table import rounds_table
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import Terminal, console, new_table, printable
from wlkg.text import counted

#: The most classes that are shown, and the most members of each.
_MAX_CLASSES = 5
_MAX_MEMBERS = 3
_ITEMS = {1: "vertices", 2: "pairs of vertices", 3: "triples of vertices"}


def refinement_document(
    refinement: Refinement, seconds: float | None, compiled: float = 0.0
) -> dict[str, Any]:
    """What ``wlkg refine --json`` prints; ``seconds`` are without those for compiling."""
    sources: dict[str, Any] = {}
    if isinstance(refinement, SourceRefinement):
        sources["sources"] = _source_names(refinement)
    return {
        "test": refinement.test,
        "direction": refinement.direction,
        "rounds": refinement.rounds,
        "stable": refinement.stable,
        "exact": refinement.exact,
        "proof": refinement.proof,
        "arity": refinement.arity,
        **sources,
        "classes": refinement.classes,
        "classes_per_round": refinement.classes_per_round,
        "distinguishable_pairs": refinement.distinguishable_pairs,
        "indistinguishable_pairs": refinement.indistinguishable_pairs,
        "vertex_classes": refinement.vertices.partition().num_classes,
        "engine": refinement.engine.name,
        "engine_reason": refinement.engine.reason,
        "seconds": seconds,
        "compile_seconds": compiled,
    }


def _source_names(refinement: SourceRefinement) -> list[str]:
    return [refinement.graph.vertex_names[source] for source in refinement.sources.tolist()]


def print_refinement(
    name: str,
    graph: RelationalGraph,
    refinement: Refinement,
    seconds: float,
    compiled: float = 0.0,
) -> None:
    """The rounds, what they show, and the largest classes."""
    out = console()
    title = f"{printable(name)}: {refinement.test}, direction {refinement.direction}"
    is_chosen = isinstance(refinement, SourceRefinement)
    if isinstance(refinement, SourceRefinement):
        title += f", {counted(len(refinement.sources), 'source', 'sources')}"
    out.print(heading(title))
    item = "vertex" if refinement.arity == 1 else "tuple"
    pairs = refinement.distinguishable_per_round
    classes_then = refinement.classes_per_round
    out.print(rounds_table(classes_then, pairs, refinement.num_items, item, out))
    end = "stable at" if refinement.stable else "stopped after"
    classes = counted(refinement.classes, "class", "classes")
    items = f"{refinement.num_items:,} {_ITEMS.get(refinement.arity, f'{refinement.arity}-tuples')}"
    out.print(f"{end} round {refinement.rounds:,} with {classes} of {items}")
    alike = counted(refinement.indistinguishable_pairs, "pair", "pairs")
    out.print(f"{alike} {'of them ' if refinement.arity > 1 else ''}cannot be told apart")
    if refinement.arity > 1:
        vertices = counted(refinement.vertices.partition().num_classes, "class", "classes")
        what = "candidates that the sources tell apart" if is_chosen else "as colours of vertices"
        out.print(f"{what}: {vertices} of {graph.num_vertices:,}")
    how = "exact" if refinement.exact else "not proved"
    out.print(remark(f"{how}: {refinement.proof}"))
    _print_largest(out, graph, refinement)
    # After installation, kernels are compiled for some seconds, which says nothing about the graph.
    once = f"; compiled in {compiled:.1f} s (once)" if compiled else ""
    out.print(remark(f"refined in {seconds:.3f} s{once}"))


def _print_largest(out: Terminal, graph: RelationalGraph, refinement: Refinement) -> None:
    partition = refinement.vertices.partition()
    sizes = partition.sizes
    largest = [
        int(c) for c in np.lexsort([np.arange(len(sizes)), -sizes])[:_MAX_CLASSES] if sizes[c] > 1
    ]
    if not largest:
        return
    names = ReportNames(graph)
    table = new_table(out)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("largest classes" if refinement.arity == 1 else "largest classes of vertices")
    for colour in largest:
        members = partition.members(colour)[:_MAX_MEMBERS].tolist()
        shown = [names.vertex(graph.vertex_names[v]) for v in members]
        table.add_row(f"{int(sizes[colour]):,}", NameList(shown, int(sizes[colour])))
    out.print(table)
