"""Vertices that a drawing points out, found by the names in a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.results import NamedGraph


def marks(graphs: Sequence[NamedGraph], names: Iterable[str] | None) -> list[tuple[int, int]]:
    """The vertices of the first graph with these names, as (graph, vertex); tuples count too."""
    if not graphs or names is None:
        return []
    graph = graphs[0].graph
    return [(0, vertex) for name in names for vertex in _vertices(graph, name)]


def _vertices(graph: RelationalGraph, name: str) -> list[int]:
    """A vertex, or those of a tuple such as (a, b)."""
    vertex = graph.find_vertex(name)
    if vertex is not None:
        return [vertex]
    if not (name.startswith("(") and name.endswith(")")):
        return []
    parts = [graph.find_vertex(part) for part in name[1:-1].split(", ")]
    return [part for part in dict.fromkeys(parts) if part is not None]
