"""A refinement from a file as data and as text: numbers only, since no graph is in memory."""

from __future__ import annotations

from typing import Any

from wlkg.refinement.engines.summary import RefinementSummary
from wlkg.reports.rounds_table import rounds_table
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import console, printable
from wlkg.text import counted


def summary_document(summary: RefinementSummary) -> dict[str, Any]:
    """What ``wlkg refine --json`` prints."""
    return {
        "test": summary.test,
        "direction": summary.direction,
        "rounds": summary.rounds,
        "stable": summary.stable,
        "exact": summary.exact,
        "proof": summary.proof,
        "arity": 1,
        "vertices": summary.vertices,
        "arcs": summary.arcs,
        "classes": summary.classes,
        "classes_per_round": list(summary.classes_per_round),
        "distinguishable_pairs": summary.distinguishable_pairs,
        "indistinguishable_pairs": summary.indistinguishable_pairs,
        "vertex_classes": summary.classes,
        "engine": summary.engine,
        "seconds": summary.seconds,
        "compile_seconds": 0.0,
    }


def print_refinement_summary(name: str, summary: RefinementSummary) -> None:
    """The rounds, and what they show."""
    out = console()
    out.print(heading(f"{printable(name)}: {summary.test}, direction {summary.direction}"))
    out.print(rounds_table(list(summary.classes_per_round), None, summary.vertices, "vertex", out))
    end = "stable at" if summary.stable else "stopped after"
    classes = counted(summary.classes, "class", "classes")
    out.print(f"{end} round {summary.rounds:,} with {classes} of {summary.vertices:,} vertices")
    alike = counted(summary.indistinguishable_pairs, "pair", "pairs")
    out.print(f"{alike} cannot be told apart")
    out.print(remark(f"{'exact' if summary.exact else 'not proved'}: {summary.proof}"))
    arcs = counted(summary.arcs, "arc", "arcs")
    out.print(remark(f"read and refined in {summary.seconds:.1f} s by {summary.engine}, {arcs}"))
