"""Classical undirected graphs, regular or nearly so, that 1-WL cannot distinguish.

Each has the vertices 0 .. n - 1 and, unless it takes r, the one relation ``edge``.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product

import numpy as np

from wlkg.errors import UsageError
from wlkg.examples.building import refuse_large, undirected
from wlkg.examples.model import VERTEX_TESTS, Claim, at_round, never, sometime
from wlkg.graph.relational_graph import RelationalGraph


def cycles(length: int, copies: int, r: int) -> RelationalGraph:
    """Disjoint cycles, every edge in each of r relations (``edge`` if there is only one)."""
    if length < 3 or copies < 1 or r < 1:
        raise UsageError("cycles need a length of at least 3, at least one copy and one relation")
    refuse_large(f"{copies} x C_{length}", length * copies, length * copies * r)
    vertex = np.arange(length * copies)
    following = vertex - vertex % length + (vertex + 1) % length
    return undirected(np.column_stack([vertex, following]), len(vertex), r)


def cycle_claims(values: Mapping[str, int]) -> tuple[Claim, ...]:
    """C_2n against 2 x C_n: every vertex has two neighbours, so only tuple tests can separate them.

    The first distance at which the cycles have different numbers of pairs is d = ceil(n / 2). A
    pair learns the distance of its vertices: up to t + 1 by round t of 2-rlwl, where a vertex moves
    along one edge per round, and up to 2^t by round t of 2-fwl, which adds distances.
    """
    far = (values["n"] + 1) // 2
    triangles = at_round(0, "3-rlwl") if values["n"] == 3 else sometime("3-rlwl")
    return (
        never(*VERTEX_TESTS, "2-wl")
        + at_round(far - 1, "2-rlwl", "delta-2-lwl")
        + at_round((far - 1).bit_length(), "2-fwl")
        + triangles
    )


def copies_claims(_values: Mapping[str, int]) -> tuple[Claim, ...]:
    """A vertex of C_n against a vertex of 2 x C_n: all of them have two neighbours.

    Non-neighbours are counted from round 1 on. A vertex begins n pairs in one graph, 2n in the
    other.
    """
    return (
        never("1-wl", "weak-rwl", "1-rwl", "mean-rwl", "1-rlwl", "delta-1-lwl")
        + at_round(1, "1-wl-all", "1-rwl-all")
        + at_round(0, "2-wl", "2-rlwl", "delta-2-lwl", "2-fwl")
    )


def circulant(n: int, skip: int) -> RelationalGraph:
    """CSL(n, skip): the cycle on n vertices with the skip links i, i + skip (mod n)."""
    _check_skip(n, skip)
    refuse_large(f"CSL({n}, {skip})", n, 2 * n)
    vertex = np.arange(n)
    ends = [np.column_stack([vertex, (vertex + step) % n]) for step in (1, skip)]
    return undirected(np.concatenate(ends), n)


def _check_skip(n: int, skip: int) -> None:
    """Refuse skip links that are edges of the cycle or that meet halfway around it."""
    if skip < 2 or 2 * skip >= n:
        raise UsageError(
            f"a cycle of {n} vertices with skip links over {skip}: "
            "the skip must be at least 2 and less than half the cycle"
        )


#: For these parameters more is known than that both graphs are 4-regular.
CSL_DEFAULTS = {"n": 11, "a": 2, "b": 3}


def check_skips(values: Mapping[str, int]) -> None:
    """Refuse skips that do not give a 4-regular graph, and equal skips: they give equal graphs."""
    _check_skip(values["n"], values["a"])
    _check_skip(values["n"], values["b"])
    if values["a"] == values["b"]:
        raise UsageError(f"the skips a and b must differ, found {values['a']} for both")


def csl_claims(values: Mapping[str, int]) -> tuple[Claim, ...]:
    """4-regular graphs of equal size look alike to vertex tests; some are even isomorphic."""
    general = never(*VERTEX_TESTS, "2-wl")
    if dict(values) != CSL_DEFAULTS:
        return general
    return general + at_round(1, "2-rlwl", "delta-2-lwl", "2-fwl")


def generalised_petersen(n: int, skip: int) -> RelationalGraph:
    """GP(n, skip): the cycle 0 .. n - 1, spokes i, n + i, and edges n + i, n + (i + skip) mod n."""
    outer = [(i, (i + 1) % n) for i in range(n)]
    spokes = [(i, n + i) for i in range(n)]
    inner = [(n + i, n + (i + skip) % n) for i in range(n)]
    return undirected(outer + spokes + inner, 2 * n)


def complete_bipartite(n: int) -> RelationalGraph:
    """K_n,n: each of the first n vertices joined to each of the others."""
    return undirected(list(product(range(n), range(n, 2 * n))), 2 * n)


def decalin() -> RelationalGraph:
    """Two hexagons that share an edge: C_10 with the chord 0, 5."""
    return undirected([(i, (i + 1) % 10) for i in range(10)] + [(0, 5)], 10)


def bicyclopentyl() -> RelationalGraph:
    """Two pentagons joined by the edge 0, 5."""
    pentagon = [(i, (i + 1) % 5) for i in range(5)]
    return undirected(pentagon + [(u + 5, v + 5) for u, v in pentagon] + [(0, 5)], 10)


def rook() -> RelationalGraph:
    """The moves of a rook on a 4 x 4 board; square (x, y) is the vertex 4 x + y."""
    squares = list(product(range(4), repeat=2))
    moves = [(p, q) for p, q in combinations(squares, 2) if p[0] == q[0] or p[1] == q[1]]
    return undirected([(4 * p[0] + p[1], 4 * q[0] + q[1]) for p, q in moves], 16)


def shrikhande() -> RelationalGraph:
    """Z_4 x Z_4, joined by steps (1, 0), (0, 1) and (1, 1); (x, y) is the vertex 4 x + y."""
    steps = ((1, 0), (0, 1), (1, 1))
    return undirected(
        [
            (4 * x + y, 4 * ((x + dx) % 4) + (y + dy) % 4)
            for x, y in product(range(4), repeat=2)
            for dx, dy in steps
        ],
        16,
    )
