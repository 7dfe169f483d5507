"""Marked sources: the partition of every round, against the engine that colours all pairs."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.strategies import relational_graphs
from wlkg.analysis.links import ranks
from wlkg.analysis.links.ceiling import link_ceiling
from wlkg.analysis.links.mark_check import witness_of
from wlkg.analysis.links.mark_kernels import (
    Names,
    base_of,
    key_of,
    mark,
    marked_memory,
    next_round,
    random_names,
    unmark,
)
from wlkg.analysis.links.stable_marks import to_stable
from wlkg.catalogue import DIRECTIONS, TESTS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.compiled.arc_arrays import ArcArrays
from wlkg.refinement.proof import ATTEMPTS
from wlkg.refinement.refine import refine
from wlkg.refinement.vertices.vertex_problem import vertex_problem

ROUNDS = 4


def assert_marks_are_rawl2(graph: RelationalGraph) -> None:
    """Every source, every round and the stable partition, and that nothing is left behind."""
    n, by_pairs = graph.num_vertices, refine(graph, "rawl2").history
    history = refine(graph, "1-rwl").history
    rows = [history.class_at(np.arange(n), t) for t in range(ROUNDS + 1)]
    base = base_of(np.array([*rows, history.class_of]))
    problem = vertex_problem(graph, TESTS["1-rwl"])
    arcs = ArcArrays.of(problem.reversed_arcs)
    witness = witness_of(problem.arcs)
    names, marked = random_names(n, problem.arcs.num_relations, seed=1), marked_memory(n)
    for source in range(n):
        row_of_source = range(source * n, (source + 1) * n)

        def partition(row: int) -> Partition:
            return Partition.of([key_of(v, row, base, marked) for v in range(n)])

        mark(source, 0, base, marked)
        for t in range(1, ROUNDS + 1):
            assert next_round(t, base, arcs, names, witness, marked)
            assert partition(t) == by_pairs.partition(t).restricted(row_of_source)
        unmark(ROUNDS, base, marked)
        assert to_stable(source, ROUNDS + 1, base, arcs, names, witness, marked)
        assert partition(ROUNDS + 1) == by_pairs.partition().restricted(row_of_source)
        unmark(ROUNDS + 1, base, marked)
        assert (marked.colour == -1).all()
        assert not any(each.any() for each in (marked.lost, marked.lanes, marked.is_touched))


@given(graph=relational_graphs(), bits=st.integers(0, 5), seed=st.integers(0, 3))
@settings(max_examples=150)
def test_with_weak_codes_the_check_holds_only_where_nothing_was_missed(
    graph: RelationalGraph, bits: int, seed: int
) -> None:
    with np.errstate(over="ignore"):
        for right, holds in _rounds_with_weak_codes(graph, 2**bits - 1, seed):
            assert right or not holds


def test_weak_codes_miss_splits_and_the_check_notices() -> None:
    """Without codes nothing is split but the source; with one bit some seeds lose a split."""
    graph = wlkg.read("example:cycles-g,n=4")
    with np.errstate(over="ignore"):
        assert not any(holds for _, holds in _rounds_with_weak_codes(graph, 0, 0))
        outcomes = [each for seed in range(20) for each in _rounds_with_weak_codes(graph, 1, seed)]
    assert any(not right for right, _ in outcomes)
    assert all(right or not holds for right, holds in outcomes)


def _rounds_with_weak_codes(
    graph: RelationalGraph, mask: int, seed: int
) -> Iterator[tuple[bool, bool]]:
    """For each source and round: whether the partition is right, and whether all checks held."""
    n, by_pairs = graph.num_vertices, refine(graph, "rawl2").history
    history = refine(graph, "1-rwl").history
    rows = [history.class_at(np.arange(n), t) for t in range(ROUNDS + 1)]
    base = base_of(np.array([*rows, history.class_of]))
    problem = vertex_problem(graph, TESTS["1-rwl"])
    arcs, witness = ArcArrays.of(problem.reversed_arcs), witness_of(problem.arcs)
    names = random_names(n, problem.arcs.num_relations, seed, mask)
    for source in range(n):
        marked = marked_memory(n)
        items = range(source * n, (source + 1) * n)
        mark(source, 0, base, marked)
        holds = True
        for t in range(1, ROUNDS + 2):
            if t <= ROUNDS:
                holds = next_round(t, base, arcs, names, witness, marked) and holds
            else:
                unmark(ROUNDS, base, marked)
                holds = to_stable(source, t, base, arcs, names, witness, marked)
            now = Partition.of([key_of(v, t, base, marked) for v in range(n)])
            expected = by_pairs.partition(t if t <= ROUNDS else None).restricted(items)
            yield now == expected, bool(holds)


@pytest.mark.parametrize(("weak_seeds", "exact"), [(1, True), (3, True), (99, False)])
def test_a_ceiling_is_repeated_with_other_numbers_until_it_is_proved(
    monkeypatch: pytest.MonkeyPatch, weak_seeds: int, exact: bool
) -> None:
    graph, asked = wlkg.read("example:petersen"), [("0", "edge", "5"), ("2", "edge", "9")]
    expected = link_ceiling(graph, asked, tests=["rawl2"]).tests[0]
    seeds = []

    def weak_names(n: int, num_relations: int, seed: int) -> Names:
        seeds.append(seed)
        return random_names(n, num_relations, seed, 0 if seed < weak_seeds else 2**64 - 1)

    monkeypatch.setattr(ranks, "random_names", weak_names)
    result = link_ceiling(graph, asked, tests=["rawl2"]).tests[0]
    assert {each.exact for each in result.rounds} == {exact}
    assert sorted(seeds) == list(range(min(weak_seeds + 1, ATTEMPTS)))
    assert (result.rounds == expected.rounds) == exact


@given(graph=relational_graphs())
@settings(max_examples=80)
def test_marks_are_rawl2_on_any_graph(graph: RelationalGraph) -> None:
    with np.errstate(over="ignore"):
        assert_marks_are_rawl2(graph)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_marks_are_rawl2_where_1_rwl_sees_nothing(direction: str) -> None:
    """Each relation is a permutation, so only a mark, and the relation that leads to it, parts."""
    draw = random.Random(3)
    for n in (5, 8, 11):
        triples = [
            (v, relation, w) for relation in "rs" for v, w in enumerate(draw.sample(range(n), n))
        ]
        graph = RelationalGraph.from_triples(triples, direction=direction)  # type: ignore[arg-type]
        with np.errstate(over="ignore"):
            assert_marks_are_rawl2(graph)
