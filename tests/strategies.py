"""Strategies for tiny graphs, where collisions are likely, and helpers for copies of graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.graph.relational_graph import RelationalGraph

Pair = tuple[RelationalGraph, RelationalGraph]


@st.composite
def relational_graphs(
    draw: st.DrawFn,
    max_vertices: int = 7,
    max_relations: int = 3,
    labels: bool | None = None,
    directions: tuple[Direction, ...] = DIRECTIONS,
) -> RelationalGraph:
    """Graphs with loops, parallel relations, repeated triples and isolated vertices.

    ``labels`` says whether vertices are labelled; None draws it at random.
    """
    vertices = draw(st.integers(0, max_vertices))
    relations = draw(st.integers(0, max_relations)) if vertices else 0
    vertex = st.integers(0, max(vertices - 1, 0))
    triple = st.tuples(vertex, st.integers(0, max(relations - 1, 0)), vertex)
    triples = draw(st.lists(triple, max_size=12)) if relations else []
    labelling: dict[str, Any] = {}
    if draw(st.booleans()) if labels is None else labels:
        labelling["labels"] = draw(
            st.lists(st.integers(0, 2), min_size=vertices, max_size=vertices)
        )
        labelling["label_names"] = ["red", "green", "blue"]
    return RelationalGraph.from_arrays(
        [h for h, _, _ in triples],
        [r for _, r, _ in triples],
        [t for _, _, t in triples],
        num_vertices=vertices,
        vertex_names=draw(st.permutations("abcdefghijklmnop"[:vertices])),
        relation_names=[f"r{i}" for i in range(relations)],
        direction=draw(st.sampled_from(directions)),
        **labelling,
    )


def labels_by_name(graph: RelationalGraph) -> dict[str, str]:
    """The label of each vertex, by name."""
    assert graph.labels is not None
    return {
        name: graph.label_names[i]
        for name, i in zip(graph.vertex_names, graph.labels.tolist(), strict=True)
    }


def rebuilt(graph: RelationalGraph, **changes: Any) -> RelationalGraph:
    """The graph rebuilt from its arrays, with some of them replaced."""
    parts = {
        "head": graph.head,
        "relation": graph.relation,
        "tail": graph.tail,
        "vertex_names": graph.vertex_names,
        "relation_names": graph.relation_names,
        "labels": graph.labels,
        "label_names": None if graph.labels is None else graph.label_names,
        "direction": graph.direction,
    }
    return RelationalGraph.from_arrays(**{**parts, **changes})


def renumbered(graph: RelationalGraph, order: Sequence[int]) -> RelationalGraph:
    """A copy with the same names, in which vertices, relations and labels have other numbers."""
    changes: dict[str, Any] = {
        "relation": graph.num_relations - 1 - graph.relation,
        "relation_names": graph.relation_names[::-1],
    }
    if graph.labels is not None:
        changes["labels"] = len(graph.label_names) - 1 - graph.labels
        changes["label_names"] = graph.label_names[::-1]
    return rebuilt(graph, **changes).permuted(order)


def renamed(graph: RelationalGraph, order: Sequence[int]) -> RelationalGraph:
    """A copy in which vertices and relations have other names and numbers, but the same labels."""
    return rebuilt(
        graph,
        relation=graph.num_relations - 1 - graph.relation,
        vertex_names=[str(v) for v in range(graph.num_vertices)],
        relation_names=[f"s{i}" for i in range(graph.num_relations)],
    ).permuted(order)


@st.composite
def switched(draw: st.DrawFn, graph: RelationalGraph) -> RelationalGraph:
    """A graph of the same size that is hard to tell from this one, numbered in another order.

    Each step swaps the tails of two triples, or their relations, or the ends of one triple.
    """
    triples = set(
        zip(graph.head.tolist(), graph.relation.tolist(), graph.tail.tolist(), strict=True)
    )
    for _ in range(draw(st.integers(0, 4)) if triples else 0):
        rows = sorted(triples)
        one, two = draw(st.sampled_from(rows)), draw(st.sampled_from(rows))
        (h, i, t), (k, j, u) = one, two
        swaps = [{(h, i, u), (k, j, t)}, {(h, j, t), (k, i, u)}, {(t, i, h), two}]
        swapped = draw(st.sampled_from(swaps))
        rest = triples - {one, two}
        if len(swapped | rest) == len(triples):
            triples = swapped | rest
    head, relation, tail = np.array(sorted(triples), dtype=np.int64).reshape(-1, 3).T
    order = draw(st.permutations(range(graph.num_vertices)))
    return rebuilt(graph, head=head, relation=relation, tail=tail).permuted(order)


@st.composite
def pairs(draw: st.DrawFn, max_vertices: int = 4) -> Pair:
    """Two graphs of one direction mode, at least one with a vertex; often hard to separate."""
    one = draw(relational_graphs(max_vertices, max_relations=2).filter(lambda g: g.num_vertices))
    if draw(st.integers(0, 2)):
        return one, draw(switched(one))
    return one, draw(relational_graphs(max_vertices, 2, directions=(one.direction,)))
