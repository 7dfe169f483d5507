"""The edges of a graph as foundation models see them: between vertices, each with a relation.

In direction mode ``both`` every triple (h, i, t) is two edges, h -> t under i and t -> h under its
inverse; in mode ``undirected`` it is an edge each way under i; in modes ``out`` and ``in`` it is a
single edge h -> t.

A message along the edge w -> v under i, from w to v, carries the colour of i. Vertex v receives it
because w is in N_j(v), for the arc (v, j, w). In mode ``both`` that arc is named after the edge the
other way round, so j is the inverse of i; in the other modes j = i.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.arrays import IntArray
from wlkg.graph.names import INVERSE_SUFFIX
from wlkg.graph.relational_graph import RelationalGraph


@dataclass(frozen=True, eq=False)
class RelationEdges:
    """Columns of edges; relation r of the graph has the id r, its inverse the id r + ``shift``."""

    names: tuple[str, ...]
    num_vertices: int
    head: IntArray
    relation: IntArray
    tail: IntArray
    #: The number of relations of the graph if there are inverses, else 0.
    shift: int

    @property
    def num_relations(self) -> int:
        return len(self.names)

    @property
    def inverse(self) -> IntArray:
        """For each relation, its inverse; itself where no relation has one."""
        everything = np.arange(self.num_relations)
        return np.roll(everything, self.shift) if self.shift else everything


def relation_edges(graph: RelationalGraph) -> RelationEdges:
    """The edges of a graph, in its direction mode."""
    head, relation, tail = (
        column.astype(np.int64) for column in (graph.head, graph.relation, graph.tail)
    )
    names, shift = graph.relation_names, 0
    if graph.direction == "both":
        shift = len(names)
        names = (*names, *(f"{name}{INVERSE_SUFFIX}" for name in names))
    if graph.direction in ("both", "undirected"):
        head, tail = np.concatenate([head, tail]), np.concatenate([tail, head])
        relation = np.concatenate([relation, relation + shift])
    return RelationEdges(names, graph.num_vertices, head, relation, tail, shift)
