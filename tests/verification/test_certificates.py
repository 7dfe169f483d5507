"""Certificates hold, their claims are true, and with any one value changed they do not hold."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.certificates import (
    MORE_VERTEX_TESTS,
    TUPLE_TESTS,
    VERTEX_TESTS,
    holds,
    one_value_changed,
    pairs,
    resealed,
    separates,
)
from tests.oracles import neighbours
from tests.strategies import rebuilt, relational_graphs
from wlkg.analysis.symmetry.symmetry import symmetry
from wlkg.errors import InputError, NoEvidenceError, UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.verification.verify import verify

Pair = tuple[RelationalGraph, RelationalGraph]
ALL_TESTS = (*VERTEX_TESTS, *MORE_VERTEX_TESTS, *TUPLE_TESTS)


@pytest.mark.parametrize("test", ALL_TESTS)
@given(graphs=pairs())
@settings(max_examples=40)
def test_a_certificate_says_what_is_true_and_holds(test: str, graphs: Pair) -> None:
    certificate = wlkg.certify(*graphs, test)
    assert certificate.kind == ("different" if separates(test, *graphs) else "same")
    verification = verify(certificate.document, *graphs)
    assert verification.valid, verification.reasons
    assert (verification.kind, verification.test) == (certificate.kind, test)
    assert verification.claim == certificate.claim


@pytest.mark.parametrize("test", ALL_TESTS)
@given(graphs=pairs(max_vertices=4))
@settings(max_examples=5)
def test_no_certificate_holds_with_one_value_changed(test: str, graphs: Pair) -> None:
    document = wlkg.certify(*graphs, test).document
    for where, changed in one_value_changed(document):
        assert not holds(changed, *graphs), where
        # Even with a new seal, only the numbers within a formula could be others.
        if "formula" not in document:
            assert not holds(resealed(changed), *graphs), where
    assert not holds({**document, "seal": document["seal"][::-1]}, *graphs)


@given(graphs=pairs(max_vertices=5), data=st.data())
@settings(max_examples=100)
def test_whatever_verifies_is_true_of_the_test_that_it_names(graphs: Pair, data: Any) -> None:
    tests = (*VERTEX_TESTS, *MORE_VERTEX_TESTS)
    document = wlkg.certify(*graphs, data.draw(st.sampled_from(tests))).document
    for test in tests:
        changed = resealed({**document, "test": test})
        if holds(changed, *graphs):
            assert separates(test, *graphs) == (document["kind"] == "different")
    if document["kind"] == "different":
        for where, changed in one_value_changed(document):
            if holds(resealed(changed), *graphs):
                assert separates(changed["test"], *graphs), where


@given(graphs=pairs(max_vertices=5, directions=("both", "undirected")))
@settings(max_examples=100)
def test_the_fractional_isomorphism_commutes_with_every_relation(graphs: Pair) -> None:
    document = wlkg.certify(*graphs, fractional=True).document
    assert verify(document, *graphs).valid
    if document["kind"] == "different":
        assert "fractional" not in document
        return
    for where, changed in one_value_changed(document):
        assert not holds(resealed(changed), *graphs), where
    order = [sorted(range(g.num_vertices), key=g.vertex_names.__getitem__) for g in graphs]
    matrix = [
        [
            Fraction(document["fractional"][c]) if c == d else Fraction(0)
            for d in document["colours"][1]
        ]
        for c in document["colours"][0]
    ]
    assert all(sum(line) == 1 for line in [*matrix, *zip(*matrix, strict=True)])
    seen = [neighbours(g, g.direction) for g in graphs]
    for name in {name for g in seen for some in g.values() for name, _ in some}:
        a, b = (
            [[int((name, w) in some[v]) for w in places] for v in places]
            for some, places in zip(seen, order, strict=True)
        )
        assert _product(a, matrix) == _product(matrix, b)


def _product(one: list[list[Any]], two: list[list[Any]]) -> list[list[Any]]:
    columns = list(zip(*two, strict=True))
    return [[sum(x * y for x, y in zip(row, c, strict=True)) for c in columns] for row in one]


@given(graphs=pairs())
@settings(max_examples=100)
def test_isomorphic_graphs_get_a_map_and_others_a_test_that_separates(graphs: Pair) -> None:
    try:
        document = wlkg.certify(*graphs, isomorphic=True).document
    except NoEvidenceError:
        assert not wlkg.isomorphic(*graphs)
        return
    assert verify(document, *graphs).valid
    assert (document["kind"] == "isomorphic") == wlkg.isomorphic(*graphs)
    if document["kind"] == "isomorphic":
        for where, changed in one_value_changed(document):
            assert not holds(resealed(changed), *graphs), where


@given(graph=relational_graphs(max_vertices=6), test=st.sampled_from(VERTEX_TESTS))
@settings(max_examples=150)
def test_complete_means_that_the_classes_are_orbits(graph: RelationalGraph, test: str) -> None:
    try:
        document = wlkg.certify(graph, test=test).document
    except NoEvidenceError:
        assert not symmetry(graph, (test,)).complete
        return
    verification = verify(document, graph)
    assert verification.valid, verification.reasons
    assert document["orbits"] == wlkg.refine(graph, test).classes
    for where, changed in one_value_changed(document):
        assert not holds(resealed(changed), graph), where
    if document["generators"]:
        none = {**document, "generators": [], "orbits": graph.num_vertices}
        assert not holds(resealed(none), graph)


def test_symmetries_do_not_make_a_test_complete_that_separates_too_little() -> None:
    two_triangles = wlkg.disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    with pytest.raises(NoEvidenceError, match="1-rwl is not complete"):
        wlkg.certify(two_triangles)
    path = RelationalGraph.from_triples([("a", "r", "b"), ("b", "r", "c")], direction="undirected")
    document = dict(wlkg.certify(path).document)
    three_in_a_row = rebuilt(path, labels=[0, 0, 0], label_names=["x"])
    assert not holds(document, three_in_a_row)


def test_graphs_with_no_map_and_no_separating_test_get_no_certificate() -> None:
    pair = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    assert wlkg.certify(*pair, "2-wl").kind == "same"
    with pytest.raises(NoEvidenceError, match=r"are not isomorphic .* 2-wl do not separate"):
        wlkg.certify(*pair, "2-wl", isomorphic=True)
    assert wlkg.certify(*pair, isomorphic=True).test == "2-rlwl"


@given(graphs=pairs(max_vertices=5))
@settings(max_examples=30)
def test_a_certificate_is_about_its_graphs_only(graphs: Pair) -> None:
    document = wlkg.certify(*graphs).document
    one, two = graphs
    same_names = wlkg.certify(one, one).document
    if one != two:
        with pytest.raises(InputError, match=r"about other graphs.*other order: swap them"):
            verify(document, two, one)
        with pytest.raises(InputError, match="about other graphs"):
            verify(same_names, one, two)
    with pytest.raises(UsageError, match="is about 2 graphs, 1 given"):
        verify(document, one)


def test_the_error_about_other_graphs_says_what_differs() -> None:
    pair = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    certificate = wlkg.certify(*pair).made_with({"literals": "drop"})
    turned = tuple(graph.with_direction("out") for graph in pair)
    with pytest.raises(InputError, match="about direction mode undirected: use --direction"):
        verify(certificate.document, *turned)
    with pytest.raises(InputError, match=r"6 vertices, 6 triples.*made with --literals drop"):
        verify(certificate.document, pair[0], wlkg.read("example:petersen"))
    assert verify(certificate.document, *pair).valid


@given(graph=relational_graphs(), data=st.data())
@settings(max_examples=60)
def test_the_digest_does_not_depend_on_numbers(graph: RelationalGraph, data: Any) -> None:
    copy = graph.permuted(data.draw(st.permutations(range(graph.num_vertices))))
    if graph.direction == "undirected":
        copy = rebuilt(copy, head=copy.tail, tail=copy.head)
    one, two = wlkg.certify(graph, graph), wlkg.certify(copy, copy)
    assert one.document["graphs"] == two.document["graphs"]
    assert one.document["classes"] == two.document["classes"]
    assert one.document["seal"] == two.document["seal"]
    assert Counter(one.document["colours"][0]) == Counter(two.document["colours"][1])


def test_reasons_name_the_vertex_the_relation_the_class_and_the_numbers() -> None:
    one = RelationalGraph.from_triples([("ann", "knows", "bob"), ("ann", "likes", "bob")])
    document = wlkg.certify(one, one).document
    wrong = {**document, "classes": [dict(entry) for entry in document["classes"]]}
    wrong["classes"][0]["arcs"] = [[0, 1, 2], *wrong["classes"][0]["arcs"][1:]]
    reasons = verify(resealed(wrong), one, one).reasons
    assert reasons[0] == (
        "graph 1: vertex 'ann' sees 1 of class 1 through relation 'knows', and its class claims 2"
    )
    assert verify(wrong, one, one).reasons == reasons
    harmless = {**document, "reading": {"literals": "drop"}}
    assert "the seal does not fit the content" in verify(harmless, one, one).reasons[0]
