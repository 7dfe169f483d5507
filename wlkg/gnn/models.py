"""Models: layers stacked as a `ModelConfig` says."""

from __future__ import annotations

import itertools
from typing import Any

import torch
from torch import Tensor, nn

from wlkg.gnn.compgcn import CompGCNLayer
from wlkg.gnn.compositions import find_composition
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.krn import GraphReadout, KRNLayer, TupleInput, vertex_features
from wlkg.gnn.plan import Plan
from wlkg.gnn.rgcn import RGCNLayer


class VertexModel(nn.Module):
    """R-GCN, R-GCN + MLP or CompGCN."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        widths = config.widths
        pairs = list(itertools.pairwise(widths))
        self.relation_vectors: nn.Parameter | None = None
        if config.model == "compgcn":
            self.layers = nn.ModuleList(self._compgcn_layers(pairs))
        else:
            self.layers = nn.ModuleList(
                RGCNLayer(*pair, config.relations, bias=config.bias, mlp=config.model == "rgcn-mlp")
                for pair in pairs
            )

    def _compgcn_layers(self, pairs: list[tuple[int, int]]) -> list[CompGCNLayer]:
        config = self.config
        self.relation_vectors, following = relation_parameters(config)
        return [
            CompGCNLayer(
                *pair,
                config.relations,
                composition=config.composition,
                direction=config.direction,
                bias=config.bias,
                next_relation_width=width,
            )
            for pair, width in zip(pairs, following, strict=True)
        ]

    def features(self, x: Tensor, plan: Plan) -> list[Tensor]:
        """The features after every layer, a row for each target of its step."""
        z: Tensor | None = self.relation_vectors
        found = []
        for number, (layer, step) in enumerate(zip(self.layers, plan.steps, strict=True), 1):
            if isinstance(layer, RGCNLayer):
                x = layer.step(x, step)
            else:
                assert isinstance(layer, CompGCNLayer)
                assert z is not None
                x, z = layer.step(x, z, step)
            if number < len(self.layers) or self.config.last_activation:
                x = torch.relu(x)
            found.append(x)
        return found

    def forward(self, x: Tensor, plan: Plan) -> Tensor:
        """A row for each target of the plan."""
        return self.features(x, plan)[-1].index_select(0, plan.rows)


class TupleModel(nn.Module):
    """k-RN with vertex-level and graph-level readout."""

    def __init__(self, config: ModelConfig, num_types: int) -> None:
        super().__init__()
        self.config = config
        self.types = nn.Embedding(num_types, config.width)
        self.relation_vectors, following = relation_parameters(config)
        self.layers = nn.ModuleList(
            KRNLayer(
                config.width,
                config.width,
                config.k,
                composition=config.composition,
                bias=config.bias,
                next_relation_width=width,
            )
            for width in following
        )
        self.vertex_head = nn.Linear(2 * config.width, config.out_width)
        self.graph_head = GraphReadout(config.width, config.out_width)

    def features(self, graph: TupleInput) -> list[Tensor]:
        """The features of all tuples after every layer."""
        h, z = self.types(graph.types), self.relation_vectors
        found = []
        for layer in self.layers:
            h, z = layer(h, z, graph)
            h = torch.relu(h)
            found.append(h)
        return found

    def forward(self, graph: TupleInput) -> Tensor:
        """A row for each vertex."""
        out: Tensor = self.vertex_head(vertex_features(self.features(graph)[-1]))
        return out

    def graph_vector(self, graph: TupleInput) -> Tensor:
        """A vector for the whole graph."""
        out: Tensor = self.graph_head(self.features(graph)[-1])
        return out


def relation_parameters(config: ModelConfig) -> tuple[nn.Parameter, list[int | None]]:
    """The first vectors of the relations, and the width that each layer maps them to.

    The last layer maps them too, to the width it got, although nothing uses them then: so the
    number of parameters is that of the paper.
    """
    composition = find_composition(config.composition)
    inputs = [config.width] * config.layers
    if config.model == "compgcn":
        inputs[0] = config.in_width
    widths = [composition.relation_width(width) for width in inputs]
    following: list[int | None] = [*widths[1:], widths[-1]]
    if not config.relation_update:
        if len(set(widths)) > 1:
            # Only an update can change the width of a relation's vector.
            following = [b if a != b else None for a, b in zip(widths, following, strict=True)]
        else:
            following = [None] * config.layers
    vectors = nn.init.xavier_uniform_(torch.empty(config.relations, widths[0]))
    return nn.Parameter(vectors), following


def count_parameters(model: nn.Module) -> int:
    """How many numbers are learned."""
    return sum(parameter.numel() for parameter in model.parameters())


def seeded(seed: int, make: Any, *arguments: Any) -> Any:
    """Make a model with the random numbers of a seed, and leave all others as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make(*arguments)
