"""Models on disk: they are read as they were written, and only for graphs that they fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.gnn.checkpoints.saved_models import (
    GRAPH,
    TARGETS,
    assert_equal_models,
    content_of,
    outputs,
    saved_model,
    written,
)
from wlkg.errors import InputError, UsageError
from wlkg.gnn.against_wl.judging import Versus
from wlkg.gnn.api import versus, witness
from wlkg.gnn.checkpoints.saved_model import load_model, save_model
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.gnn.models.tuple_input import tuple_inputs, type_names
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import make_task
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))


# -- models are read as they were written ---------------------------------------------------------


@every_model
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_model_is_read_as_it_was_written(model: str, dtype: torch.dtype, tmp_path: Path) -> None:
    saved = saved_model(model, dtype)
    save_model(tmp_path / "m.pt", saved)
    loaded = load_model(str(tmp_path / "m.pt"))
    assert_equal_models(loaded, saved)
    assert loaded.path == str(tmp_path / "m.pt")
    assert loaded.dtype == dtype
    assert [path.name for path in tmp_path.iterdir()] == ["m.pt"]


@every_model
def test_a_loaded_model_has_the_same_outputs(model: str, tmp_path: Path) -> None:
    saved = saved_model(model)
    save_model(tmp_path / "m.pt", saved)
    assert torch.equal(outputs(load_model(str(tmp_path / "m.pt"))), outputs(saved))


@every_model
def test_models_that_are_built_from_the_same_weights_do_not_share_them(model: str) -> None:
    saved = saved_model(model)
    kept = {name: value.clone() for name, value in saved.weights.items()}
    with torch.no_grad():
        for parameter in saved.build().parameters():
            assert parameter.requires_grad
            parameter.zero_()
    for name, value in saved.build().state_dict().items():
        assert torch.equal(value, kept[name])
        assert torch.equal(saved.weights[name], kept[name])


def test_settings_that_are_newer_than_a_checkpoint_have_their_defaults(tmp_path: Path) -> None:
    saved = saved_model()
    content = content_of(saved)
    del content["identity"]["model"]["last_activation"]
    assert load_model(str(written(content, tmp_path / "m.pt"))).config == saved.config


# -- which features a model takes ------------------------------------------------------------------


def test_a_saved_model_gets_the_features_it_was_made_with_unless_others_are_given(
    tmp_path: Path,
) -> None:
    graph = GRAPH.with_labels(list("xyxyz"))
    saved = witness(graph, ModelChoice("rgcn", activation="sign")).saved
    save_model(tmp_path / "w.pt", saved)
    task = make_task(graph, TargetSets(TARGETS), saved)
    assert task.about.features == "labels"
    result = versus(graph, checkpoint=str(tmp_path / "w.pt"))
    assert isinstance(result, Versus)
    assert result.matches
    with pytest.raises(InputError, match="of the kind labels, not constant"):
        versus(graph, checkpoint=str(tmp_path / "w.pt"), features="constant")


def test_a_model_made_with_a_table_of_features_asks_for_it() -> None:
    assert saved_model().features == "constant"
    saved = replace(saved_model(), path="m.pt")
    made = replace(saved, about=replace(saved.about, features="table"))
    with pytest.raises(UsageError, match=r"m\.pt: .* Give them with --features"):
        _ = made.features


# -- which atomic types a k-RN knows --------------------------------------------------------------


def saved_types(graph: RelationalGraph) -> list[str]:
    (block,) = tuple_inputs(graph, 2)
    return type_names(block, [""] * graph.num_vertices, graph.arcs().relation_names)


def test_a_k_rn_works_on_every_graph_whose_atomic_types_it_knows(tmp_path: Path) -> None:
    built = witness(GRAPH, ModelChoice("k-rn", composition="scale", activation="sign"))
    save_model(tmp_path / "w.pt", built.saved)
    copied = GRAPH.permuted([4, 2, 0, 1, 3])
    for graph in (GRAPH, copied):
        # The copy has its types in another order, but its layers still match the rounds.
        result = versus(graph, checkpoint=str(tmp_path / "w.pt"))
        assert isinstance(result, Versus)
        assert result.matches
        assert [layer.wl_classes for layer in result.layers] == list(built.classes_per_round[1:])
    here, there = (saved_types(graph) for graph in (GRAPH, copied))
    assert sorted(here) == sorted(there)
    assert here != there


def test_a_graph_with_unknown_atomic_types_is_refused(tmp_path: Path) -> None:
    choice = ModelChoice("k-rn", composition="scale", activation="sign")
    witness(GRAPH, choice, out=tmp_path / "w.pt")
    more = RelationalGraph.from_arrays(
        [0, 1, 0], [0, 0, 1], [1, 0, 1], num_vertices=2, relation_names=GRAPH.relation_names
    )
    loaded = load_model(str(tmp_path / "w.pt"))
    unknown = r"w\.pt: the model does not know \d of the \d atomic types of the graph\. It has"
    with pytest.raises(InputError, match=unknown):
        versus(more, checkpoint=str(tmp_path / "w.pt"))
    two = Targets(np.arange(2), ("x", "y"))
    with pytest.raises(InputError, match=unknown):
        make_task(more, TargetSets(two), loaded)
