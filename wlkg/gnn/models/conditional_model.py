"""C-MPNN: layers of conditional message passing, stacked as a `ModelConfig` says.

    h_{u,v}^0 = [u = v] z_q  [+ s]  [+ x_u A + x_v B]

for a source u, a query q and every vertex v, where z_q is a learned vector of the query, s one for
all pairs (with ``bias``), and x are features that differ from vertex to vertex, if there are any.
Then come the layers (see `conditional_layer`), each with a non-linearity. Queries 0 .. R - 1 are
(h, r, ?) and R .. 2 R - 1 are (?, r, t), for the R relations of the graph without their inverses.

For one query, the features of the pair (u, v) after t layers are bounded by round t of rawl2 (see
`wlkg.gnn.bounds`). Without s they may see less: what is zero sends messages of zero if it is
multiplied by the vector of a relation, so neighbours that the source does not reach yet cannot be
counted. NBFNet has no s.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.activations import ACTIVATION_FUNCTIONS
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.conditional_layer import ConditionalLayer
from wlkg.gnn.models.parameters import random_matrix


class ConditionalModel(nn.Module):
    """C-MPNN: features of the pairs of a batch of sources with all vertices."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        widths = config.widths
        self.queries = nn.Embedding(config.num_queries, widths[0])
        self.of_source: nn.Parameter | None = None
        self.of_vertex: nn.Parameter | None = None
        self.common = random_matrix(1, widths[0]) if config.bias else None
        if config.vertex_features:
            self.of_source = random_matrix(config.in_width, widths[0])
            self.of_vertex = random_matrix(config.in_width, widths[0])
        self.layers = nn.ModuleList(
            ConditionalLayer(
                *pair,
                config.relations,
                query_width=widths[0] if config.query_message else None,
                composition=config.composition,
                aggregation=config.aggregation,
                global_readout=config.global_readout,
                bias=config.bias,
            )
            for pair in itertools.pairwise(widths)
        )

    def forward(
        self,
        graph: ConditionalGraph,
        sources: Tensor,
        queries: Tensor,
        x: Tensor | None = None,
    ) -> Tensor:
        """Features of every pair: the axes are source, vertex, entry.

        ``sources`` and ``queries`` are numbers, one of each per row of the batch; ``x`` are the
        features of the vertices if the model takes any.
        """
        h = torch.empty(0)
        for h in self.each_layer(graph, sources, queries, x):  # noqa: B007
            pass
        return h.transpose(0, 1)

    def each_layer(
        self,
        graph: ConditionalGraph,
        sources: Tensor,
        queries: Tensor,
        x: Tensor | None = None,
    ) -> Iterator[Tensor]:
        """The features after every layer, one at a time; the axes are vertex, source, entry."""
        activation = ACTIVATION_FUNCTIONS[self.config.activation]
        z = self.queries(queries)
        h = self.start(graph, sources, z, x)
        for number, layer in enumerate(self.layers, 1):
            h = layer(h, z, graph)
            if number < len(self.layers) or self.config.last_activation:
                h = activation(h)
            yield h

    def start(
        self, graph: ConditionalGraph, sources: Tensor, z: Tensor, x: Tensor | None
    ) -> Tensor:
        """The features before the first layer, given the vectors of the queries."""
        count = torch.arange(len(sources), device=z.device)
        h = z.new_zeros(graph.num_vertices, *z.shape).index_put((sources, count), z)
        if self.common is not None:
            h = h + self.common
        if self.of_source is None or self.of_vertex is None:
            return h
        assert x is not None
        return h + x[sources] @ self.of_source + (x @ self.of_vertex)[:, None, :]
