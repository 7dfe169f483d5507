"""How the models of a task are made, and how they score its targets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from wlkg.arrays import IntArray
from wlkg.errors import UsageError
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.features import Features
from wlkg.gnn.models.model_memory import (
    LayerRows,
    check_task_fits,
    rows_of_plan,
    rows_of_tuples,
)
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.plan import make_plan
from wlkg.gnn.models.readout_model import ReadoutModel
from wlkg.gnn.models.tuple_input import tuple_inputs, type_names
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph


@dataclass(frozen=True, eq=False)
class TaskInput:
    """A graph with features, the vertices to score, and the model that scores them."""

    graph: RelationalGraph
    features: Features
    vertices: IntArray
    num_classes: int
    config: ModelConfig
    #: The model to start with; None starts with random weights.
    initial: SavedModel | None
    #: Whether the model stays as it is, and only a map from its features to scores is learned.
    freeze: bool
    device: torch.device
    dtype: torch.dtype
    compress: bool
    max_memory: int | None


class Scorer(ABC):
    """Makes the models of a task and lets them score its targets."""

    #: k-RN: the names of the atomic types.
    types: tuple[str, ...] = ()
    #: What a forward pass computes, in words, and roughly how many numbers that is.
    size: str
    effort: int

    def __init__(self, task_input: TaskInput) -> None:
        self._input = task_input

    @property
    def freeze(self) -> bool:
        """Whether only a map from the features of the model to scores is learned."""
        return self._input.freeze

    @abstractmethod
    def make(self, seed: int) -> nn.Module:
        """A model with random weights, or one with a random readout on top."""

    @abstractmethod
    def scores(self, model: nn.Module) -> Tensor:
        """A row with a score for each class, for each target."""

    @abstractmethod
    def batch(self, positions: IntArray) -> Any:
        """What a model needs to score some of the targets only."""

    def _check_fits(self, layers: Sequence[LayerRows]) -> None:
        """Refuse a model that does not fit into memory; a frozen one is not trained."""
        given = self._input
        check_task_fits(
            given.config,
            given.graph.num_vertices,
            layers,
            training=not given.freeze,
            bytes_of_number=given.dtype.itemsize,
            max_memory=given.max_memory,
        )


class ScorerOfVertices(Scorer):
    """What vertex models and k-RN have in common on vertices."""

    def make(self, seed: int) -> nn.Module:
        """A model with random weights, or one with a random readout on top."""
        given = self._input
        body = self._random_model(seed) if given.initial is None else given.initial.build()
        if given.initial is None and not given.freeze:
            return body.to(given.device, given.dtype)
        model = seeded(seed, ReadoutModel, body, given.num_classes, freeze=given.freeze)
        return model.to(given.device, given.dtype)

    @abstractmethod
    def _random_model(self, seed: int) -> VertexModel | TupleModel:
        """A model of the configuration with random weights."""

    def batch(self, positions: IntArray) -> Any:
        """Vertices of one graph depend on each other: there are no batches."""
        raise UsageError(
            f"a batch of {len(positions):,} vertices is not supported: --batch is for --graphs"
        )


class VertexScorer(ScorerOfVertices):
    """R-GCN, R-GCN + MLP and CompGCN."""

    def __init__(self, task_input: TaskInput) -> None:
        super().__init__(task_input)
        given = self._input
        plan = make_plan(
            given.graph,
            given.config,
            given.vertices,
            start=given.features.start,
            compress=given.compress,
        )
        self._plan = plan.to(given.device, given.dtype)
        self._check_fits(rows_of_plan(self._plan, given.config))
        self._x = given.features.of(plan.start).to(given.device, given.dtype)
        rows = " + ".join(f"{step.num_targets:,}" for step in plan.steps)
        self.size = f"{rows} rows, {plan.num_messages:,} messages"
        self.effort = plan.num_messages * given.config.width

    def _random_model(self, seed: int) -> VertexModel | TupleModel:
        return seeded(seed, VertexModel, self._input.config)

    def scores(self, model: nn.Module) -> Tensor:
        scores: Tensor = model(self._x, self._plan)
        return scores


class TupleScorer(ScorerOfVertices):
    """k-RN, whose scores of all vertices include those of the targets."""

    def __init__(self, task_input: TaskInput) -> None:
        super().__init__(task_input)
        given = self._input
        arcs = len(given.graph.arcs())
        self._check_fits(rows_of_tuples(given.config, given.graph.num_vertices, arcs))
        coloured = given.graph.with_label_ids(given.features.start.colours)
        (tuples,) = tuple_inputs(coloured, given.config.k, max_memory=given.max_memory)
        relations = given.graph.arcs().relation_names
        self.types = tuple(type_names(tuples, given.features.vertex_names, relations))
        if given.initial is not None:
            tuples = given.initial.known_tuples(tuples, self.types)
        self._tuples = tuples.to(given.device)
        self._vertices = torch.from_numpy(given.vertices).to(given.device)
        count = tuples.types.numel()
        self.size = f"{count:,} tuples of {len(self.types):,} atomic types"
        self.effort = count * given.config.width

    def _random_model(self, seed: int) -> VertexModel | TupleModel:
        return seeded(seed, TupleModel, self._input.config, len(self.types))

    def scores(self, model: nn.Module) -> Tensor:
        scores: Tensor = model(self._tuples)
        return scores.index_select(0, self._vertices)


def make_scorer(task_input: TaskInput) -> Scorer:
    """The scorer for the kind of model."""
    is_krn = task_input.config.model == "k-rn"
    return TupleScorer(task_input) if is_krn else VertexScorer(task_input)
