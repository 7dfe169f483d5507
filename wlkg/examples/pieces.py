"""A small connected piece of a graph that contains a cycle: for lifting when the graph is large."""

from __future__ import annotations

from collections import deque

import numpy as np

from wlkg.errors import UsageError
from wlkg.examples.lifts import closing_pairs
from wlkg.graph.relational_graph import RelationalGraph

#: The number of pairs that close a cycle to try in search of a short cycle.
_TRIES = 50


def piece_with_cycle(graph: RelationalGraph, size: int) -> RelationalGraph:
    """The subgraph on a short cycle and the vertices nearest to it, at most ``size`` vertices."""
    neighbours = _Neighbours(graph)
    cycles = []
    for u, v in closing_pairs(graph)[:_TRIES]:
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
    """The neighbours of each vertex, regardless of relation and direction."""

    def __init__(self, graph: RelationalGraph) -> None:
        arcs = graph.arcs("undirected")
        self._offsets, self._neighbour = arcs.offsets, arcs.neighbour

    def _of(self, v: int) -> list[int]:
        ends = self._neighbour[self._offsets[v] : self._offsets[v + 1]]
        distinct: list[int] = np.unique(ends).tolist()
        return distinct

    def shortest_path(self, u: int, v: int, limit: int) -> list[int] | None:
        """A shortest path from u to v without the edge uv, with at most ``limit`` vertices."""
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
                    return _path_back(before, u, v)
                waiting.append(x)
        return None

    def nearest(self, start: list[int], size: int) -> set[int]:
        """The start vertices and the vertices nearest to them, ``size`` in total."""
        reached, waiting = set(start), deque(start)
        while waiting:
            for x in self._of(waiting.popleft()):
                if len(reached) >= size:
                    return reached
                if x not in reached:
                    reached.add(x)
                    waiting.append(x)
        return reached


def _path_back(before: dict[int, int], u: int, v: int) -> list[int]:
    path = [v]
    while path[-1] != u:
        path.append(before[path[-1]])
    return path
