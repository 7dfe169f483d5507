"""``wlkg explain --checkpoint``: what a trained model has learned."""

from __future__ import annotations

from pathlib import Path

import pytest

import wlkg
from tests.analysis.explanation.semantics import Meaning
from tests.cli.running import Run, RunJson, assert_refused
from tests.places import EXAMPLE_GRAPHS
from wlkg.gnn.config import ModelChoice

FAMILY = EXAMPLE_GRAPHS / "family.ttl"
PREFIX = "http://example.org/family#"
LABELS = {f"{PREFIX}ada": "parent", f"{PREFIX}dana": "child", f"{PREFIX}cleo": "parent"}


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    graph = wlkg.read(FAMILY)
    choice = ModelChoice("rgcn", layers=2, width=4)
    wlkg.train(graph, LABELS, model=choice, epochs=30, validation=0, save=str(tmp_path / "runs"))
    (path,) = (tmp_path / "runs").iterdir()
    return path


def test_formulas_agree_with_the_model_on_every_vertex(run_json: RunJson, checkpoint: Path) -> None:
    document = run_json("explain", FAMILY, "--checkpoint", checkpoint)
    assert (document["test"], document["round"]) == ("1-rwl", 2)
    assert (document["fidelity"], document["bound_holds"]) == (1.0, True)
    graph = wlkg.read(FAMILY)
    predicted = wlkg.predict(checkpoint, graph)
    meaning = Meaning(graph)
    for row in document["classes"]:
        expected = {
            int(v)
            for v, label in zip(predicted.vertices, predicted.labels, strict=True)
            if label == row["label"]
        }
        assert meaning.vertices(row["formula"]) == expected
        assert row["vertices"] == len(expected)


def test_the_checkpoint_decides_test_and_round(run: Run, checkpoint: Path) -> None:
    for option in (("--test", "1-wl"), ("--round", "1")):
        result = run("explain", FAMILY, "--checkpoint", checkpoint, *option)
        assert_refused(result, f"{option[0]} has no effect: a model is explained")


def test_a_checkpoint_of_another_graph_is_refused_or_its_relations_skipped(
    run: Run, run_json: RunJson, checkpoint: Path
) -> None:
    other = EXAMPLE_GRAPHS / "friends.csv"
    result = run("explain", other, "--checkpoint", checkpoint)
    assert result.exit_code == 2
    assert "relation" in result.stderr
    skipped = run_json("explain", other, "--checkpoint", checkpoint, "--unknown-relations", "skip")
    assert skipped["fidelity"] == 1.0
