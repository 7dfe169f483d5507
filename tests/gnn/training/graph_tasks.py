"""Small graphs with classes, and tasks to learn them."""

from __future__ import annotations

from typing import Any

import numpy as np

import wlkg
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.training.graph_task import make_graph_task
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import Task
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.collection import GraphCollection
from wlkg.readers.targets import Targets


def random_graphs(count: int, seed: int = 0, vertices: int = 5) -> list[RelationalGraph]:
    """Graphs of up to some vertices with loops, labels, and relations a, b, c in any order."""
    draw = np.random.default_rng(seed)
    graphs = []
    for _ in range(count):
        n, m = int(draw.integers(1, vertices + 1)), int(draw.integers(0, 9))
        graph = RelationalGraph.from_arrays(
            draw.integers(0, n, m),
            draw.integers(0, 3, m),
            draw.integers(0, n, m),
            num_vertices=n,
            relation_names=[str(name) for name in draw.permutation(list("abc"))],
        )
        graphs.append(graph.with_labels([str(name) for name in draw.choice(["x", "y"], n)]))
    return graphs


def graph_task(
    graphs: list[RelationalGraph], model: str | ModelChoice = "rgcn", **options: Any
) -> Task:
    """Graphs whose classes are odd and even in turn; the last quarter is held out."""
    train = len(graphs) - len(graphs) // 4
    names = tuple(("even", "odd")[place % 2] for place in range(len(graphs)))
    sets = TargetSets(
        Targets(np.arange(train), names[:train]),
        Targets(np.arange(train, len(graphs)), names[train:]) if train < len(graphs) else None,
    )
    choice = model if isinstance(model, ModelChoice) else ModelChoice(model, width=4, layers=2)
    return make_graph_task(GraphCollection.numbered(graphs), sets, choice, **options)


def permuted_copies(
    *names: str, count: int, seed: int = 0
) -> tuple[list[RelationalGraph], list[str]]:
    """Copies of built-in graphs in random orders, and the name of each."""
    draw = np.random.default_rng(seed)
    graphs, classes = [], []
    for _ in range(count):
        for name in names:
            graph = wlkg.read(f"example:{name}")
            graphs.append(graph.permuted(draw.permutation(graph.num_vertices)))
            classes.append(name)
    return graphs, classes
