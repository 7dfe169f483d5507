"""Two graphs drawn alike: vertices that correspond get the same place if most edges do too.

A graph before and after a change, or the paper's G_k and H_k, differ in a few edges, and the eye
finds these only if everything else stays in place.
"""

from __future__ import annotations

from collections.abc import Sequence

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.pictures.layout import layout
from wlkg.reports.pictures.plane import Edge, Shape

#: The share of edges that two graphs must have in common to be drawn alike.
_COMMON = 0.7

Places = tuple[tuple[float, float], ...]


def places_of(graphs: Sequence[RelationalGraph]) -> list[Places]:
    """The places of the vertices of each graph."""
    if len(graphs) == 2:
        alike = _drawn_alike(*graphs)
        if alike is not None:
            return alike
    return [layout(graph.num_vertices, _edges(graph)) for graph in graphs]


def _edges(graph: RelationalGraph) -> list[Edge]:
    pairs = zip(graph.head.tolist(), graph.tail.tolist(), strict=True)
    return sorted({(min(pair), max(pair)) for pair in pairs})


def _drawn_alike(one: RelationalGraph, two: RelationalGraph) -> list[Places] | None:
    """Common places if the graphs correspond, None otherwise."""
    number, size = _correspondence(one, two)
    first = set(_edges(one))
    second = {_ordered(number[a], number[b]) for a, b in _edges(two)}
    everything = first | second
    common = len(first & second) / max(len(everything), 1)
    if common < _COMMON * 2 - 1 or not everything:
        return None
    if _pieces(first, size) != _pieces(second, size):
        return None
    # The first graph decides alone if it has all vertices: it may be symmetric, a union hardly is.
    drawn = first if one.num_vertices == size else everything
    places = layout(size, sorted(drawn))
    return [places[: one.num_vertices], tuple(places[v] for v in number)]


def _ordered(a: int, b: int) -> Edge:
    return (a, b) if a < b else (b, a)


def _pieces(edges: set[Edge], size: int) -> int:
    """The number of connected components with an edge."""
    return sum(len(part) > 1 for part in Shape.of(size, edges).components())


def _correspondence(one: RelationalGraph, two: RelationalGraph) -> tuple[list[int], int]:
    """For each vertex of the second graph its counterpart in the first, and how many there are.

    Vertices of the same name correspond; of the others, the first corresponds to the first, and so
    on, if there are as many in both graphs. Vertices without a counterpart get numbers of their
    own.
    """
    ids = {name: v for v, name in enumerate(one.vertex_names)}
    number = [ids.get(name, -1) for name in two.vertex_names]
    left = sorted(set(range(one.num_vertices)) - set(number))
    missing = [v for v, counterpart in enumerate(number) if counterpart < 0]
    if len(left) != len(missing):
        left = list(range(one.num_vertices, one.num_vertices + len(missing)))
    for v, counterpart in zip(missing, left, strict=True):
        number[v] = counterpart
    return number, max(one.num_vertices, max(number, default=-1) + 1)
