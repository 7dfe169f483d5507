"""Small problems of link prediction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tests.analysis.links.dictionaries import Triple
from tests.strategies import relational_graphs
from wlkg.graph.relational_graph import RelationalGraph

#: A graph, test triples and known triples.
Problem = tuple[RelationalGraph, list[Triple], list[Triple]]

ENCODERS = ("1-rwl", "weak-rwl", "1-wl", "mean-rwl")


@st.composite
def link_problems(draw: st.DrawFn, max_vertices: int = 7) -> Problem:
    """A graph, test triples and known triples; some name what the graph does not have."""
    graph = draw(relational_graphs(max_vertices=max_vertices))
    vertex = st.sampled_from([*graph.vertex_names, "new"])
    relation = st.sampled_from([*graph.relation_names, "other"])
    triples = st.lists(st.tuples(vertex, relation, vertex), max_size=6)
    test = draw(triples.filter(len))
    return graph, test, draw(triples)


def extended(graph: RelationalGraph, test: Sequence[Triple]) -> RelationalGraph:
    """The graph with the vertices that only the test triples have, by dictionaries."""
    new = {name for h, _, t in test for name in (h, t)} - set(graph.vertex_names)
    names = [*graph.vertex_names, *sorted(new)]
    label: dict[str, Any] = {}
    if graph.labels is not None:
        label["labels"] = [*graph.labels.tolist(), *[3] * len(new)]
    return RelationalGraph.from_arrays(
        graph.head,
        graph.relation,
        graph.tail,
        vertex_names=names,
        relation_names=graph.relation_names,
        direction=graph.direction,
        **label,
    )
