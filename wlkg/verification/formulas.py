"""Checks "different": a formula that the test can see, and how many vertices satisfy it.

The formula is a list of lines, each an operator with its fields; ``arg`` and ``args`` are numbers
of earlier lines, and the last line is the whole. The truth of a line at every vertex is worked out
from that of the lines it names, once per line. docs/certificates.md has a table of what lines say.

=====================  =============================================================================
test                   the lines that it sees
=====================  =============================================================================
all                    true, label, not, and, or
1-rwl, 1-rwl-all       at_least, exactly, with a relation
weak-rwl               at_least, exactly, with relation null; degree with a relation
1-wl, 1-wl-all         at_least, exactly, with relation null
mean-rwl               share_at_least, share_exactly, with a relation
1-rlwl, delta-1-lwl    as 1-rwl and 1-wl, and loop
=====================  =============================================================================

Vertices of equal colour after t rounds agree on all such formulas that look t steps away, by
induction. So if different numbers of vertices of the two graphs satisfy one, the test separates
the graphs.

Cost: a pass over the arcs per line.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from wlkg.errors import InputError, TooLargeError
from wlkg.verification.fields import (
    as_list,
    as_number,
    as_object,
    as_share,
    as_text,
    as_truth,
    shown,
)
from wlkg.verification.plain_graph import EVERY_RELATION, Neighbours, PlainGraph, Relation
from wlkg.verification.wl_tests import VertexTest

#: The truth of lines that later lines name may take this much memory.
MOST_BYTES = 2**31

_LOOK = {"relation", "inverse"}
_FIELDS: dict[str, set[str]] = {
    "true": set(),
    "label": {"value"},
    "not": {"arg"},
    "and": {"args"},
    "or": {"args"},
    "loop": _LOOK,
    "degree": _LOOK | {"count"},
    "at_least": _LOOK | {"count", "arg"},
    "exactly": _LOOK | {"count", "arg"},
    "share_at_least": _LOOK | {"share", "arg"},
    "share_exactly": _LOOK | {"share", "arg"},
}


@dataclass(frozen=True)
class Line:
    """One line of a formula, checked."""

    op: str
    args: tuple[int, ...] = ()
    value: str = ""
    relation: Relation = EVERY_RELATION
    count: int = 0
    share: Fraction = Fraction(0)


def read_formula(value: Any, test: VertexTest, direction: str) -> list[Line]:
    """The lines of a formula that the test sees; anything else is refused."""
    rows = as_list(value, "formula")
    if not rows:
        raise InputError("formula: expected at least one line, found none")
    lines = [_line(row, i, test, direction) for i, row in enumerate(rows)]
    used = {arg for line in lines for arg in line.args}
    if len(used) != len(lines) - 1:
        unused = next(i for i in range(len(lines)) if i not in used)
        raise InputError(f"formula, line {unused:,}: no later line names it")
    return lines


def _line(row: Any, number: int, test: VertexTest, direction: str) -> Line:
    where = f"formula, line {number:,}"
    if not isinstance(row, dict):
        as_object(row, where, ())
    op = row.get("op")
    if not isinstance(op, str) or op not in _seen_ops(test):
        known = ", ".join(_seen_ops(test))
        given = shown(op) if isinstance(op, str) else "none of them"
        raise InputError(f"{where}: expected an op that this test sees ({known}), found {given}")
    entry = as_object(row, where, {"op", *_FIELDS[op]})
    args: tuple[int, ...] = ()
    if "arg" in entry:
        args = (as_number(entry["arg"], f"{where}, arg", below=number),)
    if "args" in entry:
        several = as_list(entry["args"], f"{where}, args")
        args = tuple(as_number(arg, f"{where}, args", below=number) for arg in several)
    return Line(
        op=op,
        args=args,
        value=as_text(entry.get("value", ""), f"{where}, value"),
        relation=_relation(entry, op, test, direction, where),
        count=as_number(entry.get("count", 0), f"{where}, count"),
        share=as_share(entry.get("share", "0/1"), f"{where}, share"),
    )


def _seen_ops(test: VertexTest) -> list[str]:
    ops = ["true", "label", "not", "and", "or"]
    ops += ["share_at_least", "share_exactly"] if test.shares else ["at_least", "exactly"]
    ops += ["degree"] if test.degrees else []
    return ops + (["loop"] if test.loops else [])


def _relation(
    entry: dict[str, Any], op: str, test: VertexTest, direction: str, where: str
) -> Relation:
    if "relation" not in entry:
        return EVERY_RELATION
    name, inverse = entry["relation"], as_truth(entry["inverse"], f"{where}, inverse")
    if not test.by_relation and op != "degree":
        if name is not None or inverse:
            raise InputError(f"{where}: this test sees all relations as one, written as null")
        return EVERY_RELATION
    allowed = {"both": (False, True), "in": (True,)}.get(direction, (False,))
    if inverse not in allowed:
        way = "inverse" if inverse else "no inverse"
        raise InputError(f"{where}: {way} relation is seen in direction mode {direction}")
    return as_text(name, f"{where}, relation"), inverse


def count_satisfying(lines: list[Line], test: VertexTest, graph: PlainGraph) -> int:
    """The number of vertices of which the last line is true."""
    last_use = {arg: i for i, line in enumerate(lines) for arg in line.args}
    seen: dict[Relation, Neighbours] = {}
    truth: dict[int, bytearray] = {}
    for i, line in enumerate(lines):
        if line.relation not in seen:
            is_view = line.relation == EVERY_RELATION
            view = test.neighbours if is_view and not test.by_relation else _named_neighbours
            seen[line.relation] = view(graph, line.relation)
        if len(truth) * len(graph.names) > MOST_BYTES:
            raise TooLargeError("the formula keeps too many lines in use at once to evaluate it")
        truth[i] = _truth(line, [truth[arg] for arg in line.args], seen[line.relation], graph)
        for arg in line.args:
            if last_use[arg] == i:
                truth.pop(arg, None)  # an argument may be named twice
    return sum(truth[len(lines) - 1])


def _named_neighbours(graph: PlainGraph, relation: Relation) -> Neighbours:
    return {} if relation == EVERY_RELATION else graph.neighbours(relation)


def _truth(
    line: Line, args: list[bytearray], neighbours: Neighbours, graph: PlainGraph
) -> bytearray:
    """The truth of a line at every vertex, 0 or 1."""
    size = len(graph.names)
    if line.op == "true":
        return bytearray([1]) * size
    if line.op == "label":
        return bytearray(label == line.value for label in graph.labels)
    if line.op == "not":
        return bytearray(not value for value in args[0])
    if line.op == "and":
        return bytearray(all(arg[v] for arg in args) for v in range(size))
    if line.op == "or":
        return bytearray(any(arg[v] for arg in args) for v in range(size))
    values = bytearray(size)
    if line.op in ("at_least", "exactly", "degree") and line.count == 0:
        # Also true of vertices without neighbours, which the loop below does not visit.
        values = bytearray([1]) * size
    for v, some in neighbours.items():
        if line.op == "loop":
            values[v] = v in some
            continue
        satisfying = len(some) if line.op == "degree" else sum(args[0][u] for u in some)
        if line.op == "at_least":
            values[v] = satisfying >= line.count
        elif line.op in ("exactly", "degree"):
            values[v] = satisfying == line.count
        elif line.op == "share_at_least":
            values[v] = satisfying >= line.share * len(some)
        else:
            values[v] = satisfying == line.share * len(some)
    return values
