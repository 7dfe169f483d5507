"""The arcs of all direction modes against a dictionary of sets."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given

from tests.strategies import relational_graphs
from wlkg import WlkgError
from wlkg.catalogue import DIRECTIONS, Direction, check_direction
from wlkg.graph.relational_graph import RelationalGraph

Neighbours = dict[int, set[tuple[str, int]]]


def obvious_arcs(graph: RelationalGraph, direction: Direction) -> Neighbours:
    """For each vertex the set of (relation name, neighbour), by the definition."""
    arcs: Neighbours = defaultdict(set)
    names = graph.relation_names
    for h, r, t in zip(
        graph.head.tolist(), graph.relation.tolist(), graph.tail.tolist(), strict=True
    ):
        if direction != "in":
            arcs[h].add((names[r], t))
        if direction in ("in", "undirected"):
            arcs[t].add((names[r], h))
        if direction == "both":
            arcs[t].add((names[r] + "^-1", h))
    return arcs


@pytest.mark.parametrize("direction", DIRECTIONS)
@given(graph=relational_graphs())
def test_arcs_are_those_of_the_definition_in_sorted_order(
    direction: Direction, graph: RelationalGraph
) -> None:
    arcs = graph.arcs(direction)
    expected = obvious_arcs(graph, direction)
    assert len(arcs) == sum(map(len, expected.values()))
    assert arcs.num_vertices == graph.num_vertices
    assert arcs.num_relations == graph.num_relations * (2 if direction == "both" else 1)
    for v in range(graph.num_vertices):
        part = slice(arcs.offsets[v], arcs.offsets[v + 1])
        rows = list(zip(arcs.relation[part].tolist(), arcs.neighbour[part].tolist(), strict=True))
        assert rows == sorted(set(rows))
        assert {(arcs.relation_names[r], u) for r, u in rows} == expected[v]


@pytest.mark.parametrize("direction", DIRECTIONS)
@given(graph=relational_graphs())
def test_the_source_of_an_arc_is_the_vertex_that_it_belongs_to(
    direction: Direction, graph: RelationalGraph
) -> None:
    arcs = graph.arcs(direction)
    expected = [
        v for v in range(arcs.num_vertices) for _ in range(arcs.offsets[v], arcs.offsets[v + 1])
    ]
    assert arcs.source.tolist() == expected
    assert arcs.source.dtype == np.int64


@pytest.mark.parametrize("direction", DIRECTIONS)
@given(graph=relational_graphs())
def test_without_relations_every_neighbour_occurs_once(
    direction: Direction, graph: RelationalGraph
) -> None:
    arcs = graph.arcs(direction).without_relations()
    expected = obvious_arcs(graph, direction)
    assert arcs.num_vertices == graph.num_vertices
    assert arcs.num_relations == 1
    assert not arcs.relation.any()
    for v in range(graph.num_vertices):
        neighbours = arcs.neighbour[arcs.offsets[v] : arcs.offsets[v + 1]].tolist()
        assert neighbours == sorted({u for _, u in expected[v]})


@pytest.mark.parametrize(
    ("direction", "count"), [("both", 2), ("undirected", 1), ("out", 1), ("in", 1)]
)
def test_a_loop_is_one_arc_but_two_with_the_inverse_relation(
    direction: Direction, count: int
) -> None:
    assert len(RelationalGraph.from_triples([("a", "r", "a")]).arcs(direction)) == count


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_arcs_are_built_once_and_cannot_be_changed(direction: Direction) -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b"), ("b", "s", "a")])
    arcs = graph.arcs(direction)
    assert graph.arcs(direction) is arcs
    assert arcs.source is arcs.source
    arrays = (arcs.offsets, arcs.relation, arcs.neighbour, arcs.source)
    assert not any(array.flags.writeable for array in arrays)


@given(relational_graphs())
def test_without_a_mode_the_arcs_are_those_of_the_graphs_own_mode(graph: RelationalGraph) -> None:
    assert graph.arcs() is graph.arcs(graph.direction)


@given(relational_graphs())
def test_changing_the_mode_changes_the_default_arcs_only(graph: RelationalGraph) -> None:
    for direction in DIRECTIONS:
        changed = graph.with_direction(direction)
        assert np.array_equal(changed.arcs().neighbour, graph.arcs(direction).neighbour)
        assert np.array_equal(changed.head, graph.head)


def test_an_unknown_mode_is_refused_with_the_list_of_modes() -> None:
    with pytest.raises(WlkgError, match=r"'sideways'.*both, undirected, out, in"):
        check_direction("sideways")
