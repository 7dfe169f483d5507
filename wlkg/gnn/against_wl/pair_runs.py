"""Running a C-MPNN for chosen sources, or all, in a chosen arrangement; see `runs`.

All sources get the same query, the first one: rawl2 does not know queries, and the vectors of all
queries are drawn in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch

from wlkg.arrays import FloatArray, IntArray
from wlkg.gnn.against_wl.runs import Arrangement, Run, arranged_edges, arranged_features
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.config import AGGREGATIONS
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.conditional_model import ConditionalModel

#: The query of every source.
QUERY = 0


def pair_run(model: ConditionalModel, setting: Setting) -> Run:
    """Run a C-MPNN with a row for each source and vertex, source by source."""
    arcs, device = setting.arcs, setting.device

    @torch.no_grad()
    def run(arrangement: Arrangement) -> Iterator[FloatArray]:
        edges, relation = arranged_edges(arcs, arrangement)
        graph = ConditionalGraph.sorted(
            arcs.num_vertices, arcs.num_relations, edges[1], edges[0], relation
        ).to(device)
        sources = torch.from_numpy(arrangement.vertices[setting.source_ids]).to(device)
        x = None
        if model.config.vertex_features:
            x = arranged_features(setting.features, arrangement).to(device, setting.dtype)
        place = torch.from_numpy(arrangement.vertices)
        for h in model.each_layer(graph, sources, torch.full_like(sources, QUERY), x):
            rows = h.cpu()[place].transpose(0, 1)
            yield rows.reshape(-1, h.shape[-1]).to(torch.float64).numpy()

    return run


def relation_vectors(model: ConditionalModel, layer: int) -> torch.Tensor:
    """The vectors that a layer composes with, a row for each relation, for the query of a run."""
    vector = model.queries.weight[QUERY : QUERY + 1]
    vectors: torch.Tensor = model.layers[layer].relations(vector)  # type: ignore[operator]
    return vectors[:, 0]


def has_exact_formula(model: ConditionalModel) -> bool:
    """Whether `exact_layers` can compute it: neither statistics nor sums over all vertices."""
    return model.config.aggregation in AGGREGATIONS and not model.config.global_readout


def start_rows(model: ConditionalModel, setting: Setting, items: IntArray) -> torch.Tensor:
    """The features of pairs before the first layer; pair (sources[k], v) is item k n + v."""
    n = setting.graph.num_vertices
    source, vertex = setting.source_ids[items // n], items % n
    vector = model.queries.weight[QUERY].cpu()
    h = torch.from_numpy(source == vertex).to(vector.dtype)[:, None] * vector
    if model.common is not None:
        h = h + model.common.cpu()
    if model.of_source is None or model.of_vertex is None:
        return h
    x_source, x_vertex = (setting.features.of(each).to(vector.dtype) for each in (source, vertex))
    return h + x_source @ model.of_source.cpu() + x_vertex @ model.of_vertex.cpu()
