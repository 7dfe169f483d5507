"""Why the weakest test separates two graphs, as part of a comparison, where that is cheap."""

from __future__ import annotations

from typing import Any

from wlkg.analysis.compare import Comparison
from wlkg.analysis.explanation.explain import explain
from wlkg.analysis.explanation.graphs import GraphsExplanation
from wlkg.catalogue import TupleTest, find_test
from wlkg.graph.name_labels import labelled_by_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.explain_document import graphs_document
from wlkg.reports.explain_words import Explained

#: The most triples of both graphs for a test of vertices, and the most tuples for one of tuples.
_MOST_TRIPLES = 200_000
_MOST_TUPLES = 20_000


def comparison_explanation(
    names: tuple[str, str],
    graphs: tuple[RelationalGraph, RelationalGraph],
    comparison: Comparison,
) -> dict[str, Any]:
    """``{"explanation": ...}``, or nothing if no test separates the graphs or it takes long."""
    test = comparison.weakest
    if test is None or not _is_cheap(test, graphs):
        return {}
    if comparison.names:
        with_labels = any(graph.labels is not None for graph in graphs)
        one, two = (labelled_by_name(graph, with_labels=with_labels) for graph in graphs)
        graphs = one, two
    explanation = explain(*graphs, test=test, direction=comparison.direction)
    assert isinstance(explanation, GraphsExplanation)
    explained = Explained(graphs[0], test, {})
    return {"explanation": graphs_document(explanation, explained, names)}


def _is_cheap(test: str, graphs: tuple[RelationalGraph, RelationalGraph]) -> bool:
    chosen = find_test(test)
    if isinstance(chosen, TupleTest):
        tuples: int = sum(graph.num_vertices**chosen.arity for graph in graphs)
        return tuples <= _MOST_TUPLES
    return sum(graph.num_triples for graph in graphs) <= _MOST_TRIPLES
