"""The classes that a model trained on whole graphs gives to the graphs of any corpus that fits it.

All graphs are computed together, as in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from wlkg.catalogue import Direction
from wlkg.devices import find_device
from wlkg.errors import UsageError
from wlkg.gnn.checkpoints.fitting import fit
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.dtypes import find_dtype
from wlkg.gnn.training.graph_scorer import make_graph_scorer
from wlkg.gnn.training.graph_task import GRAPHS
from wlkg.gnn.training.prediction import Predictions, finite_scores
from wlkg.gnn.training.scorer import TaskInput
from wlkg.readers.collection import GraphCollection


@dataclass(frozen=True, eq=False, repr=False)
class GraphPredictions(Predictions):
    """A class for each graph of a collection; ``graph`` is their union."""

    collection: GraphCollection

    @property
    def items(self) -> str:
        return GRAPHS

    @property
    def names(self) -> Sequence[str]:
        return self.collection.names


def predict_graph_classes(
    saved: SavedModel,
    collection: GraphCollection,
    *,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    compress: bool = True,
    device: str = "auto",
    dtype: str | None = None,
    max_memory: int | None = None,
) -> GraphPredictions:
    """The classes of all graphs; the number type is the model's unless another is given."""
    model = saved.graph_model()
    if not collection.graphs:
        raise UsageError("there is no graph: there is nothing to predict")
    number = saved.dtype if dtype is None else find_dtype(dtype)
    chosen_device = find_device(device, number)
    known = fit(
        saved,
        collection.union,
        features=features,
        direction=direction,
        unknown_relations=unknown_relations,
        max_memory=max_memory,
    )
    places = np.arange(len(collection.graphs))
    scorer = make_graph_scorer(
        TaskInput(
            graph=known.graph,
            features=known.features,
            vertices=places,
            num_classes=len(saved.classes),
            config=saved.config,
            initial=saved,
            freeze=True,
            device=chosen_device,
            dtype=number,
            compress=compress,
            max_memory=max_memory,
        ),
        [graph.num_vertices for graph in collection.graphs],
    )
    scores = finite_scores(scorer, model, chosen_device, number, ("graph", GRAPHS))
    return GraphPredictions(
        graph=collection.union,
        config=saved.config,
        classes=saved.classes,
        vertices=places,
        predicted=scores.argmax(dim=1).numpy(),
        probabilities=torch.softmax(scores.double(), dim=1).numpy(),
        left_out=known.left_out,
        collection=collection,
    )
