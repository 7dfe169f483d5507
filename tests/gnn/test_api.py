"""The functions that commands and Python users call."""

from __future__ import annotations

from pathlib import Path

import pytest

import wlkg
from wlkg.gnn import api
from wlkg.gnn.against_wl.judging import Versus
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.config import ModelChoice
from wlkg.graph.relational_graph import RelationalGraph


@pytest.fixture
def graph() -> RelationalGraph:
    return wlkg.read("examples/graphs/family.ttl")


def test_layers_and_width_replace_those_of_a_choice(graph: RelationalGraph) -> None:
    def versus(
        model: str | ModelChoice, layers: int | None = None, width: int | None = None
    ) -> Versus:
        result = api.versus(graph, model, layers=layers, width=width, draws=1)
        assert isinstance(result, Versus)
        return result

    choice = ModelChoice("rgcn", layers=3, width=2)
    chosen = versus(choice)
    assert len(chosen.layers) == 3
    assert versus(choice, layers=1).layers == chosen.layers[:1]
    assert versus("rgcn", layers=3, width=2).draws == chosen.draws
    assert versus(choice, width=64).draws != chosen.draws


def test_a_witness_is_saved_where_asked(graph: RelationalGraph, tmp_path: Path) -> None:
    choice = ModelChoice("rgcn", activation="sign")
    built = api.witness(graph, choice)
    assert not list(tmp_path.iterdir())
    api.witness(graph, choice, out=tmp_path / "w.pt")
    loaded = load_model(str(tmp_path / "w.pt"))
    assert loaded.config == built.saved.config
    assert loaded.about == built.saved.about
    assert all(loaded.weights[name].equal(value) for name, value in built.saved.weights.items())


def test_a_translation_is_that_of_a_file_or_of_a_model(
    graph: RelationalGraph, tmp_path: Path
) -> None:
    start, out = tmp_path / "rgcn.pt", tmp_path / "mult.pt"
    saved = api.witness(graph, ModelChoice("rgcn", activation="relu"), out=start).saved
    by_model = api.translate(saved, "mult")
    assert not out.exists()
    # An R-GCN becomes a CompGCN with mult.
    by_path = api.translate(start, "compgcn", out=out)
    assert by_model.after.config == by_path.after.config
    assert (by_path.after.config.model, by_path.after.config.composition) == ("compgcn", "mult")
    assert by_path.max_difference == by_model.max_difference
    loaded = load_model(str(out))
    assert loaded.config == by_path.saved.config
    assert loaded.about == saved.about
