"""A small graph with classes of vertices, and tasks to learn them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from wlkg.gnn.config import ModelChoice
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import Task, make_task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets

#: The number of vertices of the graph.
N = 30
CONFIG = TrainConfig(epochs=30, learning_rate=0.01, weight_decay=0.0005)


def random_graph() -> RelationalGraph:
    """Vertices 0, 1, ... with labels, and relations a, b, c."""
    draw = np.random.default_rng(1).integers
    return RelationalGraph.from_arrays(
        draw(0, N, 90), draw(0, 3, 90), draw(0, N, 90), num_vertices=N, relation_names=list("abc")
    ).with_label_ids(draw(0, 3, N))


def targets_of(low: int, high: int) -> Targets:
    """The classes of the vertices from ``low`` up to ``high``: x, y and z in turn."""
    return Targets(np.arange(low, high), tuple("xyz"[v % 3] for v in range(low, high)))


SETS = TargetSets(targets_of(0, 20), targets_of(20, 30))


def small_task(model: str = "rgcn", **options: Any) -> Task:
    """Learn the classes of the first 20 vertices; the other 10 are held out."""
    choice = ModelChoice(model, width=4)
    return make_task(random_graph(), SETS, choice, **options)


def weights_of(model: torch.nn.Module) -> bytes:
    return b"".join(p.detach().numpy().tobytes() for p in model.parameters())
