"""What a test does not separate: symmetries, isomorphisms and other tests."""

from __future__ import annotations

import numpy as np
import pytest

import wlkg
from wlkg.analysis.alike import why_graphs_are_alike, why_vertices_are_alike
from wlkg.analysis.side_by_side import SideBySide
from wlkg.errors import MissingExtraError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine


def hexagon_and_triangles() -> RelationalGraph:
    """Vertices 0 to 5 are a hexagon, 6 to 11 two triangles: 1-rwl sees no difference."""
    return wlkg.disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3"))


def path(length: int) -> RelationalGraph:
    steps = np.arange(length - 1)
    return RelationalGraph.from_arrays(steps, np.zeros_like(steps), steps + 1)


def test_vertices_that_a_symmetry_swaps_need_no_other_test() -> None:
    alike = why_vertices_are_alike(hexagon_and_triangles(), 0, 3, "1-rwl")
    assert (alike.symmetric, alike.others) == (True, ())


def test_other_tests_are_tried_until_one_separates() -> None:
    graph = hexagon_and_triangles()
    alike = why_vertices_are_alike(graph, 0, 6, "1-rwl")
    assert alike.symmetric is False
    first = refine(graph, "2-rlwl").vertices.separated_at(0, 6)
    assert first is not None
    assert [(other.test, other.round) for other in alike.others] == [
        ("1-wl", None),
        ("1-rlwl", None),
        ("2-rlwl", first),
    ]
    assert alike.separated_by == alike.others[-1]


def test_a_vertex_is_like_itself() -> None:
    assert why_vertices_are_alike(path(3), 1, 1, "1-rwl").symmetric is True


def test_tests_that_would_take_too_much_are_skipped_with_the_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = hexagon_and_triangles()
    alike = why_vertices_are_alike(graph, 0, 6, "1-rwl", max_memory=1000)
    skipped = {other.test: other.skipped for other in alike.others}
    assert "144 tuples" in str(skipped["2-rlwl"])
    assert alike.separated_by is None
    monkeypatch.setattr("wlkg.analysis.alike._MOST_TUPLES", 200)
    alike = why_vertices_are_alike(graph, 0, 6, "2-rlwl")
    assert "1,728 tuples" in str(alike.others[-1].skipped)


def test_without_a_library_symmetry_is_open_and_tests_are_still_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise MissingExtraError("finding symmetries", "symmetry")

    monkeypatch.setattr("wlkg.analysis.alike.symmetry", refuse)
    alike = why_vertices_are_alike(hexagon_and_triangles(), 0, 6, "1-rwl")
    assert alike.symmetric is None
    assert alike.separated_by is not None


def test_graphs_are_isomorphic_or_another_test_separates_them() -> None:
    c6, two = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    assert why_graphs_are_alike(SideBySide((c6, c6)), "1-rwl").symmetric is True
    alike = why_graphs_are_alike(SideBySide((c6, two)), "1-rwl")
    assert alike.symmetric is False
    assert alike.separated_by is not None
    assert (alike.separated_by.test, alike.separated_by.round) == ("2-rlwl", 1)
