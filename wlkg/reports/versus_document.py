"""A model against a test as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wlkg.arrays import IntArray
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import ReportNames
from wlkg.reports.own_model import depth_document, eval_document
from wlkg.reports.own_pairs import own_pairs_document
from wlkg.reports.own_warnings import warnings

if TYPE_CHECKING:
    from wlkg.gnn.against_wl.judging import Versus
    from wlkg.gnn.against_wl.verdicts import LayerVerdict
    from wlkg.gnn.own_models.own_verdict import Against, OwnVersus

#: From the number of a vertex or tuple to its name.
Naming = Callable[[int], str]


def naming(
    graph: RelationalGraph,
    arity: int,
    shown: Callable[[str], str] = str,
    sources: IntArray | None = None,
) -> Naming:
    """Names of vertices, or of tuples of them in lexicographic order.

    With ``sources`` there are pairs of each of them and every vertex.
    """

    def name(item: int) -> str:
        if sources is not None:
            place, vertex = divmod(item, graph.num_vertices)
            item = int(sources[place]) * graph.num_vertices + vertex
        if arity == 1:
            return shown(graph.vertex_names[item])
        vertices = []
        for _ in range(arity):
            item, vertex = divmod(item, graph.num_vertices)
            vertices.append(shown(graph.vertex_names[vertex]))
        return f"({', '.join(reversed(vertices))})"

    return name


def shown_naming(graph: RelationalGraph, arity: int, sources: IntArray | None = None) -> Naming:
    """Names as reports show them."""
    names = ReportNames(graph)
    return naming(graph, arity, names.vertex, sources)


def sources_of(result: Versus) -> IntArray | None:
    """The sources of the pairs that were compared, if not all pairs were."""
    from wlkg.refinement.sources import SourceRefinement

    run = result.refinement
    return run.sources if isinstance(run, SourceRefinement) else None


def versus_document(result: Versus | OwnVersus, graph: RelationalGraph) -> dict[str, Any]:
    """What ``wlkg versus --json`` prints about a model."""
    from wlkg.gnn.api import OwnVersus

    if isinstance(result, OwnVersus):
        return _own_document(result, graph)
    from wlkg.gnn.api import OwnPairsVersus

    sources = sources_of(result)
    own = own_pairs_document(result) if isinstance(result, OwnPairsVersus) else {}
    name = naming(graph, result.refinement.arity, sources=sources)
    return {
        **({} if sources is None else {"sources": len(sources)}),
        **own,
        "test": result.bound.test,
        "direction": result.bound.direction,
        "rounds_later": result.bound.later,
        "layers": [_layer(layer, name) for layer in result.layers],
        "bound_holds": result.bound_holds,
        "matches": result.matches,
        "left_out": asdict(result.left_out),
        "draws": [
            {"weights": draw.weights, "layers": [_layer(layer, name) for layer in draw.layers]}
            for draw in result.draws
        ],
    }


def _own_document(result: OwnVersus, graph: RelationalGraph) -> dict[str, Any]:
    name = naming(graph, 1)
    return {
        "test": result.chosen.test,
        "per_layer": result.per_layer,
        **depth_document(result),
        "layers": _own_layers(result, result.chosen, name),
        "bound_holds": result.bound_holds,
        "matches": result.matches,
        "matching_tests": list(result.matching),
        "bounding_tests": list(result.bounding),
        "against": [
            {
                "test": against.test,
                # The layers of a model that depends on more than the graph are those of one run.
                "relation": against.relation if result.sees_graph_only else None,
                "bound_holds": against.bound_holds if result.sees_graph_only else False,
                "matches": against.matches if result.sees_graph_only else False,
                "layers": _own_layers(result, against, name),
            }
            for against in result.against
        ],
        "random": result.diagnosis.is_random,
        "in_eval_mode": eval_document(result),
        "identity_leak": result.diagnosis.leaks_identity,
        "order_dependent": result.diagnosis.depends_on_order,
        "aggregation": result.diagnosis.aggregation,
        "warnings": warnings(result, graph),
    }


def _own_layers(result: OwnVersus, against: Against, name: Naming) -> list[dict[str, Any]]:
    """The layers of a model; the last features of a model without limit are of no layer."""
    layers = [_layer(layer, name) for layer in against.layers]
    return layers if result.depth is not None else [{**layer, "layer": None} for layer in layers]


def _layer(layer: LayerVerdict, name: Naming) -> dict[str, Any]:
    named = {
        key: None if (pair := getattr(layer, key)) is None else [name(item) for item in pair]
        for key in ("merged", "split", "unclear")
    }
    return {**asdict(layer), **named}
