"""Translating a checkpoint, with a check of the result on random graphs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from wlkg.errors import UsageError, WlkgError
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.plan import make_plan
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.theorems.model_translation import translate_model
from wlkg.graph.relational_graph import RelationalGraph

_GRAPHS = 5
_VERTICES = 12
#: Relative differences up to this are rounding; by the bytes of a number.
_ROUNDING = {4: 1e-3, 8: 1e-8}


@dataclass(frozen=True, eq=False)
class Translated:
    """A model, its translation, and how much their outputs differ."""

    before: VertexModel
    after: VertexModel
    #: The number of random graphs on which the outputs were compared.
    graphs: int
    max_difference: float
    #: The translation as a checkpoint.
    saved: SavedModel

    def __repr__(self) -> str:
        before, after = self.num_weights
        return (
            f"Translated({self.before.config.model} to {self.after.config.model}, {before:,} to"
            f" {after:,} weights, outputs differ by {self.max_difference:.1e} on {self.graphs}"
            " graphs)"
        )

    @property
    def num_weights(self) -> tuple[int, int]:
        return count_parameters(self.before), count_parameters(self.after)


def translate_checkpoint(
    saved: SavedModel, goal: str, *, max_memory: int | None = None
) -> Translated:
    """Translate a saved model, and refuse the result if outputs differ on random graphs."""
    model = saved.build()
    if not isinstance(model, VertexModel):
        raise UsageError(
            "a k-RN is not translated: the theorems are about models of vertices. There are"
            " translations from rgcn and compgcn"
        )
    made = translate_model(model, goal, max_memory=max_memory)
    differences = [_difference(model, made, saved.about, seed) for seed in range(_GRAPHS)]
    if not all(map(math.isfinite, differences)):
        raise WlkgError(
            "the outputs on random graphs overflow, so the translation cannot be checked: the"
            " weights are too large"
        )
    difference = max(differences)
    if not difference <= _ROUNDING[next(model.parameters()).element_size()]:
        raise WlkgError(f"the outputs of the translation differ by {difference:.1e}")
    return Translated(
        before=model,
        after=made,
        graphs=_GRAPHS,
        max_difference=difference,
        saved=replace(saved, config=made.config, weights=made.state_dict(), path=None),
    )


def _difference(one: VertexModel, two: VertexModel, about: About, seed: int) -> float:
    """The largest difference of outputs on a random graph, relative to the largest feature.

    It is not relative to the largest output, because a last ReLU may leave only rounding errors.
    """
    draw = np.random.default_rng(seed)
    graph = _random_graph(about, draw)
    x = torch.from_numpy(draw.normal(size=(_VERTICES, one.config.in_width)))
    before, after = (_features(model, graph, x) for model in (one, two))
    size = torch.stack([rows.abs().max() for rows in before]).max()
    difference = (before[-1] - after[-1]).abs().max()
    return float(difference / size) if size else float(difference)


def _random_graph(about: About, draw: np.random.Generator) -> RelationalGraph:
    """A random graph with the relations and the direction mode of a model."""
    arcs = len(about.relations)
    relations = arcs // 2 if about.direction == "both" else arcs
    ends = draw.integers(0, _VERTICES, (2, 4 * _VERTICES if relations else 0))
    return RelationalGraph.from_arrays(
        ends[0],
        draw.integers(0, max(relations, 1), ends.shape[1]),
        ends[1],
        num_vertices=_VERTICES,
        relation_names=[f"r{i:09}" for i in range(relations)],
        direction=about.direction,
    )


def _features(model: VertexModel, graph: RelationalGraph, x: Tensor) -> list[Tensor]:
    dtype = next(model.parameters()).dtype
    plan = make_plan(graph, model.config, range(graph.num_vertices), compress=False)
    with torch.no_grad():
        return model.features(x.to(dtype), plan.to(torch.device("cpu"), dtype))
