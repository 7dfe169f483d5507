"""k-RN: layers on k-tuples of vertices, stacked as a `ModelConfig` says, and a vertex readout."""

from __future__ import annotations

import itertools

from torch import Tensor, nn

from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.activations import ACTIVATION_FUNCTIONS
from wlkg.gnn.models.krn import KRNLayer, vertex_features, vertex_width
from wlkg.gnn.models.relation_vectors import relation_parameters
from wlkg.gnn.models.tuple_input import TupleInput


class TupleModel(nn.Module):
    """k-RN with a linear map from the features of vertices to the output."""

    def __init__(self, config: ModelConfig, num_types: int) -> None:
        super().__init__()
        self.config = config
        widths = config.widths
        self.types = nn.Embedding(num_types, widths[0])
        self.relation_vectors, next_widths = relation_parameters(config)
        self.layers = nn.ModuleList(
            KRNLayer(
                *pair,
                config.k,
                composition=config.composition,
                aggregation=config.aggregation,
                update=config.update,
                bias=config.bias,
                next_relation_width=next_width,
                own_vectors=config.relations if config.own_vectors else None,
            )
            for pair, next_width in zip(itertools.pairwise(widths), next_widths, strict=True)
        )
        self.vertex_head = nn.Linear(vertex_width(widths[-1], config.k), config.out_width)

    def features(self, graph: TupleInput) -> list[Tensor]:
        """The features of all tuples after every layer."""
        activation = ACTIVATION_FUNCTIONS[self.config.activation]
        h, z = self.types(graph.types), self.relation_vectors
        features = []
        for layer in self.layers:
            h, z = layer(h, z, graph)
            h = activation(h)
            features.append(h)
        return features

    def forward(self, graph: TupleInput) -> Tensor:
        """A row for each vertex."""
        out: Tensor = self.vertex_head(vertex_features(self.features(graph)[-1]))
        return out
