"""A user's own model asked about two graphs.

It runs on each graph alone, because it may look at all vertices at once. Vectors of graphs are read
with a random readout after every layer that it shows. If `diagnosis` finds that the model depends
on more than the graph, its answer says nothing about the graphs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import UsageError
from wlkg.gnn.against_wl.graph_pair import PairAnswer
from wlkg.gnn.against_wl.graph_vectors import (
    Blocks,
    Difference,
    Vectors,
    difference,
    random_reading,
    read,
)
from wlkg.gnn.against_wl.rounding import check_finite
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.bounds import Bound
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.own_models.diagnosis import Diagnosis, diagnose
from wlkg.gnn.own_models.loading import Load
from wlkg.gnn.own_models.own_memory import check_own_fits
from wlkg.gnn.own_models.own_model import OwnModel
from wlkg.gnn.own_models.own_run import first_run, in_single_precision
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.progress import SILENT, Progress

#: What bounds every model that passes messages along the arcs of vertices.
_TEST = "1-rwl"


@dataclass(frozen=True)
class OwnPairModel:
    """An own model, loaded with several seeds."""

    model: str
    #: From both graphs side by side to a function that loads the model for a seed and a type.
    loader: Callable[[Setting], Load]
    #: Its width and its number of layers.
    choice: ModelChoice
    draws: int = 3
    seed: int = 0
    device: str = "auto"
    dtype: str = "float64"
    max_memory: int | None = None
    progress: Progress = SILENT

    @property
    def weights(self) -> str:
        return "its own"

    def __call__(self, one: RelationalGraph, two: RelationalGraph) -> PairAnswer:
        if not (one.num_vertices and two.num_vertices):
            raise UsageError(f"{self.model} needs vertices, and one of the graphs has none")
        union = Blocks.of(
            [one, two],
            width=self.choice.width,
            device=self.device,
            dtype=self.dtype,
            max_memory=self.max_memory,
        )
        check_own_fits(union.setting, self.choice, draws=1)
        settings = _settings(union, (one, two))
        bound = Bound(_TEST, union.setting.graph.direction)
        alike = union.alike(bound, None).num_classes == 1
        differences: list[Difference] = []
        graph_only = True
        self.progress.start(f"running {self.model}", self.draws, "draws")
        try:
            for number in range(self.seed, self.seed + self.draws):
                load = functools.partial(self.loader(union.setting), number)
                vectors, diagnoses, per_layer = _vectors(load, settings, number)
                noise = max(each.noise for each in diagnoses)
                differences.append(difference(vectors, 0, 1, noise, may_be_equal=alike))
                graph_only = graph_only and all(each.sees_graph_only for each in diagnoses)
                self.progress.done(len(differences))
        finally:
            self.progress.finish()
        answer = PairAnswer.of(differences, bound)
        # The layers of an own model need not be those of the test.
        layer = answer.layer if per_layer else None
        return replace(answer, layer=layer, later=None, graph_only=graph_only)


def _settings(
    blocks: Blocks, graphs: tuple[RelationalGraph, RelationalGraph]
) -> tuple[Setting, ...]:
    """Each graph alone, with the relations and the features that both have together."""
    whole = blocks.setting
    ends = np.cumsum(blocks.sizes)
    settings = []
    for place, (graph, end) in enumerate(zip(graphs, ends.tolist(), strict=True)):
        # Of the other graph only the names of its relations are left.
        alone = [g if number == place else g.induced([]) for number, g in enumerate(graphs)]
        features = whole.features.restricted(np.arange(end - graph.num_vertices, end))
        settings.append(replace(whole, graph=disjoint_union(*alone), features=features))
    return tuple(settings)


def _vectors(
    load: Callable[[torch.dtype], OwnModel], settings: tuple[Setting, ...], seed: int
) -> tuple[Vectors, list[Diagnosis], bool]:
    """For each layer, a row for each graph, in two orders of the edges; and what the runs show."""
    graphs: list[list[list[FloatArray]]] = [[], []]
    diagnoses = []
    for setting in settings:
        run, layers = first_run(load, setting)
        single = None
        if run.model.dtype == torch.float64:
            single = in_single_precision(load, setting)
        given = Arrangement.as_given(setting.arcs)
        shuffled = Arrangement.random(setting.arcs, seed)
        reordered = run(Arrangement(given.vertices, shuffled.arcs))
        for which, each in enumerate((layers, reordered)):
            check_finite(each)
            graphs[which].append([_vector(layer, seed) for layer in each])
        diagnoses.append(diagnose(run, layers, single, seed + 1))
    by_layer = [[np.concatenate(layer) for layer in zip(*each, strict=True)] for each in graphs]
    return list(zip(*by_layer, strict=True)), diagnoses, bool(run.model.per_layer)


def _vector(layer: FloatArray, seed: int) -> FloatArray:
    """The vector of a graph; layers may have different widths."""
    (vector,) = read([layer], random_reading(layer.shape[1], seed), None)
    return vector
