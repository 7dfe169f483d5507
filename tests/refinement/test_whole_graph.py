"""Tests that also see non-neighbours: as defined on any number of graphs, and what that adds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.oracles import Colours, differ_slowly, refine_slowly
from tests.strategies import relational_graphs, switched
from wlkg.catalogue import DIRECTIONS, TESTS, Direction
from wlkg.errors import GraphError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.refinement.proof import EVERY_ROUND
from wlkg.refinement.refine import refine
from wlkg.refinement.results import Refinement

#: Each test, and the same without non-neighbours.
NAMES = {name: name.removesuffix("-all") for name, test in TESTS.items() if test.sees_all}
every_test = pytest.mark.parametrize("test", NAMES)
directions = st.sampled_from(DIRECTIONS)


@st.composite
def several_graphs(draw: st.DrawFn) -> list[RelationalGraph]:
    """Graphs of one direction mode, of different sizes or alike; some are copies of another."""
    graphs = [draw(relational_graphs(max_vertices=5, max_relations=2))]
    mode = (graphs[0].direction,)
    for _ in range(draw(st.integers(0, 3))):
        earlier = draw(st.sampled_from(graphs))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            graphs.append(draw(relational_graphs(5, 2, directions=mode)))
        elif kind == 1 and earlier.num_vertices <= 5:
            graphs.append(disjoint_union(earlier, earlier))
        else:
            graphs.append(draw(switched(earlier)))
    return graphs


def _sizes(graphs: list[RelationalGraph]) -> list[int]:
    return [graph.num_vertices for graph in graphs]


def _partitions(rounds: list[Colours]) -> list[Partition]:
    return [Partition.of(np.array(colours, dtype=np.int64)) for colours in rounds]


def _rounds(refinement: Refinement) -> list[Partition]:
    return [refinement.history.partition(t) for t in range(refinement.rounds + 1)]


def test_there_is_a_test_without_relations_and_one_with() -> None:
    assert NAMES == {"1-wl-all": "1-wl", "1-rwl-all": "1-rwl"}


@pytest.mark.parametrize("engine", ["local", "textbook"])
@every_test
@given(graphs=several_graphs(), direction=directions, last_round=st.integers(0, 5))
@settings(max_examples=80)
def test_every_round_equals_the_dictionary_version_on_several_graphs(
    graphs: list[RelationalGraph], direction: Direction, last_round: int, test: str, engine: str
) -> None:
    union, sizes = disjoint_union(*graphs), _sizes(graphs)
    slow = refine_slowly(union, test, direction, sizes)
    expected = _partitions(slow)
    refinement = refine(union, test, direction, blocks=sizes, engine=engine)
    assert refinement.stable
    assert refinement.exact
    assert _rounds(refinement) == expected
    assert refinement.partition == expected[-1]
    assert refinement.vertices.partition() == expected[-1]
    assert refinement.distinguishable_per_round == [p.distinguishable_pairs for p in expected]
    assert refinement.differs_at == differ_slowly(graphs, test, slow)
    stopped = refine(union, test, direction, last_round, blocks=sizes, engine=engine)
    assert _rounds(stopped) == expected[: last_round + 1]
    assert stopped.stable == (len(expected) - 1 < last_round)


@every_test
@given(graph=relational_graphs(), direction=directions)
@settings(max_examples=60)
def test_within_one_graph_non_neighbours_add_nothing(
    graph: RelationalGraph, direction: Direction, test: str
) -> None:
    assert _rounds(refine(graph, test, direction)) == _rounds(refine(graph, NAMES[test], direction))
    assert _partitions(refine_slowly(graph, test, direction)) == _partitions(
        refine_slowly(graph, NAMES[test], direction)
    )


@every_test
@given(graphs=several_graphs(), direction=directions)
@settings(max_examples=60)
def test_graphs_are_separated_at_the_same_round_with_and_without_non_neighbours(
    graphs: list[RelationalGraph], direction: Direction, test: str
) -> None:
    union, sizes = disjoint_union(*graphs), _sizes(graphs)
    with_others, without = (
        refine(union, name, direction, blocks=sizes) for name in (test, NAMES[test])
    )
    assert with_others.differs_at == without.differs_at
    for t in range(with_others.rounds + 1):
        assert with_others.history.partition(t).refines(without.history.partition(t))


@every_test
def test_vertices_of_different_graphs_are_separated_once_the_histograms_differ(test: str) -> None:
    triangle, square = wlkg.read("example:cycle,n=3"), wlkg.read("example:cycle,n=4")
    pair = disjoint_union(triangle, square)
    assert refine(pair, NAMES[test], blocks=[3, 4]).classes_per_round == [1]
    assert refine(pair, test, blocks=[3, 4]).classes_per_round == [1, 2]
    # As a single graph, all of its vertices have the same non-neighbours' colours.
    assert refine(pair, test).classes_per_round == [1]
    # Equal histograms: nothing is added, although the graphs are not isomorphic.
    hexagon, triangles = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    assert refine(disjoint_union(hexagon, triangles), test, blocks=[6, 6]).classes_per_round == [1]


@every_test
def test_graphs_without_relations_are_told_apart_by_their_sizes(test: str) -> None:
    small, large = (
        RelationalGraph.from_triples([], vertices=names, direction="out") for names in ("a", "ab")
    )
    refinement = refine(disjoint_union(small, large), test, blocks=[1, 2])
    assert refinement.partition.colours.tolist() == [0, 1, 1]
    assert refinement.differs_at == 0


@every_test
def test_a_loop_does_not_make_a_vertex_see_itself_twice(test: str) -> None:
    # One vertex with a loop and one with an arc to the other: both have one neighbour, one other.
    graph = RelationalGraph.from_triples([("a", "r", "a"), ("b", "r", "a")], direction="out")
    assert refine(graph, test).classes_per_round == [1]


def _path(n: int) -> RelationalGraph:
    v = np.arange(n - 1)
    return RelationalGraph.from_arrays(v, v * 0, v + 1, num_vertices=n, direction="undirected")


@every_test
def test_two_long_paths_keep_their_rounds_and_their_proof(test: str) -> None:
    refinement = refine(disjoint_union(_path(4001), _path(4000)), test, blocks=[4001, 4000])
    # The sizes differ from the start, so round 1 already tells the paths apart.
    assert refinement.history.separated_at(0, 4001) == 1
    assert refinement.history.separated_at(0, 1) == 1
    assert refinement.history.separated_at(1999, 2000) == 2000
    assert refinement.rounds == 2000
    assert refinement.classes == 2001 + 2000
    assert refinement.proof == EVERY_ROUND
    short = refine(disjoint_union(_path(4), _path(5)), test, blocks=[4, 5])
    assert short.proof == EVERY_ROUND


def test_an_arc_between_blocks_is_refused() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    with pytest.raises(GraphError, match="from one block of vertices to another"):
        refine(graph, "1-wl-all", blocks=[1, 1])
