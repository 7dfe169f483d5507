"""Symmetries: against all permutations on tiny graphs, and the facts about known graphs."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import wlkg
from tests.analysis.symmetry.brute_force import facts, isomorphisms, orbits
from tests.analysis.symmetry.libraries import DEJAVU, needs_dejavu, needs_igraph, use_library
from tests.strategies import relational_graphs, renamed, renumbered
from wlkg.analysis.symmetry.symmetry import symmetry
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import MissingExtraError
from wlkg.examples import example
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union

every_direction = pytest.mark.parametrize("direction", DIRECTIONS)


@st.composite
def symmetric_graphs(draw: st.DrawFn) -> RelationalGraph:
    """Graphs on six vertices with more symmetries than random ones have: orbits of arcs."""
    moves = draw(st.lists(st.permutations(range(6)), min_size=1, max_size=2))
    vertex, relation = st.integers(0, 5), st.integers(0, 1)
    triples = set(draw(st.lists(st.tuples(vertex, relation, vertex), max_size=3)))
    while True:
        more = {(move[h], i, move[t]) for move in moves for h, i, t in triples} - triples
        if not more:
            break
        triples |= more
    rows = np.array(sorted(triples), dtype=np.int64).reshape(-1, 3).T
    return RelationalGraph.from_arrays(
        *rows,
        num_vertices=6,
        relation_names=["a", "b"],
        direction=draw(st.sampled_from(DIRECTIONS)),
    )


def check_against_all_permutations(graph: RelationalGraph) -> None:
    automorphisms = isomorphisms(facts(graph), facts(graph))
    found = symmetry(graph, seconds=600)
    event(f"order {len(automorphisms)}")
    assert found.orbits == orbits(automorphisms, graph.num_vertices)
    assert found.group_order == len(automorphisms)
    assert found.proven
    assert found.complete is (found.orbits == wlkg.refine(graph).partition)
    for moves in found.generators:
        assert tuple(moves.get(v, v) for v in range(graph.num_vertices)) in automorphisms


@needs_igraph
@every_direction
@given(graph=relational_graphs(max_vertices=6))
@settings(max_examples=60)
def test_orbits_and_order_are_those_of_all_permutations(
    graph: RelationalGraph, direction: Direction
) -> None:
    check_against_all_permutations(graph.with_direction(direction))


@needs_igraph
@given(graph=symmetric_graphs())
@settings(max_examples=150)
def test_orbits_and_order_of_graphs_with_many_symmetries(graph: RelationalGraph) -> None:
    check_against_all_permutations(graph)


@needs_igraph
@given(graph=st.one_of(symmetric_graphs(), relational_graphs()))
@settings(max_examples=200)
def test_classes_are_never_finer_than_orbits(graph: RelationalGraph) -> None:
    tests = ["1-wl", "weak-rwl", "1-rwl", "2-rlwl"]
    found = symmetry(graph, tests, seconds=600)
    for row in found.tests:
        classes = wlkg.refine(graph, row.test).vertices.partition()
        assert found.orbits.refines(classes)
        assert row.complete is (classes == found.orbits)
        assert (row.open_pair is None) is row.complete
        if row.open_pair is not None:
            v, w = map(graph.vertex, row.open_pair)
            assert classes.colours[v] == classes.colours[w]
            assert found.maps(v, w) is None


@needs_igraph
@given(graph=st.one_of(symmetric_graphs(), relational_graphs()), data=st.data())
@settings(max_examples=100)
def test_a_symmetry_maps_v_to_w_exactly_if_they_share_an_orbit(
    graph: RelationalGraph, data: st.DataObject
) -> None:
    found = symmetry(graph, seconds=600)
    if not graph.num_vertices:
        return
    vertex = st.integers(0, graph.num_vertices - 1)
    v, w = data.draw(vertex), data.draw(vertex)
    moves = found.maps(v, w)
    if moves is None:
        assert found.orbits.colours[v] != found.orbits.colours[w]
        return
    assert moves.get(v, v) == w
    arcs, labels = facts(graph)
    assert {(moves.get(a, a), i, moves.get(b, b)) for a, i, b in arcs} == arcs
    assert all(labels[a] == labels[b] for a, b in moves.items())
    assert all(a != b for a, b in moves.items())


@needs_igraph
@given(graph=st.one_of(symmetric_graphs(), relational_graphs()), data=st.data())
@settings(max_examples=80)
def test_names_and_numbers_do_not_matter(graph: RelationalGraph, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(graph.num_vertices)))
    one = symmetry(graph, seconds=600)
    for copy in (renumbered(graph, order), renamed(graph, order)):
        two = symmetry(copy, seconds=600)
        assert two.orbits == one.orbits.restricted(order)
        assert (two.group_order, two.complete) == (one.group_order, one.complete)


# -- other libraries ------------------------------------------------------------------------------


@needs_dejavu
@given(graph=st.one_of(symmetric_graphs(), relational_graphs()))
@settings(max_examples=60)
def test_dejavu_finds_the_same_orbits_and_claims_less(graph: RelationalGraph) -> None:
    with pytest.MonkeyPatch.context() as patch:
        use_library(patch, DEJAVU)
        found = symmetry(graph, seconds=600)
    expected = orbits(isomorphisms(facts(graph), facts(graph)), graph.num_vertices)
    assert found.orbits == expected
    is_complete = expected == wlkg.refine(graph).partition
    if is_complete:
        assert (found.complete, found.proven) == (True, True)
    elif found.cores:
        # A test that separates the pair proves that the orbits differ.
        assert found.complete is None or found.tests[0].separated_by is not None
    else:
        assert found.complete is False
    assert (found.group_order is None) is bool(found.cores)


@given(graph=relational_graphs(max_vertices=6))
@settings(max_examples=60)
def test_without_a_library_colours_and_swaps_settle_it_or_nothing_is_claimed(
    graph: RelationalGraph,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        use_library(patch, None)
        try:
            found = symmetry(graph)
        except MissingExtraError:
            event("needs a library")
            return
    automorphisms = isomorphisms(facts(graph), facts(graph))
    assert found.orbits == orbits(automorphisms, graph.num_vertices)
    assert found.group_order == len(automorphisms)


# -- known graphs ---------------------------------------------------------------------------------


@needs_igraph
@pytest.mark.parametrize(
    ("name", "orbit_count", "order"),
    [
        ("petersen", 1, 120),
        ("rook", 1, 1152),
        ("shrikhande", 1, 192),
        ("c6", 1, 12),
        ("2xc3", 1, 72),
        ("dodecahedron", 1, 120),
    ],
)
def test_orbits_and_orders_of_known_graphs(name: str, orbit_count: int, order: int) -> None:
    found = symmetry(example(name))
    assert (found.orbits.num_classes, found.group_order) == (orbit_count, order)
    assert found.complete is True


@needs_igraph
def test_an_open_pair_is_named_with_a_test_that_separates_it() -> None:
    graph = disjoint_union(example("c6"), example("2xc3"))
    found = symmetry(graph, ["1-rwl", "2-rlwl"])
    assert found.orbits.num_classes == 2
    assert found.group_order == 12 * 72
    one, two = found.tests
    assert (one.classes, one.complete, one.separated_by) == (1, False, "2-rlwl")
    assert one.open_pair == ("1/0", "2/0")
    assert (two.classes, two.complete, two.open_pair) == (2, True, None)


def test_equal_leaves_and_equal_components_are_swapped_without_a_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_library(monkeypatch, None)
    # Three stars: two with four leaves each, one with five.
    arms = {"x": 4, "y": 4, "z": 5}
    graph = RelationalGraph.from_triples(
        [(hub, "r", f"{hub}{i}") for hub, count in arms.items() for i in range(count)]
    )
    found = symmetry(graph)
    assert found.group_order == math.factorial(4) ** 2 * 2 * math.factorial(5)
    assert found.orbits.num_classes == 4
    moves = found.maps(graph.vertex("x0"), graph.vertex("y3"))
    assert moves is not None
    assert moves[graph.vertex("x")] == graph.vertex("y")
    leaves = found.maps(graph.vertex("z1"), graph.vertex("z4"))
    assert leaves == {
        graph.vertex("z1"): graph.vertex("z4"),
        graph.vertex("z4"): graph.vertex("z1"),
    }


def test_long_paths_and_deep_trees_take_neither_recursion_nor_a_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_library(monkeypatch, None)
    size = 20_000
    path = RelationalGraph.from_arrays(
        np.arange(size - 1), np.zeros(size - 1, int), np.arange(1, size), direction="undirected"
    )
    found = symmetry(path)
    assert (found.orbits.num_classes, found.group_order) == (size // 2, 2)
    heap = np.arange(1, 2**12 - 1)
    tree = RelationalGraph.from_arrays((heap - 1) // 2, np.zeros(len(heap), int), heap)
    found = symmetry(tree)
    assert (found.orbits.num_classes, found.group_order) == (12, 2 ** (2**11 - 1))


def test_a_graph_without_vertices_has_one_symmetry() -> None:
    found = symmetry(RelationalGraph.from_triples([]))
    assert (found.orbits.num_classes, found.group_order, found.complete) == (0, 1, True)
    assert list(found.generators) == []


# -- real graphs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "orbit_count"),
    [
        ("aifb/aifb_stripped.nt.gz", 7_399),
        ("kg/WN18RR/train.txt", 34_361),
        ("kg/FB15k-237/train.txt", 14_246),
        ("kg/grail/WN18RR_v1_ind/train.txt", 882),
        ("kg/grail/WN18RR_v3_ind/train.txt", 3_423),
        ("kg/grail/fb237_v1_ind/train.txt", 966),
        ("kg/umls/train.txt", 135),
        ("kg/nations/train.txt", 14),
    ],
)
def test_classes_of_1_rwl_are_the_orbits_of_real_graphs(
    data_dir: Path, place: str, orbit_count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_library(monkeypatch, None)
    found = symmetry(wlkg.read(data_dir / place))
    assert (found.orbits.num_classes, found.complete) == (orbit_count, True)
    assert found.proven
