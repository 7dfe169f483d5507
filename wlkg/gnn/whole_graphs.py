"""Whole graphs: learning and predicting their classes, and models that separate them.

Public through `wlkg.gnn.api`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wlkg.catalogue import Direction
from wlkg.gnn.against_wl import graph_vectors
from wlkg.gnn.against_wl.graph_pair import RandomPairModel, SavedPairModel
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model
from wlkg.gnn.config import (
    GRAPH_DEFAULTS,
    TRAINING_WIDTH,
    WEIGHT_DECAY,
    ModelChoice,
    require_classifier,
    sized_choice,
)
from wlkg.gnn.own_models.loading import loader_of
from wlkg.gnn.own_models.own_pair import OwnPairModel
from wlkg.gnn.switches import applying
from wlkg.gnn.training.graph_prediction import GraphPredictions, predict_graph_classes
from wlkg.gnn.training.graph_task import make_graph_task
from wlkg.gnn.training.results import Training
from wlkg.gnn.training.seeds import train_seeds
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.readers.collection import GraphCollection
from wlkg.readers.targets import VALIDATION_SHARE, Targets


def train_graphs(
    graphs: GraphCollection | Sequence[RelationalGraph],
    targets: Targets | Mapping[str, str],
    holdout: Targets | Mapping[str, str] | None = None,
    model: str | ModelChoice = "rgcn",
    *,
    readout: str = "sum",
    batch: int | None = None,
    epochs: int | None = None,
    learning_rate: float | None = None,
    weight_decay: float = WEIGHT_DECAY,
    validation: Targets | Mapping[str, str] | float = VALIDATION_SHARE,
    patience: int | None = None,
    seeds: int = 1,
    seed: int = 0,
    features: str | None = None,
    freeze: bool = False,
    compress: bool = True,
    device: str = "auto",
    dtype: str = "float32",
    save: str | None = None,
    resume: bool = False,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Training:
    """Train a model on classes of whole graphs, with one or several seeds.

    Targets map names of graphs to classes; graphs in a sequence are called 1, 2, ... The features
    after the last layer become one vector for each graph by a ``readout``: sum, mean or mlp. An
    epoch is one step for all graphs, or one for each mini-batch of ``batch`` graphs. All else is as
    in `train`.

    >>> import wlkg
    >>> ring, triangles = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    >>> graphs = [ring.permuted(order) for order in ([0, 1, 2, 3, 4, 5], [5, 3, 1, 0, 2, 4])]
    >>> graphs += [triangles.permuted([2, 4, 0, 1, 5, 3]), triangles]
    >>> classes = {"1": "ring", "2": "ring", "3": "triangles", "4": "triangles"}
    >>> for model in ("rgcn", "k-rn"):
    ...     choice = ModelChoice(model, width=8)
    ...     done = train_graphs(graphs, classes, model=choice, epochs=40, validation=0.0)
    ...     print(model, done.results[0].last.train_accuracy)
    rgcn 0.5
    k-rn 1.0
    """
    collection = graphs if isinstance(graphs, GraphCollection) else GraphCollection.numbered(graphs)

    def known(given: Targets | Mapping[str, str]) -> Targets:
        return given if isinstance(given, Targets) else Targets.of(collection, given)

    task = make_graph_task(
        collection,
        TargetSets(
            known(targets),
            None if holdout is None else known(holdout),
            validation if isinstance(validation, float | int) else known(validation),
        ),
        model if isinstance(model, ModelChoice) else ModelChoice(model, width=TRAINING_WIDTH),
        readout,
        features=features,
        freeze=freeze,
        compress=compress,
        device=device,
        dtype=dtype,
        max_memory=max_memory,
    )
    config = TrainConfig(
        epochs=GRAPH_DEFAULTS.epochs if epochs is None else epochs,
        learning_rate=GRAPH_DEFAULTS.learning_rate if learning_rate is None else learning_rate,
        weight_decay=weight_decay,
        seed=seed,
        patience=patience,
        batch=batch,
    )
    return train_seeds(task, config, seeds, save=save, resume=resume, progress=progress)


def predict_graphs(
    checkpoint: str | Path | SavedModel,
    graphs: GraphCollection | Sequence[RelationalGraph],
    *,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    compress: bool = True,
    device: str = "auto",
    dtype: str | None = None,
    max_memory: int | None = None,
) -> GraphPredictions:
    """The classes that a model trained by `train_graphs` gives to graphs; options as `predict`."""
    saved = checkpoint if isinstance(checkpoint, SavedModel) else load_model(str(checkpoint))
    return predict_graph_classes(
        saved,
        graphs if isinstance(graphs, GraphCollection) else GraphCollection.numbered(graphs),
        features=features,
        direction=direction,
        unknown_relations=unknown_relations,
        compress=compress,
        device=device,
        dtype=dtype,
        max_memory=max_memory,
    )


def separated_by_model(
    graphs: Sequence[RelationalGraph],
    pairs: Sequence[tuple[int, int]],
    model: str,
    *,
    k: int = 2,
    dim: int = 32,
    layers: int = 6,
    draws: int = 3,
    seed: int = 0,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> list[bool | None]:
    """For each pair, whether random weights of the paper's plain layers separate the graphs.

    None means that the numbers are too close to rounding to decide.

    >>> import wlkg
    >>> graphs = [wlkg.read("example:c6"), wlkg.read("example:2xc3")]
    >>> separated_by_model(graphs, [(0, 1)], "rgcn"), separated_by_model(graphs, [(0, 1)], "k-rn")
    ([False], [True])
    """
    switches = applying(model, k=k, direction=False, norm=False)
    choice = ModelChoice(model, layers=layers, width=dim, **switches)
    return graph_vectors.separated_by_model(
        graphs, pairs, choice, draws=draws, seed=seed, max_memory=max_memory, progress=progress
    )


def pair_model(
    model: str | ModelChoice | Callable[..., Any] = "rgcn",
    *,
    layers: int | None = None,
    width: int | None = None,
    draws: int = 3,
    seed: int = 0,
    device: str = "auto",
    dtype: str = "float64",
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> RandomPairModel | OwnPairModel:
    """A model that `wlkg.compare` can ask about two graphs; its weights are drawn several times.

    ``model`` is what `versus` takes: a kind of model, a `ModelChoice`, ``file.py:name`` or any
    callable. ``layers`` and ``width`` replace those of a choice.

    >>> import wlkg
    >>> graphs = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    >>> models = [pair_model("rgcn"), pair_model("k-rn")]
    >>> [(m.model, m.separated, m.bound) for m in wlkg.compare(*graphs, models=models).models]
    [('rgcn', False, '1-rwl'), ('k-rn', True, '2-rlwl')]
    """
    how: dict[str, Any] = {
        "draws": draws,
        "seed": seed,
        "device": device,
        "dtype": dtype,
        "max_memory": max_memory,
        "progress": progress,
    }
    if isinstance(model, ModelChoice) or (isinstance(model, str) and ":" not in model):
        return RandomPairModel(sized_choice(model, layers, width), **how)
    own, choice = model, sized_choice(ModelChoice(), layers, width)
    return OwnPairModel(
        own if isinstance(own, str) else getattr(own, "__name__", type(own).__name__),
        lambda setting: loader_of(setting, own, choice),
        choice,
        **how,
    )


def saved_pair_model(
    checkpoint: str,
    *,
    unknown_relations: str = "error",
    device: str = "auto",
    dtype: str = "float64",
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> SavedPairModel:
    """The model of a checkpoint, which `wlkg.compare` can ask about two graphs.

    A model of whole graphs is judged by its scores, and its predictions are shown.
    ``unknown_relations="skip"`` leaves out relations that the model does not know.
    """
    saved = load_model(checkpoint)
    require_classifier(saved.config.model)
    return SavedPairModel(saved, unknown_relations, device, dtype, max_memory, progress)
