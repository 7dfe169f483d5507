"""The tests of link prediction: how rawl2 and rwl2 relate to each other and to vertex tests."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from tests.strategies import rebuilt, relational_graphs
from wlkg.catalogue import DIRECTIONS, PAIR_TESTS, Direction
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
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


@given(graph=relational_graphs(max_vertices=5), direction=directions)
def test_within_a_source_the_readout_adds_nothing(
    graph: RelationalGraph, direction: Direction
) -> None:
    plain, with_all = (refine(graph, test, direction) for test in ("rawl2", "rawl2-all"))
    assert with_all.partition.refines(plain.partition)
    n = graph.num_vertices
    for source, t in itertools.product(range(n), range(with_all.rounds + 1)):
        row = range(source * n, (source + 1) * n)
        one, two = (each.history.partition(t).restricted(row) for each in (plain, with_all))
        assert one == two


@given(pair=st.tuples(*[relational_graphs(max_vertices=4)] * 2), direction=directions)
def test_across_sources_the_readout_compares_rows(
    pair: tuple[RelationalGraph, RelationalGraph], direction: Direction
) -> None:
    """Pairs have a colour if they share one of rawl2 and their rows were alike a round before."""
    union = disjoint_union(*(graph.with_direction(direction) for graph in pair))
    sizes = [graph.num_vertices for graph in pair]
    plain, with_all = (refine(union, test, blocks=sizes) for test in ("rawl2", "rawl2-all"))
    row_of = np.repeat(range(sum(sizes)), np.repeat(sizes, sizes))
    for t in range(1, with_all.rounds + 1):
        before = plain.history.partition(t - 1).colours
        rows = [tuple(sorted(before[row_of == u].tolist())) for u in range(sum(sizes))]
        keys: dict[object, int] = {}
        own = plain.history.partition(t).colours.tolist()
        expected = [
            keys.setdefault((colour, rows[u]), len(keys))
            for colour, u in zip(own, row_of.tolist(), strict=True)
        ]
        assert with_all.history.partition(t) == Partition.of(expected)


def test_only_the_readout_sees_that_another_part_of_the_graph_differs() -> None:
    """The triple r(a, b) with one or two isolated vertices beside it."""
    few, many = (
        RelationalGraph.from_triples([("a", "r", "b")], vertices=["c", *extra])
        for extra in ([], ["d"])
    )
    union = disjoint_union(few, many)
    both = {
        test: refine(union, test, blocks=(3, 4)).history for test in ("rawl2", "rwl2", "rawl2-all")
    }
    # The pair (a, b) of both graphs: rows of three and of four pairs.
    assert [both[test].separated_at(1, 9 + 1) for test in both] == [None, None, 1]


@given(graph=relational_graphs(max_vertices=5), test=st.sampled_from(list(PAIR_TESTS)))
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
