"""Models: layers stacked as a `ModelConfig` says, with a non-linearity between them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from wlkg.gnn.compositions import find_composition
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.krn import GraphReadout, KRNLayer, TupleInput, vertex_features
from wlkg.gnn.models.plan import Plan
from wlkg.gnn.models.relation_vectors import random_matrix
from wlkg.gnn.models.rgcn import RGCNLayer

_ACTIVATION: dict[str, Callable[[Tensor], Tensor]] = {"relu": torch.relu, "sign": torch.sign}


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
                outward=config.outward,
                composition=config.composition,
                direction=config.direction,
                bias=config.bias,
                next_relation_width=width,
                own_vectors=config.own_vectors,
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
                x, z = layer.step(x, z, step)
            if number < len(self.layers) or self.config.last_activation:
                x = _ACTIVATION[self.config.activation](x)
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
        widths = config.widths
        self.types = nn.Embedding(num_types, widths[0])
        self.relation_vectors, following = relation_parameters(config)
        self.layers = nn.ModuleList(
            KRNLayer(
                *pair,
                config.k,
                composition=config.composition,
                bias=config.bias,
                next_relation_width=width,
                own_vectors=config.relations if config.own_vectors else None,
            )
            for pair, width in zip(itertools.pairwise(widths), following, strict=True)
        )
        self.vertex_head = nn.Linear(2 * widths[-1], config.out_width)
        self.graph_head = GraphReadout(widths[-1], config.out_width)

    def features(self, graph: TupleInput) -> list[Tensor]:
        """The features of all tuples after every layer."""
        h, z = self.types(graph.types), self.relation_vectors
        found = []
        for layer in self.layers:
            h, z = layer(h, z, graph)
            h = _ACTIVATION[self.config.activation](h)
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


class ReadoutModel(nn.Module):
    """A model that exists already, and a linear map from its features to scores.

    Signs have no gradient, so what ends in them stays as it is, and only the map is learned. Then
    features are computed once: a task always has the same inputs.
    """

    def __init__(self, body: VertexModel | TupleModel, classes: int) -> None:
        super().__init__()
        self._is_fixed = body.config.activation == "sign"
        self._known: Tensor | None = None
        self.body = body.requires_grad_(not self._is_fixed)
        parts = 2 if isinstance(body, TupleModel) else 1
        self.head = nn.Linear(parts * body.config.widths[-1], classes)

    def forward(self, *inputs: Any) -> Tensor:
        """Scores for each target of a plan, or for each vertex."""
        features = self._known
        if features is None:
            features = self._features(*inputs)
            self._known = features if self._is_fixed else None
        out: Tensor = self.head(features)
        return out

    def _features(self, *inputs: Any) -> Tensor:
        if isinstance(self.body, TupleModel):
            return vertex_features(self.body.features(*inputs)[-1])
        out: Tensor = self.body(*inputs)
        return out


def relation_parameters(config: ModelConfig) -> tuple[nn.Parameter | None, list[int | None]]:
    """The first vectors of the relations, and the width that each layer maps them to.

    The last layer maps them too, to the width it got, although nothing uses them then: so the
    number of parameters is that of the paper. Where layers have vectors of their own there are
    neither.
    """
    if config.own_vectors:
        return None, [None] * config.layers
    composition = find_composition(config.composition)
    widths = [composition.relation_width(width) for width in config.widths[:-1]]
    following: list[int | None] = [*widths[1:], widths[-1]]
    if not config.relation_update:
        # Only an update can change the width of a relation's vector.
        following = [b if a != b else None for a, b in zip(widths, following, strict=True)]
    return random_matrix(config.relations, widths[0]), following


def count_parameters(model: nn.Module) -> int:
    """How many numbers are learned."""
    return sum(parameter.numel() for parameter in model.parameters())


def seeded(seed: int, make: Any, *arguments: Any) -> Any:
    """Make a model with the random numbers of a seed, and leave all others as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make(*arguments)
