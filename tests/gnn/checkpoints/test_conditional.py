"""A C-MPNN on disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

import wlkg
from wlkg.errors import InputError
from wlkg.gnn.against_wl.setting import make_setting
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model, save_model
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.vertex_model import VertexModel

CHOICES = [
    ModelChoice("c-mpnn", width=4, layers=2),
    ModelChoice("c-mpnn", width=4, layers=2, composition="mlp2", aggregation="pna", bias=True),
    ModelChoice("c-mpnn", width=4, layers=1, query_message=True, global_readout=True),
]


@pytest.mark.parametrize("choice", CHOICES, ids=["plain", "pna", "query"])
@pytest.mark.parametrize("labelled", [False, True])
def test_a_saved_model_computes_the_same(
    choice: ModelChoice, labelled: bool, tmp_path: Path
) -> None:
    graph, path = wlkg.read("example:one-triple"), tmp_path / "model.pt"
    if labelled:
        graph = graph.with_label_ids([0, 1, 1], ["red", "blue"])
    setting = make_setting(graph, width=4, device="cpu")
    config = setting.completed(choice)
    assert config.vertex_features == labelled
    model = seeded(1, ConditionalModel, config)
    save_model(path, SavedModel(config, setting.about(config), model.state_dict()))
    loaded = load_model(str(path))
    assert loaded.config == config
    seen, batch = ConditionalGraph.of(graph.arcs()), (torch.tensor([0, 2]), torch.tensor([1, 0]))
    x = setting.features.of(setting.source_ids).float() if labelled else None
    with torch.no_grad():
        assert torch.equal(loaded.conditional_model()(seen, *batch, x), model(seen, *batch, x))
    with pytest.raises(InputError, match="gives features to pairs of a source and a vertex"):
        loaded.build()


def test_features_and_weights_must_go_together(tmp_path: Path) -> None:
    setting = make_setting(wlkg.read("example:one-triple"), width=4, device="cpu")
    config = replace(setting.completed(CHOICES[0]), vertex_features=True)
    path = tmp_path / "model.pt"
    model = seeded(0, ConditionalModel, config)
    save_model(path, SavedModel(config, setting.about(config), model.state_dict()))
    with pytest.raises(InputError, match="features constant for another kind of model"):
        load_model(str(path))


def test_a_model_of_vertices_is_no_model_of_pairs(tmp_path: Path) -> None:
    setting = make_setting(wlkg.read("example:one-triple"), width=4, device="cpu")
    config = setting.completed(ModelChoice("rgcn", width=4, layers=1))
    path = tmp_path / "model.pt"
    weights = seeded(0, VertexModel, config).state_dict()
    save_model(path, SavedModel(config, setting.about(config), weights))
    with pytest.raises(InputError, match="rgcn gives no features to pairs"):
        load_model(str(path)).conditional_model()
