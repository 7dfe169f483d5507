"""Models of vertices, from the plain GNN to CompGCN: layers stacked as a `ModelConfig` says."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.activations import ACTIVATION_FUNCTIONS
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.plan import Plan
from wlkg.gnn.models.relation_vectors import relation_parameters
from wlkg.gnn.models.rgcn import RGCNLayer


class VertexModel(nn.Module):
    """Plain GNN, R-GCN, R-GCN + MLP or CompGCN.

    A plain GNN is an R-GCN whose only relation leads to each distinct neighbour.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        widths = list(itertools.pairwise(config.widths))
        #: The features of all vertices before the first layer, unless they are given.
        self.start: Tensor | None
        self.register_buffer("start", None)
        if config.random_start:
            self.start = nn.init.xavier_uniform_(torch.empty(1, config.in_width))
        self.relation_vectors: nn.Parameter | None = None
        if config.model == "compgcn":
            self.layers = nn.ModuleList(self._compgcn_layers(widths))
        else:
            mlp = config.model == "rgcn-mlp"
            self.layers = nn.ModuleList(
                RGCNLayer(*pair, config.relations, bias=config.bias, mlp=mlp) for pair in widths
            )

    def _compgcn_layers(self, widths: list[tuple[int, int]]) -> list[CompGCNLayer]:
        config = self.config
        self.relation_vectors, next_widths = relation_parameters(config)
        return [
            CompGCNLayer(
                *pair,
                config.relations,
                outward=config.outward,
                composition=config.composition,
                direction=config.direction,
                bias=config.bias,
                next_relation_width=next_width,
                own_vectors=config.own_vectors,
            )
            for pair, next_width in zip(widths, next_widths, strict=True)
        ]

    def features(self, x: Tensor, plan: Plan) -> list[Tensor]:
        """The features after every layer, a row for each target of its step."""
        return list(self.each_layer(x, plan))

    def each_layer(self, x: Tensor, plan: Plan) -> Iterator[Tensor]:
        """The features after every layer, computed one layer at a time."""
        activation = ACTIVATION_FUNCTIONS[self.config.activation]
        z: Tensor | None = self.relation_vectors
        if self.start is not None:
            x = self.start.expand(len(x), -1)
        for number, (layer, step) in enumerate(zip(self.layers, plan.steps, strict=True), 1):
            if isinstance(layer, RGCNLayer):
                x = layer.step(x, step)
            else:
                assert isinstance(layer, CompGCNLayer)
                x, z = layer.step(x, z, step)
            if number < len(self.layers) or self.config.last_activation:
                x = activation(x)
            yield x

    def forward(self, x: Tensor, plan: Plan) -> Tensor:
        """A row for each target of the plan."""
        return self.features(x, plan)[-1].index_select(0, plan.rows)
