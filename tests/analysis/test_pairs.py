"""Pairs that one test separates and another does not."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import relational_graphs
from wlkg.analysis.pairs import same_pairs, separated_pairs
from wlkg.catalogue import TESTS
from wlkg.errors import TooLargeError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine

names = st.sampled_from(sorted(TESTS))


@given(graph=relational_graphs(), test=names, not_by=st.none() | names, data=st.data())
def test_pairs_are_those_of_a_search_over_all_pairs(
    graph: RelationalGraph, test: str, not_by: str | None, data: st.DataObject
) -> None:
    by, other = refine(graph, test), None if not_by is None else refine(graph, not_by)
    vertices = list(range(graph.num_vertices))
    among = data.draw(st.none() | st.lists(st.sampled_from(vertices))) if vertices else None
    limit = data.draw(st.none() | st.integers(0, 5))
    chosen = vertices if among is None else sorted(set(among))
    expected = []
    for v, w in itertools.combinations(chosen, 2):
        first = by.history.separated_at(v, w)
        if first is not None and (other is None or other.history.separated_at(v, w) is None):
            expected.append((v, w, first))
    restricted = None if among is None else np.array(among, dtype=np.int64)
    separated = separated_pairs(by, other, among=restricted, limit=limit)
    assert separated.count == len(expected)
    assert list(separated.pairs) == expected[:limit]


@given(graph=relational_graphs(), test=names, nor_by=st.none() | names, data=st.data())
def test_pairs_that_are_alike_are_those_of_a_search_over_all_pairs(
    graph: RelationalGraph, test: str, nor_by: str | None, data: st.DataObject
) -> None:
    tests = [refine(graph, name).history for name in (test, nor_by) if name is not None]
    vertices = list(range(graph.num_vertices))
    among = data.draw(st.none() | st.lists(st.sampled_from(vertices))) if vertices else None
    limit = data.draw(st.none() | st.integers(0, 5))
    chosen = vertices if among is None else sorted(set(among))
    expected = [
        (v, w)
        for v, w in itertools.combinations(chosen, 2)
        if all(history.separated_at(v, w) is None for history in tests)
    ]
    restricted = None if among is None else np.array(among, dtype=np.int64)
    other = None if nor_by is None else refine(graph, nor_by)
    alike = same_pairs(refine(graph, test), other, among=restricted, limit=limit)
    assert alike.count == len(expected)
    assert list(alike.pairs) == expected[:limit]


def test_a_huge_class_is_counted_without_being_listed() -> None:
    n = 200_000
    spokes = np.arange(1, n)
    star = RelationalGraph.from_arrays(
        spokes * 0, spokes * 0, spokes, num_vertices=n, direction="undirected"
    )
    separated = separated_pairs(refine(star), limit=2)
    assert separated.count == n - 1
    assert separated.pairs == ((0, 1, 1), (0, 2, 1))
    assert separated_pairs(refine(star, "1-rwl"), refine(star, "1-wl"), limit=5).pairs == ()
    alike = same_pairs(refine(star), limit=2)
    assert alike.count == (n - 1) * (n - 2) // 2
    assert alike.pairs == ((1, 2), (1, 3))
    with pytest.raises(TooLargeError, match="--limit"):
        same_pairs(refine(star), max_memory=10**9)
