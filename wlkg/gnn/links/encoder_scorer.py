"""Encoders with decoders: R-GCN, CompGCN and the like.

*Exact compression*: vertices of one class of the test that bounds the encoder have equal features,
so features are computed for one vertex of each class, and a class is a group of candidates.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from wlkg.arrays import Int64Array, IntArray
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.links.link_scorer import LinkScorer, ScorerInput
from wlkg.gnn.models.decoders.table import DECODER_CLASSES
from wlkg.gnn.models.link_model import LinkModel
from wlkg.gnn.models.model_memory import check_task_fits, rows_of_plan
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.plan import make_plan
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits
from wlkg.partition import Partition
from wlkg.refinement.refine import refine

#: How often the scores of a batch, or the vectors that they are made of, are held in training.
_COPIES = 5


class EncoderScorer(LinkScorer):
    """An encoder on one graph, and a decoder."""

    def __init__(self, given: ScorerInput, *, training: bool) -> None:
        self._given = given
        self.device = given.device
        classes = bound_classes(given.graph, given.config, given.features.start)
        _, first, group_of, sizes = np.unique(
            classes, return_index=True, return_inverse=True, return_counts=True
        )
        self.group_of: Int64Array = group_of.reshape(-1).astype(np.int64)
        self.sizes: Int64Array = sizes.astype(np.int64)
        plan = make_plan(
            given.graph,
            given.config,
            first,
            start=given.features.start,
            compress=given.compress,
        )
        self._plan = plan.to(given.device, given.dtype)
        check_task_fits(
            given.config,
            given.graph.num_vertices,
            rows_of_plan(self._plan, given.config),
            training=training,
            bytes_of_number=given.dtype.itemsize,
            max_memory=given.max_memory,
        )
        self._check_step(training=training)
        self._x = given.features.of(plan.start).to(given.device, given.dtype)
        rows = " + ".join(f"{step.num_targets:,}" for step in plan.steps)
        self.size = f"{rows} rows, {plan.num_messages:,} messages"
        self.effort = plan.num_messages * given.config.width

    def _check_step(self, *, training: bool) -> None:
        """Refuse scores of a batch that do not fit into memory."""
        given, width = self._given, self._given.config.widths[-1]
        candidates = len(self.sizes)
        queries = given.step.queries if training else 1
        if training and given.step.negatives is not None:
            candidates = given.step.negatives + 1
        numbers = queries * candidates * (width if candidates < len(self.sizes) else 1)
        if DECODER_CLASSES[given.decoder].HAS_PAIR_VECTORS:
            numbers = queries * candidates * width
        check_fits(
            f"{given.decoder} on {queries:,} queries at a time",
            f"scores of {candidates:,} candidates for each",
            (8 + _COPIES * given.dtype.itemsize) * numbers,
            given.max_memory,
            "use a smaller --batch, --negatives or a smaller --dim",
        )

    def make(self, seed: int) -> nn.Module:
        given = self._given
        model = seeded(
            seed, LinkModel, given.config, given.decoder, 2 * len(given.graph.relation_names)
        )
        return model.to(given.device, given.dtype)

    @property
    def numbers_per_query(self) -> int:
        has_vectors = DECODER_CLASSES[self._given.decoder].HAS_PAIR_VECTORS
        return len(self.sizes) * (self._given.config.widths[-1] if has_vectors else 1)

    def prepare(self, model: nn.Module) -> Tensor | None:
        """The features of each class."""
        features: Tensor = model(self._x, self._plan)
        return features

    def scores(
        self,
        model: nn.Module,
        prepared: Tensor | None,
        source: IntArray,
        number: Tensor,
        *,
        candidates: IntArray | None = None,
        left_out: IntArray | None = None,
    ) -> Tensor:
        assert prepared is not None
        assert left_out is None, "an encoder sees one graph"
        asking = prepared.index_select(0, self._groups(source))
        if candidates is None:
            scored = prepared
        else:
            rows = prepared.index_select(0, self._groups(candidates.reshape(-1)))
            scored = rows.reshape(*candidates.shape, -1)
        scores: Tensor = cast("LinkModel", model).decoder(asking, number, scored)
        return scores

    def _groups(self, vertices: IntArray) -> Tensor:
        return torch.from_numpy(self.group_of[vertices]).to(self.device)


def bound_classes(graph: RelationalGraph, config: ModelConfig, start: Partition) -> IntArray:
    """The class of each vertex under the test that bounds a model, after all of its layers.

    ``start`` groups the vertices with equal features.
    """
    bound = bound_of(config, graph.direction)
    rounds = config.layers + bound.later
    seen = graph.with_label_ids(start.colours).with_direction(bound.direction)
    history = refine(seen, bound.test, rounds=rounds).history
    return history.class_at(np.arange(graph.num_vertices), rounds)
