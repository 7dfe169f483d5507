"""Groups of vertices that a test does not separate, against a search through all rounds."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.oracles import ORACLES, refine_slowly
from tests.strategies import relational_graphs
from wlkg.analysis.classes import Group, classes
from wlkg.errors import TooLargeError, UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import RDF_TYPE

FAMILY = "examples/graphs/family.ttl"
names = st.sampled_from(sorted(ORACLES))


def _groups(colours: Sequence[Hashable], chosen: Sequence[int]) -> set[frozenset[int]]:
    """The classes of a colouring on the chosen vertices."""
    return {frozenset(w for w in chosen if colours[w] == colours[v]) for v in chosen}


def _slowly(
    graph: RelationalGraph, rounds: Sequence[Sequence[Hashable]], chosen: Sequence[int]
) -> list[Group]:
    """All classes of the last round with the first round at which each was a class."""
    expected = []
    for members in _groups(rounds[-1], chosen):
        born = next(t for t, now in enumerate(rounds) if members in _groups(now, chosen))
        vertices = tuple(sorted(graph.vertex_names[v] for v in members))
        expected.append(Group(len(members), born, vertices))
    return sorted(expected, key=lambda group: (-group.size, group.vertices))


@settings(max_examples=600)
@given(graph=relational_graphs(), test=names, data=st.data())
def test_groups_are_those_of_a_search_through_all_rounds(
    graph: RelationalGraph, test: str, data: st.DataObject
) -> None:
    rounds = refine_slowly(graph, test, graph.direction)
    stop = data.draw(st.none() | st.integers(0, 4))
    vertices = list(range(graph.num_vertices))
    among = data.draw(st.none() | st.lists(st.sampled_from(vertices))) if vertices else None
    chosen = vertices if among is None else sorted(set(among))
    expected = _slowly(graph, rounds[: None if stop is None else stop + 1], chosen)
    least, limit = data.draw(st.integers(0, 3)), data.draw(st.none() | st.integers(0, 3))
    result = classes(graph, test, round=stop, among=among, min_size=least, limit=limit)
    large = [group for group in expected if group.size >= least]
    assert list(result.groups) == large[:limit]
    assert result.omitted == len(large) - len(result.groups)
    assert (result.vertices, result.classes) == (len(chosen), len(expected))
    assert result.alone == sum(group.size == 1 for group in expected)
    assert result.indistinguishable_pairs == sum(g.size * (g.size - 1) // 2 for g in expected)
    assert result.round == min(len(rounds) - 1, len(rounds) if stop is None else stop)
    assert (result.test, result.direction, result.exact) == (test, graph.direction, True)


def test_classes_of_a_tuple_test_are_classes_of_vertices() -> None:
    union = wlkg.disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    assert [group.size for group in classes(union).groups] == [12]
    two = classes(union, "2-rlwl")
    assert [(group.size, group.vertices[0]) for group in two.groups] == [(6, "1/0"), (6, "2/0")]


def test_members_are_cut_and_ordered_as_numbers_where_they_are_numbers() -> None:
    star = RelationalGraph.from_triples([("hub", "to", i) for i in range(12)])
    (group,) = classes(star.permuted(range(13)[::-1]), members=3).groups
    assert group == Group(size=12, round=1, vertices=("0", "1", "2"))
    assert classes(star, members=0).groups[0].vertices == ()
    (group,) = classes(RelationalGraph.from_arrays([], [], [], num_vertices=11)).groups
    assert group.vertices[-1] == "10"


def test_a_type_is_named_in_full_with_a_prefix_or_by_its_end() -> None:
    family = wlkg.read(FAMILY)
    results = [classes(family, type=name) for name in ("foaf:Person", "Person")]
    results.append(classes(family, type="http://xmlns.com/foaf/0.1/Person"))
    assert results[0] == results[1] == results[2]
    assert (results[0].vertices, results[0].classes) == (6, 5)
    (group,) = results[0].groups
    assert [name.rpartition("#")[2] for name in group.vertices] == ["dana", "eli"]
    given = classes(family, type="x:Marriage", prefixes={"x": "http://example.org/family#"})
    assert given.vertices == 2
    both = classes(family, type="Person", among=[":ada", ":ben", "Ulm"], min_size=1)
    assert (both.vertices, both.alone) == (2, 2)
    with pytest.raises(UsageError, match=r"no vertex is called ':adda'.*:ada"):
        classes(family, among=[":ada", ":adda"])
    with pytest.raises(UsageError, match="'Ben' fits 2 vertices"):
        classes(family, among=["Ben"])
    with pytest.raises(UsageError, match=r"--type: no type is called 'Persona'.*foaf:Person"):
        classes(family, type="Persona")
    with pytest.raises(wlkg.WlkgError, match=f"--type x: the graph has no relation {RDF_TYPE}"):
        classes(wlkg.read("example:c6"), type="x")


def test_the_end_of_a_type_need_only_be_unique_among_types() -> None:
    graph = RelationalGraph.from_triples(
        [("http://a/x", RDF_TYPE, "http://a/Cat"), ("http://b/Cat", "http://a/likes", "http://a/x")]
    )
    assert classes(graph, type="Cat").vertices == 1


@pytest.mark.parametrize("option", ["min_size", "limit", "members"])
def test_negative_numbers_are_refused(option: str) -> None:
    with pytest.raises(UsageError, match=f"{option} must not be negative, found -1"):
        classes(wlkg.read("example:c6"), **{option: -1})  # type: ignore[arg-type]


def test_a_list_that_does_not_fit_and_ids_that_are_none_are_refused() -> None:
    many = RelationalGraph.from_arrays([], [], [], num_vertices=100_000)
    with pytest.raises(TooLargeError, match=r"100,000 names.*--limit or --members"):
        classes(many, max_memory=1_000_000)
    assert classes(many, members=2, max_memory=1_000_000).groups[0].size == 100_000
    with pytest.raises(UsageError, match=r"ids of vertices are 0 \.\. 99999"):
        classes(many, among=[100_000])


def test_a_graph_without_vertices_has_no_classes() -> None:
    result = classes(RelationalGraph.from_triples([]))
    assert (result.vertices, result.classes, result.alone, result.groups) == (0, 0, 0, ())


def test_aifb_has_its_classes_and_pairs(data_dir: Path) -> None:
    aifb = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz")
    result = classes(aifb)
    assert (result.vertices, result.classes, result.round) == (8285, 7399, 4)
    assert result.indistinguishable_pairs == 3919
    assert sum(group.size for group in result.groups) + result.alone == 8285
    partition = wlkg.refine(aifb).partition
    first = [aifb.vertex(name) for name in result.groups[0].vertices]
    assert len(first) == partition.sizes.max() == len(np.unique(first))
    assert len(np.unique(partition.colours[first])) == 1
    alike = wlkg.same_pairs(wlkg.refine(aifb), limit=3)
    assert (alike.count, len(alike.pairs)) == (3919, 3)
