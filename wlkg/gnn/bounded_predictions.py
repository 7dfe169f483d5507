"""What is needed to explain a saved model: its predictions, and what bounds them.

A model with L layers gives vertices that round L of its test does not tell apart the same class
(`wlkg.gnn.bounds`; some models see one round more). The test starts with the input features of the
model: one-hot labels stay labels, rows of a table become labels, and with features that are the
same for all vertices there are none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from wlkg.catalogue import Direction
from wlkg.errors import InputError
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.checkpoints.fitting import LeftOut, fit
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model
from wlkg.gnn.features import LABELS, TABLE, Features
from wlkg.gnn.training.prediction import predict_classes
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets


@dataclass(frozen=True, eq=False)
class BoundedPredictions:
    """The predictions of a model for all vertices, and the test that bounds them."""

    #: The graph as the model and the test see it: known relations, features as labels.
    graph: RelationalGraph
    predictions: Targets
    test: str
    #: The round of the test that the last layer is bounded by.
    round: int
    #: The kind of model, and its number of layers.
    model: str
    layers: int
    #: Where the input features come from: see `wlkg.gnn.features`.
    features: str
    #: Relations of the graph that are new to the model.
    left_out: LeftOut


def predict_bounded(
    checkpoint: str | Path | SavedModel,
    graph: RelationalGraph,
    *,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    compress: bool = True,
    device: str = "auto",
    dtype: str | None = None,
    max_memory: int | None = None,
) -> BoundedPredictions:
    """The predictions of a trained model for all vertices, with the test and round that bound them.

    The graph in the result is the one that the model sees, with its input features as labels:
    `explain_predictions` takes it with the predictions, the test and the round. Options are those
    of `wlkg.predict`.
    """
    saved = checkpoint if isinstance(checkpoint, SavedModel) else load_model(str(checkpoint))
    config = saved.config
    if config.model == "k-rn" and config.k > 1:
        raise InputError(
            f"the model sees tuples of {config.k} vertices, and rules are formulas about single"
            " vertices",
            path=saved.path,
            remedy="Write its predictions with wlkg predict -o OUT.csv, and see how far a vertex"
            " test explains them with --predictions OUT.csv",
        )
    predictions = predict_classes(
        saved,
        graph,
        features=features,
        direction=direction,
        unknown_relations=unknown_relations,
        compress=compress,
        device=device,
        dtype=dtype,
        max_memory=max_memory,
    )
    fitted = fit(
        saved, graph, features=features, direction=direction, unknown_relations=unknown_relations
    )
    bound = bound_of(config, fitted.graph.direction)
    return BoundedPredictions(
        graph=_labelled(fitted.graph, fitted.features).with_direction(bound.direction),
        predictions=Targets(predictions.vertices, predictions.labels),
        test=bound.test,
        round=config.layers + bound.later,
        model=config.model,
        layers=config.layers,
        features=fitted.features.kind,
        left_out=fitted.left_out,
    )


def _labelled(graph: RelationalGraph, features: Features) -> RelationalGraph:
    """The graph with the features of each vertex as its label; without labels if all are equal."""
    if features.kind == LABELS:
        return graph
    if features.kind == TABLE:
        return graph.with_labels(features.vertex_names)
    return replace(graph, labels=None, label_names=())
