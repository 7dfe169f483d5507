"""The disjoint union of graphs."""

from __future__ import annotations

import numpy as np

from wlkg.arrays import IntArray
from wlkg.errors import GraphError
from wlkg.graph.checking import require_graphs
from wlkg.graph.names import canonical_order
from wlkg.graph.relational_graph import RelationalGraph


def disjoint_union(*graphs: RelationalGraph) -> RelationalGraph:
    """The graphs side by side, relations and labels matched by name.

    Vertex ``name`` of the i-th graph (counted from 1) is called ``i/name``; the vertices of a graph
    keep their order. If only some of the graphs have labels, the vertices of the others get the
    empty label. Of prefixes with two meanings the first is kept; the literal policy is kept if all
    graphs agree on it.
    """
    require_graphs(*graphs)
    modes = {graph.direction for graph in graphs}
    if len(modes) > 1:
        raise GraphError(
            f"graphs with different direction modes: {', '.join(sorted(modes))}. "
            "Choose one with with_direction or --direction"
        )
    policies = {graph.literals for graph in graphs}
    relation_names = canonical_order(name for graph in graphs for name in graph.relation_names)
    relation_ids = {name: i for i, name in enumerate(relation_names)}
    columns: list[list[IntArray]] = [[], [], []]
    shift = 0
    for graph in graphs:
        renumber = np.array([relation_ids[name] for name in graph.relation_names], dtype=np.int64)
        columns[0].append(graph.head.astype(np.int64) + shift)
        columns[1].append(renumber[graph.relation])
        columns[2].append(graph.tail.astype(np.int64) + shift)
        shift += graph.num_vertices
    head, relation, tail = (
        [np.concatenate(c) for c in columns] if graphs else [np.zeros(0, dtype=np.int64)] * 3
    )
    union = RelationalGraph.from_arrays(
        head,
        relation,
        tail,
        vertex_names=[f"{i}/{name}" for i, g in enumerate(graphs, 1) for name in g.vertex_names],
        relation_names=relation_names,
        direction=modes.pop() if modes else "both",
        prefixes={p: iri for graph in reversed(graphs) for p, iri in graph.prefixes.items()},
        literals=policies.pop() if len(policies) == 1 else None,
    )
    if all(graph.labels is None for graph in graphs):
        return union
    return union.with_labels([name for graph in graphs for name in _label_per_vertex(graph)])


def _label_per_vertex(graph: RelationalGraph) -> list[str]:
    if graph.labels is None:
        return [""] * graph.num_vertices
    return [graph.label_names[i] for i in graph.labels.tolist()]
