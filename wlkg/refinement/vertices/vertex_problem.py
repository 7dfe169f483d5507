"""The input of an engine for vertex tests: the test, the start colours and the arcs."""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.catalogue import Direction, VertexTest
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.atomic_types import labels_of, vertex_types


@dataclass(frozen=True, eq=False)
class VertexProblem:
    """One vertex test on one graph; see `wlkg.refinement.vertices.vertex_tests`."""

    test: VertexTest
    start: Partition
    #: For 1-wl each neighbour once, under a single relation.
    arcs: Arcs
    #: The reversed arcs: those of u lead to the vertices that have u as a neighbour.
    reversed_arcs: Arcs

    @property
    def num_vertices(self) -> int:
        return self.arcs.num_vertices

    @property
    def num_arcs(self) -> int:
        return len(self.arcs)

    @property
    def size(self) -> int:
        """The amount of work in a round, by which kernels are compiled or not."""
        return self.num_arcs + self.num_vertices


_OPPOSITE: dict[Direction, Direction] = {
    "out": "in",
    "in": "out",
    "both": "both",
    "undirected": "undirected",
}


def vertex_problem(graph: RelationalGraph, test: VertexTest) -> VertexProblem:
    """The problem of a test on a graph, in the graph's direction mode."""
    arcs, reversed_arcs = graph.arcs(), graph.arcs(_OPPOSITE[graph.direction])
    if not (test.sees_relations or test.sees_degrees):
        is_symmetric = reversed_arcs is arcs
        arcs = arcs.without_relations()
        reversed_arcs = arcs if is_symmetric else reversed_arcs.without_relations()
    start = labels_of(graph)
    if test.starts_with_loops:
        start = vertex_types(start, arcs)
    return VertexProblem(test=test, start=start, arcs=arcs, reversed_arcs=reversed_arcs)
