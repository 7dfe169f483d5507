"""A model against the WL test that bounds it, on one graph.

For each layer t the features of all vertices are computed twice, in different orders of vertices
and arcs, so that rounding is measured (`clusters`); their classes are held against the
colours of the round that the theorems assign to the layer (`wlkg.gnn.bounds`). Nothing is
compressed: that would assume what is to be shown.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import WlkgError
from wlkg.gnn.against_wl.clusters import Clusters, cluster, deviation
from wlkg.gnn.against_wl.runs import Order, Run, tuple_run, vertex_run
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.against_wl.verdicts import Verdicts, judge_layers, most_telling
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.compositions import find_composition
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.tuple_input import TupleInput
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.arcs import Arcs
from wlkg.memory import check_fits
from wlkg.progress import SILENT, Progress
from wlkg.refinement.results import Refinement

#: Without a number of layers there are as many as the test has rounds, but no more than this.
MOST_LAYERS = 8


@dataclass(frozen=True)
class Versus(Verdicts):
    """A model against the test that bounds it."""

    bound: Bound
    #: The last round of the test that was needed, and whether its colours are stable then.
    refinement: Refinement


def versus_random(
    setting: Setting,
    config: ModelConfig,
    *,
    layers: int | None = None,
    draws: int = 3,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Versus:
    """Random weights against the test that bounds the model."""
    config = setting.completed(config)
    bound = bound_of(config, setting.direction)
    depth = usual_layers(setting, bound) if layers is None else layers
    config = replace(config, layers=depth)
    runs = [(f"seed {s}", random_run(setting, config, s)) for s in range(seed, seed + draws)]
    return judge(setting, bound, depth, runs, progress)


def usual_layers(setting: Setting, bound: Bound) -> int:
    """As many layers as the test has rounds until its colours are stable."""
    rounds = setting.refined(bound.test, bound.direction).rounds - bound.later
    return min(max(rounds, 1), MOST_LAYERS)


def judge(
    setting: Setting,
    bound: Bound,
    layers: int,
    runs: Sequence[tuple[str, Run]],
    progress: Progress = SILENT,
) -> Versus:
    """Models with named weights against a test."""
    found = setting.refined(bound.test, bound.direction, layers + bound.later)
    progress.start("comparing with the model", len(runs), "draws")
    verdicts = []
    try:
        for number, (name, run) in enumerate(runs, 1):
            features = look(setting, run, seed=number)
            verdicts.append(judge_layers(features, found.history, name, bound.later))
            progress.done(number)
    finally:
        progress.finish()
    return Versus(most_telling(verdicts), tuple(verdicts), bound, found)


def random_run(setting: Setting, config: ModelConfig, seed: int) -> Run:
    """A model with random weights, ready to run."""
    check_model_fits(setting, config)
    if config.model == "k-rn":
        tuples = setting.tuples(config.k)
        types = int(tuples.types.max()) + 1
        return model_run(setting, seeded(seed, TupleModel, config, types), tuples)
    return model_run(setting, seeded(seed, VertexModel, config))


def model_run(
    setting: Setting, model: VertexModel | TupleModel, tuples: TupleInput | None = None
) -> Run:
    """A model ready to run, if its features fit into memory."""
    config = model.config
    check_model_fits(setting, config)
    model.to(setting.device, setting.dtype)
    if isinstance(model, TupleModel):
        chosen = setting.tuples(config.k) if tuples is None else tuples
        return tuple_run(model, chosen, setting.device)
    return vertex_run(model, setting.arcs, setting.given, setting.device, setting.dtype)


def check_model_fits(setting: Setting, config: ModelConfig) -> None:
    """Refuse a model whose weights, features and messages do not fit into memory."""
    vertices, widths = setting.graph.num_vertices, config.widths
    # Each vertex, and each arc, of which a k-RN has one for all other places of a tuple.
    copies = vertices ** (config.k - 1) if config.model == "k-rn" else 1
    features = copies * vertices * sum(widths)
    composed = find_composition(config.composition).out_width
    messages = copies * len(setting.arcs) * max(map(composed, widths[:-1]))
    matrices = config.k + 5
    if config.model.startswith("rgcn"):
        # Neighbours of one relation are added up before anything else.
        messages = _num_groups(setting.arcs) * max(widths)
        matrices = config.relations + 3
    weights = matrices * sum(a * b for a, b in itertools.pairwise(widths))
    # Weights as they are drawn, and as they are used. Features of two runs, and as much again while
    # a layer is computed. A message at times together with what it is composed of.
    check_fits(
        f"{config.model} with {config.layers} layers on {vertices:,} vertices",
        f"about {weights:,} weights, features of {features:,} numbers and messages of {messages:,}",
        12 * weights + 24 * features + 40 * messages,
        setting.max_memory,
        "take a smaller --dim, fewer --layers or a smaller graph",
    )


def _num_groups(arcs: Arcs) -> int:
    """How many pairs of a vertex and a relation there are among the arcs, which are sorted."""
    keys = arcs.source * max(arcs.num_relations, 1) + arcs.relation
    return int(np.count_nonzero(np.diff(keys))) + bool(len(keys))


def look(setting: Setting, run: Run, seed: int) -> list[Clusters]:
    """The classes of features after each layer, with rounding measured in a random order."""
    once = run(Order.given(setting.arcs))
    again = run(Order.random(setting.arcs, seed))
    for features in (once, again):
        check_finite(features)
    pairs = zip(once, again, strict=True)
    return [cluster(a, max(deviation(a, b), least_noise(setting.dtype))) for a, b in pairs]


def check_finite(features: Sequence[FloatArray]) -> None:
    """Numbers that overflowed say nothing."""
    for layer, rows in enumerate(features, 1):
        if not np.isfinite(rows).all():
            raise WlkgError(
                f"the features of layer {layer} are too large for their floating-point type."
                " Take fewer --layers; float64 holds the largest"
            )


def least_noise(dtype: torch.dtype) -> float:
    """What rounding may do even where a random order happens to show nothing."""
    return 4 * torch.finfo(dtype).eps
