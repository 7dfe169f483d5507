"""Symmetries by trying all permutations, straight from the definition."""

from __future__ import annotations

import itertools

from tests.oracles import neighbours
from wlkg.catalogue import Direction
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition

Facts = tuple[frozenset[tuple[int, str, int]], tuple[str, ...]]


def facts(graph: RelationalGraph, direction: Direction | None = None) -> Facts:
    """The arcs of a graph, and the label of each vertex."""
    seen = neighbours(graph, graph.direction if direction is None else direction)
    arcs = frozenset((v, name, u) for v, pairs in seen.items() for name, u in pairs)
    labels = ["" if graph.labels is None else graph.label_names[i] for i in _labels(graph)]
    return arcs, tuple(labels)


def _labels(graph: RelationalGraph) -> list[int]:
    return [0] * graph.num_vertices if graph.labels is None else graph.labels.tolist()


def isomorphisms(one: Facts, two: Facts) -> list[tuple[int, ...]]:
    """All maps that preserve labels and arcs."""
    (arcs, labels), (expected, other_labels) = one, two
    if len(labels) != len(other_labels) or len(arcs) != len(expected):
        return []
    return [
        image
        for image in itertools.permutations(range(len(labels)))
        if all(labels[v] == other_labels[image[v]] for v in range(len(labels)))
        and all((image[v], name, image[u]) in expected for v, name, u in arcs)
    ]


def orbits(automorphisms: list[tuple[int, ...]], size: int) -> Partition:
    """Which vertices the automorphisms map to each other."""
    return Partition.of([min(image[v] for image in automorphisms) for v in range(size)])
