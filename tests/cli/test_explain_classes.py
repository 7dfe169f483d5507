"""``wlkg explain`` about predictions and labels: one formula per class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import wlkg
from tests.analysis.explanation.semantics import Meaning
from tests.cli.running import Run, RunJson, assert_refused
from tests.places import EXAMPLE_GRAPHS

FAMILY = EXAMPLE_GRAPHS / "family.ttl"
PREFIX = "http://example.org/family#"
ROLES = {"ada": "parent", "ben": "parent", "cleo": "parent", "dana": "child", "eli": "child"}


def table(path: Path, classes: dict[str, str], header: str = "person\tlabel") -> Path:
    rows = [f"{PREFIX}{name}\t{label}" for name, label in classes.items()]
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    return table(tmp_path / "predicted.tsv", ROLES)


def satisfying(document: dict[str, Any]) -> dict[str, set[int]]:
    """For each class, the vertices of which its formula is true."""
    meaning = Meaning(wlkg.read(FAMILY))
    return {row["label"]: meaning.vertices(row["formula"]) for row in document["classes"]}


def test_each_class_gets_a_formula_that_is_true_of_its_vertices(
    run_json: RunJson, predictions: Path
) -> None:
    document = run_json("explain", FAMILY, "--predictions", predictions)
    assert (document["fidelity"], document["bound_holds"]) == (1.0, True)
    graph, found = wlkg.read(FAMILY), satisfying(document)
    for name, label in ROLES.items():
        vertex = graph.vertex(f"{PREFIX}{name}")
        assert [row for row, vertices in found.items() if vertex in vertices] == [label]
    assert {row["label"]: row["vertices"] for row in document["classes"]} == {
        "parent": 3,
        "child": 2,
    }
    assert document["curve"][-1]["fidelity"] == 1.0
    assert document["curve"][-1]["size"] == document["size"]


def test_the_text_shows_formulas_and_the_curve(run: Run, predictions: Path) -> None:
    text = run("explain", FAMILY, "--predictions", predictions).stdout
    assert "5 predictions in" in text
    assert "Fidelity 100 %: the formulas are right about 5 of 5" in text
    assert "parent  3 vertices" in text
    assert max(map(len, text.splitlines())) <= 80


def test_vertices_of_one_class_with_two_predictions_are_named(
    run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    # A symmetry swaps dana and eli.
    path = table(tmp_path / "predicted.tsv", ROLES | {"eli": "parent"})
    document = run_json("explain", FAMILY, "--predictions", path)
    assert document["bound_holds"] is False
    assert set(document["disagreement"]["vertices"]) == {f"{PREFIX}dana", f"{PREFIX}eli"}
    assert document["fidelity"] == 0.8
    text = run("explain", FAMILY, "--predictions", path).stdout
    assert "The model sees something that 1-rwl does not." in " ".join(text.split())
    labels = run("explain", FAMILY, "--targets", path).stdout
    assert "5 labels in" in labels
    assert "The model" not in labels


def test_labels_are_tried_out_on_the_holdout(run_json: RunJson, tmp_path: Path) -> None:
    train = table(tmp_path / "train.tsv", ROLES)
    test = table(tmp_path / "test.tsv", {"finn": "child", "cleo": "child"})
    document = run_json("explain", FAMILY, "--targets", train, "--holdout", test)
    graph, found = wlkg.read(FAMILY), satisfying(document)
    right = sum(
        [row for row in found if graph.vertex(f"{PREFIX}{name}") in found[row]] == ["child"]
        for name in ("finn", "cleo")
    )
    assert document["on"] == {"holdout": right / 2}


def test_beside_predictions_targets_are_where_agreement_is_measured(
    run_json: RunJson, predictions: Path, tmp_path: Path
) -> None:
    # The labels themselves do not matter: fidelity is agreement with the model.
    targets = table(tmp_path / "train.tsv", {"ada": "child", "dana": "parent"})
    document = run_json("explain", FAMILY, "--predictions", predictions, "--targets", targets)
    assert document["on"] == {"targets": 1.0}


def test_among_explains_some_vertices_only(
    run_json: RunJson, predictions: Path, tmp_path: Path
) -> None:
    chosen = tmp_path / "chosen.txt"
    chosen.write_text(f"{PREFIX}ada\n{PREFIX}dana\n")
    document = run_json("explain", FAMILY, "--predictions", predictions, "--among", chosen)
    assert document["vertices"] == 2


def test_less_fidelity_gives_shorter_formulas(run_json: RunJson, tmp_path: Path) -> None:
    names = wlkg.read(FAMILY).vertex_names
    iris = [name for name in names if name.startswith(PREFIX)]
    path = tmp_path / "predicted.tsv"
    path.write_text("vertex\tclass\n" + "".join(f"{v}\t{i % 3}\n" for i, v in enumerate(iris)))
    exact = run_json("explain", FAMILY, "--predictions", path)
    short = run_json("explain", FAMILY, "--predictions", path, "--fidelity", "0.5")
    assert short["size"] < exact["size"]
    assert 0.5 <= short["fidelity"] < exact["fidelity"]


def test_predictions_about_something_else_are_refused(run: Run, tmp_path: Path) -> None:
    path = table(tmp_path / "predicted.tsv", ROLES | {"danna": "child"})
    result = run("explain", FAMILY, "--predictions", path)
    assert result.exit_code == 2
    assert "predicted.tsv, line 7" in result.stderr
    assert "danna" in result.stderr
    assert ":dana" in result.stderr


def test_two_sources_of_classes_are_refused(run: Run, predictions: Path) -> None:
    result = run("explain", FAMILY, "--predictions", predictions, "--checkpoint", "m.pt")
    assert_refused(result, "give one of --checkpoint, --predictions and --targets")


def test_tests_of_tuples_are_refused(run: Run, predictions: Path) -> None:
    result = run("explain", FAMILY, "--predictions", predictions, "--test", "2-rlwl")
    assert_refused(result, "2-rlwl colours tuples")


def test_options_of_checkpoints_are_refused_without_one(run: Run, predictions: Path) -> None:
    result = run("explain", FAMILY, "--predictions", predictions, "--features", "glorot")
    assert_refused(result, "--features has no effect: predictions are explained")
