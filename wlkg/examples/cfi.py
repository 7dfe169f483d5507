r"""The paper's graphs G_k and H_k: k-RLWL separates them, (k-1)-RLWL does not.

K is the complete graph on the base vertices 0 .. k, E(v) the k base edges at v. G_k has

- a vertex (v, S) for each base vertex v and each *even* subset S of E(v),
- vertices e^0 and e^1 for each base edge e, joined by an edge,
- an edge from (v, S) to e^1 for each e in S, and to e^0 for each e in E(v) \ S.

H_k is the same with the *odd* subsets of E(0) instead of the even subsets. Every edge is in each
of r relations. Both graphs have (k+1) 2^(k-1) + k (k+1) vertices and
(k+1) k 2^(k-1) + k (k+1) / 2 edges.

==============  ===================================  =============================================
in the paper    name here                            id
==============  ===================================  =============================================
(v, S)          ``(0,{01,02})``                      v 2^(k-1) + the rank of S by its bit mask
e^b, e = {u,v}  ``e01^0``; ``e1-10^0`` from k = 10   (k+1) 2^(k-1) + 2 (the rank of e) + b
==============  ===================================  =============================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from wlkg.arrays import IntArray
from wlkg.examples.building import refuse_large, undirected
from wlkg.examples.model import VERTEX_TESTS, Claim, Fact, at_round, never, sometime
from wlkg.graph.relational_graph import RelationalGraph

#: The largest k for which the rounds were computed.
MOST_COMPUTED = 4
#: The largest k for which the search for distance-two-cliques takes well under a second.
MOST_SEARCHED = 6


def cfi_graph(k: int, r: int = 1, *, odd: bool) -> RelationalGraph:
    """G_k, or H_k if ``odd``: base vertex 0 has the odd subsets.

    >>> cfi_graph(2, odd=False).vertex_names[:6]
    ('(0,{})', '(0,{01,02})', '(1,{})', '(1,{01,12})', '(2,{})', '(2,{02,12})')
    """
    num_edges = (k + 1) * k * (1 << (k - 1)) + k * (k + 1) // 2
    refuse_large(f"{'H' if odd else 'G'}_{k}", num_vertices(k), num_edges * r)
    subsets = [_subsets(k, odd=odd and v == 0) for v in range(k + 1)]
    base_edges = list(combinations(range(k + 1), 2))
    edges = np.concatenate(list(_edges(k, subsets, base_edges)))
    return undirected(edges, num_vertices(k), r, list(_names(k, subsets, base_edges)))


def num_vertices(k: int) -> int:
    """The number of vertices of G_k and of H_k."""
    return (k + 1) * (1 << (k - 1)) + k * (k + 1)


def _subsets(k: int, *, odd: bool) -> IntArray:
    """The subsets of k elements with an even or odd number of members, as bit masks."""
    masks = np.arange(1 << k)
    ones = np.zeros_like(masks)
    for bit in range(k):
        ones += masks >> bit & 1
    return np.flatnonzero(ones % 2 == odd)


def _edges(
    k: int, subsets: Sequence[IntArray], base_edges: Sequence[tuple[int, int]]
) -> Iterator[IntArray]:
    """The edges as rows of two ids: {e^0, e^1}, then {(v, S), e^b} for each v and e in E(v)."""
    half = len(subsets[0])
    first = (k + 1) * half + 2 * np.arange(len(base_edges))
    yield np.column_stack([first, first + 1])
    zero_end = {edge: int(vertex) for edge, vertex in zip(base_edges, first, strict=True)}
    for v, masks in enumerate(subsets):
        own = v * half + np.arange(half)
        for bit, edge in enumerate(edge for edge in base_edges if v in edge):
            yield np.column_stack([own, zero_end[edge] + (masks >> bit & 1)])


def _names(
    k: int, subsets: Sequence[IntArray], base_edges: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """The names of the vertices, by id."""
    between = "" if k < 10 else "-"
    texts = {(u, v): f"{u}{between}{v}" for u, v in base_edges}
    for v, masks in enumerate(subsets):
        at_v = [text for edge, text in texts.items() if v in edge]
        for mask in masks.tolist():
            members = ",".join(text for bit, text in enumerate(at_v) if mask >> bit & 1)
            yield f"({v},{{{members}}})"
    for text in texts.values():
        yield f"e{text}^0"
        yield f"e{text}^1"


def cfi_claims(values: Mapping[str, int]) -> tuple[Claim, ...]:
    """What the paper proves for every k and r, with rounds up to the largest k computed.

    k-RLWL separates the graphs. (k-1)-FWL does not; it is as strong as k-WL and at least as strong
    as (k-1)-RLWL. All relations hold the same edges, so r changes nothing.
    """
    k = values["k"]
    not_seeing = [
        test
        for j in sorted({2, k - 1} - {1, k})
        for test in (f"{j}-wl", f"{j}-rlwl", f"delta-{j}-lwl", f"{j}-fwl")
    ]
    seeing = (f"{k}-rlwl", f"delta-{k}-lwl", f"{k}-fwl")
    return (
        never(*VERTEX_TESTS, *not_seeing, f"{k}-wl")
        + (at_round(2, *seeing) if k <= MOST_COMPUTED else sometime(*seeing))
        + (at_round(1, "3-rlwl") if k == 2 else ())
    )


def cfi_facts(values: Mapping[str, int], graphs: Sequence[RelationalGraph]) -> tuple[Fact, ...]:
    """The sizes and, for small k, the distance-two-cliques that distinguish G_k from H_k.

    The paper's lemma says that G_k has a distance-two-clique (vertices at distance exactly two
    from each other) of size k + 1 and that H_k has none. This is true for cliques with one vertex
    (v, S) for each base vertex v. H_k does have other cliques of that size, such as (0, {01}),
    (1, {01, 12}), e01^0 for k = 2.
    """
    k = values["k"]
    count = num_vertices(k)
    sizes = tuple(
        Fact(f"{name}_{k} has {count:,} vertices", graph.num_vertices == count)
        for name, graph in zip("GH", graphs, strict=True)
    )
    if k > MOST_SEARCHED:
        return sizes
    half = 1 << (k - 1)
    groups = [((1 << half) - 1) << (v * half) for v in range(k + 1)]
    everything = [(1 << count) - 1] * (k + 1)
    in_g, in_h = (_distance_two(graph) for graph in graphs)
    clique = "distance-two-clique"
    one_each = f"with one vertex (v, S) for each of the {k + 1} base vertices v"
    return (
        *sizes,
        Fact(f"G_{k} has a {clique} {one_each}", _has_clique(in_g, groups)),
        Fact(f"H_{k} has no {clique} {one_each}", not _has_clique(in_h, groups)),
        Fact(
            f"H_{k} has a {clique} of size {k + 1} of another kind", _has_clique(in_h, everything)
        ),
    )


def _distance_two(graph: RelationalGraph) -> list[int]:
    """For each vertex the set, as bits, of the vertices at distance exactly two."""
    adjacent = [0] * graph.num_vertices
    for u, v in zip(graph.head.tolist(), graph.tail.tolist(), strict=True):
        adjacent[u] |= 1 << v
        adjacent[v] |= 1 << u
    result = []
    for v, neighbours in enumerate(adjacent):
        reached = 0
        for u in _members(neighbours):
            reached |= adjacent[u]
        result.append(reached & ~neighbours & ~(1 << v))
    return result


def _has_clique(near: Sequence[int], groups: Sequence[int], allowed: int = -1) -> bool:
    """Whether one vertex per group, all allowed and near each other, can be chosen."""
    if not groups:
        return True
    return any(
        _has_clique(near, groups[1:], allowed & near[v]) for v in _members(groups[0] & allowed)
    )


def _members(bits: int) -> Iterator[int]:
    """The positions of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
