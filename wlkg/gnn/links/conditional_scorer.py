"""Conditional models, C-MPNN: each source has its own features of all candidates.

Candidates of one class of rawl2 have equal scores, but sums in another order round differently. So
that the rounding decides no tie, `ConditionalScorer.tied_scores` gives all candidates of a class
the score of the first one. The classes of one source are those of 1-rwl on the graph in which it is
marked. They are also those of rawl2-all: a global readout adds the same to all pairs of a source.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from wlkg.arrays import Int32Array, Int64Array, IntArray
from wlkg.gnn.links.link_scorer import LinkScorer, ScorerInput
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.conditional_link_model import ConditionalLinkModel
from wlkg.gnn.models.parameters import seeded
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits
from wlkg.refinement.refine import refine

#: The most class numbers that are kept from one epoch to the next.
_KEPT_CLASSES = 100_000_000
#: For each vertex and layer of a query, how many rows are held in training, and for each arc.
_ROWS_PER_VERTEX, _ROWS_PER_ARC = 8, 3


class ConditionalScorer(LinkScorer):
    """C-MPNN on one graph. Every vertex is a group of its own, as groups depend on the source."""

    def __init__(self, given: ScorerInput, *, training: bool) -> None:
        self._given = given
        self.device = given.device
        graph, width = given.graph, given.config.width
        arcs = graph.arcs()
        self._rows = _ROWS_PER_VERTEX * graph.num_vertices + _ROWS_PER_ARC * len(arcs)
        queries = given.step.queries if training else 1
        layers = given.config.layers if training else 2
        check_fits(
            f"c-mpnn with {given.config.layers} layers on {queries:,} queries at a time",
            f"{self._rows:,} rows of {width} numbers for each layer and query",
            given.dtype.itemsize * layers * queries * self._rows * width,
            given.max_memory,
            "use a smaller --batch, a smaller --dim or fewer --layers",
        )
        self.group_of: Int64Array = np.arange(graph.num_vertices, dtype=np.int64)
        self.sizes: Int64Array = np.ones(graph.num_vertices, dtype=np.int64)
        self._graph = ConditionalGraph.of(arcs).to(given.device)
        self._x: Tensor | None = None
        if given.config.vertex_features:
            self._x = given.features.of(self.group_of).to(given.device, given.dtype)
        self._arcs_of_triple = _arcs_of_triples(graph) if training else np.zeros((0, 0), np.int64)
        self._marked = graph.with_label_ids(given.features.start.colours)
        self._first: dict[int, Int32Array] = {}
        self.size = f"{len(arcs):,} arcs and {graph.num_vertices:,} pairs per query and layer"
        self.effort = len(arcs) * width * queries

    def make(self, seed: int) -> nn.Module:
        model = seeded(seed, ConditionalLinkModel, self._given.config)
        return model.to(self._given.device, self._given.dtype)

    @property
    def numbers_per_query(self) -> int:
        return self._rows * self._given.config.width

    def scores(
        self,
        model: nn.Module,
        prepared: Tensor | None,  # noqa: ARG002
        source: IntArray,
        number: Tensor,
        *,
        candidates: IntArray | None = None,
        left_out: IntArray | None = None,
    ) -> Tensor:
        graph = self._graph
        if left_out is not None:
            mask = np.zeros(len(graph), dtype=bool)
            mask[self._arcs_of_triple[left_out]] = True
            graph = graph.without(mask)
        chosen = None if candidates is None else self._tensor(candidates)
        scores = cast("ConditionalLinkModel", model)(
            graph, self._tensor(source), number, self._x, chosen
        )
        return cast("Tensor", scores)

    def tied_scores(
        self, model: nn.Module, prepared: Tensor | None, source: IntArray, number: Tensor
    ) -> Tensor:
        scores = self.scores(model, prepared, source, number)
        first = np.stack([self._first_of_class(vertex) for vertex in source.tolist()])
        return scores.gather(1, self._tensor(first))

    def _first_of_class(self, source: int) -> Int32Array:
        """For each candidate, the first one that no model with these layers tells from it."""
        known = self._first.get(source)
        if known is None:
            known = first_of_class(self._marked, source, self._given.config.layers)
            if (len(self._first) + 1) * len(known) <= _KEPT_CLASSES:
                self._first[source] = known
        return known

    def _tensor(self, numbers: IntArray) -> Tensor:
        return torch.from_numpy(numbers.astype(np.int64)).to(self.device)


def first_of_class(graph: RelationalGraph, source: int, rounds: int) -> Int32Array:
    """For each vertex v, the first one with the colour of (source, v) under rawl2."""
    marks = 2 * graph.labels.astype(np.int64) if graph.labels is not None else _zeros(graph)
    marks[source] += 1
    history = refine(graph.with_label_ids(marks), "1-rwl", rounds=rounds).history
    classes = history.class_at(np.arange(graph.num_vertices), rounds)
    _, first, group = np.unique(classes, return_index=True, return_inverse=True)
    return first[group.reshape(-1)].astype(np.int32)


def _zeros(graph: RelationalGraph) -> Int64Array:
    return np.zeros(graph.num_vertices, dtype=np.int64)


def _arcs_of_triples(graph: RelationalGraph) -> Int64Array:
    """For each triple, the positions of its arcs: one or two, depending on the direction mode."""
    arcs, relations = graph.arcs(), len(graph.relation_names)
    head, relation, tail = (
        column.astype(np.int64) for column in (graph.head, graph.relation, graph.tail)
    )
    out, back = (head, relation, tail), (tail, relation, head)
    inverse = (tail, relation + relations, head)
    ways = {"both": (out, inverse), "undirected": (out, back), "out": (out,), "in": (back,)}

    def key(vertex: IntArray, number: IntArray, neighbour: IntArray) -> IntArray:
        row = vertex.astype(np.int64) * arcs.num_relations + number
        return row * graph.num_vertices + neighbour

    keys = key(arcs.source, arcs.relation, arcs.neighbour)
    order = np.argsort(keys)
    sorted_keys = keys[order]
    places = [order[np.searchsorted(sorted_keys, key(*way))] for way in ways[graph.direction]]
    return np.stack(places, axis=1)
