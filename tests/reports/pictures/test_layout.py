"""Layouts: symmetric graphs look symmetric, nothing overlaps, nothing depends on chance."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from wlkg.reports.pictures.layout import layout
from wlkg.reports.pictures.matching import places_of
from wlkg.reports.pictures.packing import packed
from wlkg.reports.pictures.plane import Shape
from wlkg.reports.pictures.quality import crossings, symmetries
from wlkg.reports.pictures.stress import distances, relaxed


def _edges(graph: wlkg.RelationalGraph) -> list[tuple[int, int]]:
    return list(zip(graph.head.tolist(), graph.tail.tolist(), strict=True))


def _laid_out(name: str) -> tuple[Shape, np.ndarray]:
    graph = wlkg.read(name)
    points = np.array(layout(graph.num_vertices, _edges(graph)))
    return Shape.of(graph.num_vertices, _edges(graph)), points


@pytest.mark.parametrize(
    ("name", "at_least"),
    [
        ("example:c6", 12),
        ("example:petersen", 10),
        ("example:pentagonal-prism", 10),
        ("example:cfi-g,k=2", 6),
        ("example:k33", 6),
        ("example:dodecahedron", 10),
        ("example:desargues", 10),
        ("example:csl-g", 11),
        ("example:decalin", 4),
        ("example:weak-rwl", 8),
    ],
)
def test_symmetric_graphs_are_drawn_symmetrically(name: str, at_least: int) -> None:
    shape, points = _laid_out(name)
    assert symmetries(shape, points) >= at_least


@pytest.mark.parametrize(
    "name", ["example:pentagonal-prism", "example:dodecahedron", "example:decalin"]
)
def test_these_planar_graphs_are_drawn_without_crossings(name: str) -> None:
    shape, points = _laid_out(name)
    assert crossings(np.array(shape.edges), points) == 0


def test_a_cycle_is_a_regular_polygon_and_two_are_side_by_side() -> None:
    _, hexagon = _laid_out("example:c6")
    radii = np.hypot(*(hexagon - hexagon.mean(axis=0)).T)
    assert np.allclose(radii, radii[0], atol=1e-3)
    _, triangles = _laid_out("example:2xc3")
    left, right = sorted(triangles.reshape(2, 3, 2), key=lambda part: float(part[:, 0].min()))
    assert left[:, 0].max() < right[:, 0].min()


def test_a_path_is_a_line_and_a_tree_hangs_from_its_centre() -> None:
    path = np.array(layout(5, [(0, 1), (1, 2), (2, 3), (3, 4)]))
    assert np.ptp(path[:, 1]) == 0
    assert np.allclose(np.diff(path[:, 0]), 0.25)
    tree = np.array(layout(7, [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]))
    assert tree[0, 1] < tree[1, 1] == tree[2, 1] < tree[3, 1] == tree[6, 1]


def test_a_star_surrounds_its_centre() -> None:
    star = np.array(layout(10, [(0, i) for i in range(1, 10)]))
    assert np.allclose(star[0], star[1:].mean(axis=0), atol=0.02)


graphs = st.integers(0, 12).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(st.tuples(*[st.integers(0, max(n - 1, 0))] * 2), max_size=20 if n else 0),
    )
)


@settings(max_examples=60)
@given(graphs)
def test_every_vertex_has_a_place_of_its_own_in_the_unit_square(
    graph: tuple[int, list[tuple[int, int]]],
) -> None:
    places = layout(*graph)
    assert len(places) == graph[0]
    assert all(-1e-6 <= c <= 1 + 1e-6 for place in places for c in place)
    assert all(math.dist(a, b) > 0.02 for a, b in combinations(places, 2))


def test_the_layout_does_not_depend_on_hashing() -> None:
    program = (
        "import wlkg; from wlkg.reports.pictures.layout import layout\n"
        "g = wlkg.read('example:cfi-g,k=3')\n"
        "print(layout(g.num_vertices, set(zip(g.head.tolist(), g.tail.tolist()))))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_graphs_that_differ_in_a_few_edges_are_drawn_alike() -> None:
    one, two = places_of([wlkg.read("example:cfi-g,k=2"), wlkg.read("example:cfi-h,k=2")])
    assert one == two


def test_vertices_of_the_same_name_stay_in_place_when_one_is_added() -> None:
    triples = [(f"v{i}", "r", f"v{(i + 1) % 8}") for i in range(8)]
    before = wlkg.RelationalGraph.from_triples(triples)
    after = wlkg.RelationalGraph.from_triples([*triples, ("v0", "r", "new")])
    one, two = places_of([before, after])
    for v, name in enumerate(before.vertex_names):
        assert one[v] == two[after.vertex(name)]


def test_a_cycle_and_two_cycles_are_not_drawn_alike() -> None:
    one, two = places_of([wlkg.read("example:c6"), wlkg.read("example:2xc3")])
    assert one != two


def test_components_do_not_overlap() -> None:
    boxes = [np.array([[0, 0], [w, h]], dtype=float) for w, h in ((3, 2), (1, 1), (1, 1), (4, 1))]
    placed = packed(boxes)
    for a, b in combinations(placed, 2):
        apart = (a.max(axis=0) < b.min(axis=0)) | (b.max(axis=0) < a.min(axis=0))
        assert apart.any()


def test_relaxing_never_increases_the_stress() -> None:
    shape = Shape.of(9, [(i, (i + 1) % 9) for i in range(9)] + [(0, 4)])
    wanted = distances(shape)
    start = np.random.default_rng(0).normal(size=(9, 2))
    stresses = [relaxed(start, wanted, steps)[1] for steps in (1, 5, 20, 100)]
    assert stresses == sorted(stresses, reverse=True)
