"""How a model scores the candidates of one graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from wlkg.arrays import Int64Array, IntArray
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.features import Features
from wlkg.graph.relational_graph import RelationalGraph


@dataclass(frozen=True)
class Step:
    """What a step of training scores: queries, and for each all candidates or some of them."""

    queries: int
    negatives: int | None


@dataclass(frozen=True, eq=False)
class ScorerInput:
    """A graph with features, and the model that scores its links."""

    graph: RelationalGraph
    features: Features
    config: ModelConfig
    decoder: str
    device: torch.device
    dtype: torch.dtype
    compress: bool
    step: Step
    max_memory: int | None


class LinkScorer(ABC):
    """Scores of the candidates of queries, by groups of candidates that share a score."""

    #: The group of each vertex, and how many vertices each group has.
    group_of: Int64Array
    sizes: Int64Array
    device: torch.device
    #: What a forward pass computes, in words, and roughly how many numbers that is.
    size: str
    effort: int

    @abstractmethod
    def make(self, seed: int) -> nn.Module:
        """A model with random weights."""

    @property
    @abstractmethod
    def numbers_per_query(self) -> int:
        """About how many numbers are held to score all candidates of a query."""

    def prepare(self, model: nn.Module) -> Tensor | None:  # noqa: ARG002
        """What is computed once for all queries."""
        return None

    @abstractmethod
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
        """A row for each query: scores of all groups, or of the ``candidates`` of its row.

        ``left_out`` are triples of the graph that the model does not see meanwhile.
        """

    def tied_scores(
        self, model: nn.Module, prepared: Tensor | None, source: IntArray, number: Tensor
    ) -> Tensor:
        """The scores of all groups; candidates that no such model tells apart have equal bits."""
        return self.scores(model, prepared, source, number)
