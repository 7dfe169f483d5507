"""Hypothesis strategies that several test files share: tiny inputs, so collisions are likely."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from wlkg.arcs import DIRECTIONS, Direction
from wlkg.graph import RelationalGraph


@st.composite
def relational_graphs(
    draw: st.DrawFn,
    max_vertices: int = 7,
    max_relations: int = 3,
    labels: bool | None = None,
    directions: tuple[Direction, ...] = DIRECTIONS,
) -> RelationalGraph:
    """Graphs with loops, parallel relations, repeated triples and isolated vertices.

    ``labels`` says whether vertices are labelled; None leaves it open.
    """
    vertices = draw(st.integers(0, max_vertices))
    relations = draw(st.integers(0, max_relations)) if vertices else 0
    vertex = st.integers(0, max(vertices - 1, 0))
    triple = st.tuples(vertex, st.integers(0, max(relations - 1, 0)), vertex)
    triples = draw(st.lists(triple, max_size=12)) if relations else []
    more: dict[str, Any] = {}
    if draw(st.booleans()) if labels is None else labels:
        more["labels"] = draw(st.lists(st.integers(0, 2), min_size=vertices, max_size=vertices))
        more["label_names"] = ["red", "green", "blue"]
    return RelationalGraph.from_arrays(
        [h for h, _, _ in triples],
        [r for _, r, _ in triples],
        [t for _, _, t in triples],
        num_vertices=vertices,
        vertex_names=draw(st.permutations("abcdefghijklmnop"[:vertices])),
        relation_names=[f"r{i}" for i in range(relations)],
        direction=draw(st.sampled_from(directions)),
        **more,
    )
