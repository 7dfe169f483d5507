"""`explain_graphs`: a formula that is true of different numbers of vertices of two graphs."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from tests.analysis.explanation.random_graphs import path
from tests.analysis.explanation.semantics import Meaning, depth
from tests.oracles import differ_slowly, refine_tuples_slowly
from tests.strategies import relational_graphs, switched
from wlkg.analysis.explanation.asked import vertex_test
from wlkg.analysis.explanation.formulas import TRUE, document
from wlkg.analysis.explanation.graphs import GraphsExplanation, explain_graphs
from wlkg.analysis.side_by_side import SideBySide
from wlkg.catalogue import SINGLE_VERTEX_TESTS, TESTS
from wlkg.errors import TooLargeError, UsageError
from wlkg.graph.relational_graph import RelationalGraph

names = sorted([*TESTS, *SINGLE_VERTEX_TESTS])


@st.composite
def pairs_of_graphs(draw: st.DrawFn, max_vertices: int = 7) -> tuple[RelationalGraph, ...]:
    graph = draw(relational_graphs(max_vertices=max_vertices))
    return graph, draw(switched(graph))


def check_counts(
    graphs: tuple[RelationalGraph, ...],
    explanation: GraphsExplanation,
    arity: int,
    *,
    distinct: bool,
) -> None:
    """Check a formula and its counts by the direct semantics."""
    assert explanation.formula is not None
    written = document(explanation.formula)
    assert written is not None
    assert depth(written) == explanation.depth == explanation.round
    counts = tuple(
        sum(
            Meaning(graph, distinct_neighbours=distinct).holds(written, item)
            for item in itertools.product(range(graph.num_vertices), repeat=arity)
        )
        for graph in graphs
    )
    assert counts == explanation.counts
    assert counts[0] != counts[1]


@given(graphs=pairs_of_graphs(), test=st.sampled_from(names))
def test_the_numbers_of_vertices_are_right_and_differ(
    graphs: tuple[RelationalGraph, RelationalGraph], test: str
) -> None:
    explanation = explain_graphs(*graphs, test)
    assert explanation.round == SideBySide(graphs).refine(test).differs_at
    if explanation.round is None:
        assert (explanation.formula, explanation.counts) == (None, None)
        return
    seen = vertex_test(test)
    distinct = not (seen.sees_relations or seen.sees_degrees)
    check_counts(graphs, explanation, 1, distinct=distinct)


@given(graphs=pairs_of_graphs(max_vertices=4), test=st.sampled_from(["2-rlwl", "delta-2-lwl"]))
def test_the_numbers_of_tuples_are_right_and_differ(
    graphs: tuple[RelationalGraph, RelationalGraph], test: str
) -> None:
    explanation = explain_graphs(*graphs, test)
    rounds = refine_tuples_slowly(graphs, test, graphs[0].direction)
    assert explanation.round == differ_slowly(graphs, test, rounds)
    if explanation.round is None:
        return
    arity = 2 if graphs[0].num_vertices > 1 else 1
    check_counts(graphs, explanation, arity, distinct=test == "delta-2-lwl")
    check_class(graphs, explanation, test, arity)


@given(graphs=pairs_of_graphs(max_vertices=4), test=st.sampled_from(["2-wl", "2-fwl"]))
def test_tests_without_formulas_show_a_class_of_tuples(
    graphs: tuple[RelationalGraph, RelationalGraph], test: str
) -> None:
    explanation = explain_graphs(*graphs, test)
    assert explanation.formula is None
    if explanation.round is not None:
        check_class(graphs, explanation, test, 2 if graphs[0].num_vertices > 1 else 1)


def check_class(
    graphs: tuple[RelationalGraph, ...], explanation: GraphsExplanation, test: str, arity: int
) -> None:
    """Check the numbers of tuples with the colour of the representative."""
    assert explanation.round is not None
    assert explanation.tuple_class is not None
    assert explanation.representative is not None
    colours = refine_tuples_slowly(graphs, test, graphs[0].direction)[explanation.round]
    own = graphs[bool(explanation.in_second)]
    wanted = tuple(own.vertex(name) for name in explanation.representative)
    items = [
        (number, item)
        for number, graph in enumerate(graphs)
        for item in itertools.product(range(graph.num_vertices), repeat=arity)
    ]
    colour = dict(zip(items, colours, strict=True))
    same = [item for item in items if colour[item] == colour[explanation.in_second or 0, wanted]]
    counts = tuple(sum(number == side for number, _ in same) for side in (0, 1))
    assert counts == explanation.tuple_class.counts
    assert counts[0] != counts[1]


def test_graphs_of_different_sizes_are_told_apart_by_their_sizes() -> None:
    explanation = explain_graphs(path(3), path(5))
    assert (explanation.round, explanation.formula, explanation.counts) == (0, TRUE, (3, 5))


def test_graphs_without_vertices_are_told_from_others_and_not_from_each_other() -> None:
    empty = RelationalGraph.from_triples([])
    for test in ("1-rwl", "2-rlwl", "2-wl"):
        assert explain_graphs(empty, empty, test).round is None
        assert explain_graphs(empty, path(2, "both"), test).round == 0
    assert explain_graphs(path(2, "both"), empty).counts == (2, 0)


def test_labels_of_one_graph_only_are_seen() -> None:
    graphs = path(3).with_labels(["a", "", ""]), path(3)
    explanation = explain_graphs(*graphs)
    check_counts(graphs, explanation, 1, distinct=False)
    assert explanation.round == 0


def test_graphs_that_the_test_does_not_separate_have_no_formula() -> None:
    explanation = explain_graphs(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    assert explanation.round is None
    assert explanation.formula is None
    assert (explanation.depth, explanation.size) == (None, None)


def test_a_hexagon_is_told_from_two_triangles_by_two_variables() -> None:
    graphs = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    explanation = explain_graphs(*graphs, "2-rlwl")
    check_counts(graphs, explanation, 2, distinct=False)
    assert explanation.round == 1
    assert explanation.size is not None
    assert explanation.size <= 4


@pytest.mark.parametrize("test", ["1-rlwl", "2-rlwl", "2-fwl"])
def test_examples_of_the_paper_are_explained(test: str) -> None:
    graphs = wlkg.read("example:loops-swap-g"), wlkg.read("example:loops-swap-h")
    explanation = explain_graphs(*graphs, test)
    assert explanation.round is not None
    if test != "2-fwl":
        check_counts(graphs, explanation, 1 if test == "1-rlwl" else 2, distinct=False)


def test_graphs_with_different_direction_modes_are_refused() -> None:
    with pytest.raises(UsageError, match="direction"):
        explain_graphs(path(3), path(3, "both"))
    assert explain_graphs(path(3), path(3, "both"), direction="out").round is None


def test_graphs_with_too_many_tuples_are_refused() -> None:
    with pytest.raises(TooLargeError, match="tuples"):
        explain_graphs(path(100), path(100), "3-rlwl", max_memory=10_000)
