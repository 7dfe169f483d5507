"""An own model of pairs, (edge_index, edge_type, source, query), against rawl2.

The model is called once for each source, with tensors of length 1, and returns features or scores
of all vertices: n rows, or one matrix with n rows, or a list of either, one per layer. Layer t is
judged by round t. Features of the last layer only are judged by the round of the number of layers
if that is given, and otherwise by the stable colouring, which is at least as fine.

The features of (u, v) are also held against the colours that 1-rwl gives to u and to v, which is
what an encoder with any decoder sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import UsageError
from wlkg.gnn.against_wl.clusters import Clusters
from wlkg.gnn.against_wl.judging import Versus
from wlkg.gnn.against_wl.pair_runs import QUERY
from wlkg.gnn.against_wl.rounding import clustered_layers
from wlkg.gnn.against_wl.runs import Arrangement, arranged_edges, arranged_features
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.against_wl.verdicts import (
    DrawVerdict,
    LayerVerdict,
    bound_holds,
    judge_layer,
    most_telling,
)
from wlkg.gnn.bounds import Bound
from wlkg.gnn.own_models.diagnosis import BEYOND_ROUNDING
from wlkg.gnn.own_models.loading import Load
from wlkg.gnn.own_models.own_model import OwnModel
from wlkg.memory import check_fits
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress

#: The tests that a model of pairs can be held against; the first is the usual one.
PAIR_MODEL_TESTS = ("rawl2", "rawl2-all")
#: What an encoder sees of a pair.
ENCODER_TEST = "1-rwl"
#: Rows that are held at a time: of two runs, and copies made while they are judged.
_COPIES = 8


@dataclass(frozen=True, kw_only=True, repr=False)
class OwnPairsVersus(Versus):
    """An own model of pairs against a test of pairs."""

    name: str
    #: Whether the model returns the features of every layer.
    per_layer: bool
    #: The number of layers, if it is known.
    depth: int | None
    #: The same features against the colours of both vertices.
    encoder: tuple[LayerVerdict, ...]

    @property
    def noise(self) -> float:
        """How much another arrangement of vertices and arcs changes the features."""
        return max((layer.noise for draw in self.draws for layer in draw.layers), default=0.0)

    @property
    def sees_graph_only(self) -> bool:
        """Whether features are a function of the graph: no rounding changes them by so much."""
        return self.noise <= BEYOND_ROUNDING

    @property
    def bound_holds(self) -> bool | None:
        """As for other models; no test bounds what depends on more than the graph."""
        return super().bound_holds if self.sees_graph_only else False

    @property
    def matches(self) -> bool | None:
        """As for other models; what depends on more than the graph matches no test."""
        return super().matches if self.sees_graph_only else False

    @property
    def bounded_by_encoders(self) -> bool | None:
        """Whether the model sees no more of a pair than the colours of its two vertices."""
        return bound_holds([DrawVerdict("", self.encoder)]) if self.sees_graph_only else False


class _PairRun:
    """Runs an own model for all sources of a setting."""

    def __init__(self, model: OwnModel, setting: Setting) -> None:
        self._model, self._setting = model, setting

    def __call__(self, arrangement: Arrangement) -> list[FloatArray]:
        """The features of each layer, source by source."""
        setting = self._setting
        edge_index, relation = arranged_edges(setting.arcs, arrangement)
        x = arranged_features(setting.features, arrangement)
        query = torch.tensor([QUERY], device=setting.device)
        of_sources: list[list[FloatArray]] = []
        place = torch.from_numpy(arrangement.vertices)
        for source in arrangement.vertices[setting.source_ids].tolist():
            layers = self._model(
                x.to(setting.device, self._model.dtype),
                edge_index.to(setting.device),
                relation.to(setting.device),
                source=torch.tensor([source], device=setting.device),
                query=query,
            )
            of_sources.append([rows.cpu()[place].to(torch.float64).numpy() for rows in layers])
        return [np.concatenate(rows) for rows in zip(*of_sources, strict=True)]


def versus_own_pairs(
    setting: Setting,
    load: Load,
    *,
    tests: Sequence[str] = (),
    layers: int | None = None,
    width: int,
    draws: int = 3,
    seed: int = 0,
    progress: Progress = SILENT,
) -> OwnPairsVersus:
    """Judge an own model of pairs, loaded with several seeds."""
    bound = Bound(_only_test(tests), setting.graph.direction)
    _check_rows_fit(setting, width)
    refinement = setting.refined(bound.test)
    histories = refinement.history, setting.vertex_history(ENCODER_TEST)
    judged: list[tuple[DrawVerdict, DrawVerdict]] = []
    progress.start("comparing with the model", draws, "draws")
    try:
        for number in range(draws):
            model = load(seed + number, setting.dtype)
            found = [
                clusters
                for _, clusters in clustered_layers(_PairRun(model, setting), setting, seed=seed)
            ]
            depth = len(found) if model.per_layer else layers
            judged.append(
                tuple(  # type: ignore[arg-type]
                    DrawVerdict(f"seed {seed + number}", verdicts)
                    for verdicts in _judged(setting, found, depth, *histories)
                )
            )
            progress.done(number + 1)
    finally:
        progress.finish()
    mine, encoder = ([draw[place] for draw in judged] for place in (0, 1))
    return OwnPairsVersus(
        layers=most_telling(mine),
        draws=tuple(mine),
        bound=bound,
        refinement=refinement,
        name=model.name,
        per_layer=bool(model.per_layer),
        depth=depth,
        encoder=most_telling(encoder),
    )


def _only_test(tests: Sequence[str]) -> str:
    if not tests:
        return PAIR_MODEL_TESTS[0]
    if len(tests) > 1 or tests[0] not in PAIR_MODEL_TESTS:
        known = " or ".join(PAIR_MODEL_TESTS)
        raise UsageError(
            f"a model of pairs is held against one test of pairs, {known}; found"
            f" {', '.join(tests)}. Give --test once"
        )
    return tests[0]


def _check_rows_fit(setting: Setting, width: int) -> None:
    rows = len(setting.source_ids) * setting.graph.num_vertices
    check_fits(
        "the model",
        f"features of about {rows:,} pairs by {width:,} entries",
        8 * _COPIES * rows * width,
        setting.max_memory,
        "name fewer sources with --sources",
    )


def _judged(
    setting: Setting,
    found: Sequence[Clusters],
    depth: int | None,
    of_pairs: History,
    of_vertices: History,
) -> Iterator[tuple[LayerVerdict, ...]]:
    """The verdicts about all layers, against the pairs' own colours and those of both vertices."""
    ends = len(of_pairs.classes_per_round) - 1
    first = 1 if depth == len(found) else ends if depth is None else depth
    numbered = list(enumerate(found, first))
    yield tuple(
        judge_layer(clusters, of_pairs.partition(t), layer=t, at_round=t)
        for t, clusters in numbered
    )
    # 1-rwl may go on for longer than the test of pairs does from a few sources.
    last = len(of_vertices.classes_per_round) - 1
    yield tuple(
        judge_layer(
            clusters,
            _both_ends(setting, of_vertices, last if depth is None else t),
            layer=t,
            at_round=t,
        )
        for t, clusters in numbered
    )


def _both_ends(setting: Setting, vertices: History, t: int) -> Partition:
    """The pairs by the colours of both vertices at a round."""
    n = setting.graph.num_vertices
    colours = vertices.class_at(np.arange(n), t).astype(np.int64)
    count = int(colours.max(initial=0)) + 1
    return Partition.of(np.add.outer(colours[setting.source_ids] * count, colours).reshape(-1))
