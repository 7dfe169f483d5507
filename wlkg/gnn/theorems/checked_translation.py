"""Translating a checkpoint, with a check of the outcome on random graphs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wlkg.errors import UsageError, WlkgError
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.plan import make_plan
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.theorems.translate import translate
from wlkg.graph.relational_graph import RelationalGraph

_GRAPHS = 5
_VERTICES = 12
#: Relative differences up to this are rounding, by numbers of bytes.
_ROUNDING = {4: 1e-3, 8: 1e-8}


@dataclass(frozen=True, eq=False)
class Translated:
    """A model, its translation, and by how much their outputs differ."""

    before: VertexModel
    after: VertexModel
    graphs: int
    max_difference: float

    @property
    def num_weights(self) -> tuple[int, int]:
        return count_parameters(self.before), count_parameters(self.after)


def translate_checked(saved: SavedModel, goal: str, *, max_memory: int | None = None) -> Translated:
    """The translation of a saved model, if its outputs are the same on random graphs."""
    model = saved.build()
    if not isinstance(model, VertexModel):
        raise UsageError(
            "a k-RN is not translated: the theorems are about models of vertices. There are"
            " translations from rgcn and compgcn"
        )
    made = translate(model, goal, max_memory=max_memory)
    differences = [_difference(model, made, saved, seed) for seed in range(_GRAPHS)]
    if not all(map(math.isfinite, differences)):
        raise WlkgError(
            "the outputs on random graphs overflow, so the translation cannot be checked: the"
            " weights are too large"
        )
    difference = max(differences)
    if not difference <= _ROUNDING[next(model.parameters()).element_size()]:
        raise WlkgError(f"the outputs of the translation differ by {difference:.1e}")
    return Translated(model, made, _GRAPHS, difference)


def _difference(one: VertexModel, two: VertexModel, saved: SavedModel, seed: int) -> float:
    """The largest difference of outputs on a random graph, relative to the largest feature.

    Not to the largest output: a last ReLU may leave nothing but rounding errors.
    """
    draw = np.random.default_rng(seed)
    arcs = len(saved.about.relations)
    relations = arcs // 2 if saved.about.direction == "both" else arcs
    ends = draw.integers(0, _VERTICES, (2, 4 * _VERTICES if relations else 0))
    graph = RelationalGraph.from_arrays(
        ends[0],
        draw.integers(0, max(relations, 1), ends.shape[1]),
        ends[1],
        num_vertices=_VERTICES,
        relation_names=[f"r{i:09}" for i in range(relations)],
        direction=saved.about.direction,
    )
    x = torch.from_numpy(draw.normal(size=(_VERTICES, one.config.in_width)))
    before, after = (_features(model, graph, x) for model in (one, two))
    size = torch.stack([rows.abs().max() for rows in before]).max()
    difference = (before[-1] - after[-1]).abs().max()
    return float(difference / size) if size else float(difference)


def _features(model: VertexModel, graph: RelationalGraph, x: Tensor) -> list[Tensor]:
    dtype = next(model.parameters()).dtype
    plan = make_plan(graph, model.config, range(graph.num_vertices), compress=False)
    with torch.no_grad():
        return model.features(x.to(dtype), plan.to(torch.device("cpu"), dtype))
