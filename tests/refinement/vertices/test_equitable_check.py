"""Runs with a weakened hash function: the check passes exactly those that got every round right."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import refine_slowly
from tests.strategies import relational_graphs
from wlkg.catalogue import DIRECTIONS, TESTS, Direction
from wlkg.compiled import kernel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.compiled.mixing import mixed
from wlkg.refinement.vertices import neighbourhood_kernels, sum_kernels
from wlkg.refinement.vertices.equitable_check import missed_no_split
from wlkg.refinement.vertices.vertex_problem import vertex_problem
from wlkg.refinement.vertices.worklist import Worklist

#: The number of graphs on which each test runs with weakened hashing.
GRAPHS = 150


def random_graph(seed: int) -> RelationalGraph:
    """Some paths with a few more triples: splits travel along them and can come late."""
    draw = np.random.default_rng(seed).integers
    n, extra = int(draw(2, 14)), int(draw(0, 5))
    steps = np.flatnonzero(draw(0, 5, n - 1))
    head, tail = np.r_[steps, draw(0, n, extra)], np.r_[steps + 1, draw(0, n, extra)]
    relation = draw(0, 2, len(head))
    labels = draw(0, 3, n) if seed % 3 == 0 else None
    return RelationalGraph.from_arrays(
        head, relation, tail, num_vertices=n, relation_names=["r", "s"], labels=labels
    )


def outcome(graph: RelationalGraph, direction: Direction, test: str, rounds: int | None) -> str:
    """Run without repeating; whether the run was right, and if not, whether it was only late."""
    problem = vertex_problem(graph.with_direction(direction), TESTS[test])
    run = Worklist(problem, seed=0)
    stable = run.run(graph.num_vertices + 1 if rounds is None else rounds)
    history = run.history()
    expected = refine_slowly(graph, test, direction)
    true = [Partition.of(np.array(colours, dtype=np.int64)) for colours in expected]
    reached = len(true) - 1 if rounds is None else min(rounds, len(true) - 1)
    right = all(history.partition(t) == true[t] for t in range(reached + 1))
    if stable and rounds is not None:  # it claims more than the rounds that were asked for
        right = right and history.partition(history.rounds) == true[-1]
    holds = missed_no_split(problem, history, run.vertices_by_class, stable=stable)
    assert holds == right
    if right:
        return "right"
    return "late" if history.partition(history.rounds) == true[reached] else "missed"


@pytest.mark.parametrize("together", [2, 3, 512])
@pytest.mark.parametrize("test", sorted(TESTS))
def test_weakened_hashing_misses_splits_or_makes_them_late_and_the_check_notices(
    test: str, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def weak(number: Any, salt: Any) -> Any:
        """Cannot tell apart classes 1 and 3, 2 and 4, ..."""
        number = int(number)
        return mixed(number - 2 if number > 2 and number % 4 in (3, 0) else number, salt)

    monkeypatch.setattr(kernel, "PATIENCE", float("inf"))  # compiled code would not see the change
    monkeypatch.setattr(sum_kernels, "mixed", weak)
    monkeypatch.setattr(neighbourhood_kernels, "_VERTICES_TOGETHER", together)
    monkeypatch.setattr(neighbourhood_kernels, "_ARCS_TOGETHER", together)
    outcomes = Counter(
        outcome(random_graph(seed), DIRECTIONS[seed % 4], test, rounds)
        for seed in range(GRAPHS)
        for rounds in (None, seed % 5)
    )
    assert min(outcomes[kind] for kind in ("right", "late", "missed")) > 0, outcomes


@given(
    graph=relational_graphs(max_vertices=12),
    direction=st.sampled_from(DIRECTIONS),
    test=st.sampled_from(sorted(TESTS)),
)
def test_the_list_of_vertices_keeps_every_class_of_every_round_together(
    graph: RelationalGraph, direction: Direction, test: str
) -> None:
    run = Worklist(vertex_problem(graph.with_direction(direction), TESTS[test]), seed=0)
    run.run(graph.num_vertices + 1)
    history = run.history()
    for t in range(history.rounds + 1):
        partition = history.partition(t)
        listed = partition.colours[run.vertices_by_class]
        assert 1 + np.count_nonzero(np.diff(listed)) == max(partition.num_classes, 1)
