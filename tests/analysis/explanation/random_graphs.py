"""Thousands of tiny graphs from a seed: loops, parallel relations, labels, isolated vertices."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.graph.relational_graph import RelationalGraph


def tiny_graph(
    rng: random.Random, *, vertices: int, triples: int, direction: Direction | None = None
) -> RelationalGraph:
    """A random graph with at most so many vertices and triples."""
    size, relations = rng.randint(1, vertices), rng.randint(1, 3)
    rows = [
        (rng.randrange(size), rng.randrange(relations), rng.randrange(size))
        for _ in range(rng.randint(0, triples))
    ]
    labels: dict[str, Any] = {}
    if rng.random() < 0.3:
        labels = {
            "labels": [rng.randrange(3) for _ in range(size)],
            "label_names": ["red", "green", "blue"],
        }
    return RelationalGraph.from_arrays(
        [h for h, _, _ in rows],
        [r for _, r, _ in rows],
        [t for _, _, t in rows],
        num_vertices=size,
        relation_names=[f"r{i}" for i in range(relations)],
        direction=rng.choice(DIRECTIONS) if direction is None else direction,
        **labels,
    )


def tiny_graphs(
    seed: int, count: int, *, vertices: int = 8, triples: int = 12
) -> Iterator[RelationalGraph]:
    """So many random graphs, the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        yield tiny_graph(rng, vertices=vertices, triples=triples)


def path(length: int, direction: Direction = "undirected") -> RelationalGraph:
    """A path on so many vertices."""
    return RelationalGraph.from_arrays(
        range(length - 1),
        [0] * (length - 1),
        range(1, length),
        num_vertices=length,
        relation_names=["next"],
        direction=direction,
    )
