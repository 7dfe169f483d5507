"""Tiny multi-relational graphs, written out: each shows one thing that a test sees or misses.

A triple is written as head, tail and relation, one character each; a triple without a relation
gets the relation ``edge``.
"""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.catalogue import Direction
from wlkg.examples.model import VERTEX_TESTS, Claim, at_round, never
from wlkg.graph.names import DEFAULT_RELATION
from wlkg.graph.relational_graph import RelationalGraph


def graph_of(text: str, direction: Direction) -> RelationalGraph:
    """The graph of triples such as ``"03a 12b"``.

    >>> list(graph_of("03a 12", "both").named_triples())
    [('0', 'a', '3'), ('1', 'edge', '2')]
    """
    return RelationalGraph.from_triples(
        [(word[0], word[2:] or DEFAULT_RELATION, word[1]) for word in text.split()],
        direction=direction,
    )


@dataclass(frozen=True)
class Pair:
    """Two graphs as text, what they are, what they show, and what the tests say about them."""

    g: str
    g_is: str
    h: str
    h_is: str
    shows: str
    direction: Direction
    claims: tuple[Claim, ...]


#: The vertex tests that see distinct neighbours, and those that see arcs.
_NEIGHBOUR_TESTS = ("1-wl", "1-wl-all")
_ARC_TESTS = ("weak-rwl", "1-rwl", "1-rwl-all", "mean-rwl")


def _pair_tests(first: int) -> tuple[Claim, ...]:
    return at_round(first, "2-wl", "2-rlwl", "2-fwl")


PAIRS: dict[str, Pair] = {
    "loops-swap": Pair(
        g="01 10",
        g_is="arcs between two vertices, both ways",
        h="00 11",
        h_is="two vertices with a loop each",
        shows="no vertex knows whether a neighbour is itself",
        direction="both",
        claims=never(*VERTEX_TESTS) + at_round(0, "1-rlwl", "delta-1-lwl") + _pair_tests(0),
    ),
    "triangles": Pair(
        g="01a 12a 20a 01b 12b 20b",
        g_is="a directed triangle in two relations",
        h="01a 12a 20a 10b 21b 02b",
        h_is="a directed triangle, in the second relation the other way round",
        shows="no vertex knows whether two of its arcs lead to one neighbour",
        direction="both",
        claims=never(*VERTEX_TESTS) + _pair_tests(0),
    ),
    "two-cycles": Pair(
        g="01 10 23 32",
        g_is="two directed 2-cycles",
        h="01 12 23 30",
        h_is="a directed 4-cycle",
        shows="1-wl counts distinct neighbours, 1-rwl counts arcs",
        direction="both",
        claims=at_round(1, *_NEIGHBOUR_TESTS) + never(*_ARC_TESTS) + _pair_tests(0),
    ),
    "double-edges": Pair(
        g="03a 12a 03b 12b",
        g_is="two edges in two relations each",
        h="02a 13a 03b 12b",
        h_is="a 4-cycle of alternating relations",
        shows="1-wl counts distinct neighbours, 1-rwl counts arcs",
        direction="undirected",
        claims=at_round(1, *_NEIGHBOUR_TESTS) + never(*_ARC_TESTS) + _pair_tests(0),
    ),
    "relation-matters": Pair(
        g="03a 04a 12a 14b 23b 34a",
        g_is="a triangle on a square, the walls in the second relation",
        h="03a 04a 12b 14a 23a 34b",
        h_is="a triangle on a square, floor and ceiling in the second relation",
        shows="1-rwl knows which relation leads to which neighbour, weak-rwl does not",
        direction="undirected",
        claims=never(*_NEIGHBOUR_TESTS, "weak-rwl")
        + at_round(2, "1-rwl", "1-rwl-all")
        + at_round(3, "mean-rwl")
        + _pair_tests(1),
    ),
    "direction-matters": Pair(
        g="03 13 20 21 32",
        g_is="two directed triangles with a common arc",
        h="03 12 20 31 32",
        h_is="a directed and a transitive triangle with a common arc",
        shows="1-rwl knows which direction leads to which neighbour, weak-rwl does not",
        direction="both",
        claims=never(*_NEIGHBOUR_TESTS, "weak-rwl", "mean-rwl")
        + at_round(2, "1-rwl", "1-rwl-all")
        + _pair_tests(1),
    ),
}


def weak_rwl() -> RelationalGraph:
    """The paper's graph on {v, w, u1, u2}: 1-RWL separates v and w, weak RWL does not.

    R1 = {v u1, w u2}, R2 = {v u2, w u1}, labels 0, 0, 1, 2: v and w each have a neighbour with
    label 1 and a neighbour with label 2, but under different relations.
    """
    edges = [("u1", "R1", "v"), ("u2", "R1", "w"), ("u2", "R2", "v"), ("u1", "R2", "w")]
    graph = RelationalGraph.from_triples(edges, direction="undirected")
    return graph.with_labels({"v": "0", "w": "0", "u1": "1", "u2": "2"})


def weak_rwl_unlabelled() -> RelationalGraph:
    """The same without labels: the pendant vertex 0 distinguishes 4 from 3 on the 4-cycle 4132."""
    return graph_of("04a 13a 14b 23b 24a", "undirected")
