"""A model asked about two graphs: does it separate them, and which test bounds it?

For random weights and for a model of vertices, vectors of graphs are read after every layer with a
random readout. A model that was trained on whole graphs is judged by its own scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from wlkg.catalogue import Direction
from wlkg.errors import UsageError
from wlkg.gnn.against_wl.graph_vectors import (
    Blocks,
    Difference,
    Reading,
    any_separates,
    difference,
    model_vectors,
    random_reading,
    random_vectors,
)
from wlkg.gnn.against_wl.model_memory import check_model_fits
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.features import TABLE
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress


@dataclass(frozen=True)
class PairAnswer:
    """What a model says about two graphs; see `wlkg.analysis.model_verdicts`."""

    separated: bool | None
    layer: int | None
    draws: int
    separating_draws: int
    test: str
    direction: Direction
    later: int | None
    #: Whether the answer depends on nothing but the graphs.
    graph_only: bool = True
    predicted: tuple[str, str] | None = None

    @classmethod
    def of(cls, differences: Sequence[Difference], bound: Bound) -> PairAnswer:
        """From the difference of the graphs with each draw of weights."""
        layers = [each.layer for each in differences if each.layer is not None]
        return cls(
            separated=any_separates([each.separated for each in differences]),
            layer=min(layers, default=None),
            draws=len(differences),
            separating_draws=sum(each.separated is True for each in differences),
            test=bound.test,
            direction=bound.direction,
            later=bound.later,
        )


@dataclass(frozen=True)
class RandomPairModel:
    """A model with random weights, drawn several times."""

    choice: ModelChoice
    draws: int = 3
    seed: int = 0
    max_memory: int | None = None
    progress: Progress = SILENT

    @property
    def model(self) -> str:
        return self.choice.model

    @property
    def weights(self) -> str:
        return "random"

    def __call__(self, one: RelationalGraph, two: RelationalGraph) -> PairAnswer:
        blocks = Blocks.of([one, two], width=self.choice.width, max_memory=self.max_memory)
        config = blocks.completed(self.choice)
        check_model_fits(blocks.setting, config, blocks.sizes)
        differences = []
        self.progress.start(f"running {config.model}", self.draws, "draws")
        try:
            for number in range(self.draws):
                vectors = random_vectors(blocks, config, self.seed + number)
                differences.append(difference(vectors, 0, 1))
                self.progress.done(number + 1)
        finally:
            self.progress.finish()
        return PairAnswer.of(differences, bound_of(config, blocks.setting.graph.direction))
