"""``wlkg predict``: classes of vertices as text, JSON and files, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.cli.running import Run, RunJson, assert_refused
from tests.gnn.checkpoints.pickles import BOMBS
from wlkg.gnn.training.run_file import checkpoint_path


@pytest.fixture(scope="module")
def folder(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of 30 vertices, the classes of all of them, and a model trained on 20 of them."""
    folder = tmp_path_factory.mktemp("predict")
    draw = np.random.default_rng(1).integers
    triples = zip(draw(0, 30, 90), draw(0, 3, 90), draw(0, 30, 90), strict=True)
    (folder / "g.tsv").write_text("".join(f"v{h}\t{'abc'[r]}\tv{t}\n" for h, r, t in triples))
    for name, vertices in (("train.tsv", range(20)), ("test.tsv", range(20, 30))):
        rows = [f"v{v}\t{'xyz'[v % 3]}\n" for v in vertices]
        (folder / name).write_text("entity\tlabel\n" + "".join(rows))
    result = run(
        "train", folder / "g.tsv", "--targets", folder / "train.tsv", "--holdout",
        folder / "test.tsv", "--epochs", 40, "--lr", 0.05, "--save", folder, "--json",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    (folder / "run.json").write_text(result.stdout)
    return folder


def checkpoint(folder: Path) -> Path:
    return checkpoint_path(folder, 0)


def test_the_accuracy_on_the_graph_of_the_run_is_that_of_the_run(
    run_json: RunJson, folder: Path
) -> None:
    trained = json.loads((folder / "run.json").read_text())
    arguments = "predict", checkpoint(folder), folder / "g.tsv", "--targets", folder / "test.tsv"
    document = run_json(*arguments)
    assert document["schema"] == "wlkg/predict/1"
    assert document["accuracy"] == trained["test_accuracy"]
    assert document["targets"]["predicted"] == 10
    assert document["classes"] == trained["classes"] == ["x", "y", "z"]
    assert (document["model"], document["vertices"]) == ("rgcn", 30)
    assert document["left_out"] == {"relations": [], "triples": 0}
    rows = document["predictions"]
    assert [row["vertex"] for row in rows] == sorted(f"v{v}" for v in range(30))
    for row in rows:
        assert sum(row["probabilities"]) == pytest.approx(1)
        best = max(range(3), key=row["probabilities"].__getitem__)
        assert row["class"] == "xyz"[best]
    assert sum(document["counts"].values()) == 30


def test_the_terminal_shows_classes_the_first_vertices_and_the_accuracy(
    run: Run, folder: Path
) -> None:
    result = run("predict", checkpoint(folder), folder / "g.tsv", "--targets", folder / "test.tsv")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    # The name of the folder decides where the first line is broken.
    assert "rgcn, 2 layers, 30 vertices" in " ".join(result.stdout.split())
    assert any(line.startswith("v0 ") and line.endswith("%") for line in lines)
    assert "and 20 more; -o OUT.csv writes all of them" in lines
    assert lines[-1].startswith("accuracy: ")
    assert max(map(len, lines)) <= 80


def test_files_have_a_row_for_each_vertex(
    run: Run, run_json: RunJson, folder: Path, tmp_path: Path
) -> None:
    rows = run_json("predict", checkpoint(folder), folder / "g.tsv")["predictions"]
    expected = [(row["vertex"], row["class"], *row["probabilities"]) for row in rows]
    keys = ["vertex", "class", "p(x)", "p(y)", "p(z)"]
    tables = {}
    for suffix in ("csv", "json", "parquet"):
        path = tmp_path / f"out.{suffix}"
        document = run_json("predict", checkpoint(folder), folder / "g.tsv", "-o", path)
        assert document["file"] == str(path)
        assert "predictions" not in document
    tables["csv"] = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
    tables["json"] = json.loads((tmp_path / "out.json").read_text())
    tables["parquet"] = pq.read_table(tmp_path / "out.parquet").to_pylist()
    for table in tables.values():
        assert list(table[0]) == ["vertex", "class", "probability", "p(x)", "p(y)", "p(z)"]
        for row, (vertex, label, *probabilities) in zip(table, expected, strict=True):
            assert (row["vertex"], row["class"]) == (vertex, label)
            assert [float(row[key]) for key in keys[2:]] == probabilities
            assert float(row["probability"]) == max(probabilities)
    assert_refused(
        run("predict", checkpoint(folder), folder / "g.tsv", "-o", tmp_path / "out.txt"),
        "predictions are written as .csv, .json, .parquet, by suffix",
    )


def test_only_the_vertices_of_a_file_are_predicted(
    run: Run, run_json: RunJson, folder: Path, tmp_path: Path
) -> None:
    among = tmp_path / "some.txt"
    among.write_text("v7\nv3\n")
    document = run_json("predict", checkpoint(folder), folder / "g.tsv", "--among", among)
    assert [row["vertex"] for row in document["predictions"]] == ["v7", "v3"]
    among.write_text("v7\nnobody\n")
    assert_refused(
        run("predict", checkpoint(folder), folder / "g.tsv", "--among", among),
        "line 2: 1 name is not a vertex of the graph: nobody",
    )


def test_relations_that_are_new_to_the_model_are_refused_or_left_out(
    run: Run, run_json: RunJson, folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("ann\tb\tbob\nbob\thates\tann\n")
    result = run("predict", checkpoint(folder), other)
    assert_refused(result, "1 relation is new to the model, with 1 triple: hates. Leave them out")
    command = ["predict", checkpoint(folder), other, "--unknown-relations", "skip"]
    document = run_json(*command)
    assert document["left_out"] == {"relations": ["hates"], "triples": 1}
    assert [row["vertex"] for row in document["predictions"]] == ["ann", "bob"]
    assert (
        "note: left out: 1 relation is new to the model, with 1 triple: hates"
        in run(*command).stderr
    )
    versus = ["versus", other, "--checkpoint", checkpoint(folder)]
    assert_refused(run(*versus), "1 relation is new to the model")
    checked = run_json(*versus, "--unknown-relations", "skip")
    assert checked["left_out"]["relations"] == ["hates"]
    assert checked["bound_holds"] is True
    # The test does not see the triple that was left out either.
    other.write_text("ann\tb\tbob\n")
    assert run_json(*versus)["layers"] == checked["layers"]


def test_the_direction_is_the_models_unless_the_user_chooses_another(
    run: Run, run_json: RunJson, folder: Path, tmp_path: Path
) -> None:
    arguments = "--targets", folder / "train.tsv", "--epochs", 2, "--save", tmp_path
    assert run("train", folder / "g.tsv", "--direction", "out", *arguments).exit_code == 0
    document = run_json("predict", checkpoint(tmp_path), folder / "g.tsv")
    assert document["vertices"] == 30
    assert_refused(
        run("predict", checkpoint(tmp_path), folder / "g.tsv", "--direction", "both"),
        "the model is for direction out, the graph is read with both. Give --direction out",
    )


def test_a_model_that_was_made_with_labels_needs_them(
    run: Run, run_json: RunJson, folder: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.tsv"
    labels.write_text("".join(f"v{v}\t{'pq'[v % 2]}\n" for v in range(30)))
    graph = folder / "g.tsv"
    given = "--labels", labels
    made = run(
        "train", graph, *given, "--features", "labels", "--targets", folder / "train.tsv",
        "--epochs", 2, "--save", tmp_path,
    )  # fmt: skip
    assert made.exit_code == 0, made.output
    assert run_json("predict", checkpoint(tmp_path), graph, *given)["vertices"] == 30
    assert_refused(
        run("predict", checkpoint(tmp_path), graph),
        "the model was made with labels of vertices, and the graph has none. Give the --labels",
    )
    labels.write_text("".join(f"v{v}\tr\n" for v in range(30)))
    assert_refused(
        run("predict", checkpoint(tmp_path), graph, *given),
        "1 label is new to the model: r. It knows p, q.",
    )


def test_what_is_not_a_trained_model_is_refused(run: Run, folder: Path, tmp_path: Path) -> None:
    graph, broken, made = folder / "g.tsv", tmp_path / "broken.pt", tmp_path / "w.pt"
    broken.write_bytes(checkpoint(folder).read_bytes()[:1000])
    assert_refused(run("predict", broken, graph), "not a checkpoint of wlkg, or a damaged one")
    assert_refused(run("predict", tmp_path / "none.pt", graph), "No such file")
    assert run("witness", graph, "--out", made).exit_code == 0
    assert_refused(run("predict", made, graph), "the checkpoint has no names of classes")
    empty = tmp_path / "empty.tsv"
    empty.write_text("")
    assert run("predict", checkpoint(folder), empty).exit_code == 2


def test_predictions_that_do_not_fit_into_memory_are_refused(run: Run, folder: Path) -> None:
    result = run("predict", checkpoint(folder), folder / "g.tsv", "--max-memory", "1k")
    assert_refused(result, "more than the 1,000 allowed", status=3)


@pytest.mark.parametrize("kind", BOMBS)
def test_a_hostile_checkpoint_is_refused(run: Run, folder: Path, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "bomb.pt"
    path.write_bytes(BOMBS[kind])
    graph = folder / "g.tsv"
    for command in (
        ["predict", path, graph],
        ["translate", path, "--to", "rgcn"],
        ["versus", graph, "--checkpoint", path],
        ["compare", graph, graph, "--checkpoint", path],
        ["train", graph, "--targets", folder / "train.tsv", "--checkpoint", path],
    ):
        result = run(*command)
        assert_refused(result, "bomb.pt: not a checkpoint of wlkg, or a damaged one: ")
        assert result.exit_code == 2
