"""What engines would need, as data and as text."""

from __future__ import annotations

from typing import Any

from wlkg.engines import ENGINES
from wlkg.memory import free_memory, spoken_size
from wlkg.refinement.engines.estimate import ASSUMED_ROUNDS, Estimate
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import console, new_table, printable


def estimate_document(result: Estimate) -> dict[str, Any]:
    """What ``wlkg estimate --json`` prints."""
    size = result.size
    return {
        "direction": result.direction,
        "vertices": size.vertices,
        "triples": size.triples,
        "arcs": size.arcs,
        "exact": size.is_exact,
        "rounds": {"at_most": result.most_rounds, "assumed": ASSUMED_ROUNDS},
        "free_bytes": free_memory(),
        "engines": [
            {
                "engine": cost.engine,
                "bytes": cost.bytes,
                "disk_bytes": cost.disk,
                "seconds": cost.seconds,
                "available": cost.available,
            }
            for cost in result.engines
        ],
    }


def print_estimate(name: str, result: Estimate) -> None:
    """The size of the graph, and a row for each engine."""
    out = console()
    size = result.size
    about = "" if size.is_exact else "about "
    out.print(heading(f"{printable(name)}: direction {result.direction}"))
    out.print(f"{about}{size.triples:,} triples, {size.vertices:,} vertices and {size.arcs:,} arcs")
    table = new_table(out)
    table.add_column("engine", no_wrap=True)
    for title in ("memory", "disk", "time"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("installed")
    for cost in result.engines:
        install = f"pip install 'wlkg[{ENGINES[cost.engine].extra}]'"
        table.add_row(
            cost.engine,
            spoken_size(cost.bytes),
            spoken_size(cost.disk) if cost.disk else "",
            spoken_time(cost.seconds),
            "yes" if cost.available else install,
        )
    out.print(table)
    out.print(
        remark(
            f"orders of magnitude, for {ASSUMED_ROUNDS} rounds where rounds count;"
            f" there may be up to {result.most_rounds:,}"
        )
    )
    out.print(remark(f"{spoken_size(free_memory())} of memory are free"))


def spoken_time(seconds: float) -> str:
    """A duration in two digits or so.

    >>> spoken_time(0.5), spoken_time(90), spoken_time(10_000)
    ('1 s', '2 min', '2.8 h')
    """
    if seconds < 60:
        return f"{max(round(seconds), 1)} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
