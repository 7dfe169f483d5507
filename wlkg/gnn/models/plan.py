"""The plan of a forward pass: which rows each layer computes, and from which messages.

A `Plan` has a `Step` for each layer, whose rows are vertices or classes of vertices. Two vertices
of one colour after t rounds of 1-RWL have equal features after t layers (the paper's Theorem 1; for
the plain GNN that holds with 1-WL), so *exact compression* keeps one row per colour of round t in
layer t, and only rows that the targets depend on. Outputs and gradients are the same as with a row
for every vertex, except that sums are taken in another order.

Normalisation by degrees also depends on the neighbours' degrees, so layer t is bounded by round
t + 1. Then the rows of layer t are colours of round t + 1, while those of the input remain colours
of round 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import FloatArray, IntArray
from wlkg.gnn.bounds import direction_of_neighbours
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.step import Step
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.refine import refine


@dataclass(frozen=True, eq=False)
class Plan:
    """The steps of all layers, the vertices of the input rows, and the rows of the targets."""

    steps: tuple[Step, ...]
    #: The vertex whose features each row of the input has.
    start: IntArray
    #: The row of the last layer for each target.
    rows: Tensor

    def to(self, device: torch.device, dtype: torch.dtype) -> Plan:
        """The same plan on a device, with weights of a floating-point type."""
        steps = tuple(step.to(device, dtype) for step in self.steps)
        return Plan(steps, self.start, self.rows.to(device))

    @property
    def num_messages(self) -> int:
        """How many messages are sent in all layers."""
        return sum(len(step.source) for step in self.steps)


def make_plan(
    graph: RelationalGraph,
    config: ModelConfig,
    targets: Sequence[int] | IntArray,
    *,
    start: Partition | None = None,
    compress: bool = True,
) -> Plan:
    """The plan of a model on a graph for the given targets.

    ``start`` groups the vertices with equal features; by default all vertices are equal. Without
    compression every vertex has a row in every layer.
    """
    arcs = seen_arcs(graph.arcs(), config)
    weight = message_weights(arcs, config)
    vertices = np.asarray(targets, dtype=np.int64)
    classes = _classes(graph, config, start) if compress else None
    all_vertices = np.arange(graph.num_vertices)
    rows, position = _representatives(
        vertices, None if classes is None else classes[-1], all_vertices
    )
    steps: list[Step] = []
    for t in range(config.layers - 1, -1, -1):
        before = None if classes is None else classes[t]
        step, rows = _step(arcs, weight, rows, before, all_vertices)
        steps.append(step)
    return Plan(tuple(reversed(steps)), rows, torch.from_numpy(position))


def seen_arcs(arcs: Arcs, config: ModelConfig) -> Arcs:
    """The arcs of a graph that a model sees; without relations each neighbour counts once."""
    return arcs if config.sees_relations else arcs.without_relations()


def message_weights(arcs: Arcs, config: ModelConfig) -> FloatArray:
    """The weight of the message of each arc.

    1 for a sum; 1 / |N_i(v)| for a mean; with degrees normalised 1 / sqrt(|N_i(v)| |N_i'(w)|),
    where N_i'(w) are the vertices that have w among their neighbours of relation i.
    """
    if config.aggregation == "sum" and not config.normalised:
        return np.ones(len(arcs))
    relation = arcs.relation.astype(np.int64)
    here = _multiplicities(arcs.source * arcs.num_relations + relation)
    if not config.normalised:
        return 1.0 / here
    there = _multiplicities(arcs.neighbour.astype(np.int64) * arcs.num_relations + relation)
    return 1.0 / np.sqrt(here * there)


def _multiplicities(keys: IntArray) -> FloatArray:
    """For each entry, how often its key occurs."""
    _, position, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return counts[position].astype(np.float64)


def _classes(
    graph: RelationalGraph, config: ModelConfig, start: Partition | None
) -> list[IntArray]:
    """For the input and each layer, the class of every vertex: its features depend on it alone."""
    later = 1 if config.normalised else 0
    equal = Partition.trivial(graph.num_vertices) if start is None else start
    coloured = graph.with_label_ids(equal.colours)
    if config.normalised:
        coloured = coloured.with_direction(direction_of_neighbours(graph.direction))
    test = "1-rwl" if config.sees_relations else "1-wl"
    history = refine(coloured, test, rounds=config.layers + later).history
    all_vertices = np.arange(graph.num_vertices)
    # The input does not depend on degrees.
    rounds = [0, *(t + later for t in range(1, config.layers + 1))]
    return [history.class_at(all_vertices, t) for t in rounds]


def _representatives(
    vertices: IntArray, classes: IntArray | None, all_vertices: IntArray
) -> tuple[IntArray, IntArray]:
    """One vertex per class of the given vertices, and for each vertex the position of its class."""
    if classes is None:
        return all_vertices, vertices
    _, first, position = np.unique(classes[vertices], return_index=True, return_inverse=True)
    return vertices[first], position.reshape(-1)


def _step(
    arcs: Arcs, weight: FloatArray, rows: IntArray, classes: IntArray | None, all_vertices: IntArray
) -> tuple[Step, IntArray]:
    """The messages to the vertices ``rows``, and the vertices of the previous layer they need."""
    degrees = np.diff(arcs.offsets)[rows]
    target = np.repeat(np.arange(len(rows)), degrees)
    shift = np.arange(len(target)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    arc = np.repeat(arcs.offsets[:-1][rows], degrees) + shift
    needed, position = _representatives(
        np.concatenate([rows, arcs.neighbour[arc].astype(np.int64)]), classes, all_vertices
    )
    own, source = position[: len(rows)], position[len(rows) :]
    relation = arcs.relation[arc].astype(np.int64)
    key = (target * arcs.num_relations + relation) * len(needed) + source
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    total = np.bincount(group.reshape(-1), weights=weight[arc], minlength=len(first))
    step = Step(
        num_sources=len(needed),
        num_targets=len(rows),
        own=torch.from_numpy(own),
        source=torch.from_numpy(source[first]),
        target=torch.from_numpy(target[first]),
        relation=torch.from_numpy(relation[first]),
        weight=torch.from_numpy(total),
    )
    return step, needed
