"""Symmetries as data and as text."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from wlkg.analysis.symmetry.completeness import Completeness
from wlkg.analysis.symmetry.symmetry import Symmetry
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import ReportNames, in_sentence
from wlkg.reports.styles import STYLES, heading, remark, verdict
from wlkg.reports.terminal import console, new_table, printable
from wlkg.text import counted

#: Longer orders are rounded: Python reads no longer number back, and few readers want one.
_MOST_DIGITS = 4_300
_SHOWN_DIGITS = 15
#: Readers that take numbers as floats are exact up to here.
_LARGEST_NUMBER = 2**53
_COMPLETE = {True: "complete", False: "not complete", None: "open"}


def symmetry_document(symmetry: Symmetry) -> dict[str, Any]:
    """What ``wlkg symmetry --json`` prints.

    ``group_order`` is a number, or text if it is larger than all JSON readers take exactly.
    """
    first = symmetry.tests[0]
    order = symmetry.group_order
    return {
        "direction": symmetry.direction,
        "orbits": symmetry.orbits.num_classes,
        "orbits_proven": symmetry.proven,
        "classes": first.classes,
        "complete": first.complete,
        "open_pair": _names(first),
        "tests": [
            {
                "test": row.test,
                "classes": row.classes,
                "complete": row.complete,
                "open_pair": _names(row),
                "separated_by": row.separated_by,
            }
            for row in symmetry.tests
        ],
        "group_order": _order_document(order),
        "group_order_log10": None if order is None else math.log10(order),
        "generators": len(symmetry.generators),
        "cores": symmetry.cores,
        "rests_on": symmetry.rests_on,
        "seconds": symmetry.seconds,
    }


def _order_document(order: int | None) -> int | str | None:
    if order is None or order <= _LARGEST_NUMBER:
        return order
    return order_text(order, _MOST_DIGITS)


def _names(row: Completeness) -> list[str] | None:
    return None if row.open_pair is None else list(row.open_pair)


def order_text(order: int, most_digits: int) -> str:
    """All digits of a number, or if that are too many, the first ones and a power of ten.

    >>> order_text(479001600, 15), order_text(math.factorial(1000), 15)
    ('479001600', '4.0239e+2567')
    """
    exponent = math.floor(math.log10(order))
    if exponent < most_digits:
        return str(order)
    return f"{10 ** (math.log10(order) - exponent):.4f}e+{exponent}"


def print_symmetry(name: str, graph: RelationalGraph, symmetry: Symmetry) -> None:
    """Orbits against the classes of each test, what that means, and the group."""
    out = console()
    title = f"{printable(name)}: symmetry, direction {symmetry.direction}"
    out.print(heading(title))
    orbits = counted(symmetry.orbits.num_classes, "orbit", "orbits")
    at_most = "" if symmetry.proven else "at most "
    out.print(f"{at_most}{orbits} of {counted(graph.num_vertices, 'vertex', 'vertices')}")
    out.print()
    out.print(_tests_table(symmetry))
    for row in symmetry.tests:
        out.print(Text(_meaning(row), style=STYLES["complete"] if row.complete else ""))
        if row.open_pair is not None:
            _print_open_pair(row, ReportNames(graph))
    out.print()
    _print_group(symmetry)
    out.print(remark(f"rests on {symmetry.rests_on}"))
    checked = counted(len(symmetry.generators), "generator", "generators")
    out.print(remark(f"{checked} checked arc by arc; {symmetry.seconds:.3f} s"))


def _tests_table(symmetry: Symmetry) -> Table:
    table = new_table(console())
    table.add_column("test", no_wrap=True)
    for title in ("classes", "orbits"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for row in symmetry.tests:
        orbits = f"{symmetry.orbits.num_classes:,}"
        table.add_row(row.test, f"{row.classes:,}", orbits, verdict(_COMPLETE[row.complete]))
    return table


def _meaning(row: Completeness) -> str:
    if row.complete:
        return (
            f"{row.test}: a symmetry maps any two vertices of a class to each other, so no"
            " invariant model of any kind separates more"
        )
    if row.complete is None:
        return f"{row.test}: open, because some symmetries may not have been found"
    return f"{row.test}: no symmetry maps these vertices of one class to each other"


def _print_open_pair(row: Completeness, names: ReportNames) -> None:
    assert row.open_pair is not None
    out = console()
    v, w = (in_sentence(names.vertex(name), out) for name in row.open_pair)
    by = "none of the stronger tests that are cheap here separates them"
    if row.separated_by is not None:
        by = f"{row.separated_by} separates them"
    out.print(f"  {v}\n  {w}\n  {by}", soft_wrap=True)


def _print_group(symmetry: Symmetry) -> None:
    order = symmetry.group_order
    out = console()
    if order is None:
        out.print("order of the group: not certain")
    else:
        out.print(f"order of the group: {order_text(order, _SHOWN_DIGITS)}")
    sizes = symmetry.orbits.sizes
    moved = int(sizes[sizes > 1].sum())
    largest = int(np.max(sizes, initial=0))
    if moved:
        what = counted(moved, "vertex has", "vertices have")
        out.print(f"{what} a symmetric one; the largest orbit has {largest:,}")
