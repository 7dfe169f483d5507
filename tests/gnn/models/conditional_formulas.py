"""Conditional message passing, as loops over sources, vertices, relations and neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from tests.gnn.models.formulas import Around, linear, num_relations, phi, random_rows
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import PAIR_AGGREGATIONS, ModelConfig
from wlkg.gnn.models.conditional_layer import ConditionalLayer
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.graph.relational_graph import RelationalGraph

#: For each batch row and vertex, its features.
PairRows = list[list[Tensor]]

aggregations = st.sampled_from(PAIR_AGGREGATIONS)
compositions = st.sampled_from(sorted(COMPOSITIONS))


def conditional_config(graph: RelationalGraph, **switches: Any) -> ModelConfig:
    """A small C-MPNN for a graph."""
    settings: dict[str, Any] = {"layers": 2, "width": 4} | switches
    return ModelConfig(
        "c-mpnn",
        in_width=3,
        out_width=settings["width"],
        relations=max(num_relations(graph), 1),
        inverses=graph.direction == "both" and graph.num_relations > 0,
        **settings,
    )


def features_of(graph: RelationalGraph, config: ModelConfig, seed: int) -> Tensor | None:
    """Random features of vertices, if the model takes any."""
    if not config.vertex_features:
        return None
    return random_rows(graph.num_vertices, config.in_width, seed=seed)


def entry_by_entry(rows: Sequence[Tensor], choose: Any) -> Tensor:
    """A function of the entries that rows have at the same place."""
    columns = zip(*(row.tolist() for row in rows), strict=True)
    return torch.tensor([choose(column) for column in columns], dtype=torch.float64)


def deviation(column: Sequence[float]) -> float:
    mean = sum(column) / len(column)
    return math.sqrt(max(sum((each - mean) ** 2 for each in column) / len(column), 1e-12))


def aggregated(messages: list[Tensor], aggregation: str, width: int) -> Tensor:
    copies = 12 if aggregation == "pna" else 1
    if not messages:
        return torch.zeros(copies * width, dtype=torch.float64)
    total = entry_by_entry(messages, sum)
    if aggregation == "sum":
        return total
    mean = total / len(messages)
    if aggregation == "mean":
        return mean
    statistics = torch.cat([mean, *(entry_by_entry(messages, f) for f in (max, min, deviation))])
    logarithm = math.log(len(messages) + 1)
    return torch.cat([statistics, statistics * logarithm, statistics / logarithm])


def relation_vectors(layer: ConditionalLayer, query: Tensor) -> Tensor:
    """The vectors of all relations for a query."""
    if layer.query_map is None:
        assert layer.vectors is not None
        return layer.vectors
    return linear(layer.query_map, query).reshape(-1, layer.compose.relation_width)


def dense_layer(
    layer: ConditionalLayer, rows: PairRows, queries: Tensor, near: Around, config: ModelConfig
) -> PairRows:
    out: PairRows = []
    for of_source, query in zip(rows, queries, strict=True):
        z, updated = relation_vectors(layer, query), []
        for v, own in enumerate(of_source):
            messages = [
                phi(config.composition, of_source[w], z[i], layer.compose.map)
                for i, around_v in enumerate(near[v])
                for w in around_v
            ]
            total = own @ layer.root
            total = total + (
                aggregated(messages, config.aggregation, layer.compose.out_width) @ layer.weight
            )
            if layer.readout is not None:
                for row in of_source:
                    total = total + row @ layer.readout
            updated.append(total if layer.bias is None else total + layer.bias)
        out.append(updated)
    return out


def dense_conditional(
    model: ConditionalModel,
    near: Around,
    sources: Sequence[int],
    queries: Sequence[int],
    x: Tensor | None,
) -> list[PairRows]:
    """The features of all pairs after every layer."""
    config = model.config
    vectors = model.queries.weight[torch.tensor(queries, dtype=torch.int64)]
    rows: PairRows = []
    for u, query in zip(sources, vectors, strict=True):
        start = [query if v == u else torch.zeros_like(query) for v in range(len(near))]
        if config.bias:
            assert model.common is not None
            start = [h + model.common[0] for h in start]
        if x is not None:
            assert model.of_source is not None
            assert model.of_vertex is not None
            start = [
                h + x[u] @ model.of_source + x[v] @ model.of_vertex for v, h in enumerate(start)
            ]
        rows.append(start)
    features = []
    for number, layer in enumerate(model.layers, 1):
        assert isinstance(layer, ConditionalLayer)
        rows = dense_layer(layer, rows, vectors, near, config)
        if number < config.layers or config.last_activation:
            rows = [[row.clamp(min=0) for row in of_source] for of_source in rows]
        features.append(rows)
    return features
