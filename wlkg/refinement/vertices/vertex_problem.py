"""What an engine for vertex tests is given: arcs, start colours, and what a vertex sees."""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.catalogue import Direction
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition


@dataclass(frozen=True, eq=False)
class VertexProblem:
    """One vertex test on one graph.

    The next colour of v is its own colour, the multiset of (relation, colour) over its arcs (only
    of colours where ``sees_relations`` is false) and, where ``sees_degrees``, the number of its
    arcs in each relation. Where ``sees_shares``, it is its own colour and, for each relation i, how
    large a share of N_i(v) has which colour.
    """

    start: Partition
    arcs: Arcs
    #: The arcs the other way round: those of u lead to the vertices that have u as a neighbour.
    reversed_arcs: Arcs
    sees_relations: bool
    sees_degrees: bool
    sees_shares: bool

    @property
    def num_vertices(self) -> int:
        return self.arcs.num_vertices

    @property
    def num_arcs(self) -> int:
        return len(self.arcs)


_OPPOSITE: dict[Direction, Direction] = {
    "out": "in",
    "in": "out",
    "both": "both",
    "undirected": "undirected",
}


def vertex_problem(
    graph: RelationalGraph,
    direction: Direction,
    *,
    sees_relations: bool,
    sees_degrees: bool,
    sees_shares: bool = False,
) -> VertexProblem:
    """The problem of a test that sees relations, or only degrees by relation, or neither (1-WL)."""
    arcs = graph.arcs(direction)
    opposite = graph.arcs(_OPPOSITE[direction])
    if not (sees_relations or sees_degrees):
        arcs = arcs.without_relations()
        opposite = arcs if direction in ("both", "undirected") else opposite.without_relations()
    n, labels = graph.num_vertices, graph.labels
    return VertexProblem(
        start=Partition.trivial(n) if labels is None else Partition.of(labels),
        arcs=arcs,
        reversed_arcs=opposite,
        sees_relations=sees_relations,
        sees_degrees=sees_degrees,
        sees_shares=sees_shares,
    )
