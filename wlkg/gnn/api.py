"""Everything that needs PyTorch, for commands and for Python users.

Commands import models only from here, so that a missing PyTorch is one error with a remedy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

try:
    import safetensors  # noqa: F401
    import torch  # noqa: F401
except ImportError as error:
    from wlkg.errors import MissingExtraError

    raise MissingExtraError("a graph neural network", "gnn") from error

from wlkg.arrays import IntArray
from wlkg.catalogue import Direction
from wlkg.errors import UsageError
from wlkg.gnn.against_wl.judging import Versus
from wlkg.gnn.against_wl.setting import make_setting
from wlkg.gnn.bounded_predictions import BoundedPredictions, predict_bounded
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model, save_model
from wlkg.gnn.config import (
    TRAINING_WIDTH,
    WEIGHT_DECAY,
    ModelChoice,
    defaults,
)
from wlkg.gnn.links.link_results import LINK_CHOSEN_BY, LINK_CURVES, LinkTraining
from wlkg.gnn.links.train_links import train_links
from wlkg.gnn.own_models.own_pairs import OwnPairsVersus
from wlkg.gnn.own_models.own_verdict import OwnVersus
from wlkg.gnn.theorems.checkpoint_translation import Translated, translate_checkpoint
from wlkg.gnn.theorems.witness import Witness, build_witness, constant_width
from wlkg.gnn.training.prediction import Predictions, predict_classes
from wlkg.gnn.training.results import CHOSEN_BY, CURVES, Training
from wlkg.gnn.training.seeds import train_seeds
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import make_task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.gnn.versus import WEIGHTS, versus
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
