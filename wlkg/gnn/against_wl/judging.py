"""A model against the WL test that bounds it, on one graph.

For each layer the features of all vertices are computed and grouped into classes (`rounding`),
which are compared with the colours of the round that the theorems assign to the layer
(`wlkg.gnn.bounds`). Nothing is compressed here: compression would assume what is to be shown.
Features of different colours that are too close to tell are then compared in exact arithmetic
(`exact_evidence`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from wlkg.arrays import FloatArray
from wlkg.display import Displayed
from wlkg.gnn.against_wl.clusters import Clusters
from wlkg.gnn.against_wl.exact_evidence import ExactEvidence
from wlkg.gnn.against_wl.model_memory import check_model_fits
from wlkg.gnn.against_wl.pair_runs import has_exact_formula, pair_run
from wlkg.gnn.against_wl.rounding import clustered_layers
from wlkg.gnn.against_wl.runs import Arrangement, Run, tuple_run, vertex_run
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.against_wl.verdicts import (
    DrawVerdict,
    Verdicts,
    judge_layers,
    most_telling,
)
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.checkpoints.fitting import NOTHING_LEFT_OUT, LeftOut
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.tuple_input import TupleInput
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.refinement.results import Refinement


@dataclass(frozen=True)
class Versus(Displayed, Verdicts):
    """A model against the test that bounds it."""

    bound: Bound
    #: The run of the test; it may go beyond the last round that was needed.
    refinement: Refinement
    #: Relations of the graph that are new to a saved model.
    left_out: LeftOut = NOTHING_LEFT_OUT

    def __repr__(self) -> str:
        relations = ", ".join(layer.relation for layer in self.layers)
        return (
            f"Versus(against {self.bound.test}, bound_holds={self.bound_holds},"
            f" matches={self.matches}, layers: {relations})"
        )


@dataclass(frozen=True, eq=False)
class ModelRun:
    """A model of our own, ready to run."""

    model: VertexModel | TupleModel | ConditionalModel
    #: What a k-RN sees, if not the setting's own tuples.
    tuples: TupleInput | None
    _run: Run

    @property
    def is_exact(self) -> bool:
        """Whether its formula can be computed in exact arithmetic."""
        return not isinstance(self.model, ConditionalModel) or has_exact_formula(self.model)

    def __call__(self, arrangement: Arrangement) -> Iterable[FloatArray]:
        return self._run(arrangement)


def versus_random(
    setting: Setting,
    config: ModelConfig,
    *,
    draws: int = 3,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Versus:
    """Random weights against the test that bounds the model."""
    check_model_fits(setting, config)
    runs = [(f"seed {s}", random_run(setting, config, s)) for s in range(seed, seed + draws)]
    bound = bound_of(config, setting.graph.direction)
    return judge(setting, bound, config.layers, runs, progress)


def judge(
    setting: Setting,
    bound: Bound,
    layers: int,
    runs: Sequence[tuple[str, Run]],
    progress: Progress = SILENT,
) -> Versus:
    """Judge models, each with the name of its weights, by a test."""
    refinement = setting.refined(bound.test, bound.direction, layers + bound.later)
    progress.start("comparing with the model", len(runs), "draws")
    draws = []
    try:
        for number, (weights, run) in enumerate(runs, 1):
            layers_of_run = clustered_layers(run, setting, seed=number)
            draws.append(
                _judge_run(run, layers_of_run, setting, refinement.history, weights, bound.later)
            )
            progress.done(number)
    finally:
        progress.finish()
    return Versus(
        layers=most_telling(draws), draws=tuple(draws), bound=bound, refinement=refinement
    )


def _judge_run(
    run: Run,
    layers: Iterable[tuple[FloatArray, Clusters]],
    setting: Setting,
    history: History,
    weights: str,
    later: int,
) -> DrawVerdict:
    """Judge each layer as soon as it is there, and keep none.

    Models of our own are judged by exact arithmetic, too, where there is a formula for it; other
    runs have nothing but their numbers.
    """
    if not isinstance(run, ModelRun) or not run.is_exact:
        return judge_layers((clusters for _, clusters in layers), history, weights, later)
    exact = ExactEvidence(run.model, setting, run.tuples, history, later)

    def clusters_in_turn() -> Iterator[Clusters]:
        for rows, clusters in layers:
            exact.rows = rows
            yield clusters

    return judge_layers(clusters_in_turn(), history, weights, later, exact)


def random_run(setting: Setting, config: ModelConfig, seed: int) -> Run:
    """A model with random weights, ready to run."""
    if config.conditional:
        return model_run(setting, seeded(seed, ConditionalModel, config))
    if config.model == "k-rn":
        types = int(setting.tuples(config.k).types.max()) + 1
        return model_run(setting, seeded(seed, TupleModel, config, types))
    return model_run(setting, seeded(seed, VertexModel, config))


def model_run(
    setting: Setting,
    model: VertexModel | TupleModel | ConditionalModel,
    tuples: TupleInput | None = None,
) -> Run:
    """A model ready to run; ``tuples`` replaces the setting's own numbering of atomic types."""
    model.to(setting.device, setting.dtype)
    if isinstance(model, ConditionalModel):
        return ModelRun(model, None, pair_run(model, setting))
    if isinstance(model, TupleModel):
        chosen = setting.tuples(model.config.k) if tuples is None else tuples
        return ModelRun(model, chosen, tuple_run(model, chosen, setting.device))
    return ModelRun(model, None, vertex_run(model, setting))
