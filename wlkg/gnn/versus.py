"""`versus`: any model against the WL test that bounds it. Public through `wlkg.gnn.api`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from wlkg.catalogue import Direction, find_test
from wlkg.errors import UsageError, unknown_name
from wlkg.gnn.against_wl.judging import Versus, judge, model_run, versus_random
from wlkg.gnn.against_wl.model_memory import check_model_fits
from wlkg.gnn.against_wl.setting import Setting, make_setting
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.checkpoints.fitting import NOTHING_LEFT_OUT, fit
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model
from wlkg.gnn.config import MODELS, ModelChoice, sized_choice
from wlkg.gnn.features import GLOROT, Features
from wlkg.gnn.own_models.loading import loaded_first, loader_of
from wlkg.gnn.own_models.own_memory import check_own_fits
from wlkg.gnn.own_models.own_pairs import versus_own_pairs
from wlkg.gnn.own_models.own_verdict import OwnVersus
from wlkg.gnn.own_models.own_versus import versus_own
from wlkg.gnn.own_models.signatures import is_of_pairs
from wlkg.gnn.theorems.witness import build_witness, constant_width
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress

_NOT_OF_PAIRS = (
    "sources are for models of pairs, such as c-mpnn: this one gives features to vertices. Leave"
    " --sources out"
)
#: Where the weights of a model come from, unless a checkpoint has them.
WEIGHTS = ("random", "witness")


def versus(
    graph: RelationalGraph,
    model: str | ModelChoice | Callable[..., Any] = "rgcn",
    *,
    weights: str = "random",
    checkpoint: str | None = None,
    tests: Sequence[str] = (),
    layers: int | None = None,
    width: int | None = None,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    draws: int = 3,
    seed: int = 0,
    device: str = "auto",
    dtype: str = "float64",
    sources: Iterable[str | int] | None = None,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Versus | OwnVersus:
    """Compare a model with the WL test that bounds it, layer by layer, on one graph.

    ``model`` is the name of a kind of model, a `ModelChoice`, ``file.py:name``, or any callable
    that maps (x, edge_index, edge_type) or other inputs to features. The last two are compared with
    all vertex tests, or with ``tests``; if they return their last features only, ``layers`` says
    how many layers they have, which is otherwise measured. ``layers`` and ``width`` replace those
    of a choice. A model of pairs is compared on all pairs of vertices, or on those of some
    ``sources``, by name or by number. A ``checkpoint`` takes the place of ``model``;
    ``unknown_relations="skip"`` leaves out relations that it does not know.

    >>> import wlkg
    >>> result = versus(wlkg.read("examples/graphs/family.ttl"), "rgcn", width=16)
    >>> result.bound_holds, [layer.relation for layer in result.layers]
    (True, ['equal', 'equal'])
    """
    require_graphs(graph)
    tests = tuple(find_test(test).name for test in tests)
    if weights not in WEIGHTS:
        raise unknown_name("kind of weights", weights, WEIGHTS)
    saved = None if checkpoint is None else load_model(checkpoint)
    if isinstance(model, ModelChoice) or (isinstance(model, str) and ":" not in model):
        own, choice = None, sized_choice(model, layers, width)
    else:
        own, choice = model, sized_choice(ModelChoice(), layers, width)
    given: str | Features | None = features
    left_out = NOTHING_LEFT_OUT
    if saved is not None:
        known = fit(
            saved,
            graph,
            features=features,
            direction=direction,
            unknown_relations=unknown_relations,
            max_memory=max_memory,
        )
        # Tests and bounds see the same relations as the model.
        graph, given, left_out, direction = known.graph, known.features, known.left_out, None
    setting = make_setting(
        graph,
        features=given,
        width=constant_width(choice) if weights == "witness" else choice.width,
        direction=direction,
        device=device,
        dtype=dtype,
        max_memory=max_memory,
        sources=sources,
    )
    if sources is not None and own is None and not _is_of_pairs(choice, saved):
        raise UsageError(_NOT_OF_PAIRS)
    if own is not None:
        if setting.features.kind == GLOROT:
            raise UsageError(
                "--features glorot is part of our models: --module gets other features"
            )
        check_own_fits(setting, choice, draws=draws)
        first, load = loaded_first(loader_of(setting, own, choice), seed, setting.dtype)
        if is_of_pairs(first.code):
            return versus_own_pairs(
                setting,
                load,
                tests=tests,
                layers=choice.layers,
                width=choice.width,
                draws=draws,
                seed=seed,
                progress=progress,
            )
        if sources is not None:
            raise UsageError(_NOT_OF_PAIRS)
        return versus_own(
            setting,
            load,
            tests=tests,
            layers=choice.layers,
            draws=draws,
            seed=seed,
            progress=progress,
        )
    if tests:
        raise UsageError("--test is for --module: the test of a known model is known")
    if saved is not None:
        return replace(_versus_saved(setting, saved, progress), left_out=left_out)
    if weights == "witness":
        return _versus_witness(setting, choice, seed, progress)
    config = setting.completed(choice)
    return versus_random(setting, config, draws=draws, seed=seed, progress=progress)


def _is_of_pairs(choice: ModelChoice, saved: SavedModel | None) -> bool:
    """Whether the model to compare gives features to pairs of a source and a vertex."""
    return MODELS[choice.model].conditional if saved is None else saved.config.conditional


def _versus_saved(setting: Setting, saved: SavedModel, progress: Progress) -> Versus:
    tuples = None
    if saved.config.model == "k-rn":
        here = setting.tuples(saved.config.k)
        tuples = saved.known_tuples(here, setting.type_names(here))
    check_model_fits(setting, saved.config)
    model = saved.conditional_model() if saved.config.conditional else saved.build()
    run = model_run(setting, model, tuples)
    bound = bound_of(saved.config, setting.graph.direction)
    return judge(setting, bound, saved.config.layers, [(str(saved.path), run)], progress)


def _versus_witness(setting: Setting, choice: ModelChoice, seed: int, progress: Progress) -> Versus:
    built = build_witness(setting, choice, seed=seed, progress=progress)
    run = model_run(setting, built.model)
    return judge(setting, built.bound, built.model.config.layers, [("witness", run)], progress)
