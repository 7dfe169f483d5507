"""`explain_class`: a formula that selects exactly the class of a vertex at a round."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from tests.analysis.explanation.random_graphs import path, tiny_graphs
from tests.analysis.explanation.semantics import Meaning
from tests.strategies import relational_graphs
from wlkg.analysis.explanation.asked import vertex_test
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import TRUE, document
from wlkg.analysis.explanation.vertex_class import explain_class, separated_from
from wlkg.catalogue import SINGLE_VERTEX_TESTS, TESTS
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine

names = sorted([*TESTS, *SINGLE_VERTEX_TESTS])


def check_class(graph: RelationalGraph, vertex: int, test: str, t: int | None) -> None:
    explanation = explain_class(graph, vertex, test, t)
    history = refine(graph, test).history
    assert explanation.round == (history.rounds if t is None else t)
    classes = history.class_at(np.arange(graph.num_vertices), explanation.round)
    members = np.flatnonzero(classes == classes[vertex]).tolist()
    assert explanation.members.tolist() == members
    assert explanation.class_size == len(members)
    assert explanation.classes == len(set(classes.tolist()))
    assert explanation.depth <= explanation.round
    seen = vertex_test(test)
    sees_arcs = seen.sees_relations or seen.sees_degrees
    written = document(explanation.formula)
    assert written is not None
    meaning = Meaning(graph, distinct_neighbours=not sees_arcs)
    assert meaning.vertices(written) == set(members)
    last = max((history.separated_at(vertex, v) or 0 for v in range(graph.num_vertices)), default=0)
    for near in explanation.nearest:
        assert near.round == history.separated_at(vertex, near.vertex) == near.formula.depth
        assert near.class_size == np.count_nonzero(classes == classes[near.vertex])
        assert near.name == graph.vertex_names[near.vertex]
        near_document = document(near.formula)
        assert near_document is not None
        assert meaning.holds(near_document, (vertex,))
        assert not meaning.holds(near_document, (near.vertex,))
    rounds = [near.round for near in explanation.nearest]
    assert rounds == sorted(rounds, reverse=True)
    assert len(rounds) == min(5, explanation.classes - 1)
    if rounds and t is None:
        assert rounds[0] == last


@given(
    graph=relational_graphs().filter(lambda graph: graph.num_vertices > 0),
    test=st.sampled_from(names),
    data=st.data(),
)
def test_the_formula_selects_the_class_and_nothing_else(
    graph: RelationalGraph, test: str, data: st.DataObject
) -> None:
    vertex = data.draw(st.integers(0, graph.num_vertices - 1))
    check_class(graph, vertex, test, data.draw(st.none() | st.integers(0, 4)))


@pytest.mark.parametrize("test", ["1-rwl", "weak-rwl", "1-wl", "mean-rwl", "1-rlwl"])
def test_formulas_select_classes_in_many_random_graphs(test: str) -> None:
    for number, graph in enumerate(tiny_graphs(21, 30, vertices=10, triples=14)):
        for vertex in range(graph.num_vertices):
            check_class(graph, vertex, test, (None, 1, 2)[number % 3])


def test_at_round_0_a_class_is_a_label() -> None:
    graph = path(4)
    assert explain_class(graph, 0, round=0).formula is TRUE
    labelled = graph.with_labels(["a", "b", "b", "a"])
    explanation = explain_class(labelled, 0, round=0)
    assert explanation.members.tolist() == [0, 3]
    assert document(explanation.formula) == {"op": "label", "value": "a"}


def test_a_round_after_the_last_one_selects_the_stable_class() -> None:
    explanation = explain_class(path(5), 1, "1-wl", 50)
    assert explanation.round == 50
    assert explanation.members.tolist() == [1, 3]


def test_a_tuple_test_has_no_classes_of_vertices_to_describe() -> None:
    with pytest.raises(UsageError, match="2-rlwl colours tuples"):
        explain_class(path(3), 0, "2-rlwl")


@given(graph=relational_graphs(), test=st.sampled_from(names))
def test_the_rounds_at_which_all_classes_left_are_those_of_single_pairs(
    graph: RelationalGraph, test: str
) -> None:
    history = refine(graph, test).history
    for v in range(graph.num_vertices):
        rounds = separated_from(history, v)
        for w in range(graph.num_vertices):
            first = history.separated_at(v, w)
            found = int(rounds[history.class_of[w]])
            assert found == (np.iinfo(np.int64).max if first is None else first)


@pytest.mark.parametrize("test", ["1-rwl", "weak-rwl", "mean-rwl"])
def test_classes_of_aifb_are_selected(test: str, data_dir: Path) -> None:
    graph = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz")
    vertices = Vertices.seen_by(vertex_test(test), graph)
    history = refine(graph, test).history
    for vertex in np.random.default_rng(1).integers(0, graph.num_vertices, 4).tolist():
        for t in (1, 2, None):
            explanation = explain_class(graph, vertex, test, t)
            holds = vertices.holds(explanation.formula)
            classes = history.class_at(np.arange(graph.num_vertices), explanation.round)
            assert np.array_equal(holds, classes == classes[vertex])
            assert explanation.depth <= explanation.round


def test_of_classes_separated_at_the_same_round_those_with_like_arcs_are_nearest() -> None:
    triples = [("a", "r", "1"), ("a", "r", "2")]
    triples += [("b", "r", "1"), ("b", "r", "2"), ("b", "s", "1")]
    triples += [("c", "r", str(i)) for i in range(1, 6)]
    triples += [("d", "s", str(i)) for i in range(1, 3)]
    graph = RelationalGraph.from_triples(triples, direction="out")
    explanation = explain_class(graph, "a", nearest=4)
    assert [near.round for near in explanation.nearest] == [1, 1, 1, 1]
    # b has one arc more, the vertices 1 to 5 have two fewer, c has three more, d two and two.
    assert [near.name for near in explanation.nearest] == ["b", "1", "c", "d"]
