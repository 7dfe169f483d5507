"""Checks "same": a colouring of both graphs in which vertices of one colour see the same.

The certificate gives each vertex a class, and says of each class its size in either graph, its
label and what its vertices see: *arcs* [R, class, number or share], *degrees* [R, number] for
weak-rwl, and *loops* [R, ...] for tests that start with them. Every vertex of both graphs is
compared with what its class says. If all agree, no round of the test can separate two vertices of
a class, by induction; and since each class has as many vertices in one graph as in the other, no
round separates the graphs.

Cost: a pass over the arcs of each graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from wlkg.errors import InputError
from wlkg.verification.fields import (
    as_list,
    as_number,
    as_numbers,
    as_object,
    as_share,
    as_text,
    as_truth,
    shown,
)
from wlkg.verification.plain_graph import PlainGraph, Relation
from wlkg.verification.wl_tests import VertexTest

Amount = int | Fraction


@dataclass
class Colouring:
    """The part of a certificate that says what each class is."""

    sizes: list[int]
    labels: list[str]
    #: The class of each vertex of the first graph, and of the second.
    colours: list[list[int]]
    relations: list[Relation]
    #: For each relation and class what its vertices see: amounts of classes.
    arcs: dict[Relation, dict[int, dict[int, Amount]]] = field(default_factory=dict)
    #: For each relation and class the number of arcs, and whether its vertices have loops.
    degrees: dict[Relation, dict[int, int]] = field(default_factory=dict)
    loops: dict[Relation, set[int]] = field(default_factory=dict)
    #: The entry of the fractional isomorphism within each class.
    values: list[Fraction] | None = None


def read_colouring(
    document: Mapping[str, Any], test: VertexTest, graphs: list[PlainGraph]
) -> Colouring:
    """The colouring of a certificate, as far as its form can be checked without the arcs."""
    classes = as_list(document["classes"], "classes")
    relations = [
        _relation(row, f"relations, entry {i}")
        for i, row in enumerate(as_list(document["relations"], "relations"))
    ]
    if len(set(relations)) != len(relations):
        raise InputError("relations: one of them is listed twice")
    colours = as_list(document["colours"], "colours", len(graphs))
    colouring = Colouring(
        sizes=[],
        labels=[],
        colours=[
            as_numbers(some, f"colours, graph {i}", len(graph.names), below=len(classes))
            for i, (some, graph) in enumerate(zip(colours, graphs, strict=True), 1)
        ],
        relations=relations,
    )
    keys = {"size", "label", "arcs"}
    keys |= {"degrees"} if test.degrees else set()
    keys |= {"loops"} if test.loops else set()
    for number, row in enumerate(classes):
        where = f"classes, entry {number:,}"
        entry = as_object(row, where, keys)
        colouring.sizes.append(as_number(entry["size"], f"{where}, size", least=1))
        colouring.labels.append(as_text(entry["label"], f"{where}, label"))
        _read_arcs(colouring, number, entry["arcs"], test, len(classes))
        for degree in as_list(entry.get("degrees", []), f"{where}, degrees"):
            relation, count = as_list(degree, f"{where}, degrees", 2)
            _put(
                colouring.degrees,
                colouring,
                relation,
                number,
                as_number(count, where, least=1),
                where,
            )
        for loop in as_list(entry.get("loops", []), f"{where}, loops"):
            relation = relations[as_number(loop, f"{where}, loops", below=len(relations))]
            colouring.loops.setdefault(relation, set()).add(number)
    unused = {*relations} - {*colouring.arcs, *colouring.degrees, *colouring.loops}
    if unused:
        raise InputError(f"relations: no class refers to {named(min(unused, key=str))}")
    if "fractional" in document:
        values = as_list(document["fractional"], "fractional", len(classes))
        colouring.values = [as_share(v, f"fractional, entry {i:,}") for i, v in enumerate(values)]
    return colouring


def _relation(value: Any, where: str) -> Relation:
    name, inverse = as_list(value, where, 2)
    return None if name is None else as_text(name, where), as_truth(inverse, where)


def _read_arcs(
    colouring: Colouring, number: int, rows: Any, test: VertexTest, classes: int
) -> None:
    where = f"classes, entry {number:,}, arcs"
    for row in as_list(rows, where):
        relation, seen, amount = as_list(row, where, 3)
        relation = colouring.relations[as_number(relation, where, below=len(colouring.relations))]
        seen = as_number(seen, where, below=classes)
        amount = as_share(amount, where) if test.shares else as_number(amount, where)
        amounts = colouring.arcs.setdefault(relation, {}).setdefault(number, {})
        if seen in amounts or not amount:
            problem = "is listed twice" if amount else "is listed with 0"
            raise InputError(f"{where}: class {seen} {problem} for {named(relation)}")
        amounts[seen] = amount


def _put(
    table: dict[Relation, dict[int, int]],
    colouring: Colouring,
    relation: Any,
    number: int,
    count: int,
    where: str,
) -> None:
    key = colouring.relations[as_number(relation, where, below=len(colouring.relations))]
    if number in table.setdefault(key, {}):
        raise InputError(f"{where}: {named(key)} is listed twice")
    table[key][number] = count


def named(relation: Relation) -> str:
    """A relation in a message."""
    name, inverse = relation
    if name is None:
        return "all relations together"
    return f"the inverse of relation {shown(name)}" if inverse else f"relation {shown(name)}"


# -- what does not hold ---------------------------------------------------------------------------


def failures(colouring: Colouring, test: VertexTest, graphs: list[PlainGraph]) -> Iterator[str]:
    """Everything in which the graphs are not as the colouring says."""
    for number, (graph, colours) in enumerate(zip(graphs, colouring.colours, strict=True), 1):
        for failure in _failures_in(colouring, test, graph, colours):
            yield f"graph {number}: {failure}"


def _failures_in(
    colouring: Colouring, test: VertexTest, graph: PlainGraph, colours: list[int]
) -> Iterator[str]:
    members = Counter(colours)
    for c, size in enumerate(colouring.sizes):
        if members[c] != size:
            yield f"class {c} has {members[c]:,} vertices, and {size:,} are claimed"
    for v, c in enumerate(colours):
        if graph.labels[v] != colouring.labels[c]:
            yield (
                f"vertex {shown(graph.names[v])} has the label {shown(graph.labels[v])}, but its"
                f" class {c} claims {shown(colouring.labels[c])}"
            )
    for relation, with_loop in test.loops_at(graph):
        for v, c in enumerate(colours):
            if (v in with_loop) != (c in colouring.loops.get(relation, ())):
                has = "has a loop" if v in with_loop else "has no loop"
                yield f"vertex {shown(graph.names[v])} {has} of {named(relation)}, unlike class {c}"
    unknown = [r for r in colouring.loops if r not in test.relations(graph)]
    for relation in unknown:
        yield f"loops of {named(relation)} are claimed, and there are no arcs of it"
    yield from _view_failures(colouring, test, graph, colours, members)


def _view_failures(
    colouring: Colouring,
    test: VertexTest,
    graph: PlainGraph,
    colours: list[int],
    members: Counter[int],
) -> Iterator[str]:
    """Where vertices do not see what their class claims, relation by relation."""
    view, present = set(test.relations(graph)), set(graph.relations())
    for relation in dict.fromkeys([*test.relations(graph), *colouring.arcs]):
        expected = colouring.arcs.get(relation, {})
        neighbours = test.neighbours(graph, relation) if relation in view else {}
        for v, some in neighbours.items():
            counts: dict[int, Amount] = dict(Counter(colours[u] for u in some))
            if test.shares:
                counts = {c: Fraction(n, len(some)) for c, n in counts.items()}
            yield from _differences(
                counts, expected.get(colours[v], {}), f"vertex {shown(graph.names[v])}", relation
            )
        yield from _without_arcs(neighbours, expected, relation, graph, colours, members)
    if test.degrees:
        for relation in dict.fromkeys([*graph.relations(), *colouring.degrees]):
            seen = graph.neighbours(relation) if relation in present else {}
            for v, c in enumerate(colours):
                has, claimed = len(seen.get(v, ())), colouring.degrees.get(relation, {}).get(c, 0)
                if has != claimed:
                    yield (
                        f"vertex {shown(graph.names[v])} has {has:,} arcs of {named(relation)}, but"
                        f" its class {c} claims {claimed:,}"
                    )


def _differences(
    counts: dict[int, Amount], expected: dict[int, Amount], vertex: str, relation: Relation
) -> Iterator[str]:
    if counts == expected:
        return
    for c in sorted({*counts, *expected}):
        if counts.get(c, 0) != expected.get(c, 0):
            yield (
                f"{vertex} sees {counts.get(c, 0)} of class {c} through {named(relation)}, and"
                f" its class claims {expected.get(c, 0)}"
            )


def _without_arcs(
    neighbours: Mapping[int, list[int]],
    expected: Mapping[int, object],
    relation: Relation,
    graph: PlainGraph,
    colours: list[int],
    members: Counter[int],
) -> Iterator[str]:
    """Vertices that see nothing through a relation although their class claims that they do."""
    seeing = Counter(colours[v] for v in neighbours)
    lacking = {c for c in expected if seeing[c] < members[c]}
    for v, c in enumerate(colours) if lacking else ():
        if c in lacking and v not in neighbours:
            yield (
                f"vertex {shown(graph.names[v])} sees nothing through {named(relation)}, but its"
                f" class {c} claims that it does"
            )
