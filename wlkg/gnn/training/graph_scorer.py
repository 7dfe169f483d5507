"""How models of whole graphs are made, and how they score graphs.

The graphs are the blocks of one disjoint union, so a vertex model computes all of them in one pass,
and vertices of one colour share a row even if they lie in different graphs. A k-RN computes one
graph after the other. Mini-batches are unions of some of the graphs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from torch import Tensor, nn

from wlkg.arrays import IntArray
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.graph_model import GraphBatch, GraphModel, VertexBatch
from wlkg.gnn.models.model_memory import LayerRows, rows_of_plan, rows_of_tuples
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.plan import make_plan
from wlkg.gnn.models.tuple_input import TupleInput, tuple_inputs, types_of_blocks
from wlkg.gnn.training.scorer import Scorer, TaskInput
from wlkg.graph.arcs import Arcs


class GraphScorer(Scorer):
    """What vertex models and k-RN have in common on whole graphs; they differ in their batches."""

    def __init__(self, task_input: TaskInput, blocks: Sequence[int]) -> None:
        super().__init__(task_input)
        self._blocks = np.asarray(blocks, dtype=np.int64)

    def make(self, seed: int) -> nn.Module:
        """A model with random weights; its body learns nothing if the task says so."""
        given = self._input
        model = seeded(seed, GraphModel, given.config, len(self.types))
        model.body.requires_grad_(not given.freeze)
        return model.to(given.device, given.dtype)

    @cached_property
    def whole(self) -> GraphBatch:
        """All graphs."""
        return self.batch(np.arange(len(self._blocks)))

    @abstractmethod
    def batch(self, positions: IntArray) -> GraphBatch:
        """Some of the graphs, in the given order."""

    def scores(self, model: nn.Module) -> Tensor:
        """A row with a score for each class, for each graph."""
        scores: Tensor = model(self.whole)
        return scores


class VertexGraphScorer(GraphScorer):
    """Plain GNN, R-GCN, R-GCN + MLP and CompGCN on whole graphs."""

    def __init__(self, task_input: TaskInput, blocks: Sequence[int]) -> None:
        super().__init__(task_input, blocks)
        assert isinstance(self.whole, VertexBatch)
        plan = self.whole.plan
        rows = " + ".join(f"{step.num_targets:,}" for step in plan.steps)
        self.size = f"{rows} rows, {plan.num_messages:,} messages"
        self.effort = plan.num_messages * task_input.config.width

    def batch(self, positions: IntArray) -> VertexBatch:
        """The disjoint union of some of the graphs, in the given order."""
        given = self._input
        starts, sizes = (np.cumsum(self._blocks) - self._blocks)[positions], self._blocks[positions]
        graph_of = np.repeat(np.arange(len(positions)), sizes)
        within = np.arange(len(graph_of)) - (np.cumsum(sizes) - sizes)[graph_of]
        vertices = starts[graph_of] + within
        features = given.features.restricted(vertices)
        plan = make_plan(
            given.graph.induced(vertices),
            given.config,
            np.arange(len(vertices)),
            start=features.start,
            compress=given.compress,
        )
        self._check_fits(rows_of_plan(plan, given.config))
        batch = VertexBatch.of(features.of(plan.start), plan, graph_of, len(positions))
        return batch.to(given.device, given.dtype)


class TupleGraphScorer(GraphScorer):
    """k-RN on whole graphs."""

    def __init__(self, task_input: TaskInput, blocks: Sequence[int]) -> None:
        super().__init__(task_input, blocks)
        given, k = self._input, task_input.config.k
        count = sum(size**k for size in blocks)
        self._check_fits(_rows_of_blocks(given.config, given.graph.arcs(), self._blocks))
        coloured = given.graph.with_label_ids(given.features.start.colours)
        inputs = tuple_inputs(coloured, k, blocks=tuple(blocks), max_memory=given.max_memory)
        relations = given.graph.arcs().relation_names
        self.types = tuple(types_of_blocks(inputs, given.features.vertex_names, relations))
        if given.initial is not None:
            inputs = [given.initial.known_tuples(each, self.types) for each in inputs]
        self._inputs = [each.to(given.device) for each in inputs]
        self.size = f"{count:,} tuples of {len(self.types):,} atomic types"
        self.effort = count * given.config.width

    def batch(self, positions: IntArray) -> list[TupleInput]:
        """Some of the graphs, in the given order."""
        return [self._inputs[place] for place in positions.tolist()]


def _rows_of_blocks(config: ModelConfig, arcs: Arcs, blocks: IntArray) -> list[LayerRows]:
    """What each layer of a k-RN computes for all graphs together."""
    ends = np.concatenate([[0], np.cumsum(blocks)])
    counts = np.diff(arcs.offsets[ends]).tolist()
    layers = [
        rows_of_tuples(config, size, count)[0]
        for size, count in zip(blocks.tolist(), counts, strict=True)
    ]
    tuples = sum(layer.targets for layer in layers)
    whole = LayerRows(tuples, tuples, sum(layer.composed for layer in layers))
    return [whole] * config.layers


def make_graph_scorer(task_input: TaskInput, blocks: Sequence[int]) -> GraphScorer:
    """The scorer of whole graphs for the kind of model."""
    is_krn = task_input.config.model == "k-rn"
    return (TupleGraphScorer if is_krn else VertexGraphScorer)(task_input, blocks)
