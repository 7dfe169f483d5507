"""What a model computes, layer by layer, for whom: message passing laid out in advance.

A `Step` says for one layer which rows (vertices, or classes of vertices) see which rows of the
layer before. A `Plan` is a step for each layer. Two vertices of one colour after t rounds of 1-RWL
have equal features after t layers (the paper's Theorem 1), so *exact compression* keeps one row
per colour of round t in layer t, and of those only what the targets can see. Outputs and gradients
are the same as with a row for every vertex, only sums are taken in another order.

Normalisation by degrees also looks at the neighbours' degrees, so that layer t is bounded by round
t + 1: then the rows of layer t are colours of round t + 1 (those of the input still of round 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import FloatArray, IntArray
from wlkg.catalogue import Direction
from wlkg.gnn.bounds import direction_of_neighbours
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.sparse import Sums
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.refine import refine


@dataclass(frozen=True, eq=False)
class Step:
    """The messages of one layer: row ``target`` sees row ``source`` through ``relation``."""

    num_sources: int
    num_targets: int
    #: The row of the layer before that stands for the target itself.
    own: Tensor
    source: Tensor
    target: Tensor
    relation: Tensor
    #: How much each message counts: how often it is sent, divided as aggregation and norm say.
    weight: Tensor
    #: Whether the step is taken many times, so that laying out its sums pays.
    keep: bool = True

    def to(self, device: torch.device, dtype: torch.dtype) -> Step:
        """The same step on a device, with weights of a floating-point type."""
        return replace(
            self,
            own=self.own.to(device),
            source=self.source.to(device),
            target=self.target.to(device),
            relation=self.relation.to(device),
            weight=self.weight.to(device=device, dtype=dtype),
        )

    @classmethod
    def whole(cls, edge_index: Tensor, edge_type: Tensor, num_vertices: int) -> Step:
        """A row for every vertex, and a message along every edge, as PyG writes them down."""
        own = torch.arange(num_vertices, device=edge_index.device)
        weight = torch.ones(edge_index.shape[1], device=edge_index.device)
        source, target = edge_index[0], edge_index[1]
        return cls(num_vertices, num_vertices, own, source, target, edge_type, weight, keep=False)

    @cached_property
    def _relations(self) -> int:
        return int(self.relation.max()) + 1 if len(self.relation) else 1

    @cached_property
    def _sums(self) -> dict[str, Sums]:
        return {}

    def _kept(
        self, name: str, target: Tensor, source: Tensor, weight: Tensor, shape: tuple[int, int]
    ) -> Sums:
        """Sums under a name, laid out when they are first asked for."""
        if name not in self._sums:
            self._sums[name] = Sums(target, source, weight, shape, keep=self.keep)
        return self._sums[name]

    @cached_property
    def seen(self) -> tuple[Tensor, Tensor, Tensor]:
        """The different pairs of source and relation, and which of them each message has."""
        pairs, place = torch.unique(
            self.source * self._relations + self.relation, return_inverse=True
        )
        return pairs // self._relations, pairs % self._relations, place

    def sum_seen(self, rows: Tensor, outward: int, directions: int) -> Tensor:
        """The sums of rows for pairs that are seen, for each target and direction.

        Relations from ``outward`` on are of the second direction; its sums are below the others.
        """
        name = f"seen {outward} {directions}"
        if name not in self._sums:
            inward = (self.relation >= outward).to(self.target.dtype)
            target = self.target + inward * self.num_targets
            shape = (directions * self.num_targets, len(self.seen[0]))
            self._kept(name, target, self.seen[2], self.weight, shape)
        return self._sums[name](rows)

    def sum_every(self, rows: Tensor, relations: int) -> Tensor:
        """The sums of rows for all pairs of source and relation, at each target."""
        source = self.source * relations + self.relation
        shape = (self.num_targets, self.num_sources * relations)
        return self._kept(f"every {relations}", self.target, source, self.weight, shape)(rows)

    @cached_property
    def grouped(self) -> tuple[Tensor, Tensor, Tensor]:
        """The different pairs of target and relation, and which of them each message has."""
        pairs, place = torch.unique(
            self.target * self._relations + self.relation, return_inverse=True
        )
        return pairs // self._relations, pairs % self._relations, place

    def sum_groups(self, rows: Tensor) -> Tensor:
        """The sums of the rows of sources, for each pair of target and relation."""
        target, _, place = self.grouped
        shape = (len(target), self.num_sources)
        return self._kept("groups", place, self.source, self.weight, shape)(rows)

    def sum_targets(self, rows: Tensor) -> Tensor:
        """The sums of rows for pairs of target and relation, at each target."""
        target = self.grouped[0]
        place = torch.arange(len(target), device=target.device)
        ones = torch.ones(len(target), dtype=rows.dtype, device=rows.device)
        shape = (self.num_targets, len(target))
        return self._kept("targets", target, place, ones, shape)(rows)


@dataclass(frozen=True, eq=False)
class Plan:
    """The steps of all layers, where the rows start, and where the targets end."""

    steps: tuple[Step, ...]
    #: The vertex whose features each row of the input has.
    start: IntArray
    #: The row of the last layer for each target.
    rows: Tensor

    def to(self, device: torch.device, dtype: torch.dtype) -> Plan:
        """The same plan on a device."""
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
    direction: Direction | None = None,
    compress: bool = True,
) -> Plan:
    """The plan of a model on a graph for some vertices.

    ``start`` tells which vertices have equal features, by default all of them. Without compression
    every vertex has a row in every layer.
    """
    mode = graph.direction if direction is None else direction
    arcs = graph.arcs(mode)
    weight = message_weights(arcs, config)
    wanted = np.asarray(targets, dtype=np.int64)
    classes = _classes(graph, config, start, mode) if compress else None
    everything = np.arange(graph.num_vertices)
    rows, place = _representatives(wanted, None if classes is None else classes[-1], everything)
    steps: list[Step] = []
    for t in range(config.layers - 1, -1, -1):
        before = None if classes is None else classes[t]
        step, rows = _step(arcs, weight, rows, before, everything)
        steps.append(step)
    return Plan(tuple(reversed(steps)), rows, torch.from_numpy(place))


def message_weights(arcs: Arcs, config: ModelConfig) -> FloatArray:
    """How much the message of each arc counts.

    1 for a sum; 1 / |N_i(v)| for a mean; with degrees normalised 1 / sqrt(|N_i(v)| |N_i'(w)|),
    where N_i' are the vertices that have w among their neighbours of relation i.
    """
    if config.aggregation == "sum" and not config.normalised:
        return np.ones(len(arcs))
    relation = arcs.relation.astype(np.int64)
    here = _degrees(arcs.source * arcs.num_relations + relation)
    if not config.normalised:
        return 1.0 / here
    there = _degrees(arcs.neighbour.astype(np.int64) * arcs.num_relations + relation)
    return 1.0 / np.sqrt(here * there)


def _degrees(keys: IntArray) -> FloatArray:
    """How often each key occurs."""
    _, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return counts[place].astype(np.float64)


def _classes(
    graph: RelationalGraph, config: ModelConfig, start: Partition | None, mode: Direction
) -> list[IntArray]:
    """For each layer, the input included, the class of every vertex that decides its features."""
    later = 1 if config.normalised else 0
    same = Partition.trivial(graph.num_vertices) if start is None else start
    coloured = graph.with_label_ids(same.colours)
    if config.normalised:
        mode = direction_of_neighbours(mode)
    history = refine(coloured, "1-rwl", mode, rounds=config.layers + later).history
    everything = np.arange(graph.num_vertices)
    # The input is what it is, whatever the degrees.
    rounds = [0, *(t + later for t in range(1, config.layers + 1))]
    return [history.class_at(everything, t) for t in rounds]


def _representatives(
    vertices: IntArray, classes: IntArray | None, everything: IntArray
) -> tuple[IntArray, IntArray]:
    """A vertex of each class of the given ones, and the place of each given one's class."""
    if classes is None:
        return everything, vertices
    _, first, place = np.unique(classes[vertices], return_index=True, return_inverse=True)
    return vertices[first], place.reshape(-1)


def _step(
    arcs: Arcs, weight: FloatArray, rows: IntArray, classes: IntArray | None, everything: IntArray
) -> tuple[Step, IntArray]:
    """The messages to some vertices from one per class, and those whose features are needed."""
    degrees = np.diff(arcs.offsets)[rows]
    target = np.repeat(np.arange(len(rows)), degrees)
    shift = np.arange(len(target)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    arc = np.repeat(arcs.offsets[:-1][rows], degrees) + shift
    needed, place = _representatives(
        np.concatenate([rows, arcs.neighbour[arc].astype(np.int64)]), classes, everything
    )
    own, source = place[: len(rows)], place[len(rows) :]
    relation = arcs.relation[arc].astype(np.int64)
    key = (target * arcs.num_relations + relation) * len(needed) + source
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    total = np.bincount(group.reshape(-1), weights=weight[arc], minlength=len(first))
    step = Step(
        len(needed),
        len(rows),
        own=torch.from_numpy(own),
        source=torch.from_numpy(source[first]),
        target=torch.from_numpy(target[first]),
        relation=torch.from_numpy(relation[first]),
        weight=torch.from_numpy(total),
    )
    return step, needed
