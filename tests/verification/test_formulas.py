"""Formulas are evaluated as their table says: compared with a direct evaluation of random ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import relational_graphs
from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.verification.formulas import count_satisfying, read_formula
from wlkg.verification.plain_graph import PlainGraph
from wlkg.verification.wl_tests import VERTEX_TESTS

_INVERSES = {"both": [False, True], "in": [True], "out": [False], "undirected": [False]}


@st.composite
def _programs(draw: st.DrawFn, test: str, direction: str) -> list[dict[str, Any]]:
    """A random formula that a test sees, as lines; every line is used."""
    seen = VERTEX_TESTS[test]
    ops = ["true", "label", "not", "and", "or"] + ["loop"] * seen.loops + ["degree"] * seen.degrees
    ops += ["share_at_least", "share_exactly"] if seen.shares else ["at_least", "exactly"] * 2
    lines: list[dict[str, Any]] = []
    unused: list[int] = []
    for number in range(draw(st.integers(1, 7))):
        op = draw(st.sampled_from(ops if number else ["true", "label"]))
        line: dict[str, Any] = {"op": op}
        if op == "label":
            line["value"] = draw(st.sampled_from(["red", "green", "", "none"]))
        elif op in ("and", "or"):
            line["args"] = draw(st.lists(st.integers(0, number - 1), max_size=3))
        elif op not in ("true", "loop", "degree"):
            line["arg"] = draw(st.integers(0, number - 1))
        if op not in ("true", "label", "not", "and", "or"):
            named = seen.by_relation or op == "degree"
            inverses = _INVERSES[direction] if named else [False]
            line["relation"] = draw(st.sampled_from(["r0", "r1"])) if named else None
            line["inverse"] = draw(st.sampled_from(inverses))
        if op in ("at_least", "exactly", "degree"):
            line["count"] = draw(st.integers(0, 3))
        if op.startswith("share"):
            share = draw(st.fractions(0, 1, max_denominator=3))
            line["share"] = f"{share.numerator}/{share.denominator}"
        lines.append(line)
        used = {*line.get("args", ()), line.get("arg")}
        unused = [i for i in unused if i not in used] + [number]
    if len(unused) > 1:
        lines.append({"op": "or", "args": unused})
    return lines


def _true_of(lines: list[dict[str, Any]], v: int, graph: RelationalGraph, test: str) -> bool:  # noqa: PLR0911
    """Whether the last line is true of a vertex, by the table of the documentation."""
    line = lines[-1]

    def arg(number: int, u: int) -> bool:
        return _true_of(lines[: number + 1], u, graph, test)

    if line["op"] == "true":
        return True
    if line["op"] == "label":
        label = "" if graph.labels is None else graph.label_names[int(graph.labels[v])]
        return bool(label == line["value"])
    if line["op"] == "not":
        return not arg(line["arg"], v)
    if line["op"] in ("and", "or"):
        values = [arg(number, v) for number in line["args"]]
        return all(values) if line["op"] == "and" else any(values)
    seen = _neighbours(v, graph, line["relation"], line["inverse"])
    if test in ("1-wl", "1-wl-all", "delta-1-lwl"):
        seen = sorted(set(seen))
    if line["op"] == "loop":
        return v in seen
    if line["op"] == "degree":
        return bool(len(seen) == line["count"])
    count = sum(arg(line["arg"], u) for u in seen)
    if line["op"] == "at_least":
        return bool(count >= line["count"])
    if line["op"] == "exactly":
        return bool(count == line["count"])
    share = Fraction(line["share"])
    if not seen:
        return False
    has = Fraction(count, len(seen))
    return has >= share if line["op"] == "share_at_least" else has == share


def _neighbours(v: int, graph: RelationalGraph, name: str | None, inverse: bool) -> list[int]:
    """N_R(v), or for null the neighbours under all relations, as often as there are arcs."""
    if name is None:
        return [
            u
            for each in graph.relation_names
            for way in _INVERSES[graph.direction]
            for u in _neighbours(v, graph, each, way)
        ]
    triples = [
        (h, t)
        for h, r, t in zip(graph.head, graph.relation, graph.tail, strict=True)
        if graph.relation_names[int(r)] == name
    ]
    tails = {int(t) for h, t in triples if h == v}
    heads = {int(h) for h, t in triples if t == v}
    if graph.direction == "undirected":
        return sorted(tails | heads)
    return sorted(heads if inverse else tails)


@pytest.mark.parametrize("test", sorted(VERTEX_TESTS))
@given(graph=relational_graphs(max_vertices=5, max_relations=2), data=st.data())
@settings(max_examples=80)
def test_formulas_are_true_where_their_definition_says(
    test: str, graph: RelationalGraph, data: Any
) -> None:
    program = data.draw(_programs(test, graph.direction))
    lines = read_formula(program, VERTEX_TESTS[test], graph.direction)
    expected = sum(_true_of(program, v, graph, test) for v in range(graph.num_vertices))
    assert count_satisfying(lines, VERTEX_TESTS[test], PlainGraph.of(graph)) == expected


_LOOK = {"op": "at_least", "count": 1, "relation": "r", "inverse": False, "arg": 0}


@pytest.mark.parametrize(
    ("test", "direction", "lines", "message"),
    [
        ("1-rwl", "both", [], "expected at least one line"),
        ("1-rwl", "both", {}, "formula: expected a list, found an object"),
        ("1-rwl", "both", [[]], "line 0: expected an object, found a list"),
        ("1-rwl", "both", [{"op": "maybe"}], "expected an op that this test sees"),
        ("1-rwl", "both", [{"op": ["and"]}], "expected an op that this test sees"),
        ("1-rwl", "both", [{"op": "true"}, {"op": "degree"}], "found 'degree'"),
        ("1-rwl", "both", [{"op": "loop", "relation": "r", "inverse": False}], "found 'loop'"),
        ("mean-rwl", "both", [{"op": "true"}, _LOOK], "found 'at_least'"),
        ("1-rwl", "both", [{"op": "not", "arg": 0}], "arg: expected a whole number from 0 on"),
        ("1-rwl", "both", [{"op": "true"}, {"op": "and", "args": [1]}], "and below 1, found 1"),
        ("1-rwl", "both", [{"op": "true"}, {"op": "and", "args": [True]}], "found true or false"),
        ("1-rwl", "both", [{"op": "true"}, {"op": "true"}], "line 0: no later line names it"),
        ("1-rwl", "both", [{"op": "true"}, {**_LOOK, "relation": None}], "expected a text"),
        ("1-rwl", "both", [{"op": "true"}, {**_LOOK, "count": -1}], "found -1"),
        ("1-rwl", "both", [{"op": "true"}, {**_LOOK, "count": 10**30}], "found a huge number"),
        ("1-rwl", "both", [{"op": "true"}, {**_LOOK, "position": 1}], "'position' is unknown"),
        ("1-rwl", "out", [{"op": "true"}, {**_LOOK, "inverse": True}], "direction mode out"),
        ("1-rwl", "in", [{"op": "true"}, _LOOK], "direction mode in"),
        ("1-wl", "both", [{"op": "true"}, _LOOK], "all relations as one"),
        ("weak-rwl", "both", [{"op": "true"}, _LOOK], "all relations as one"),
    ],
)
def test_formulas_that_a_test_does_not_see_are_refused(
    test: str, direction: str, lines: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_formula(lines, VERTEX_TESTS[test], direction)
