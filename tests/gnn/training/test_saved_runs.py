"""Training runs as saved models, and saved models as the start of training."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.gnn.checkpoints.saved_models import (
    GRAPH,
    NAMES,
    TARGETS,
    assert_equal_models,
)
from tests.gnn.models.formulas import randomised
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.fitting import fit
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model
from wlkg.gnn.config import CLASSIFIERS, MODELS, ModelChoice, ModelConfig
from wlkg.gnn.models.tuple_input import tuple_inputs, type_names
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.run_file import checkpoint_path
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import make_task
from wlkg.gnn.training.train_config import TrainConfig

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))


@every_model
def test_a_training_run_is_read_as_a_model(model: str, tmp_path: Path) -> None:
    task = make_task(GRAPH, TargetSets(TARGETS), ModelChoice(model, width=3), dtype="float64")
    config = TrainConfig(epochs=3, learning_rate=0.01, weight_decay=0.0)
    result = train_once(task, config, save=tmp_path)
    loaded = load_model(str(checkpoint_path(tmp_path, 0)))
    assert_equal_models(loaded, SavedModel(task.config, task.about, result.model.state_dict()))
    names = NAMES if MODELS[model].sees_relations else ()
    assert loaded.about == replace(task.about, relations=names, direction="both")
    assert fit(loaded, GRAPH).graph is GRAPH


@pytest.mark.parametrize("model", ["rgcn", "compgcn", "k-rn"])
def test_training_starts_with_the_weights_of_the_checkpoint(model: str) -> None:
    config = ModelConfig(
        model,
        in_width=3 if model == "k-rn" else 1,
        width=3,
        out_width=2,
        relations=4,
        inverses=True,
    )
    (block,) = tuple_inputs(GRAPH, 2)
    types = int(block.types.max()) + 1
    made = TupleModel(config, types) if model == "k-rn" else VertexModel(config)
    names = type_names(block, [""] * GRAPH.num_vertices, NAMES) if model == "k-rn" else []
    about = About(NAMES, "both", types=tuple(names))
    saved = SavedModel(config, about, randomised(made, 1).state_dict())
    task = make_task(GRAPH, TargetSets(TARGETS), saved, dtype="float64")
    settings = TrainConfig(epochs=5, learning_rate=0.1, weight_decay=0.0)
    first = train_once(task, settings)
    assert not torch.equal(first.curves[0, 0], first.curves[-1, 0])
    assert torch.equal(train_once(task, settings).curves[:, 0], first.curves[:, 0])
