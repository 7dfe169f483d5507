"""A task: vertices of a graph with classes to learn, and a model that scores them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from wlkg.catalogue import Direction
from wlkg.devices import find_device
from wlkg.display import Brief
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.fitting import NOTHING_LEFT_OUT, LeftOut, fit
from wlkg.gnn.checkpoints.saved_model import VERTICES, SavedModel
from wlkg.gnn.config import ModelChoice, ModelConfig, defaults, require_classifier
from wlkg.gnn.dtypes import find_dtype
from wlkg.gnn.features import CONSTANT, GLOROT, Features, make_features
from wlkg.gnn.training.scorer import Scorer, TaskInput, make_scorer
from wlkg.gnn.training.target_sets import Split, TargetSets
from wlkg.graph.relational_graph import RelationalGraph


@dataclass(frozen=True, eq=False)
class Task(Brief):
    """Everything that training needs except for a seed."""

    config: ModelConfig
    sets: TargetSets
    #: The number of the class of each target, in the order of the sets.
    labels: Tensor
    scorer: Scorer
    device: torch.device
    dtype: torch.dtype
    #: A digest of graph, targets and features, by which a checkpoint recognises its task.
    fingerprint: str
    about: About
    #: Relations that are new to a saved model.
    left_out: LeftOut = NOTHING_LEFT_OUT
    #: What has classes.
    items: str = VERTICES

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in the order of the scores."""
        return self.sets.classes

    @property
    def bounded_by(self) -> str:
        """The test that bounds the model."""
        return bound_of(self.config, self.about.direction).test

    def split(self, seed: int) -> Split:
        """The positions of the training, validation and test targets."""
        return self.sets.split(seed).to(self.device)


def make_task(
    graph: RelationalGraph,
    sets: TargetSets,
    model: ModelChoice | SavedModel,
    *,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    freeze: bool = False,
    compress: bool = True,
    device: str = "auto",
    dtype: str = "float32",
    max_memory: int | None = None,
) -> Task:
    """The task of learning the classes of targets with a model.

    A saved model keeps its configuration, and its features are mapped to scores. With ``freeze``
    only that map is learned, of a saved model or of one with random weights. Unless ``features``
    names others, features are constant, or of the kind that a saved model was made for.
    """
    require_classifier(model.config.model if isinstance(model, SavedModel) else model.model)
    number = find_dtype(dtype)
    if isinstance(model, SavedModel):
        number = torch.promote_types(number, model.dtype)
    chosen_device = find_device(device, number)
    sets.check(lambda vertex: graph.vertex_names[vertex])
    labels = sets.labels
    initial = model if isinstance(model, SavedModel) else None
    left_out = NOTHING_LEFT_OUT
    if isinstance(model, SavedModel):
        known = fit(
            model,
            graph,
            features=features,
            direction=direction,
            unknown_relations=unknown_relations,
            max_memory=max_memory,
        )
        graph, given, left_out, config = known.graph, known.features, known.left_out, model.config
    else:
        graph = graph.with_direction(direction)
        kind = features or CONSTANT
        given = make_features(graph, kind, model.width, max_memory=max_memory)
        config = _completed(model, graph, given, len(sets.classes), freeze)
    task_input = TaskInput(
        graph=graph,
        features=given,
        vertices=sets.items,
        num_classes=len(sets.classes),
        config=config,
        initial=initial,
        freeze=freeze,
        device=chosen_device,
        dtype=number,
        compress=compress,
        max_memory=max_memory,
    )
    scorer = make_scorer(task_input)
    return Task(
        config=config,
        sets=sets,
        labels=labels.to(chosen_device),
        scorer=scorer,
        device=chosen_device,
        dtype=number,
        fingerprint=fingerprint_of(task_input, sets, labels),
        about=About.of(graph, given, scorer.types, sees_relations=config.sees_relations)
        if initial is None
        else initial.about,
        left_out=left_out,
    )


def _completed(
    choice: ModelChoice, graph: RelationalGraph, given: Features, num_classes: int, freeze: bool
) -> ModelConfig:
    """The model's configuration now that all widths are known."""
    out_width = num_classes
    if freeze:
        # A model that is not trained is a source of features: all of its layers are alike.
        choice, out_width = replace(choice, last_activation=True), choice.width
    return choice.completed(
        in_width=given.width,
        out_width=out_width,
        relations=graph.arcs().num_relations,
        inverses=graph.direction == "both",
        random_start=given.kind == GLOROT,
        layers=defaults(choice.model, graph.num_vertices).layers,
    )


def fingerprint_of(task_input: TaskInput, sets: TargetSets, labels: Tensor) -> str:
    """A digest of everything that training depends on, initial weights included."""
    graph, features = task_input.graph, task_input.features
    sizes = [*map(len, sets.parts), sets.num_validation]
    digest = hashlib.sha256(graph.direction.encode())
    triples = (graph.head, graph.relation, graph.tail)
    for array in (*triples, task_input.vertices, labels.numpy(), sizes):
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    digest.update(features.start.colours.tobytes() + features.rows.tobytes())
    for name in graph.relation_names:
        digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
    for weights in () if task_input.initial is None else task_input.initial.weights.values():
        digest.update(weights.numpy().tobytes())
    return digest.hexdigest()
