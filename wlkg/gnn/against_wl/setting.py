"""A graph with the features that models are given, and how numbers are computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from wlkg.catalogue import Direction
from wlkg.errors import UsageError
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.devices import find_device, find_dtype
from wlkg.gnn.features import CONSTANT, LABELS, Features, make_features
from wlkg.gnn.models.tuple_input import TupleInput, tuple_inputs, type_names
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine
from wlkg.refinement.results import Refinement


@dataclass(frozen=True, eq=False)
class Setting:
    """A graph with the features that models are given, and how numbers are computed."""

    graph: RelationalGraph
    direction: Direction
    given: Features
    device: torch.device
    dtype: torch.dtype
    max_memory: int | None = None

    @property
    def arcs(self) -> Arcs:
        return self.graph.arcs(self.direction)

    @cached_property
    def coloured(self) -> RelationalGraph:
        """The graph with a label for each row of features: what tests start with."""
        return self.graph.with_label_ids(self.given.start.colours)

    def refined(
        self, test: str, direction: Direction | None = None, rounds: int | None = None
    ) -> Refinement:
        """What a test says of the graph."""
        mode = self.direction if direction is None else direction
        return refine(self.coloured, test, mode, rounds, max_memory=self.max_memory)

    def completed(self, config: ModelConfig) -> ModelConfig:
        """The configuration with what the graph decides; every layer has its non-linearity."""
        return replace(
            config,
            in_width=self.given.width,
            out_width=config.width,
            relations=max(self.arcs.num_relations, 1),
            inverses=self.direction == "both",
            last_activation=True,
        )

    def about(self, config: ModelConfig) -> About:
        """Which graphs a model of this one is for."""
        types: Sequence[str] = ()
        if config.model == "k-rn":
            types = self.type_names(self.tuples(config.k))
        return About.of(self.graph.with_direction(self.direction), self.given, types)

    def type_names(self, tuples: TupleInput) -> list[str]:
        """The atomic types of tuples in words."""
        return type_names(tuples, self.given.vertex_names, self.arcs.relation_names)

    def tuples(self, k: int) -> TupleInput:
        """What a k-RN sees."""
        coloured = self.coloured.with_direction(self.direction)
        return tuple_inputs(coloured, k, max_memory=self.max_memory)[0]


def make_setting(
    graph: RelationalGraph,
    *,
    features: str | None = None,
    width: int = 64,
    direction: Direction | None = None,
    device: str = "auto",
    dtype: str = "float64",
    max_memory: int | None = None,
) -> Setting:
    """By default features are one-hot labels where the graph has labels, else constant."""
    if not graph.num_vertices:
        raise UsageError("the graph has no vertices: there is nothing to compare")
    chosen = features or (CONSTANT if graph.labels is None else LABELS)
    mode = graph.direction if direction is None else direction
    given = make_features(graph, chosen, width)
    number = find_dtype(dtype)
    return Setting(graph, mode, given, find_device(device, number), number, max_memory)
