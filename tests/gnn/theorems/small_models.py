"""Small models with random weights, their features on a graph, and how those are compared."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from tests.gnn.models.formulas import randomised, whole_plan
from wlkg.catalogue import Direction
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.config import MODELS, ModelConfig
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph

#: Four vertices and two relations; one vertex has no neighbours.
SMALL_GRAPH = RelationalGraph.from_arrays(
    [0, 0, 1, 2, 2], [0, 1, 0, 1, 1], [1, 1, 2, 0, 2], num_vertices=4, direction="both"
)


def config_of(kind: str, **settings: Any) -> ModelConfig:
    """A model of a kind; without settings the paper's plain formula."""
    given: dict[str, Any] = {
        "in_width": 2, "width": 4, "out_width": 3, "relations": 4, "norm": False,
        "direction": False, "own_vectors": True, "composition": "mult", **settings,
    }  # fmt: skip
    if kind in MODELS:
        return ModelConfig(model=kind, **given)
    return ModelConfig(model="compgcn", **{**given, "composition": kind})


def saved_model(
    kind: str, direction: Direction = "both", names: int = 4, seed: int = 1, **settings: Any
) -> SavedModel:
    """A model with random weights, for graphs with a given number of relations."""
    relations = tuple(f"r{i}" for i in range(names))
    if direction == "both":
        relations = (*relations[: names // 2], *(f"{r}^-1" for r in relations[: names // 2]))
    config = config_of(
        kind, relations=max(names, 1), inverses=direction == "both", **settings
    )  # fmt: skip
    model = TupleModel(config, 5) if kind == "k-rn" else VertexModel(config)
    return SavedModel(config, About(relations, direction), randomised(model, seed).state_dict())


def features(model: VertexModel, x: Tensor, graph: RelationalGraph) -> list[Tensor]:
    """The features of the vertices after each layer."""
    with torch.no_grad():
        return model.features(x, whole_plan(graph, model.config))


def assert_same(layers: list[Tensor], expected: list[Tensor]) -> None:
    """Equal up to rounding, relative to the largest number so far."""
    assert len(layers) == len(expected)
    scale = 1.0
    for rows, expected_rows in zip(layers, expected, strict=True):
        assert rows.shape == expected_rows.shape
        if expected_rows.numel():
            scale = max(scale, float(expected_rows.abs().max()))
            assert float((rows - expected_rows).abs().max()) <= 1e-9 * scale
