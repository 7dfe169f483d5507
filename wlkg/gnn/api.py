"""Model against test, from whatever a user has: a kind of model, a checkpoint, or own code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

try:
    import torch  # noqa: F401
except ImportError as error:
    from wlkg.errors import MissingExtraError

    raise MissingExtraError("a graph neural network", "gnn") from error

from wlkg.catalogue import Direction, find_test
from wlkg.errors import UsageError, unknown_name
from wlkg.gnn.against_wl.judging import Versus, judge, model_run, versus_random
from wlkg.gnn.against_wl.setting import Setting, make_setting
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model
from wlkg.gnn.config import TRAINING_WIDTH, WEIGHT_DECAY, ModelChoice, ModelConfig, defaults
from wlkg.gnn.own_models.hosting import Given
from wlkg.gnn.own_models.model_files import load_user_model
from wlkg.gnn.own_models.own_model import UserModel, wrap_callable
from wlkg.gnn.own_models.own_versus import UserVersus, versus_user
from wlkg.gnn.theorems.witness import Witness, build_witness
from wlkg.gnn.training.results import Training
from wlkg.gnn.training.seeds import train_seeds
from wlkg.gnn.training.task import make_task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.readers.targets import Targets

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
    patience: int | None = None,
    seeds: int = 1,
    seed: int = 0,
    features: str | None = None,
    checkpoint: str | None = None,
    compress: bool = True,
    device: str = "auto",
    dtype: str = "float32",
    save: str | None = None,
    resume: bool = False,
    direction: Direction | None = None,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Training:
    """Train a model on classes of vertices, with one or several seeds.

    Targets map vertex names to classes. By default epochs and learning rate are the paper's. A
    share of the targets is set aside for validation; the ``holdout`` is only tested on. Training
    starts with random weights, or with the model of a ``checkpoint``, which then takes the place of
    ``model``. Checkpoints are kept in the folder ``save``; ``resume`` continues from them.

    >>> import wlkg
    >>> c6 = wlkg.read("example:c6")
    >>> training = train(c6, {"0": "red", "1": "red", "2": "blue", "3": "blue"}, epochs=5, seeds=2)
    >>> training.task.classes, [result.last.epoch for result in training.results]
    (('blue', 'red'), [5, 5])
    """
    graph = graph.with_direction(direction)
    choice = model if isinstance(model, ModelChoice) else ModelChoice(model, width=TRAINING_WIDTH)
    task = make_task(
        graph,
        _as_targets(graph, targets),
        None if holdout is None else _as_targets(graph, holdout),
        choice if checkpoint is None else load_model(checkpoint),
        features=features,
        compress=compress,
        device=device,
        dtype=dtype,
        max_memory=max_memory,
    )
    usual = defaults(choice.model, graph.num_vertices)
    config = TrainConfig(
        epochs=usual.epochs if epochs is None else epochs,
        learning_rate=usual.learning_rate if learning_rate is None else learning_rate,
        weight_decay=weight_decay,
        seed=seed,
        patience=patience,
    )
    return train_seeds(task, config, seeds, save=save, resume=resume, progress=progress)


def _as_targets(graph: RelationalGraph, targets: Targets | Mapping[str, str]) -> Targets:
    return targets if isinstance(targets, Targets) else Targets.of(graph, targets)


def versus(
    graph: RelationalGraph,
    model: str | ModelConfig | Callable[..., Any] = "rgcn",
    *,
    weights: str = "random",
    checkpoint: str | None = None,
    tests: Sequence[str] = (),
    layers: int | None = None,
    width: int = 64,
    features: str | None = None,
    direction: Direction | None = None,
    draws: int = 3,
    seed: int = 0,
    device: str = "auto",
    dtype: str = "float64",
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Versus | UserVersus:
    """A model against the WL test that bounds it, layer by layer, on one graph.

    ``model`` is the name of a kind of model, a configuration, ``file.py:name``, or anything that
    maps (x, edge_index, edge_type) to features: then it is held against all vertex tests, or those
    of ``tests``.

    >>> import wlkg
    >>> found = versus(wlkg.read("examples/graphs/family.ttl"), "rgcn", width=16)
    >>> found.bound_holds, [layer.relation for layer in found.layers]
    (True, ['equal', 'equal'])
    """
    for test in tests:
        find_test(test)
    if weights not in WEIGHTS:
        raise unknown_name("kind of weights", weights, WEIGHTS)
    saved = None if checkpoint is None else load_model(checkpoint)
    if saved is not None:
        features, width = features or saved.features, saved.config.in_width
    elif weights == "witness":
        width = 1  # there is a feature for each class, and all vertices alike are one
    setting = make_setting(
        graph,
        features=features,
        width=width,
        direction=direction,
        device=device,
        dtype=dtype,
        max_memory=max_memory,
    )
    if callable(model) or (isinstance(model, str) and ":" in model):
        load = _loader(setting, model, layers, width)
        return versus_user(
            setting, load, tests=tests, layers=layers, draws=draws, seed=seed, progress=progress
        )
    if tests:
        raise UsageError("--test is for --module: the test of a known model is known")
    if saved is not None:
        return _versus_saved(setting, saved, progress)
    config = model if isinstance(model, ModelConfig) else ModelConfig(model, 1, width, width, 1)
    if weights == "witness":
        found = build_witness(setting, config, layers=layers, seed=seed, progress=progress)
        run = model_run(setting, found.model)
        depth = found.model.config.layers
        return judge(setting, found.bound, depth, [("witness", run)], progress)
    return versus_random(setting, config, layers=layers, draws=draws, seed=seed, progress=progress)


def witness(
    graph: RelationalGraph,
    config: ModelConfig,
    *,
    layers: int | None = None,
    features: str | None = None,
    direction: Direction | None = None,
    device: str = "auto",
    seed: int = 0,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> tuple[Witness, SavedModel]:
    """Weights that simulate the test that bounds a model, and the same as a checkpoint.

    >>> import wlkg
    >>> config = ModelConfig("rgcn", 1, 1, 1, 1, activation="sign")
    >>> found, _ = witness(wlkg.read("examples/graphs/family.ttl"), config)
    >>> found.classes_per_round
    (1, 13, 18)
    """
    setting = make_setting(
        graph,
        features=features,
        width=1,
        direction=direction,
        device=device,
        max_memory=max_memory,
    )
    found = build_witness(setting, config, layers=layers, seed=seed, progress=progress)
    chosen = found.model.config
    return found, SavedModel(chosen, setting.about(chosen), found.model.state_dict())


def _loader(
    setting: Setting, model: str | Callable[..., Any], layers: int | None, width: int
) -> Callable[[int], UserModel]:
    def load(seed: int) -> UserModel:
        given = Given(
            setting.given.width,
            width,
            max(setting.arcs.num_relations, 1),
            layers or 2,
            setting.graph.num_vertices,
            seed,
            setting.dtype,
        )
        return (
            load_user_model(model, given) if isinstance(model, str) else wrap_callable(model, given)
        )

    return load


def _versus_saved(setting: Setting, saved: SavedModel, progress: Progress) -> Versus:
    saved.check_fits(setting.graph.with_direction(setting.direction), setting.given)
    tuples = None
    if saved.config.model == "k-rn":
        here = setting.tuples(saved.config.k)
        tuples = saved.known_tuples(here, setting.type_names(here))
    run = model_run(setting, saved.build(), tuples)
    bound = bound_of(saved.config, setting.direction)
    return judge(setting, bound, saved.config.layers, [(str(saved.path), run)], progress)
