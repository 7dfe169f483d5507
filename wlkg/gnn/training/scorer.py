"""How the models of a task are made, and how they score its targets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from wlkg.arrays import IntArray
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.features import Features
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

    @abstractmethod
    def scores(self, model: nn.Module) -> Tensor:
        """A row with a score for each class, for each target."""


class VertexScorer(Scorer):
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
        self._x = given.features.of(plan.start).to(given.device, given.dtype)
        rows = " + ".join(f"{step.num_targets:,}" for step in plan.steps)
        self.size = f"{rows} rows, {plan.num_messages:,} messages"
        self.effort = plan.num_messages * given.config.width

    def _random_model(self, seed: int) -> VertexModel | TupleModel:
        return seeded(seed, VertexModel, self._input.config)

    def scores(self, model: nn.Module) -> Tensor:
        scores: Tensor = model(self._x, self._plan)
        return scores


class TupleScorer(Scorer):
    """k-RN, whose scores of all vertices include those of the targets."""

    def __init__(self, task_input: TaskInput) -> None:
        super().__init__(task_input)
        given = self._input
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
