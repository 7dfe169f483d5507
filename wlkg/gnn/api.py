"""Everything that needs PyTorch, for commands and for Python users.

Commands import models only from here, so that a missing PyTorch is one error with a remedy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

try:
    import safetensors  # noqa: F401
    import torch  # noqa: F401
except ImportError as error:
    from wlkg.errors import MissingExtraError

    raise MissingExtraError("a graph neural network", "gnn") from error

from wlkg.arrays import IntArray
from wlkg.catalogue import Direction, find_test
from wlkg.errors import UsageError, unknown_name
from wlkg.gnn.against_wl.judging import Versus, judge, model_run, versus_random
from wlkg.gnn.against_wl.model_memory import check_model_fits
from wlkg.gnn.against_wl.setting import Setting, make_setting
from wlkg.gnn.bounded_predictions import BoundedPredictions, predict_bounded
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.checkpoints.fitting import NOTHING_LEFT_OUT, fit
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model, save_model
from wlkg.gnn.config import (
    MODELS,
    TRAINING_WIDTH,
    WEIGHT_DECAY,
    ModelChoice,
    defaults,
    sized_choice,
)
from wlkg.gnn.features import GLOROT, Features
from wlkg.gnn.links.link_results import LINK_CHOSEN_BY, LINK_CURVES, LinkTraining
from wlkg.gnn.links.train_links import train_links
from wlkg.gnn.own_models.loading import loaded_first, loader_of
from wlkg.gnn.own_models.own_memory import check_own_fits
from wlkg.gnn.own_models.own_pairs import OwnPairsVersus, versus_own_pairs
from wlkg.gnn.own_models.own_verdict import OwnVersus
from wlkg.gnn.own_models.own_versus import versus_own
from wlkg.gnn.own_models.signatures import is_of_pairs
from wlkg.gnn.theorems.checkpoint_translation import Translated, translate_checkpoint
from wlkg.gnn.theorems.witness import Witness, build_witness, constant_width
from wlkg.gnn.training.prediction import Predictions, predict_classes
from wlkg.gnn.training.results import CHOSEN_BY, CURVES, Training
from wlkg.gnn.training.seeds import train_seeds
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import make_task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.gnn.whole_graphs import (
    pair_model,
    predict_graphs,
    saved_pair_model,
    separated_by_model,
    train_graphs,
)
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.readers.targets import VALIDATION_SHARE, Targets

__all__ = [
    "CHOSEN_BY",
    "CURVES",
    "LINK_CHOSEN_BY",
    "LINK_CURVES",
    "WEIGHTS",
    "BoundedPredictions",
    "LinkTraining",
    "OwnPairsVersus",
    "OwnVersus",
    "Predictions",
    "Training",
    "Translated",
    "Versus",
    "Witness",
    "bound_of",
    "pair_model",
    "predict",
    "predict_bounded",
    "predict_graphs",
    "saved_pair_model",
    "separated_by_model",
    "train",
    "train_graphs",
    "train_links",
    "translate",
    "versus",
    "witness",
]

_NOT_OF_PAIRS = (
    "sources are for models of pairs, such as c-mpnn: this one gives features to vertices. Leave"
    " --sources out"
)
#: Where the weights of a model come from, unless a checkpoint has them.
WEIGHTS = ("random", "witness")


def train(
    graph: RelationalGraph,
    targets: Targets | Mapping[str, str],
    holdout: Targets | Mapping[str, str] | None = None,
    model: str | ModelChoice = "rgcn",
    *,
    epochs: int | None = None,
    learning_rate: float | None = None,
    weight_decay: float = WEIGHT_DECAY,
    validation: Targets | Mapping[str, str] | float = VALIDATION_SHARE,
    patience: int | None = None,
    seeds: int = 1,
    seed: int = 0,
    features: str | None = None,
    checkpoint: str | None = None,
    freeze: bool = False,
    compress: bool = True,
    device: str = "auto",
    dtype: str = "float32",
    save: str | None = None,
    resume: bool = False,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Training:
    """Train a model on classes of vertices, with one or several seeds.

    Targets map vertex names to classes. By default epochs and learning rate are the paper's.
    ``validation`` is a share of the targets that is set aside, or other targets; the ``holdout`` is
    only tested on. Training starts with random weights, or with the model of a ``checkpoint``,
    which then takes the place of ``model``; ``unknown_relations="skip"`` leaves out relations that
    it does not know. With ``freeze`` the model stays as it is, and only a linear map from its
    features to the classes is learned. Checkpoints are kept in the folder ``save``; ``resume``
    continues from them.

    >>> import wlkg
    >>> c6 = wlkg.read("example:c6")
    >>> training = train(c6, {"0": "red", "1": "red", "2": "blue", "3": "blue"}, epochs=5, seeds=2)
    >>> training.task.classes, [result.last.epoch for result in training.results]
    (('blue', 'red'), [5, 5])
    """
    require_graphs(graph)
    choice = model if isinstance(model, ModelChoice) else ModelChoice(model, width=TRAINING_WIDTH)
    task = make_task(
        graph,
        TargetSets(
            _as_targets(graph, targets),
            None if holdout is None else _as_targets(graph, holdout),
            validation if isinstance(validation, float | int) else _as_targets(graph, validation),
        ),
        choice if checkpoint is None else load_model(checkpoint),
        features=features,
        direction=direction,
        unknown_relations=unknown_relations,
        freeze=freeze,
        compress=compress,
        device=device,
        dtype=dtype,
        max_memory=max_memory,
    )
    # A checkpoint decides the kind of model.
    usual = defaults(task.config.model, graph.num_vertices)
    config = TrainConfig(
        epochs=usual.epochs if epochs is None else epochs,
        learning_rate=usual.learning_rate if learning_rate is None else learning_rate,
        weight_decay=weight_decay,
        seed=seed,
        patience=patience,
    )
    return train_seeds(task, config, seeds, save=save, resume=resume, progress=progress)


def predict(
    checkpoint: str | Path | SavedModel,
    graph: RelationalGraph,
    among: Sequence[str] | IntArray | None = None,
    *,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    compress: bool = True,
    device: str = "auto",
    dtype: str | None = None,
    max_memory: int | None = None,
) -> Predictions:
    """The classes that a trained model gives to the vertices of a graph, and their probabilities.

    ``among`` names vertices, or numbers them; by default all are predicted. The graph may lack
    relations that the model knows; ``unknown_relations="skip"`` leaves out those that it does not
    know. Direction mode, features and number type are the model's unless others are given.
    """
    require_graphs(graph)
    saved = checkpoint if isinstance(checkpoint, SavedModel) else load_model(str(checkpoint))
    vertices = None
    if among is not None:
        vertices = [graph.vertex(v) if isinstance(v, str) else int(v) for v in among]
    return predict_classes(
        saved,
        graph,
        vertices,
        features=features,
        direction=direction,
        unknown_relations=unknown_relations,
        compress=compress,
        device=device,
        dtype=dtype,
        max_memory=max_memory,
    )


def _as_targets(graph: RelationalGraph, targets: Targets | Mapping[str, str]) -> Targets:
    return targets if isinstance(targets, Targets) else Targets.of(graph, targets)


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


def witness(
    graph: RelationalGraph,
    model: str | ModelChoice = "rgcn",
    *,
    features: str | None = None,
    direction: Direction | None = None,
    device: str = "auto",
    seed: int = 0,
    max_memory: int | None = None,
    out: str | Path | None = None,
    progress: Progress = SILENT,
) -> Witness:
    """Construct weights that simulate the test that bounds a model; ``out`` saves a checkpoint.

    ``model`` is a kind of model, which then has the activation ``sign``, or a `ModelChoice`.

    >>> import wlkg
    >>> graph = wlkg.read("examples/graphs/family.ttl")
    >>> witness(graph, "rgcn").classes_per_round
    (1, 13, 18)
    """
    require_graphs(graph)
    choice = model if isinstance(model, ModelChoice) else ModelChoice(model, activation="sign")
    setting = make_setting(
        graph,
        features=features,
        width=constant_width(choice),
        direction=direction,
        device=device,
        max_memory=max_memory,
    )
    built = build_witness(setting, choice, seed=seed, progress=progress)
    if out is not None:
        save_model(Path(out), built.saved)
    return built


def translate(
    checkpoint: str | Path | SavedModel,
    to: str,
    *,
    max_memory: int | None = None,
    out: str | Path | None = None,
) -> Translated:
    """Turn a model into a model of another kind with equal outputs; ``out`` saves a checkpoint.

    ``to`` is ``rgcn`` or the composition of a CompGCN; ``compgcn`` means ``mult``, which is what an
    R-GCN becomes.
    """
    saved = checkpoint if isinstance(checkpoint, SavedModel) else load_model(str(checkpoint))
    if saved.config.readout:
        raise UsageError(f"{saved.path}: a model of whole graphs cannot be translated")
    goal = "mult" if to == "compgcn" else to
    translated = translate_checkpoint(saved, goal, max_memory=max_memory)
    if out is not None:
        save_model(Path(out), translated.saved)
    return translated
