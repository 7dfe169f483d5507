"""A small connected piece of a graph that holds a cycle: to be lifted where all is too much."""

from __future__ import annotations

from collections import deque

import numpy as np

from wlkg.errors import UsageError
from wlkg.examples.lifts import closing_pairs
from wlkg.graph.relational_graph import RelationalGraph

#: So many pairs that close a cycle are tried for a short one.
_TRIED = 50


def piece_with_cycle(graph: RelationalGraph, size: int) -> RelationalGraph:
    """The subgraph on a short cycle and the vertices nearest to it, ``size`` in all at most."""
    neighbours = _Neighbours(graph)
    cycles = []
    for u, v in closing_pairs(graph)[:_TRIED]:
        cycle = neighbours.shortest_path(u, v, size)
        if cycle is not None:
            cycles.append(cycle)
    if not cycles:
        raise UsageError(
            f"no cycle with at most {size:,} vertices was found. Allow a larger --piece"
        )
    shortest = min(cycles, key=len)
    return graph.induced(sorted(neighbours.nearest(shortest, size)))


class _Neighbours:
    """Who is joined with whom, whatever the relation and direction."""

    def __init__(self, graph: RelationalGraph) -> None:
        arcs = graph.arcs("undirected")
        self._offsets, self._neighbour = arcs.offsets, arcs.neighbour

    def _of(self, v: int) -> list[int]:
        ends = self._neighbour[self._offsets[v] : self._offsets[v + 1]]
        found: list[int] = np.unique(ends).tolist()
        return found

    def shortest_path(self, u: int, v: int, limit: int) -> list[int] | None:
        """A shortest way from u to v past their own edge, of at most so many vertices."""
        if u == v:
            return [u]  # a loop
        before, depth = {u: u}, {u: 1}
        waiting = deque([u])
        while waiting:
            w = waiting.popleft()
            if depth[w] >= limit:
                return None
            for x in self._of(w):
                if x in before or (w, x) == (u, v):
                    continue
                before[x], depth[x] = w, depth[w] + 1
                if x == v:
                    return _way_back(before, u, v)
                waiting.append(x)
        return None

    def nearest(self, start: list[int], size: int) -> set[int]:
        """These vertices and those nearest to them, so many in all."""
        found, waiting = set(start), deque(start)
        while waiting:
            for x in self._of(waiting.popleft()):
                if len(found) >= size:
                    return found
                if x not in found:
                    found.add(x)
                    waiting.append(x)
        return found


def _way_back(before: dict[int, int], u: int, v: int) -> list[int]:
    way = [v]
    while way[-1] != u:
        way.append(before[way[-1]])
    return way
