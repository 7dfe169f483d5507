"""A task: a graph, vertices with classes, and how a model gives each of them its scores."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from wlkg.arrays import IntArray
from wlkg.catalogue import Direction
from wlkg.errors import UsageError
from wlkg.gnn.checkpoints.saved_model import About, SavedModel
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.devices import find_device, find_dtype
from wlkg.gnn.features import CONSTANT, Features, make_features
from wlkg.gnn.models.krn import tuple_inputs, type_names
from wlkg.gnn.models.networks import ReadoutModel, TupleModel, VertexModel, seeded
from wlkg.gnn.models.plan import make_plan
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets, held_out
from wlkg.text import first_few


@dataclass(frozen=True, eq=False)
class Split:
    """Places of the training, validation and test vertices among all targets."""

    train: Tensor
    validation: Tensor
    test: Tensor


@dataclass(frozen=True, eq=False)
class Task:
    """Everything that a run of training needs but its seed."""

    config: ModelConfig
    classes: tuple[str, ...]
    #: The class of each target: first those to train on, then the others.
    labels: Tensor
    num_train: int
    make: Callable[[int], nn.Module]
    scores: Callable[[nn.Module], Tensor]
    device: torch.device
    dtype: torch.dtype
    #: Of graph, targets and features, so that a checkpoint is not mistaken for another's.
    fingerprint: str
    about: About
    #: Rows and messages that a forward pass computes, for people, and about how many numbers.
    size: str
    effort: int

    def split(self, seed: int) -> Split:
        """Hold out a share of the training vertices, drawn with the seed."""
        order = np.random.default_rng(seed).permutation(self.num_train)
        count = held_out(self.num_train)
        parts = (order[count:], order[:count], np.arange(self.num_train, len(self.labels)))
        return Split(*(torch.from_numpy(np.sort(part)).to(self.device) for part in parts))


def make_task(
    graph: RelationalGraph,
    targets: Targets,
    holdout: Targets | None,
    config: ModelConfig,
    *,
    features: str | None = None,
    direction: Direction | None = None,
    compress: bool = True,
    device: str = "auto",
    dtype: str = "float32",
    initial: SavedModel | None = None,
    max_memory: int | None = None,
) -> Task:
    """The task of learning the classes of targets; ``config`` may leave the widths to the data.

    With an ``initial`` model its configuration is taken, and scores are read from its features.
    Features are constant, or those that the model was made for, unless said otherwise.
    """
    mode = graph.direction if direction is None else direction
    number = find_dtype(dtype)
    if initial is not None:
        number = torch.promote_types(number, initial.dtype)
    chosen = find_device(device, number)
    parts = [targets] if holdout is None else [targets, holdout]
    _check_disjoint(graph, parts)
    classes = tuple(dict.fromkeys(name for part in parts for name in part.classes))
    if len(targets.classes) < 2:
        raise UsageError("all targets have the same class: there is nothing to learn")
    labels = torch.tensor([classes.index(name) for part in parts for name in part.labels])
    vertices = np.concatenate([part.vertices for part in parts])
    relations = graph.arcs(mode).num_relations
    if initial is None:
        config = replace(
            config, out_width=len(classes), relations=max(relations, 1), inverses=mode == "both"
        )
        given = make_features(graph, features or CONSTANT, config.width)
        config = replace(config, in_width=given.width)
    else:
        config = initial.config
        given = make_features(graph, features or initial.features, config.in_width)
        initial.check_fits(graph.arcs(mode), mode, given)
    start = _Start(config, len(classes), initial)
    build = _tuple_scores if config.model == "k-rn" else _vertex_scores
    make, scores, types, size, effort = build(
        graph, start, vertices, given, mode, compress, chosen, number, max_memory
    )
    about = About.of(graph.arcs(mode), mode, given, types) if initial is None else initial.about
    fingerprint = _fingerprint(graph, mode, vertices, labels, given, initial)
    return Task(
        config,
        classes,
        labels.to(chosen),
        len(targets),
        make,
        scores,
        chosen,
        number,
        fingerprint,
        about,
        size,
        effort,
    )


@dataclass(frozen=True, eq=False)
class _Start:
    """How a model begins: with random weights, or with given ones and a random readout."""

    config: ModelConfig
    classes: int
    initial: SavedModel | None

    def make(self, seed: int, kind: type[nn.Module], *arguments: object) -> nn.Module:
        made: nn.Module
        if self.initial is None:
            made = seeded(seed, kind, self.config, *arguments)
        else:
            made = seeded(seed, ReadoutModel, self.initial.build(), self.classes)
        return made


#: How to make a model, its scores, names of atomic types, and its size in words and as a number.
Built = tuple[Callable[[int], nn.Module], Callable[[nn.Module], Tensor], Sequence[str], str, int]


def _vertex_scores(
    graph: RelationalGraph,
    begin: _Start,
    vertices: IntArray,
    given: Features,
    mode: Direction,
    compress: bool,
    device: torch.device,
    dtype: torch.dtype,
    _max_memory: int | None,
) -> Built:
    config = begin.config
    plan = make_plan(
        graph, config, vertices, start=given.start, direction=mode, compress=compress
    ).to(device, dtype)
    x = given.of(plan.start).to(device, dtype)

    def make(seed: int) -> nn.Module:
        return begin.make(seed, VertexModel).to(device, dtype)

    def scores(model: nn.Module) -> Tensor:
        out: Tensor = model(x, plan)
        return out

    rows = " + ".join(f"{step.num_targets:,}" for step in plan.steps)
    size = f"{rows} rows, {plan.num_messages:,} messages"
    return make, scores, (), size, plan.num_messages * config.width


def _tuple_scores(
    graph: RelationalGraph,
    begin: _Start,
    vertices: IntArray,
    given: Features,
    mode: Direction,
    _compress: bool,
    device: torch.device,
    dtype: torch.dtype,
    max_memory: int | None,
) -> Built:
    config = begin.config
    coloured = graph.with_label_ids(given.start.colours)
    (tuples,) = tuple_inputs(coloured, config.k, direction=mode, max_memory=max_memory)
    types = type_names(tuples, given.vertex_names, graph.arcs(mode).relation_names)
    if begin.initial is not None:
        tuples = begin.initial.known_tuples(tuples, types)
    tuples = tuples.to(device)
    rows = torch.from_numpy(vertices).to(device)

    def make(seed: int) -> nn.Module:
        return begin.make(seed, TupleModel, len(types)).to(device, dtype)

    def scores(model: nn.Module) -> Tensor:
        out: Tensor = model(tuples)
        return out.index_select(0, rows)

    count = tuples.types.numel()
    size = f"{count:,} tuples of {len(types):,} atomic types"
    return make, scores, types, size, count * config.width


def _check_disjoint(graph: RelationalGraph, parts: list[Targets]) -> None:
    if len(parts) > 1:
        both = np.intersect1d(parts[0].vertices, parts[1].vertices)
        if len(both):
            names = [graph.vertex_names[v] for v in both.tolist()]
            raise UsageError(
                f"{len(both):,} vertices are both targets and held out: {first_few(names)}"
            )


def _fingerprint(
    graph: RelationalGraph,
    mode: Direction,
    vertices: IntArray,
    labels: Tensor,
    given: Features,
    initial: SavedModel | None,
) -> str:
    """A digest of what is learned from, the weights at the start included."""
    digest = hashlib.sha256(mode.encode())
    for array in (graph.head, graph.relation, graph.tail, vertices, labels.numpy()):
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    digest.update(given.start.colours.tobytes() + given.rows.tobytes())
    for name in graph.relation_names:
        digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
    for weights in () if initial is None else initial.weights.values():
        digest.update(weights.numpy().tobytes())
    return digest.hexdigest()
