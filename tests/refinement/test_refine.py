"""`refine` checks the size and runs; `run_test` only runs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.strategies import relational_graphs
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import TooLargeError, UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import check_size, refine, run_test


def test_a_run_without_a_check_ignores_the_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = wlkg.read("example:c6")
    monkeypatch.setattr("wlkg.memory.free_memory", lambda: 0)
    with pytest.raises(TooLargeError):
        check_size("2-rlwl", [6])
    with pytest.raises(TooLargeError):
        refine(graph, "2-rlwl")
    assert run_test(graph, "2-rlwl").classes_per_round == [3, 4]


@pytest.mark.parametrize("test", ["1-wl", "1-rwl", "2-rlwl"])
@given(graph=relational_graphs(max_vertices=4), direction=st.sampled_from(DIRECTIONS))
@settings(max_examples=20)
def test_a_direction_is_the_same_as_a_graph_in_that_direction(
    graph: RelationalGraph, direction: Direction, test: str
) -> None:
    refinement = refine(graph, test, direction)
    expected = run_test(graph.with_direction(direction), test)
    assert refinement.direction == expected.direction == direction
    assert refinement.classes_per_round == expected.classes_per_round
    assert refinement.partition == expected.partition
    assert refine(graph, test).direction == graph.direction


def test_wrong_options_are_refused_before_the_size() -> None:
    graph = wlkg.read("example:c6")
    with pytest.raises(UsageError, match="negative"):
        refine(graph, "5-wl", rounds=-1, max_memory=1)
    with pytest.raises(UsageError, match="engine"):
        refine(graph, "5-wl", engine="steam", max_memory=1)
