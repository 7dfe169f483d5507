"""What a model is compared on: a graph, its features, and what the tests say about it.

Whatever depends on the graph alone is computed once and kept: the runs of the tests, and the tuples
that a k-RN sees.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import torch

from wlkg.arrays import IntArray
from wlkg.catalogue import Direction
from wlkg.devices import find_device
from wlkg.display import Brief
from wlkg.errors import UsageError
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.config import ModelChoice, ModelConfig
from wlkg.gnn.dtypes import find_dtype
from wlkg.gnn.features import CONSTANT, GLOROT, LABELS, Features, make_features
from wlkg.gnn.models.tuple_input import TupleInput, tuple_inputs, type_names
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine
from wlkg.refinement.results import Refinement
from wlkg.refinement.sources import source_ids

#: The default number of layers is the number of rounds of the test, but at most this.
MOST_LAYERS = 8


@dataclass(frozen=True, eq=False)
class Setting(Brief):
    """A graph with the input features of models, and the arithmetic they are computed in."""

    #: Its direction mode decides the arcs that models and tests see.
    graph: RelationalGraph
    features: Features
    device: torch.device
    dtype: torch.dtype
    max_memory: int | None = None
    #: For models of pairs, the sources to compare; None stands for all vertices.
    sources: tuple[int, ...] | None = None
    _refinements: dict[tuple[str, Direction], Refinement] = field(
        default_factory=dict, init=False, repr=False
    )
    _tuples: dict[tuple[int, tuple[int, ...]], list[TupleInput]] = field(
        default_factory=dict, init=False, repr=False
    )

    @property
    def arcs(self) -> Arcs:
        return self.graph.arcs()

    @cached_property
    def source_ids(self) -> IntArray:
        """The sources of a model of pairs."""
        return (
            np.arange(self.graph.num_vertices) if self.sources is None else np.array(self.sources)
        )

    @cached_property
    def coloured(self) -> RelationalGraph:
        """The graph labelled by its input features: the start colouring of the tests."""
        return self.graph.with_label_ids(self.features.start.colours)

    def refined(
        self, test: str, direction: Direction | None = None, rounds: int | None = None
    ) -> Refinement:
        """A run of a test on the graph, of at least the given rounds or until it is stable.

        A run that goes far enough is never repeated, so the result may have more rounds.
        """
        graph = self.coloured.with_direction(direction)
        key = test, graph.direction
        known = self._refinements.get(key)
        if known is None or not (known.stable or (rounds is not None and rounds <= known.rounds)):
            known = refine(
                graph, test, rounds=rounds, sources=self.sources, max_memory=self.max_memory
            )
            self._refinements[key] = known
        return known

    def completed(self, choice: ModelChoice) -> ModelConfig:
        """The choice with what the graph decides; every layer has its non-linearity.

        By default there is one layer for each round of the test, up to `MOST_LAYERS`.
        """
        config = choice.completed(
            in_width=self.features.width,
            out_width=choice.width,
            relations=self.arcs.num_relations,
            inverses=self.graph.direction == "both",
            random_start=self.features.kind == GLOROT,
            vertex_features=self.features.kind != CONSTANT,
            layers=MOST_LAYERS,
        )
        config = replace(config, last_activation=True)
        if choice.layers is not None:
            return config
        # The bound does not depend on the number of layers.
        return replace(config, layers=self.usual_layers(bound_of(config, self.graph.direction)))

    def usual_layers(self, bound: Bound) -> int:
        """The number of rounds until the test is stable, limited to 1 .. `MOST_LAYERS`."""
        rounds = self.refined(bound.test, bound.direction).rounds - bound.later
        return min(max(rounds, 1), MOST_LAYERS)

    def tuples(self, k: int) -> TupleInput:
        """What a k-RN sees."""
        (tuples,) = self.tuples_of_blocks(k, (self.graph.num_vertices,))
        return tuples

    def tuples_of_blocks(self, k: int, blocks: tuple[int, ...]) -> list[TupleInput]:
        """What a k-RN sees of each of the graphs whose union this is, given their sizes."""
        if (k, blocks) not in self._tuples:
            self._tuples[k, blocks] = tuple_inputs(
                self.coloured, k, blocks=blocks, max_memory=self.max_memory
            )
        return self._tuples[k, blocks]

    def type_names(self, tuples: TupleInput) -> list[str]:
        """The atomic types of tuples in words."""
        return type_names(tuples, self.features.vertex_names, self.arcs.relation_names)

    def about(self, config: ModelConfig) -> About:
        """Which graphs a model made for this one fits."""
        types = self.type_names(self.tuples(config.k)) if config.model == "k-rn" else []
        return About.of(self.graph, self.features, types, sees_relations=config.sees_relations)


def make_setting(
    graph: RelationalGraph,
    *,
    features: str | Features | None = None,
    width: int = 64,
    direction: Direction | None = None,
    device: str = "auto",
    dtype: str = "float64",
    max_memory: int | None = None,
    sources: Iterable[str | int] | None = None,
) -> Setting:
    """By default features are one-hot labels where the graph has labels, and constant elsewhere."""
    graph = graph.with_direction(direction)
    if not graph.num_vertices:
        raise UsageError("the graph has no vertices: there is nothing to compare")
    given = features or (CONSTANT if graph.labels is None else LABELS)
    number = find_dtype(dtype)
    if not isinstance(given, Features):
        given = make_features(graph, given, width, max_memory=max_memory)
    return Setting(
        graph=graph,
        features=given,
        dtype=number,
        device=find_device(device, number),
        max_memory=max_memory,
        sources=None if sources is None else tuple(source_ids(graph, sources).tolist()),
    )
