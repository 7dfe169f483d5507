"""`explain_pair`: why two vertices are separated, or which other test separates them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import wlkg
from tests.analysis.explanation.random_graphs import path, tiny_graphs
from tests.analysis.explanation.semantics import Meaning
from tests.oracles import refine_tuples_slowly, vertex_colours
from wlkg.analysis.explanation.formulas import document
from wlkg.analysis.explanation.pair import explain_pair, other_tests
from wlkg.errors import GraphError, TooLargeError, UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine


def test_a_pair_is_explained_by_names_and_by_ids() -> None:
    graph = RelationalGraph.from_triples([("anna", "worksFor", "acme"), ("bert", "knows", "anna")])
    named, numbered = explain_pair(graph, "anna", "bert"), explain_pair(graph, 1, 2)
    assert named == numbered
    assert named.names == ("anna", "bert")
    assert named.vertices == (1, 2)
    assert (named.round, named.depth, named.size) == (1, 1, 2)
    assert named.holds == (True, False)
    assert named.class_size == 1
    assert named.formula is not None
    assert document(named.formula) == {
        "op": "at_least",
        "count": 1,
        "relation": "worksFor",
        "inverse": False,
        "arg": {"op": "true"},
    }


def test_the_class_of_the_first_vertex_is_selected_at_the_separating_round() -> None:
    graph = path(9)
    explanation = explain_pair(graph, 1, 3, "1-wl")
    assert explanation.round == 2
    assert explanation.class_formula is not None
    selected = document(explanation.class_formula)
    assert selected is not None
    assert Meaning(graph, distinct_neighbours=True).vertices(selected) == {1, 7}
    assert explanation.class_size == 2


def test_a_class_that_would_take_long_to_describe_is_only_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wlkg.analysis.explanation.pair._MOST_WORK", 1000)
    explanation = explain_pair(path(100), 49, 48)
    assert explanation.round == explanation.depth == 49
    assert (explanation.class_size, explanation.class_formula) == (2, None)


def test_a_pair_that_no_round_separates_has_no_formula() -> None:
    explanation = explain_pair(wlkg.read("example:c6"), "0", "3")
    assert (explanation.round, explanation.formula, explanation.holds) == (None, None, None)
    assert (explanation.depth, explanation.size, explanation.class_size) == (None, None, None)


def test_the_direction_mode_can_be_chosen() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b"), ("c", "r", "d")])
    assert explain_pair(graph, "b", "d", direction="in").round is None
    explanation = explain_pair(graph, "a", "b", direction="in")
    assert explanation.direction == "in"
    assert explanation.formula is not None
    assert explanation.formula.relation is not None
    assert explanation.formula.relation.inverse


def test_tests_that_see_the_whole_graph_are_explained_by_those_that_do_not() -> None:
    graph = path(7)
    for test in ("1-wl", "1-rwl"):
        whole, base = explain_pair(graph, 2, 3, f"{test}-all"), explain_pair(graph, 2, 3, test)
        assert whole.test == f"{test}-all"
        assert (whole.round, whole.formula) == (base.round, base.formula)


def test_unknown_vertices_and_tests_are_refused() -> None:
    graph = path(3)
    with pytest.raises(GraphError, match="'x'"):
        explain_pair(graph, "x", "0")
    with pytest.raises(GraphError, match=r"id 3: ids are 0 \.\. 2"):
        explain_pair(graph, 0, 3)
    with pytest.raises(GraphError, match="id -1"):
        explain_pair(graph, -1, 0)
    with pytest.raises(UsageError, match="unknown test"):
        explain_pair(graph, 0, 1, "0-rwl")


@pytest.mark.parametrize(
    ("test", "count"), [("2-rlwl", 40), ("delta-2-lwl", 25), ("3-rlwl", 8), ("1-fwl", 20)]
)
def test_a_tuple_test_is_explained_by_a_class_of_tuples_and_a_formula(
    test: str, count: int
) -> None:
    explained = by_counts = 0
    for graph in tiny_graphs(5, count, vertices=6, triples=9):
        colours = refine_tuples_slowly([graph], test, graph.direction)
        arity = 1 if graph.num_vertices == 1 else int(test.removeprefix("delta-")[0])
        items = list(itertools.product(range(graph.num_vertices), repeat=arity))
        meaning = Meaning(graph, distinct_neighbours=test.startswith("delta"))
        by_round = [vertex_colours([graph], test, now) for now in colours]
        for v, w in itertools.combinations(range(graph.num_vertices), 2):
            explanation = explain_pair(graph, v, w, test)
            rounds = [t for t, now in enumerate(by_round) if now[v] != now[w]]
            assert explanation.round == min(rounds, default=None)
            if explanation.round is None:
                continue
            explained += 1
            found = explanation.tuple_class
            assert found is not None
            now = dict(zip(items, colours[explanation.round], strict=True))
            alike = [item for item in items if now[item] == now[found.representative]]
            counts = tuple(sum(item[0] == x for item in alike) for x in (v, w))
            assert counts == found.counts
            assert counts[0] != counts[1]
            if test == "1-fwl":
                assert explanation.formula is None
                continue
            assert explanation.formula is not None
            assert explanation.depth == explanation.round
            written = document(explanation.formula)
            assert written is not None
            if explanation.counts is None:
                assert explanation.holds == (True, False)
                assert meaning.holds(written, (v,) * arity)
                assert not meaning.holds(written, (w,) * arity)
            else:
                by_counts += 1
                satisfied = [item for item in items if meaning.holds(written, item)]
                counts = tuple(sum(item[0] == x for item in satisfied) for x in (v, w))
                assert counts == explanation.counts
                assert counts[0] != counts[1]
    assert explained > 20
    assert by_counts or test == "1-fwl"


def test_a_graph_with_one_vertex_has_nothing_to_explain_for_any_k() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "a")])
    assert explain_pair(graph, "a", "a", "900000000-rlwl").round is None


def test_too_many_tuples_are_refused_with_the_numbers() -> None:
    with pytest.raises(TooLargeError, match="tuples"):
        explain_pair(path(50), 0, 1, "3-rlwl", max_memory=1_000_000)
    # Enough for the run, too little for the history of all tuples.
    with pytest.raises(TooLargeError, match=r"the history of 2-rlwl has 36 tuples"):
        explain_pair(path(6), 0, 1, "2-rlwl", max_memory=36 * 45)


def test_other_tests_say_which_of_them_separates_a_pair() -> None:
    # A hexagon and two triangles in one graph: 1-rwl sees no difference, 2-rlwl does.
    six = [(i, (i + 1) % 6) for i in range(6)]
    two = [(6 + i, 6 + (i + 1) % 3) for i in range(3)] + [
        (9 + i, 9 + (i + 1) % 3) for i in range(3)
    ]
    head, tail = zip(*six, *two, strict=True)
    graph = RelationalGraph.from_arrays(head, np.zeros(12, int), tail, direction="undirected")
    assert explain_pair(graph, 0, 6).round is None
    found = {other.test: other.round for other in other_tests(graph, 0, 6)}
    first = refine(graph, "2-rlwl").vertices.separated_at(0, 6)
    assert first is not None
    assert found == {
        "1-wl": None,
        "1-rlwl": None,
        "2-rlwl": first,
        "3-rlwl": refine(graph, "3-rlwl").vertices.separated_at(0, 6),
    }


def test_other_tests_that_would_take_too_much_are_skipped_with_the_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wlkg.analysis.explanation.pair._MOST_TUPLES", 200)
    skipped = {other.test: other.skipped for other in other_tests(path(6), 0, 5)}
    assert skipped["2-rlwl"] is None
    assert "216 tuples" in str(skipped["3-rlwl"])
    skipped = {other.test: other.skipped for other in other_tests(path(6), 0, 5, max_memory=1000)}
    assert "36 tuples" in str(skipped["2-rlwl"])
