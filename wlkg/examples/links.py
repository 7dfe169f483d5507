"""Graphs whose pairs (u, v) of a source and a candidate tell the tests of link prediction apart.

TRI-SQR is the synthetic data of Huang, Romero Orth, Ceylan and Barcelo, "A Theory of Link
Prediction via Relational Weisfeiler-Leman on Knowledge Graphs", NeurIPS 2023. A random directed
graph, one of its vertices the source, stands beside two directed triangles (`tri_sqr_g`) or beside
two directed squares (`tri_sqr_h`), one in relation r1 and one in r2. To predict: r0 leads from the
source to the triangle of r1 and to the square of r2, and to no other cycle. So a model must know
which of the two graphs it sees. What it passes on from the source never leaves the random graph,
and without the source all cycles of a relation look alike. A readout over all vertices tells the
graphs apart.

As published, the random graph has five vertices, each arc is there with one probability drawn from
0.2 to 1, and each arc has one of the two relations at random.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wlkg.examples.building import refuse_large
from wlkg.examples.model import Claim, Parameter, at_round, never
from wlkg.graph.relational_graph import RelationalGraph

SOURCE = "u"
RELATIONS = ("r1", "r2")
TRI_SQR = {
    "n": Parameter(5, 1, meaning="vertices of the random graph"),
    "seed": Parameter(0, 0, meaning="seed of the random graph"),
}


def one_triple() -> RelationalGraph:
    """The triple r(0, 1) and the vertex 2; `rawl2` and `rwl2` part its pairs in different ways."""
    return RelationalGraph.from_triples([("0", "r", "1")], vertices=["2"])


def tri_sqr_g(n: int, seed: int) -> RelationalGraph:
    """A random graph beside two triangles."""
    return _beside_cycles(n, seed, 3)


def tri_sqr_h(n: int, seed: int) -> RelationalGraph:
    """The same random graph beside two squares."""
    return _beside_cycles(n, seed, 4)


def _beside_cycles(n: int, seed: int, length: int) -> RelationalGraph:
    """The random graph, then a directed cycle in each relation, with vertices ``r1.0``, ...."""
    refuse_large(f"TRI-SQR with n = {n:,}", n + 2 * length, n * n + 2 * length)
    draw = np.random.default_rng(seed)
    probability = draw.uniform(0.2, 1)
    joined = draw.random((n, n)) < probability
    np.fill_diagonal(joined, val=False)
    head, tail = np.nonzero(joined)
    relation = draw.integers(0, len(RELATIONS), size=len(head))
    cycle = np.arange(length)
    first = [n + i * length for i in range(len(RELATIONS))]
    names = [f"{relation}.{k}" for relation in RELATIONS for k in range(length)]
    return RelationalGraph.from_arrays(
        np.concatenate([head, *(start + cycle for start in first)]),
        np.concatenate([relation, np.repeat([0, 1], length)]),
        np.concatenate([tail, *(start + (cycle + 1) % length for start in first)]),
        vertex_names=[SOURCE, *map(str, range(1, n)), *names],
        relation_names=RELATIONS,
        direction="both",
    )


def tri_sqr_claims(_values: Mapping[str, int]) -> tuple[Claim, ...]:
    """(u, r1.0) beside triangles, where r0 is true, against the same beside squares, where not.

    All that sees beyond neighbours finds at round 1 that one graph has two more vertices.
    """
    return never(
        *("1-wl", "weak-rwl", "1-rwl", "mean-rwl"), *("rawl2", "rwl2", "2-rlwl", "delta-2-lwl")
    ) + at_round(1, "1-wl-all", "1-rwl-all", "rawl2-all", "2-wl", "2-fwl")


#: (0, 2) against (1, 2) in mode both: nothing is passed on to 2, but 0 and 1 themselves differ.
SOURCES_DIFFER = (
    never("1-wl", "1-wl-all", "rawl2", "delta-2-lwl")
    + at_round(1, "weak-rwl", "1-rwl", "mean-rwl", "1-rwl-all", "rwl2", "2-rlwl", "2-wl", "2-fwl")
    + at_round(2, "rawl2-all")
)
