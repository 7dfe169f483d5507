"""The tests of link prediction: how rawl2 and rwl2 relate to each other and to vertex tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from tests.strategies import rebuilt, relational_graphs
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.refine import refine

LATTICE = wlkg.read("example:one-triple")
directions = st.sampled_from(DIRECTIONS)


def pairs(graph: RelationalGraph, test: str, direction: Direction) -> Partition:
    return refine(graph, test, direction).partition


def same(test: str, direction: Direction, one: tuple[int, int], two: tuple[int, int]) -> bool:
    colours = pairs(LATTICE, test, direction).colours
    return bool(colours[3 * one[0] + one[1]] == colours[3 * two[0] + two[1]])


@pytest.mark.parametrize(
    ("test", "direction", "classes"),
    [("rawl2", "in", 5), ("rawl2", "both", 8), ("rwl2", "in", 7), ("rwl2", "both", 9)],
)
def test_one_triple_on_three_vertices_shows_the_whole_order(
    test: str, direction: Direction, classes: int
) -> None:
    assert pairs(LATTICE, test, direction).num_classes == classes


def test_rawl2_both_and_rwl2_in_are_incomparable() -> None:
    assert same("rwl2", "in", (0, 0), (2, 2))
    assert not same("rawl2", "both", (0, 0), (2, 2))
    assert same("rawl2", "both", (0, 2), (1, 2))
    assert not same("rwl2", "in", (0, 2), (1, 2))


@given(graph=relational_graphs(max_vertices=5), direction=directions)
def test_rawl2_is_below_rwl2_and_that_below_2_rlwl(
    graph: RelationalGraph, direction: Direction
) -> None:
    below, between, above = (pairs(graph, test, direction) for test in ("rawl2", "rwl2", "2-rlwl"))
    assert between.refines(below)
    assert above.refines(between)


@given(graph=relational_graphs(max_vertices=5), test=st.sampled_from(["rawl2", "rwl2"]))
def test_mode_both_sees_what_mode_in_sees(graph: RelationalGraph, test: str) -> None:
    assert pairs(graph, test, "both").refines(pairs(graph, test, "in"))


@given(graph=relational_graphs(max_vertices=6).filter(lambda g: g.num_vertices), data=st.data())
def test_rawl2_of_one_source_is_1_rwl_with_the_source_marked(
    graph: RelationalGraph, data: st.DataObject
) -> None:
    n = graph.num_vertices
    source = data.draw(st.integers(0, n - 1))
    label = [0] * n if graph.labels is None else graph.labels.tolist()
    label[source] += 3
    marked = rebuilt(graph, labels=label, label_names=list("abcdef"))
    by_rawl2, by_mark = refine(graph, "rawl2"), refine(marked, "1-rwl")
    row = range(source * n, (source + 1) * n)
    for t in range(by_rawl2.rounds + 1):
        assert by_rawl2.history.partition(t).restricted(row) == by_mark.history.partition(t)
