"""Pairs and their mirror images: leaving out one of them changes neither counts nor checks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import relational_graphs, renumbered, switched
from wlkg.catalogue import DIRECTIONS, TupleTest, find_test
from wlkg.compiled import kernel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.refinement.compiled import threads
from wlkg.refinement.tuples import mirrored_pairs, sorting
from wlkg.refinement.tuples.code_check import CodeCheck
from wlkg.refinement.tuples.mirrored_pairs import without_mirror_images
from wlkg.refinement.tuples.sorting import count_classes, sort_into
from wlkg.refinement.tuples.tuple_codes import TupleCodes
from wlkg.refinement.tuples.tuple_problem import TupleProblem, tuple_problem

every_test = pytest.mark.parametrize("test", ["2-rlwl", "delta-2-lwl", "2-wl", "2-fwl"])


@st.composite
def problems(draw: st.DrawFn, test: str) -> TupleProblem:
    """A test on two graphs that are hard to separate."""
    one = draw(relational_graphs(max_vertices=4))
    two = draw(switched(one))
    two = renumbered(two, draw(st.permutations(range(two.num_vertices))))
    union = disjoint_union(one, two).with_direction(draw(st.sampled_from(DIRECTIONS)))
    chosen = find_test(test)
    assert isinstance(chosen, TupleTest)
    return tuple_problem(union, chosen, (one.num_vertices, two.num_vertices))


@every_test
@given(data=st.data(), bits=st.integers(0, 64), seed=st.integers(0, 3))
@settings(max_examples=60)
def test_codes_without_mirror_images_are_counted_and_checked_as_all_codes(
    data: st.DataObject, test: str, bits: int, seed: int
) -> None:
    problem = data.draw(problems(test))
    codes = TupleCodes(problem, seed, 2**bits - 1)
    for t in range(4):
        kept = np.sort(without_mirror_images(codes.current))
        counts = count_classes(kept, mirrored=True)
        partition = Partition.of(codes.current)
        assert counts.classes == partition.num_classes
        assert counts.indistinguishable_pairs == partition.indistinguishable_pairs
        short = CodeCheck(problem, codes.current, kept)
        long = CodeCheck(problem, codes.current, np.sort(codes.current))
        assert short.have_same_types() == long.have_same_types()
        assert short.see_alike(codes.current) == long.see_alike(codes.current)
        if t:
            before = codes.spare
            assert short.see_alike(before, with_own=True) == long.see_alike(before, with_own=True)
        codes.advance()


@given(graph=relational_graphs(max_vertices=5), tile=st.integers(1, 4), threaded=st.booleans())
@settings(max_examples=100)
def test_codes_tell_those_of_mirror_images(
    graph: RelationalGraph, tile: int, threaded: bool
) -> None:
    chosen = find_test("2-rlwl")
    assert isinstance(chosen, TupleTest)
    n = graph.num_vertices
    with pytest.MonkeyPatch.context() as patch:
        if threaded:  # tiles are compiled in, so they keep their size
            patch.setattr(kernel, "SMALL", 0)
            patch.setattr(threads, "_WORTH_A_THREAD", 0)
            patch.setattr(sorting, "_LARGE", 0)
        else:
            patch.setattr(mirrored_pairs, "_TILE", tile)
        codes = TupleCodes(tuple_problem(graph, chosen, (n,)), 0)
        codes.advance()
        out = np.empty_like(codes.current)
        kept = sort_into(codes.current, out, mirrored=True)
    assert kept.tolist() == sorted(code for code in codes.current.tolist() if code % 4 != 1)
    square = codes.current.reshape(n, n)
    mirror: dict[int, set[int]] = {}
    for u, v in np.ndindex(n, n):
        one, two = int(square[u, v]), int(square[v, u])
        mirror.setdefault(one, set()).add(two)
        assert one % 4 == (3 if u == v else 2 if one == two else 1 - two % 4)
    assert all(len(images) == 1 for images in mirror.values())
