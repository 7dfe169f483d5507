"""The obvious slow version of every test: dictionaries and tuples, straight from the definitions.

A colour is a nested tuple and means the same in every graph, so nothing is renamed and nothing
hashed into a number. Only for tiny graphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable

from wlkg.arcs import Direction
from wlkg.graph import RelationalGraph

Neighbours = dict[int, set[tuple[str, int]]]
Colours = list[Hashable]


def neighbours(graph: RelationalGraph, direction: Direction) -> Neighbours:
    """For each vertex v the pairs (i, u) with u in N_i(v)."""
    result: Neighbours = {v: set() for v in range(graph.num_vertices)}
    for h, r, t in zip(
        graph.head.tolist(), graph.relation.tolist(), graph.tail.tolist(), strict=True
    ):
        name = graph.relation_names[r]
        if direction in ("both", "undirected", "out"):
            result[h].add((name, t))
        if direction in ("in", "undirected"):
            result[t].add((name, h))
        if direction == "both":
            result[t].add((name + "^-1", h))
    return result


def _multiset(items: list[Hashable]) -> Hashable:
    return frozenset(Counter(items).items())


def _one_wl(v: int, seen: Neighbours, colours: Colours) -> Hashable:
    return _multiset([colours[u] for u in {u for _, u in seen[v]}])


def _weak_rwl(v: int, seen: Neighbours, colours: Colours) -> Hashable:
    degrees = _multiset([i for i, _ in seen[v]])
    return _multiset([colours[u] for _, u in seen[v]]), degrees


def _one_rwl(v: int, seen: Neighbours, colours: Colours) -> Hashable:
    return _multiset([(i, colours[u]) for i, u in seen[v]])


ORACLES: dict[str, Callable[[int, Neighbours, Colours], Hashable]] = {
    "1-wl": _one_wl,
    "weak-rwl": _weak_rwl,
    "1-rwl": _one_rwl,
}


def refine_slowly(graph: RelationalGraph, test: str, direction: Direction) -> list[Colours]:
    """The colours of the vertices at rounds 0, 1, ... up to the first stable one."""
    seen = neighbours(graph, direction)
    start = [0] * graph.num_vertices if graph.labels is None else graph.labels.tolist()
    # Colours are renumbered each round, in one dictionary for all vertices, to keep the tuples
    # small.
    rounds: list[Colours] = [_renumbered(start)]
    while True:
        now = rounds[-1]
        following = _renumbered([(now[v], ORACLES[test](v, seen, now)) for v in range(len(now))])
        if len(set(following)) == len(set(now)):
            return rounds
        rounds.append(following)


def _renumbered(keys: list[Hashable]) -> Colours:
    number: dict[Hashable, int] = {}
    return [number.setdefault(key, len(number)) for key in keys]
