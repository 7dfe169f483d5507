"""RelationalGraph: its checks, its derived graphs, and equality."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import labels_by_name, relational_graphs
from wlkg import RelationalGraph, WlkgError, disjoint_union
from wlkg.errors import GraphError

Named = set[tuple[str, str, str]]


def named(graph: RelationalGraph) -> Named:
    return set(graph.named_triples())


# -- building -----------------------------------------------------------------------------------


@given(relational_graphs())
def test_triples_are_sorted_distinct_and_read_only(graph: RelationalGraph) -> None:
    rows = list(zip(graph.head.tolist(), graph.relation.tolist(), graph.tail.tolist(), strict=True))
    assert rows == sorted(set(rows))
    arrays = [graph.head, graph.relation, graph.tail]
    arrays += [] if graph.labels is None else [graph.labels]
    assert not any(array.flags.writeable for array in arrays)
    assert all(array.dtype == np.int32 for array in arrays)


def test_repeated_triples_are_dropped_and_counted() -> None:
    graph = RelationalGraph.from_arrays([0, 0, 0, 1], [0, 0, 1, 0], [1, 1, 1, 0])
    assert (graph.num_triples, graph.duplicates) == (3, 1)
    assert repr(graph) == "RelationalGraph(2 vertices, 3 triples, 2 relations)"


def test_building_does_not_change_the_given_arrays() -> None:
    head = np.array([1, 0], dtype=np.int32)
    labels = np.array([1, 0], dtype=np.int32)
    graph = RelationalGraph.from_arrays(head, [0, 0], [0, 1], labels=labels)
    head[:] = labels[:] = 0
    assert graph.head.tolist() == [0, 1]
    assert graph.labels is not None
    assert graph.labels.tolist() == [1, 0]


def test_names_default_to_the_numbers() -> None:
    graph = RelationalGraph.from_arrays([0], [1], [2], num_vertices=4)
    assert list(graph.vertex_names) == ["0", "1", "2", "3"]
    assert graph.relation_names == ("0", "1")
    assert graph.isolated.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"head": [0, 3], "num_vertices": 3}, "vertex id 3 does not lie in 0 .. 2"),
        ({"head": [0, -1]}, "vertex id -1 does not lie in"),
        ({"tail": [0, 2**40], "num_vertices": 3}, f"vertex id {2**40} does not"),
        ({"relation": [0, 1], "relation_names": ["r"]}, "relation id 1 does not lie in 0 .. 0"),
        ({"head": [0.0, 1.0]}, "head must hold integers, found float64"),
        ({"relation": [True, False]}, "relation must hold integers, found bool"),
        ({"tail": ["0", "1"]}, "tail must hold integers"),
        ({"head": [[0, 1]]}, "head must be one-dimensional, found 2 dimensions"),
        ({"head": [[0], [0, 1]]}, "head must be one-dimensional"),
        ({"tail": [0]}, "same length, found 2, 2, 1"),
        ({"num_vertices": -1}, "must not be negative, found -1"),
        ({"num_vertices": 3, "vertex_names": ["a", "b"]}, "2 vertex names for 3"),
        ({"vertex_names": ["a", "a"]}, "vertex names are not distinct"),
        ({"vertex_names": ["a", ""]}, "a vertex has an empty name"),
        ({"vertex_names": ["a", 7]}, "vertex names must be text, found 7"),
        ({"vertex_names": ["a", "\ud800"]}, "half of a surrogate pair"),
        ({"relation_names": ["r", "r"]}, "relation names are not distinct"),
        ({"relation_names": [""]}, "a relation has an empty name"),
        ({"relation_names": ["r^-1"]}, "'r\\^-1' ends in the reserved suffix"),
        ({"labels": [0]}, "1 labels for 2 vertices"),
        ({"labels": [0, -1]}, "label id -1"),
        ({"labels": [0, 2], "label_names": ["x", "y"]}, "label id 2 does not lie in 0 .. 1"),
        ({"direction": "up"}, "unknown direction 'up'"),
    ],
)
def test_arguments_that_do_not_form_a_graph_are_refused(
    arguments: dict[str, Any], message: str
) -> None:
    given: dict[str, Any] = {"head": [0, 1], "relation": [0, 0], "tail": [1, 0]}
    with pytest.raises(WlkgError, match=message):
        RelationalGraph.from_arrays(**given | arguments)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.int64, ">i4"])
def test_any_integer_type_is_accepted(dtype: Any) -> None:
    column = np.array([1, 0], dtype=dtype)
    graph = RelationalGraph.from_arrays(column, column, column[::-1], labels=column)
    assert graph == RelationalGraph.from_arrays([1, 0], [1, 0], [0, 1], labels=[1, 0])


def test_a_graph_may_be_empty() -> None:
    graph = RelationalGraph.from_arrays([], [], [])
    assert (graph.num_vertices, graph.num_triples, graph.num_relations) == (0, 0, 0)
    assert len(graph.arcs()) == 0
    assert graph == disjoint_union() == RelationalGraph.from_triples([])


@given(st.lists(st.tuples(*[st.sampled_from(["a", "10", "9", "b c", "é"])] * 3)), st.randoms())
def test_the_order_of_the_triples_does_not_matter(rows: list[Any], random: Any) -> None:
    graph = RelationalGraph.from_triples(rows, vertices=["z", "10"])
    random.shuffle(rows)
    shuffled = RelationalGraph.from_triples(rows, vertices=["10", "z"])
    assert graph == shuffled
    assert graph.duplicates == shuffled.duplicates == len(rows) - len(set(rows))
    assert named(graph) == set(rows)
    assert {"z", "10"} <= set(graph.vertex_names)


def test_names_in_triples_may_be_anything_that_has_a_text() -> None:
    graph = RelationalGraph.from_triples([(10, ("is", 1), 9)])
    assert graph.vertex_names == ("9", "10")
    assert graph.relation_names == ("('is', 1)",)


def test_arrays_and_arcs_take_at_most_60_bytes_per_triple() -> None:
    rng = np.random.default_rng(0)
    count = 200_000
    head, tail = rng.integers(0, count, (2, count))
    graph = RelationalGraph.from_arrays(head, rng.integers(0, 50, count), tail, num_vertices=count)
    assert graph.num_triples > 0.99 * count
    arcs = graph.arcs("both")
    arrays = (graph.head, graph.relation, graph.tail, arcs.offsets, arcs.relation, arcs.neighbour)
    assert sum(array.nbytes for array in arrays) <= 60 * graph.num_triples


# -- inspecting ---------------------------------------------------------------------------------


def test_a_vertex_is_found_by_its_name_or_its_iri_in_brackets() -> None:
    graph = RelationalGraph.from_triples([("http://e/a", "r", "<b>")])
    assert graph.vertex("http://e/a") == graph.vertex("<http://e/a>") == 1
    assert graph.vertex("<b>") == 0
    with pytest.raises(GraphError, match="no vertex is called 'b'"):
        graph.vertex("b")


@given(relational_graphs())
def test_loops_and_isolated_vertices_are_counted(graph: RelationalGraph) -> None:
    rows = list(graph.named_triples())
    assert graph.num_self_loops == sum(h == t for h, _, t in rows)
    touched = {name for h, _, t in rows for name in (h, t)}
    isolated = {graph.vertex_names[i] for i in graph.isolated.tolist()}
    assert isolated == set(graph.vertex_names) - touched


# -- deriving -----------------------------------------------------------------------------------


@given(relational_graphs(), st.randoms(use_true_random=False))
def test_a_permuted_copy_has_the_same_names_triples_and_labels(
    graph: RelationalGraph, random: Any
) -> None:
    order = list(range(graph.num_vertices))
    random.shuffle(order)
    copy = graph.permuted(order)
    assert list(copy.vertex_names) == [graph.vertex_names[i] for i in order]
    assert named(copy) == named(graph)
    assert copy.direction == graph.direction
    if graph.labels is not None:
        assert labels_by_name(copy) == labels_by_name(graph)
    assert copy.permuted(np.argsort(order).astype(np.int64)) == graph


@pytest.mark.parametrize("order", [[0, 0, 1], [0, 1], [1, 2, 3], [0, 1, 2, 3], [0.0, 1.0, 2.0]])
def test_only_a_permutation_is_accepted(order: list[int]) -> None:
    with pytest.raises(GraphError):
        RelationalGraph.from_arrays([0], [0], [2]).permuted(order)


@given(relational_graphs(), st.data())
def test_an_induced_subgraph_keeps_what_lies_inside(
    graph: RelationalGraph, data: st.DataObject
) -> None:
    ids = data.draw(st.permutations(range(graph.num_vertices)))
    ids = ids[: data.draw(st.integers(0, len(ids)))]
    part = graph.induced(ids)
    names = [graph.vertex_names[i] for i in ids]
    assert list(part.vertex_names) == names
    assert named(part) == {(h, r, t) for h, r, t in named(graph) if h in names and t in names}
    assert (part.labels is None) == (graph.labels is None)
    if graph.labels is not None:
        assert labels_by_name(part) == {name: labels_by_name(graph)[name] for name in names}


@pytest.mark.parametrize("vertices", [[3], [-1], [0, 0]])
def test_an_induced_subgraph_needs_vertices_of_the_graph(vertices: list[int]) -> None:
    with pytest.raises(GraphError):
        RelationalGraph.from_arrays([0], [0], [2]).induced(vertices)


@given(
    relational_graphs(max_vertices=4, directions=("both",)),
    relational_graphs(max_vertices=4, directions=("both",)),
)
def test_a_disjoint_union_matches_relations_and_labels_by_name(
    first: RelationalGraph, second: RelationalGraph
) -> None:
    union = disjoint_union(first, second)
    assert named(union) == {
        (f"{i}/{h}", r, f"{i}/{t}")
        for i, graph in ((1, first), (2, second))
        for h, r, t in named(graph)
    }
    assert set(union.relation_names) == {*first.relation_names, *second.relation_names}
    assert list(union.vertex_names) == [f"1/{v}" for v in first.vertex_names] + [
        f"2/{v}" for v in second.vertex_names
    ]
    if first.labels is None and second.labels is None:
        assert union.labels is None
    else:
        expected = {
            f"{i}/{v}": "" if graph.labels is None else labels_by_name(graph)[v]
            for i, graph in ((1, first), (2, second))
            for v in graph.vertex_names
        }
        assert labels_by_name(union) == expected


def test_relations_of_two_graphs_are_matched_by_name_and_not_by_number() -> None:
    first = RelationalGraph.from_triples([("x", "a", "y"), ("x", "b", "y")])
    second = RelationalGraph.from_triples([("x", "b", "y"), ("x", "c", "y")])
    union = disjoint_union(first, second)
    assert union.relation_names == ("a", "b", "c")
    assert np.bincount(union.relation).tolist() == [1, 2, 1]


def test_graphs_with_different_direction_modes_have_no_union() -> None:
    graph = RelationalGraph.from_triples([("x", "a", "y")])
    with pytest.raises(GraphError, match="different direction modes: both, out"):
        disjoint_union(graph, graph.with_direction("out"))


@given(relational_graphs(directions=("undirected",)))
def test_both_ways_gives_the_neighbours_of_the_undirected_graph(graph: RelationalGraph) -> None:
    twice = graph.both_ways()
    for left, right in ((twice.arcs("out"), graph.arcs()), (twice.arcs("in"), graph.arcs())):
        assert np.array_equal(left.offsets, right.offsets)
        assert np.array_equal(left.relation, right.relation)
        assert np.array_equal(left.neighbour, right.neighbour)


# -- comparing ----------------------------------------------------------------------------------


@given(relational_graphs())
def test_a_graph_equals_itself_rebuilt(graph: RelationalGraph) -> None:
    assert graph == graph.induced(np.arange(graph.num_vertices))


BASE = RelationalGraph.from_triples([("a", "r", "b"), ("b", "s", "c")]).with_labels("xxy")


@pytest.mark.parametrize(
    "other",
    [
        BASE.with_direction("out"),
        BASE.with_labels("xyx"),
        BASE.with_labels("xxz"),
        BASE.permuted([1, 0, 2]),
        RelationalGraph.from_triples([("a", "r", "b"), ("b", "s", "c")]),
        RelationalGraph.from_triples([("a", "r", "b"), ("c", "s", "b")]).with_labels("xxy"),
        RelationalGraph.from_triples([("a", "r", "b"), ("b", "t", "c")]).with_labels("xxy"),
        RelationalGraph.from_triples([("a", "r", "b"), ("b", "s", "d")]).with_labels("xxy"),
        "a graph",
    ],
)
def test_any_difference_makes_graphs_unequal(other: object) -> None:
    assert other != BASE


def test_implicit_number_names_equal_stored_names() -> None:
    numbers = RelationalGraph.from_arrays([0], [0], [1], relation_names=["r"])
    assert numbers == RelationalGraph.from_triples([("0", "r", "1")])
    assert numbers != RelationalGraph.from_triples([("0", "r", "2")])


def test_a_graph_is_immutable_and_has_no_hash() -> None:
    with pytest.raises(AttributeError):
        BASE.direction = "out"  # type: ignore[misc]
    with pytest.raises(TypeError, match="unhashable"):
        hash(BASE)


# -- labels -------------------------------------------------------------------------------------


def test_labels_are_given_by_name_or_in_id_order() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    by_name = graph.with_labels({"b": "10", "a": "9", "elsewhere": "x"})
    assert by_name == graph.with_labels(["9", "10"])
    assert by_name.label_names == ("9", "10")
    with pytest.raises(GraphError, match="1 vertex has no label: b"):
        graph.with_labels({"a": "x"})
    with pytest.raises(GraphError, match="3 labels for 2 vertices"):
        graph.with_labels(["x", "y", "z"])


def test_derived_graphs_share_the_arcs() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b"), ("b", "s", "c")])
    arcs = graph.arcs()
    labelled = graph.with_labels(["x", "y", "x"])
    turned = labelled.with_direction("out")
    assert labelled.arcs() is arcs
    assert turned.arcs("both") is arcs
    assert graph.arcs("out") is turned.arcs()


def test_without_a_direction_a_graph_keeps_its_own() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")], direction="in")
    assert graph.with_direction(None) is graph
    assert graph.with_direction("in") is graph
    assert graph.with_direction("out").direction == "out"
