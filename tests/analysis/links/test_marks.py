"""Marked sources: the partition of every round, against the engine that colours all pairs."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings

from tests.strategies import relational_graphs
from wlkg.analysis.links.mark_kernels import (
    base_of,
    mark,
    marked_memory,
    next_round,
    random_names,
    to_stable,
    unmark,
)
from wlkg.analysis.links.rank_kernels import key_of
from wlkg.catalogue import DIRECTIONS, TESTS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.compiled.arc_arrays import ArcArrays
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
    names, marked = random_names(n, problem.arcs.num_relations, seed=1), marked_memory(n)
    for source in range(n):
        row_of_source = range(source * n, (source + 1) * n)

        def partition(row: int) -> Partition:
            return Partition.of([key_of(v, row, base, marked) for v in range(n)])

        mark(source, 0, base, marked)
        for t in range(1, ROUNDS + 1):
            next_round(t, base, arcs, names, marked)
            assert partition(t) == by_pairs.partition(t).restricted(row_of_source)
        unmark(ROUNDS, base, marked)
        to_stable(source, ROUNDS + 1, base, arcs, names, marked)
        assert partition(ROUNDS + 1) == by_pairs.partition().restricted(row_of_source)
        unmark(ROUNDS + 1, base, marked)
        assert (marked.colour == -1).all()
        assert not any(each.any() for each in (marked.lost, marked.lanes, marked.is_touched))


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
