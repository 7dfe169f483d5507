"""Formulas on all vertices, or all tuples, at once against the direct semantics."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.explanation.formula_strategies import tuple_formulas, vertex_formulas
from tests.analysis.explanation.semantics import Meaning
from tests.strategies import relational_graphs
from wlkg.analysis.explanation import formulas as f
from wlkg.analysis.explanation.asked import vertex_test
from wlkg.analysis.explanation.evaluation import Vertices, relations_of
from wlkg.analysis.explanation.tuples import Tuples
from wlkg.catalogue import TupleTest, find_test
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union


@given(data=st.data(), graph=relational_graphs(), test=st.sampled_from(["1-rwl", "1-wl"]))
def test_formulas_about_vertices_mean_what_the_definition_says(
    data: st.DataObject, graph: RelationalGraph, test: str
) -> None:
    relations = [] if test == "1-wl" else list(relations_of(graph))
    formula = data.draw(vertex_formulas(relations))
    meaning = Meaning(graph, distinct_neighbours=test == "1-wl")
    holds = Vertices.seen_by(vertex_test(test), graph).holds(formula)
    document = f.document(formula)
    assert document is not None
    assert {v for v in range(graph.num_vertices) if holds[v]} == meaning.vertices(document)


@given(
    name=st.sampled_from(["2-rlwl", "delta-2-lwl", "3-rlwl"]),
    data=st.data(),
    graph=relational_graphs(max_vertices=4),
)
def test_formulas_about_tuples_mean_what_the_definition_says(
    name: str, data: st.DataObject, graph: RelationalGraph
) -> None:
    test = find_test(name)
    assert isinstance(test, TupleTest)
    tuples = Tuples(graph, test, [graph.num_vertices])
    relations = list(relations_of(graph)) if test.sees_relations else [f.ANY]
    formula = data.draw(tuple_formulas(relations, tuples.arity))
    meaning = Meaning(graph, distinct_neighbours=not test.sees_relations)
    document = f.document(formula)
    assert document is not None
    items = itertools.product(range(graph.num_vertices), repeat=tuples.arity)
    expected = [meaning.holds(document, item) for item in items]
    assert tuples.holds(formula).tolist() == expected


def test_tuples_of_different_graphs_do_not_mix() -> None:
    one = RelationalGraph.from_triples([("a", "r", "b")])
    two = RelationalGraph.from_triples([("c", "r", "c"), ("c", "r", "d"), ("e", "s", "d")])
    test = find_test("2-rlwl")
    assert isinstance(test, TupleTest)
    tuples = Tuples(disjoint_union(one, two), test, [2, 3])
    formula = f.at_least(1, f.Relation("r"), f.negation(f.equal(1, 2)), 2)
    document = f.document(formula)
    assert document is not None
    expected = [
        Meaning(graph).holds(document, item)
        for graph in (one, two)
        for item in itertools.product(range(graph.num_vertices), repeat=2)
    ]
    assert tuples.holds(formula).tolist() == expected
    assert [tuples.vertices(i) for i in (0, 3, 4, 12)] == [(0, 0), (1, 1), (2, 2), (4, 4)]
    assert [tuples.diagonal(v) for v in range(5)] == [0, 3, 4, 8, 12]
    assert tuples.beginning_with(3).tolist() == [7, 8, 9]


def test_a_formula_about_tuples_is_refused_for_a_vertex() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    vertices = Vertices.seen_by(vertex_test("1-rwl"), graph)
    with pytest.raises(UsageError, match="tuples"):
        vertices.holds(f.equal(1, 2))


def test_shares_are_compared_exactly() -> None:
    rows = [("a", "r", x) for x in "bcd"] + [("b", "s", "b")]
    graph = RelationalGraph.from_triples(rows, direction="out")
    vertices = Vertices.seen_by(vertex_test("mean-rwl"), graph)
    has_s = f.share_at_least(Fraction(1), f.Relation("s"), f.TRUE)
    third = f.share_exactly(Fraction(1, 3), f.Relation("r"), has_s)
    more = f.share_at_least(Fraction(334, 1000), f.Relation("r"), has_s)
    none = f.share_exactly(Fraction(0), f.Relation("r"), f.FALSE)
    assert [value.tolist() for value in vertices.hold([third, more, none])] == [
        [True, False, False, False],
        [False, False, False, False],
        [True, False, False, False],
    ]
