"""Permutations are believed only after their arcs were checked."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.analysis.symmetry.brute_force import facts, isomorphisms
from tests.analysis.symmetry.libraries import use_library
from tests.strategies import relational_graphs, renumbered, switched
from wlkg.analysis.symmetry.arc_check import are_automorphisms, is_isomorphism
from wlkg.analysis.symmetry.coloured_graph import ColouredGraph
from wlkg.analysis.symmetry.deadline import Deadline
from wlkg.analysis.symmetry.generators import GeneratorList
from wlkg.analysis.symmetry.libraries import Bliss
from wlkg.analysis.symmetry.symmetry import symmetry
from wlkg.arrays import IntArray
from wlkg.examples import example
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union


@given(graph=relational_graphs(max_vertices=4), batch=st.sampled_from([1, 3, 4_000_000]))
@settings(max_examples=150)
def test_of_all_permutations_exactly_the_automorphisms_hold(
    graph: RelationalGraph, batch: int
) -> None:
    permutations = list(itertools.permutations(range(graph.num_vertices)))
    candidates = GeneratorList()
    for image in permutations:
        candidates.add(np.arange(len(image)), np.array(image, dtype=np.int64))
    expected = isomorphisms(facts(graph), facts(graph))
    event(f"{len(expected)} of {len(permutations)}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wlkg.analysis.symmetry.arc_check._MOST_ARCS", batch)
        holds = are_automorphisms(graph, candidates.frozen(graph.num_vertices))
    assert holds.tolist() == [image in expected for image in permutations]


@pytest.mark.parametrize("images", [[1, 1], [2, 0], [0, 2]])
def test_a_map_that_is_no_permutation_is_rejected(images: list[int]) -> None:
    graph = RelationalGraph.from_triples([], vertices="abc")
    forged = GeneratorList()
    forged.add(np.array([0, 1]), np.array(images))
    assert not are_automorphisms(graph, forged.frozen(3)).any()


class Forger(Bliss):
    """A library that claims that every rotation of the vertices is a symmetry."""

    def automorphisms(
        self, core: ColouredGraph, deadline: Deadline
    ) -> tuple[list[IntArray], int | None]:
        del deadline
        return [np.roll(np.arange(core.num_vertices), 1)], core.num_vertices

    def canonical_form(self, core: ColouredGraph, deadline: Deadline) -> tuple[bytes, IntArray]:
        del deadline
        return b"", np.arange(core.num_vertices)


def test_a_forged_generator_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    forger = Forger(adapter=np, name="a forger", is_exact=True)
    use_library(monkeypatch, forger)
    found = symmetry(example("petersen"))
    assert len(found.generators) == 0
    assert (found.orbits.num_classes, found.group_order) == (10, None)
    assert (found.complete, found.proven) == (None, False)


def test_a_forger_cannot_make_an_orbit_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    use_library(monkeypatch, Forger(adapter=np, name="a forger", is_exact=True))
    cycles = [
        (f"{c}{i}", "r", f"{c}{(i + 1) % n}") for c, n in (("a", 3), ("b", 4)) for i in range(n)
    ]
    found = symmetry(RelationalGraph.from_triples(cycles))
    # Rotations of the cycles are symmetries; 2-rlwl proves that there are two orbits.
    assert found.orbits.num_classes == 2
    assert found.complete is False


@given(one=relational_graphs(max_vertices=4), data=st.data())
@settings(max_examples=150)
def test_of_all_maps_between_two_graphs_exactly_the_isomorphisms_hold(
    one: RelationalGraph, data: st.DataObject
) -> None:
    two = data.draw(switched(one))
    two = renumbered(two, data.draw(st.permutations(range(two.num_vertices))))
    union = disjoint_union(one, two)
    maps = list(itertools.product(range(two.num_vertices), repeat=one.num_vertices))
    expected = isomorphisms(facts(one), facts(two))
    event(f"{len(expected)} of {len(maps)}")
    holds = [is_isomorphism(union, np.array(image, dtype=np.int64)) for image in maps]
    assert holds == [image in expected for image in maps]
