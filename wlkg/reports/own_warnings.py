"""What is unusual about an own model, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import ReportNames
from wlkg.reports.own_model import encodings, listed, whole_graph, why_random, wrong_lists

if TYPE_CHECKING:
    from wlkg.gnn.own_models.own_verdict import OwnVersus

#: More rounding than double precision causes.
COARSE = 1e-8


def warnings(result: OwnVersus, graph: RelationalGraph) -> list[str]:
    """What is unusual about an own model, in words."""
    diagnosis, texts = result.diagnosis, []
    if diagnosis.is_random:
        texts.append(
            f"two runs on the same input differ by up to {diagnosis.repeated:.1e}:"
            f" {why_random(result)}. Call .eval(), or give the model in that mode: random features"
            " are bounded by no test"
        )
    if diagnosis.leaks_identity:
        vertex = ReportNames(graph).vertex(graph.vertex_names[diagnosis.most_changed])
        reason = (
            "it computes eigenvectors, whose sign and basis are arbitrary. Make it independent of"
            " them, for instance by absolute values or projections"
            if diagnosis.uses_eigenvectors
            else f"it uses the identity of vertices: {listed(result.traits.embeddings)}"
            if result.traits.embeddings
            else "it uses the identity of vertices (embeddings, row numbers), or an arbitrary"
            " choice such as the sign or basis of eigenvectors in positional encodings"
        )
        texts.append(
            f"renumbering the vertices changes features by up to {diagnosis.renumbered:.1e}, most"
            f" for {vertex}, while rounding is about {diagnosis.rounding:.1e}: {reason}"
        )
    if diagnosis.depends_on_order:
        texts.append(
            f"another order of edges changes features by up to {diagnosis.reordered:.1e}: the model"
            " depends on that order"
        )
    if diagnosis.aggregation is not None:
        kind = {"mean": "mean (or by attention)", "max": "maximum"}[diagnosis.aggregation]
        texts.append(
            f"one neighbour and two equal neighbours look the same: the model aggregates by {kind}"
            " and cannot reach 1-rwl. Use sums"
        )
    texts += [*encodings(result), *whole_graph(result), *wrong_lists(result)]
    if "64" not in str(diagnosis.dtype):
        name = str(diagnosis.dtype).removeprefix("torch.")
        texts.append(
            f"features are {name}: rounding of {diagnosis.noise:.1e} hides small differences."
            " Compute in float64"
        )
    elif diagnosis.sees_graph_only and diagnosis.noise > COARSE:
        texts.append(
            f"another order of edges changes features by up to {diagnosis.noise:.1e}, as rounding"
            " to float32 inside the model does, which hides small differences. Compute in float64"
        )
    return texts
