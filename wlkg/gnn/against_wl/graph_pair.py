"""A model asked about two graphs: whether it separates them, and which test bounds it.

For random weights and for a model of vertices, vectors of graphs are read after every layer with a
random readout. A model that was trained on whole graphs is judged by its own scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from wlkg.catalogue import Direction
from wlkg.display import Brief
from wlkg.errors import UsageError
from wlkg.gnn.against_wl.graph_vectors import (
    Blocks,
    Difference,
    Reading,
    any_separates,
    model_vectors,
    random_reading,
    random_vectors,
)
from wlkg.gnn.against_wl.model_memory import check_model_fits
from wlkg.gnn.against_wl.setting import make_setting
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.checkpoints.fitting import fit
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.config import ModelChoice, ModelConfig
from wlkg.gnn.features import TABLE
from wlkg.gnn.models.graph_model import GraphModel
from wlkg.gnn.models.tuple_input import types_of_blocks
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
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
class RandomPairModel(Brief):
    """A model with random weights, drawn several times."""

    choice: ModelChoice
    draws: int = 3
    seed: int = 0
    device: str = "auto"
    dtype: str = "float64"
    max_memory: int | None = None
    progress: Progress = SILENT

    @property
    def model(self) -> str:
        return self.choice.model

    @property
    def weights(self) -> str:
        return "random"

    def __call__(self, one: RelationalGraph, two: RelationalGraph) -> PairAnswer:
        blocks = Blocks.of(
            [one, two],
            width=self.choice.width,
            device=self.device,
            dtype=self.dtype,
            max_memory=self.max_memory,
        )
        config = blocks.completed(self.choice)
        check_model_fits(blocks.setting, config, blocks.sizes)
        bound = bound_of(config, blocks.setting.graph.direction)
        alike = blocks.alike(bound, config.layers)
        differences = []
        self.progress.start(f"running {config.model}", self.draws, "draws")
        try:
            for number in range(self.draws):
                vectors = random_vectors(blocks, config, self.seed + number)
                differences.append(blocks.difference(vectors, 0, 1, alike))
                self.progress.done(number + 1)
        finally:
            self.progress.finish()
        return PairAnswer.of(differences, bound)


@dataclass(frozen=True)
class SavedPairModel:
    """A model with the weights of a checkpoint."""

    saved: SavedModel
    unknown_relations: str = "error"
    device: str = "auto"
    dtype: str = "float64"
    max_memory: int | None = None
    progress: Progress = SILENT

    @property
    def model(self) -> str:
        return self.saved.config.model

    @property
    def weights(self) -> str:
        return str(self.saved.path)

    def __call__(self, one: RelationalGraph, two: RelationalGraph) -> PairAnswer:
        saved, config = self.saved, self.saved.config
        if saved.about.features == TABLE:
            raise UsageError(
                f"{saved.path}: the model was made with features from a table, which two graphs"
                " that are compared do not have"
            )
        union = disjoint_union(one, two)
        known = fit(
            saved,
            union,
            unknown_relations=self.unknown_relations,
            max_memory=self.max_memory,
        )
        setting = make_setting(
            known.graph,
            features=known.features,
            device=self.device,
            dtype=self.dtype,
            max_memory=self.max_memory,
        )
        blocks = Blocks(setting, (one.num_vertices, two.num_vertices))
        check_model_fits(blocks.setting, config, blocks.sizes)
        inputs = None
        if config.model == "k-rn":
            here = blocks.setting.tuples_of_blocks(config.k, blocks.sizes)
            names = types_of_blocks(
                here, blocks.setting.features.vertex_names, blocks.setting.arcs.relation_names
            )
            inputs = [saved.known_tuples(each, names) for each in here]
        bound = bound_of(config, blocks.setting.graph.direction)
        alike = blocks.alike(bound, config.layers)
        if not config.readout:
            vectors = model_vectors(blocks, saved.build(), _each_layer(config, 0), 0, inputs)
            return PairAnswer.of([blocks.difference(vectors, 0, 1, alike)], bound)
        model = saved.graph_model()
        vectors = model_vectors(blocks, model.body, _own_scores(model), 0, inputs)
        answer = PairAnswer.of([blocks.difference(vectors, 0, 1, alike)], bound)
        classes = [saved.classes[place] for place in vectors[-1][0].argmax(axis=1).tolist()]
        layer = config.layers if answer.separated else None
        return replace(answer, layer=layer, predicted=(classes[0], classes[1]))


def _each_layer(config: ModelConfig, seed: int) -> Reading:
    """A random readout after every layer of a model whose layers may have different widths."""
    readings = [random_reading(width, seed) for width in config.widths[1:]]
    return lambda layers, rows: [
        reading([layer], rows)[0] for reading, layer in zip(readings, layers, strict=True)
    ]


def _own_scores(model: GraphModel) -> Reading:
    """The scores of a model of whole graphs."""
    model.readout.to(torch.float64)
    return lambda layers, rows: [model.readout(layers[-1], rows)]
