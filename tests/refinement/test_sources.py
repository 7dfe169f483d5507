"""Tests of pairs for some sources: the rows of the test that colours all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.oracles import refine_tuples_slowly
from tests.strategies import relational_graphs, renumbered
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import TooLargeError, UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.refine import refine
from wlkg.refinement.sources import SourceRefinement

graphs = relational_graphs(max_vertices=6).filter(lambda graph: graph.num_vertices)
both_tests = pytest.mark.parametrize("test", ["rawl2", "rawl2-all"])


def for_sources(
    graph: RelationalGraph, test: str, sources: list[int], direction: Direction | None = None
) -> SourceRefinement:
    refinement = refine(graph, test, direction, sources=sources)
    assert isinstance(refinement, SourceRefinement)
    return refinement


@both_tests
@given(graph=graphs, direction=st.sampled_from(DIRECTIONS), data=st.data())
@settings(max_examples=120)
def test_colours_are_those_of_dictionaries_in_every_round(
    graph: RelationalGraph, direction: Direction, data: st.DataObject, test: str
) -> None:
    n = graph.num_vertices
    sources = data.draw(st.lists(st.integers(0, n - 1), min_size=1))
    refinement = for_sources(graph, test, sources, direction)
    assert refinement.sources.tolist() == sorted(set(sources))
    items = np.add.outer(refinement.sources * n, np.arange(n)).reshape(-1)
    rounds = [
        Partition.of(np.array(now, dtype=np.int64)).restricted(items)
        for now in refine_tuples_slowly([graph], test, direction)
    ]
    assert (refinement.stable, refinement.exact) == (True, True)
    assert refinement.partition == rounds[-1]
    for t in range(refinement.rounds + 2):
        assert refinement.history.partition(t) == rounds[min(t, len(rounds) - 1)]
    changes = [rounds[t].num_classes for t in range(refinement.rounds + 1)]
    assert refinement.classes_per_round == changes
    assert refinement.num_items == len(items)


@both_tests
@given(graph=graphs, data=st.data())
@settings(max_examples=60)
def test_vertices_are_told_apart_by_any_source(
    graph: RelationalGraph, data: st.DataObject, test: str
) -> None:
    n = graph.num_vertices
    sources = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3))
    refinement = for_sources(graph, test, sources)
    history = refine(graph, test).history
    for v in range(n):
        for w in range(v):
            rounds = [history.separated_at(u * n + v, u * n + w) for u in sources]
            first = min((t for t in rounds if t is not None), default=None)
            assert refinement.vertices.separated_at(v, w) == first


@both_tests
@given(graph=graphs, data=st.data())
@settings(max_examples=40)
def test_numbers_of_vertices_do_not_matter(
    graph: RelationalGraph, data: st.DataObject, test: str
) -> None:
    n = graph.num_vertices
    order = data.draw(st.permutations(range(n)))
    sources = data.draw(st.lists(st.integers(0, n - 1), min_size=1))
    moved = renumbered(graph, order)
    one = for_sources(graph, test, sources)
    two = for_sources(moved, test, [moved.vertex(graph.vertex_names[u]) for u in sources])
    assert one.classes_per_round == two.classes_per_round
    assert one.distinguishable_per_round == two.distinguishable_per_round


@both_tests
def test_a_run_may_stop_early(test: str) -> None:
    graph = wlkg.read("example:cycles-g,n=6")
    stopped = refine(graph, test, sources=[0, 5], rounds=2)
    assert (stopped.rounds, stopped.stable) == (2, False)
    complete = refine(graph, test, sources=[0, 5])
    assert complete.stable
    assert complete.history.partition(2) == stopped.partition


def test_sources_are_named_by_name_or_by_number() -> None:
    graph = wlkg.read("example:weak-rwl")
    by_name, by_number = (
        refine(graph, "rawl2", sources=sources)
        for sources in (["w", "v"], [graph.vertex("v"), graph.vertex("w")])
    )
    assert by_name.partition == by_number.partition


def test_a_path_with_one_source_takes_memory_linear_in_the_path() -> None:
    """All pairs would be 90 gigabytes."""
    edges = np.arange(49_999)
    path = RelationalGraph.from_arrays(edges, 0 * edges, edges + 1, num_vertices=50_000)
    refinement = refine(path, "rawl2", sources=[0], max_memory=20_000_000)
    assert refinement.classes == 50_000
    with pytest.raises(TooLargeError, match="name fewer sources") as caught:
        refine(path, "rawl2", sources=range(1000), max_memory=20_000_000)
    assert "50,000,000 pairs" in str(caught.value)


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("rwl2", "moves from each source to others"),
        ("2-rlwl", "moves from each source to others"),
        ("3-wl", "moves from each source to others"),
        ("1-rwl", "colours vertices, and has no sources"),
    ],
)
def test_other_tests_have_no_sources(test: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as caught:
        refine(wlkg.read("example:c6"), test, sources=[0])
    assert "rawl2 or rawl2-all" in str(caught.value)


@pytest.mark.parametrize(
    ("sources", "message"),
    [([], "there is no source"), ([6], "no vertex number 6"), ([-1], "no vertex number -1")],
)
def test_sources_that_do_not_exist_are_refused(sources: list[int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        refine(wlkg.read("example:c6"), "rawl2", sources=sources)


def test_a_text_is_no_list_of_sources_and_blocks_have_none() -> None:
    graph = wlkg.read("example:c6")
    with pytest.raises(UsageError, match="must be a list"):
        refine(graph, "rawl2", sources="0")
    with pytest.raises(UsageError, match="cannot be combined"):
        refine(graph, "rawl2", sources=[0], blocks=(6,))
