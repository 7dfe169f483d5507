"""Multi-relational graphs as immutable values of triples, names and labels."""

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union

__all__ = ["RelationalGraph", "disjoint_union"]
