"""The classes that a trained model gives to the vertices of any graph that fits it.

Scores are computed as in training: for the same vertices of the same graph they have the same bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn

from wlkg.arrays import FloatArray, IntArray
from wlkg.catalogue import Direction
from wlkg.devices import find_device
from wlkg.display import Brief
from wlkg.errors import UsageError, WlkgError
from wlkg.gnn.checkpoints.fitting import LeftOut, fit
from wlkg.gnn.checkpoints.saved_model import VERTICES, SavedModel
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.dtypes import find_dtype
from wlkg.gnn.training.reproducible import reproducible
from wlkg.gnn.training.scorer import Scorer, TaskInput, make_scorer
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets
from wlkg.text import counted

#: Classes that a representation shows.
_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Predictions(Brief):
    """A class for each of some vertices, and the probabilities of all classes."""

    graph: RelationalGraph
    config: ModelConfig
    #: The names of the classes, in the order of the columns.
    classes: tuple[str, ...]
    vertices: IntArray
    #: The number of the class of each vertex: the one with the highest score.
    predicted: IntArray
    #: A row for each vertex, whose sum is 1.
    probabilities: FloatArray
    #: Relations of the graph that are new to the model.
    left_out: LeftOut

    def __repr__(self) -> str:
        counts = self.counts
        shown = ", ".join(f"{name}: {count:,}" for name, count in list(counts.items())[:_SHOWN])
        more = ", ..." if len(counts) > _SHOWN else ""
        return f"{type(self).__name__}({len(self.vertices):,} {self.items}, {shown}{more})"

    @property
    def items(self) -> str:
        """What has classes."""
        return VERTICES

    @property
    def names(self) -> Sequence[str]:
        """The names of all vertices, predicted or not."""
        return self.graph.vertex_names

    @property
    def vertex_names(self) -> list[str]:
        return [self.names[v] for v in self.vertices.tolist()]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The name of the class of each vertex."""
        return tuple(self.classes[number] for number in self.predicted.tolist())

    @property
    def certainties(self) -> FloatArray:
        """The probability of the class of each vertex."""
        chosen: FloatArray = self.probabilities[np.arange(len(self.vertices)), self.predicted]
        return chosen

    @property
    def counts(self) -> dict[str, int]:
        """How many vertices each class has."""
        count = Counter(self.labels)
        return {name: count[name] for name in self.classes}

    def correct(self, targets: Targets) -> tuple[int, int]:
        """How many targets have their class, and how many of them were predicted at all."""
        label_of = dict(zip(self.vertices.tolist(), self.labels, strict=True))
        pairs = [
            (label_of[vertex], label)
            for vertex, label in zip(targets.vertices.tolist(), targets.labels, strict=True)
            if vertex in label_of
        ]
        return sum(one == other for one, other in pairs), len(pairs)


def predict_classes(
    saved: SavedModel,
    graph: RelationalGraph,
    vertices: Sequence[int] | IntArray | None = None,
    *,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    compress: bool = True,
    device: str = "auto",
    dtype: str | None = None,
    max_memory: int | None = None,
) -> Predictions:
    """The classes of the given vertices, by default of all; the number type is the model's."""
    number = saved.dtype if dtype is None else find_dtype(dtype)
    chosen_device = find_device(device, number)
    model = saved.classifier()
    if not graph.num_vertices:
        raise UsageError("the graph has no vertices: there is nothing to predict")
    known = fit(
        saved,
        graph,
        features=features,
        direction=direction,
        unknown_relations=unknown_relations,
        max_memory=max_memory,
    )
    wanted = np.arange(graph.num_vertices) if vertices is None else vertices
    scorer = make_scorer(
        TaskInput(
            graph=known.graph,
            features=known.features,
            vertices=np.asarray(wanted, dtype=np.int64),
            num_classes=len(saved.classes),
            config=saved.config,
            initial=saved,
            freeze=True,
            device=chosen_device,
            dtype=number,
            compress=compress,
            max_memory=max_memory,
        )
    )
    scores = finite_scores(scorer, model, chosen_device, number)
    return Predictions(
        graph=graph,
        config=saved.config,
        classes=saved.classes,
        vertices=np.asarray(wanted, dtype=np.int64),
        predicted=scores.argmax(dim=1).numpy(),
        probabilities=torch.softmax(scores.double(), dim=1).numpy(),
        left_out=known.left_out,
    )


def finite_scores(
    scorer: Scorer,
    model: nn.Module,
    device: torch.device,
    number: torch.dtype,
    nouns: tuple[str, str] = ("vertex", "vertices"),
) -> Tensor:
    """The scores of a model, computed as in training; those that overflow are refused."""
    with reproducible(device, scorer.effort), torch.no_grad():
        scores = scorer.scores(model.to(device, number)).cpu()
    overflown = int((~scores.isfinite()).any(dim=1).sum())
    if overflown:
        count = counted(overflown, *nouns)
        raise WlkgError(
            f"the scores of {count} are not finite numbers: they overflow {number}".replace(
                "torch.", ""
            )
            + ". Use --dtype float64, or a model trained with --aggregation mean"
        )
    return scores
