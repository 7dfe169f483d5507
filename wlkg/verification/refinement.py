"""Colour refinement of vertices in the plainest form, for "complete".

In each round a vertex gets a new colour made of its own and of what it sees, until a round splits
no class. What is seen is a frozen set of counts and equal sights are found by a dictionary, so
there is no hash value that might collide.

Only vertices with a neighbour whose colour is new look again: they see a colour that the rest of
their class does not see. When a class splits, its largest part keeps its colour, so that a vertex
gets a new colour at most log2(n) times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction

from wlkg.verification.plain_graph import PlainGraph
from wlkg.verification.wl_tests import VertexTest

#: For each relation at a vertex, its number and the neighbours.
_Around = list[tuple[int, list[int]]]


def stable_colours(graph: PlainGraph, test: VertexTest) -> list[int]:
    """The class of each vertex when the test has come to its end, as a number."""
    around: list[_Around] = [[] for _ in graph.names]
    seen_by: list[list[int]] = [[] for _ in graph.names]
    for number, relation in enumerate(test.relations(graph)):
        for v, neighbours in test.neighbours(graph, relation).items():
            around[v].append((number, neighbours))
            for u in neighbours:
                seen_by[u].append(v)
    colours = [0] * len(graph.names)
    members = {0: set(range(len(graph.names)))}
    _split(dict(enumerate(_start(graph, test))), colours, members)
    looking = set(range(len(graph.names)))
    while looking:
        sights = {v: _sight(around[v], colours, shares=test.shares) for v in looking}
        recoloured = _split(sights, colours, members)
        looking = {v for u in recoloured for v in seen_by[u]}
    return colours


def _start(graph: PlainGraph, test: VertexTest) -> list[Hashable]:
    """Labels and loops; and degrees, which weak-rwl sees in round 1 and which never change."""
    start: list[list[Hashable]] = [[label] for label in graph.labels]
    for relation, with_loop in test.loops_at(graph):
        for v in with_loop:
            start[v].append(relation)
    for relation in graph.relations() if test.degrees else ():
        for v, neighbours in graph.neighbours(relation).items():
            start[v].append((relation, len(neighbours)))
    return [tuple(parts) for parts in start]


def _sight(around: _Around, colours: list[int], *, shares: bool) -> Hashable:
    """What a vertex sees: relation, colour, and how many or which share."""
    return frozenset(
        (relation, colour, Fraction(count, len(neighbours)) if shares else count)
        for relation, neighbours in around
        for colour, count in Counter(colours[u] for u in neighbours).items()
    )


def _split(
    sights: dict[int, Hashable], colours: list[int], members: dict[int, set[int]]
) -> list[int]:
    """Split classes by what vertices see; the recoloured vertices. Others see what they did."""
    groups: dict[tuple[int, Hashable], set[int]] = {}
    for v, sight in sights.items():
        groups.setdefault((colours[v], sight), set()).add(v)
    parts: dict[int, list[set[int]]] = {}
    for (colour, _), group in groups.items():
        parts.setdefault(colour, []).append(group)
    recoloured: list[int] = []
    for colour, groups_of_class in parts.items():
        rest = members[colour].difference(*groups_of_class)
        every_part = sorted([*groups_of_class, *([rest] if rest else [])], key=len)
        members[colour] = every_part.pop()
        for part in every_part:
            number = len(members)
            members[number] = part
            recoloured.extend(part)
            for v in part:
                colours[v] = number
    return recoloured
