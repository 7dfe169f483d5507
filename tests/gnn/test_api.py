"""The functions that commands and Python users call, and what they say without PyTorch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import wlkg
from wlkg.gnn.config import ModelChoice
from wlkg.graph.relational_graph import RelationalGraph


@pytest.mark.parametrize(
    "words",
    [
        ["versus", "example:c6"],
        ["witness", "example:c6"],
        ["translate", "w.pt", "--to", "rgcn"],
        ["hierarchy", "examples/graphs/c6.g6", "--model", "rgcn"],
    ],
    ids=lambda words: words[0],
)
def test_without_pytorch_a_command_says_what_to_install(words: list[str]) -> None:
    program = (
        "import sys; sys.modules['torch'] = None; from wlkg.cli import main; "
        f"sys.argv = ['wlkg', *{words!r}]; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 4
    assert "pip install 'wlkg[gnn]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def graph() -> RelationalGraph:
    return wlkg.read("examples/graphs/family.ttl")


def test_layers_and_width_replace_those_of_a_choice(graph: RelationalGraph) -> None:
    api = pytest.importorskip("wlkg.gnn.api")
    choice = ModelChoice("rgcn", layers=3, width=2)
    chosen = api.versus(graph, choice, draws=1)
    assert len(chosen.layers) == 3
    assert api.versus(graph, choice, layers=1, draws=1).layers == chosen.layers[:1]
    named = api.versus(graph, "rgcn", layers=3, width=2, draws=1)
    assert named.draws == chosen.draws
    assert api.versus(graph, choice, width=64, draws=1).draws != chosen.draws


def test_a_witness_is_saved_where_asked(graph: RelationalGraph, tmp_path: Path) -> None:
    api = pytest.importorskip("wlkg.gnn.api")
    choice = ModelChoice("rgcn", activation="sign")
    built = api.witness(graph, choice)
    assert not list(tmp_path.iterdir())
    api.witness(graph, choice, out=tmp_path / "w.pt")
    loaded = api.load_model(str(tmp_path / "w.pt"))
    assert loaded.config == built.saved.config
    assert loaded.about == built.saved.about
    assert all(loaded.weights[name].equal(value) for name, value in built.saved.weights.items())


def test_a_translation_is_that_of_a_file_or_of_a_model(
    graph: RelationalGraph, tmp_path: Path
) -> None:
    api = pytest.importorskip("wlkg.gnn.api")
    start, out = tmp_path / "rgcn.pt", tmp_path / "mult.pt"
    saved = api.witness(graph, ModelChoice("rgcn", activation="relu"), out=start).saved
    by_model = api.translate(saved, "mult")
    assert not out.exists()
    # An R-GCN becomes a CompGCN with mult.
    by_path = api.translate(start, "compgcn", out=out)
    assert by_model.after.config == by_path.after.config
    assert (by_path.after.config.model, by_path.after.config.composition) == ("compgcn", "mult")
    assert by_path.max_difference == by_model.max_difference
    loaded = api.load_model(str(out))
    assert loaded.config == by_path.saved.config
    assert loaded.about == saved.about
