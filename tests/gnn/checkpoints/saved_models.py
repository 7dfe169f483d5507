"""Small saved models for one small graph, and the content of their files."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tests.gnn.models.formulas import random_rows, randomised, whole_plan
from wlkg.errors import InputError
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.checkpoint_file import ARCHIVE_FORMAT, save_checkpoint
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.features import Features, make_features
from wlkg.gnn.models.tuple_input import tuple_inputs
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets

#: What a checkpoint holds.
Content = dict[str, Any]
GRAPH = RelationalGraph.from_arrays(
    [0, 0, 1, 2, 2, 3],
    [0, 1, 0, 1, 1, 0],
    [1, 1, 2, 0, 2, 4],
    num_vertices=5,
    relation_names=["likes", "knows"],
    direction="both",
)
NAMES = GRAPH.arcs().relation_names
TARGETS = Targets(np.arange(4), ("x", "y", "x", "y"))


def constant(width: int) -> Features:
    """Features that are the same for all vertices of the graph."""
    return make_features(GRAPH, "constant", width)


def saved_model(model: str = "compgcn", dtype: torch.dtype = torch.float64) -> SavedModel:
    """A model of two layers with random weights, for the graph."""
    config = ModelConfig(
        model,
        in_width=3,
        width=3,
        out_width=2,
        relations=4,
        bias=True,
        inverses=True,
        hidden_widths=() if model == "k-rn" else (4,),
    )
    made = TupleModel(config, 6) if model == "k-rn" else VertexModel(config)
    weights = randomised(made, 1).to(dtype).state_dict()
    about = About(NAMES, "both", types=tuple("uvwxyz") if model == "k-rn" else ())
    return SavedModel(config, about, weights)


def content_of(saved: SavedModel) -> Content:
    """What `save_model` writes."""
    return {
        "identity": {"model": asdict(saved.config)},
        "about": asdict(saved.about),
        "model": dict(saved.weights),
    }


def written(content: Content, path: Path) -> Path:
    """A checkpoint with this content."""
    save_checkpoint(path, content)
    return path


def archived(content: Content, path: Path) -> Path:
    """A checkpoint with this content, as earlier versions wrote it."""
    content = {"format": ARCHIVE_FORMAT, **content}
    if isinstance(state := content.get("optimiser"), dict):
        content["optimiser"] = numbered(state, list(content["model"]))
    torch.save(content, path)
    return path


def numbered(state: dict[str, Tensor], weights: list[str]) -> Content:
    """The state of an optimiser by numbers, as PyTorch gives it."""
    numbers = {name: number for number, name in enumerate(weights)}
    found: dict[int, dict[str, Tensor]] = {}
    for name, value in state.items():
        weight, _, key = name.rpartition(".")
        found.setdefault(numbers[weight], {})[key] = value
    return {"state": found, "param_groups": [{"lr": 0.01, "params": list(range(len(weights)))}]}


def outputs(saved: SavedModel) -> Tensor:
    """What the model computes for the graph, with random features of vertices."""
    model = saved.build()
    with torch.no_grad():
        if isinstance(model, TupleModel):
            (block,) = tuple_inputs(GRAPH, 2)
            rows: Tensor = model(replace(block, types=block.types % 6))
        else:
            rows = model(random_rows(5, 3, seed=2), whole_plan(GRAPH, saved.config))
    return rows


def assert_equal_models(saved: SavedModel, expected: SavedModel) -> None:
    assert saved.config == expected.config
    assert saved.about == expected.about
    assert list(saved.weights) == list(expected.weights)
    for name, value in saved.weights.items():
        assert value.dtype == expected.weights[name].dtype
        assert torch.equal(value, expected.weights[name])


def assert_model_or_message(path: Path) -> None:
    """Loading gives a model that can be built, or a message that names the file."""
    try:
        saved = load_model(str(path))
    except InputError as error:
        message = str(error)
    else:
        built = saved.build()
        assert {parameter.dtype for parameter in built.parameters()} == {saved.dtype}
        assert built.config == saved.config
        assert sum(value.nbytes for value in saved.weights.values()) < path.stat().st_size
        return
    assert message.startswith(f"{path}: ")


class Malicious:
    """Makes a file as soon as it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("was-here"),)
