"""Translating a checkpoint, with a check of the outcome on random graphs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wlkg.errors import UsageError, WlkgError
from wlkg.gnn.models import VertexModel, count_parameters
from wlkg.gnn.plan import make_plan
from wlkg.gnn.saved import SavedModel
from wlkg.gnn.translation import translate
from wlkg.graph import RelationalGraph

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


def translate_checked(saved: SavedModel, goal: str) -> Translated:
    """The translation of a saved model, if its outputs are the same on random graphs."""
    model = saved.build()
    if not isinstance(model, VertexModel):
        raise UsageError("a k-RN is not translated: the theorems are about R-GCN and CompGCN")
    made = translate(model, goal)
    difference = max(_difference(model, made, saved, seed) for seed in range(_GRAPHS))
    if not difference <= _ROUNDING[next(model.parameters()).element_size()]:
        raise WlkgError(f"the outputs of the translation differ by {difference:.1e}")
    return Translated(model, made, _GRAPHS, difference)


def _difference(one: VertexModel, two: VertexModel, saved: SavedModel, seed: int) -> float:
    """The largest difference of outputs on a random graph, relative to the largest output."""
    draw = np.random.default_rng(seed)
    arcs = len(saved.about.relations)
    relations = max(arcs // 2 if saved.about.direction == "both" else arcs, 1)
    ends = draw.integers(0, _VERTICES, (2, 4 * _VERTICES))
    graph = RelationalGraph.from_arrays(
        ends[0],
        draw.integers(0, relations, ends.shape[1]),
        ends[1],
        num_vertices=_VERTICES,
        relation_names=[f"r{i:09}" for i in range(relations)],
        direction=saved.about.direction,
    )
    x = torch.from_numpy(draw.normal(size=(_VERTICES, one.config.in_width)))
    outputs = [_outputs(model, graph, x) for model in (one, two)]
    size = max(float(outputs[0].abs().max()), 1e-300)
    return float((outputs[0] - outputs[1]).abs().max()) / size


def _outputs(model: VertexModel, graph: RelationalGraph, x: Tensor) -> Tensor:
    dtype = next(model.parameters()).dtype
    plan = make_plan(graph, model.config, range(graph.num_vertices), compress=False)
    with torch.no_grad():
        out: Tensor = model(x.to(dtype), plan.to(torch.device("cpu"), dtype))
    return out
