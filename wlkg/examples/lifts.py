"""2-lifts: from any graph with a cycle, two graphs that no vertex test can tell apart.

A 2-lift of a graph has the vertices v~0 and v~1 for each vertex v. Each unordered pair {u, v} that
has triples gets a sign s, 0 or 1, and a triple (h, i, t) of the pair becomes

    (h~0, i, t~s)  and  (h~1, i, t~(1-s)).

Dropping ``~0`` and ``~1`` maps the arcs at v~0, and those at v~1, one to one to the arcs at v, with
the same relations. So v~0, v~1 and v have the same unfolding and, by induction, the same colour in
every round of 1-RWL, weak RWL and mean-RWL, in *every* 2-lift. All triples of a pair share one
sign, so distinct neighbours stay distinct, and the same holds for 1-WL.

If all signs are 0, the lift is two disjoint copies of the graph. If a component has a cycle whose
signs have an odd sum, its two copies become connected, so the lift is not isomorphic to the two
copies. (Parallel relations are not a cycle, because they share their sign. A loop is a cycle: sign
1 turns it into arcs between v~0 and v~1.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from wlkg.arrays import IntArray
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph


def lift_pair(graph: RelationalGraph, seed: int = 0) -> tuple[RelationalGraph, RelationalGraph]:
    """Two disjoint copies of the graph, and a random 2-lift that is not isomorphic to them.

    Both have the vertices ``name~0`` and ``name~1`` and the labels, relations and direction mode of
    the graph. This costs O((n + m) log n) time for n vertices and m triples.
    """
    if seed < 0:
        raise UsageError(f"the seed must not be negative, found {seed}")
    pairs, pair_of = np.unique(_pair_keys(graph), return_inverse=True)
    closing = _closing(pairs, graph.num_vertices)
    if not len(closing):
        raise UsageError(
            "the graph is a forest, and every 2-lift of a forest is just two copies of it. "
            "Give a graph with a cycle or a loop"
        )
    signs = np.zeros(len(pairs), dtype=np.int64)
    signs[closing] = np.random.default_rng(seed).integers(0, 2, len(closing))
    if not signs.any():
        signs[closing[0]] = 1
    names = [f"{name}~{s}" for s in (0, 1) for name in graph.vertex_names]
    return _lift(graph, np.zeros_like(pair_of), names), _lift(graph, signs[pair_of], names)


def closing_pairs(graph: RelationalGraph) -> list[tuple[int, int]]:
    """Pairs of adjacent vertices that close a cycle with earlier pairs; a loop is such a pair."""
    pairs = np.unique(_pair_keys(graph))
    return list(_ends(pairs[_closing(pairs, graph.num_vertices)], graph.num_vertices))


def _pair_keys(graph: RelationalGraph) -> npt.NDArray[np.int64]:
    """For each triple, a number that encodes the unordered pair of its vertices."""
    low, high = np.minimum(graph.head, graph.tail), np.maximum(graph.head, graph.tail)
    return low.astype(np.int64) * graph.num_vertices + high


def _ends(keys: IntArray, num_vertices: int) -> Iterator[tuple[int, int]]:
    """The pairs that these numbers encode, the smaller vertex first."""
    return (divmod(key, num_vertices) for key in keys.tolist())


def _closing(pairs: IntArray, num_vertices: int) -> npt.NDArray[np.int64]:
    """The positions of the pairs that close a cycle with earlier pairs, loops included.

    The other pairs form a spanning forest. Swapping v~0 and v~1 flips the signs around v, so up to
    isomorphism every lift has sign 0 on the forest, and it is trivial only if all signs are 0.
    """
    parent = list(range(num_vertices))
    closing = []
    for position, (low, high) in enumerate(_ends(pairs, num_vertices)):
        u, v = _root(parent, low), _root(parent, high)
        if u == v:
            closing.append(position)
        parent[v] = u
    return np.array(closing, dtype=np.int64)


def _root(parent: list[int], v: int) -> int:
    """The root of v's tree; halves the path to it on the way."""
    while parent[v] != v:
        parent[v] = parent[parent[v]]
        v = parent[v]
    return v


def _lift(graph: RelationalGraph, sign: IntArray, vertex_names: list[str]) -> RelationalGraph:
    """The lift with one sign per triple; v~s has the id v + s n."""
    n = graph.num_vertices
    head, tail = graph.head.astype(np.int64), graph.tail.astype(np.int64)
    labels = None if graph.labels is None else np.tile(graph.labels, 2)
    return RelationalGraph.from_arrays(
        np.concatenate([head, head + n]),
        np.tile(graph.relation, 2),
        np.concatenate([tail + n * sign, tail + n * (1 - sign)]),
        vertex_names=vertex_names,
        relation_names=graph.relation_names,
        labels=labels,
        label_names=None if labels is None else graph.label_names,
        direction=graph.direction,
    )
