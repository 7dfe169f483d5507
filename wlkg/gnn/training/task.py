"""A task: vertices of a graph with classes to learn, and a model that scores them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wlkg.errors import UsageError
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.config import ModelChoice, ModelConfig, defaults
from wlkg.gnn.devices import find_device, find_dtype
from wlkg.gnn.features import CONSTANT, Features, make_features
from wlkg.gnn.training.scorer import Scorer, TaskInput, make_scorer
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets, held_out
from wlkg.text import first_few


@dataclass(frozen=True, eq=False)
class Split:
    """Positions of the training, validation and test vertices among all targets."""

    train: Tensor
    validation: Tensor
    test: Tensor


@dataclass(frozen=True, eq=False)
class Task:
    """Everything that training needs except for a seed."""

    config: ModelConfig
    targets: Targets
    holdout: Targets | None
    classes: tuple[str, ...]
    #: The class of each target: first those to train on, then those held out.
    labels: Tensor
    scorer: Scorer
    device: torch.device
    dtype: torch.dtype
    #: A digest of graph, targets and features, by which a checkpoint recognises its task.
    fingerprint: str
    about: About

    @property
    def parts(self) -> tuple[Targets, ...]:
        """The targets to train on, and those held out if there are any."""
        return _parts(self.targets, self.holdout)

    def split(self, seed: int) -> Split:
        """Hold out a random share of the training vertices for validation."""
        num_train = len(self.targets)
        order = np.random.default_rng(seed).permutation(num_train)
        count = held_out(num_train)

        def sorted_on_device(positions: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Tensor:
            return torch.from_numpy(np.sort(positions)).to(self.device)

        return Split(
            train=sorted_on_device(order[count:]),
            validation=sorted_on_device(order[:count]),
            test=sorted_on_device(np.arange(num_train, len(self.labels))),
        )


def make_task(
    graph: RelationalGraph,
    targets: Targets,
    holdout: Targets | None,
    model: ModelChoice | SavedModel,
    *,
    features: str | None = None,
    compress: bool = True,
    device: str = "auto",
    dtype: str = "float32",
    max_memory: int | None = None,
) -> Task:
    """The task of learning the classes of targets with a model.

    A saved model keeps its configuration, and its features are mapped to scores. Unless
    ``features`` names others, features are constant, or of the kind that a saved model was made
    for.
    """
    number = find_dtype(dtype)
    if isinstance(model, SavedModel):
        number = torch.promote_types(number, model.dtype)
    chosen_device = find_device(device, number)
    parts = _parts(targets, holdout)
    _check_targets(graph, parts)
    classes = tuple(dict.fromkeys(name for part in parts for name in part.classes))
    labels = torch.tensor([classes.index(name) for part in parts for name in part.labels])
    given, config = _features_and_config(graph, model, features, len(classes))
    initial = model if isinstance(model, SavedModel) else None
    task_input = TaskInput(
        graph=graph,
        features=given,
        vertices=np.concatenate([part.vertices for part in parts]),
        num_classes=len(classes),
        config=config,
        initial=initial,
        device=chosen_device,
        dtype=number,
        compress=compress,
        max_memory=max_memory,
    )
    scorer = make_scorer(task_input)
    return Task(
        config=config,
        targets=targets,
        holdout=holdout,
        classes=classes,
        labels=labels.to(chosen_device),
        scorer=scorer,
        device=chosen_device,
        dtype=number,
        fingerprint=_fingerprint(task_input, labels),
        about=About.of(graph, given, scorer.types, sees_relations=config.sees_relations)
        if initial is None
        else initial.about,
    )


def _parts(targets: Targets, holdout: Targets | None) -> tuple[Targets, ...]:
    return (targets,) if holdout is None else (targets, holdout)


def _check_targets(graph: RelationalGraph, parts: tuple[Targets, ...]) -> None:
    """Refuse targets that are also held out, and too few targets or classes to train on."""
    if len(parts) > 1:
        both = np.intersect1d(parts[0].vertices, parts[1].vertices)
        if len(both):
            names = [graph.vertex_names[v] for v in both.tolist()]
            raise UsageError(
                f"{len(both):,} vertices are both targets and held out: {first_few(names)}"
            )
    if not len(parts[0]):
        raise UsageError("there is no target to train on")
    if len(parts[0].classes) < 2:
        raise UsageError("all targets have the same class: there is nothing to learn")


def _features_and_config(
    graph: RelationalGraph, model: ModelChoice | SavedModel, features: str | None, num_classes: int
) -> tuple[Features, ModelConfig]:
    """The input features, and the model's configuration now that all widths are known."""
    if isinstance(model, SavedModel):
        given = make_features(graph, features or model.features, model.config.in_width)
        model.check_fits(graph, given)
        return given, model.config
    given = make_features(graph, features or CONSTANT, model.width)
    config = model.completed(
        in_width=given.width,
        out_width=num_classes,
        relations=graph.arcs().num_relations,
        inverses=graph.direction == "both",
        layers=defaults(model.model, graph.num_vertices).layers,
    )
    return given, config


def _fingerprint(task_input: TaskInput, labels: Tensor) -> str:
    """A digest of everything that training depends on, initial weights included."""
    graph, features = task_input.graph, task_input.features
    digest = hashlib.sha256(graph.direction.encode())
    for array in (graph.head, graph.relation, graph.tail, task_input.vertices, labels.numpy()):
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    digest.update(features.start.colours.tobytes() + features.rows.tobytes())
    for name in graph.relation_names:
        digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
    for weights in () if task_input.initial is None else task_input.initial.weights.values():
        digest.update(weights.numpy().tobytes())
    return digest.hexdigest()
