"""``wlkg train --graphs`` and ``wlkg predict --graphs``: reports, files, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson, assert_refused
from tests.gnn.training.graph_tasks import permuted_copies
from wlkg.readers.graph6 import encode_graph6


@pytest.fixture(scope="module")
def rings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of hexagons and pairs of triangles in turn, and their classes in two tables."""
    folder = tmp_path_factory.mktemp("rings")
    graphs, classes = permuted_copies("c6", "2xc3", count=6)
    lines = [encode_graph6(graph) for graph in graphs]
    (folder / "rings.g6").write_bytes(b"\n".join(lines) + b"\n")
    rows = [f"rings.g6#{place}\t{name}\n" for place, name in enumerate(classes, 1)]
    (folder / "train.tsv").write_text("graph\tclass\n" + "".join(rows[:8]))
    (folder / "test.tsv").write_text("graph\tclass\n" + "".join(rows[8:]))
    return folder


def arguments(folder: Path, *more: object) -> tuple[object, ...]:
    targets = ("--targets", folder / "train.tsv", "--holdout", folder / "test.tsv")
    options = ("--dim", 16, "--readout", "mlp", "--epochs", 50, "--validation", 0)
    return ("train", folder / "rings.g6", "--graphs", *targets, *options, *more)


def test_a_2_rn_learns_what_an_rgcn_cannot(rings: Path, run: Run, run_json: RunJson) -> None:
    document = run_json(*arguments(rings))
    assert (document["train_accuracy"], document["test_accuracy"]) == (0.5, 0.5)
    assert (document["items"], document["bounded_by"]) == ("graphs", "1-rwl")
    assert document["config"]["readout"] == "mlp"
    assert document["targets"] == [
        {"vertices": 8, "missing": []},
        {"vertices": 4, "missing": []},
    ]
    result = run(*arguments(rings, "--model", "k-rn", "--batch", 4))
    assert result.exit_code == 0, result.output
    assert "k-rn, 3 layers, width 16, readout mlp" in " ".join(result.stdout.split())
    assert "100.0 %" in result.stdout
    assert "batches of 4" in result.stdout
    assert "bounded by 2-rlwl: wlkg ceiling --graphs --test 2-rlwl" in result.stdout


def test_a_trained_model_stands_beside_its_ceiling(
    rings: Path, run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(run_json(*arguments(rings, "--model", "k-rn"))))
    ceiling = ("ceiling", rings / "rings.g6", "--targets", rings / "train.tsv", "--test", "2-rlwl")
    tables = ("--holdout", rings / "test.tsv", "--trained", path)
    result = run(*ceiling, *tables, "--graphs")
    assert result.exit_code == 0, result.output
    assert "test: 100.0 %, the best of round 2 is 100.0 %" in result.stdout
    vertices = tmp_path / "vertices.tsv"
    vertices.write_text("vertex\tclass\n0\tx\n1\ty\n")
    one = ("ceiling", "example:c6", "--targets", vertices, "--trained", path)
    assert_refused(run(*one), "the model has learned classes of graphs, not of vertices")


def test_predictions_are_written_with_the_names_of_the_graphs(
    rings: Path, run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    trained = run(*arguments(rings, "--model", "k-rn", "--save", tmp_path))
    assert trained.exit_code == 0, trained.output
    predict = ("predict", tmp_path / "seed-0.pt", rings / "rings.g6", "--graphs")
    tables = ("--targets", rings / "test.tsv")
    assert run(*predict, *tables, "-o", tmp_path / "out.csv").exit_code == 0
    with (tmp_path / "out.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [row["graph"] for row in rows] == [f"rings.g6#{place}" for place in range(1, 13)]
    assert [row["class"] for row in rows] == ["c6", "2xc3"] * 6
    document = run_json(*predict, *tables)
    assert (document["graphs"], document["accuracy"]) == (12, 1.0)
    assert document["predictions"][1]["graph"] == "rings.g6#2"
    assert document["predictions"][1]["class"] == "2xc3"
    text = run(*predict, *tables).stdout
    assert "12 graphs" in " ".join(text.split())
    assert "accuracy: 100.0 % (4 of 4)" in text
    refused = run("predict", tmp_path / "seed-0.pt", "example:c6")
    assert_refused(refused, "learned classes of graphs, not of vertices. For whole graphs, give")
    among = run(*predict, "--among", rings / "test.tsv")
    assert_refused(among, "--among names vertices: leave it out with --graphs")


def test_graphs_are_the_files_of_a_folder_beside_their_table(
    tmp_path: Path, run_json: RunJson
) -> None:
    rows = ["graph\tclass\n"]
    for number in range(6):
        triples = "a\tr\tb\n" * (number % 2) + "b\ts\tc\n"
        (tmp_path / f"g{number}.tsv").write_text(triples)
        rows.append(f"g{number}\t{'two' if number % 2 else 'one'}\n")
    (tmp_path / "classes.tsv").write_text("".join(rows))
    document = run_json(
        *("train", tmp_path, "--graphs", "--targets", tmp_path / "classes.tsv"),
        *("--validation", 0, "--epochs", 60, "--lr", 0.05, "--dim", 8),
    )
    assert document["train_accuracy"] == 1.0


def test_graphs_without_a_class_are_counted(rings: Path, run: Run) -> None:
    arguments = ("train", rings / "rings.g6", "--graphs", "--targets", rings / "train.tsv")
    result = run(*arguments, "--epochs", 1)
    assert result.exit_code == 0, result.output
    assert "note: 4 of 12 graphs have no class and take no part\n" in result.stderr


def test_what_does_not_fit_is_refused_with_the_numbers(rings: Path, run: Run) -> None:
    for model in ("rgcn", "k-rn"):
        result = run(*arguments(rings, "--model", model, "--max-memory", "100"))
        assert_refused(result, "more than the 100 allowed", status=3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--readout", "max"], "unknown readout 'max'"),
        (["--checkpoint", "run.pt"], "has no effect: a model of whole graphs starts with"),
        (["--last-activation"], "has no effect: a model of whole graphs starts with"),
        (["--features", "table.tsv"], "features of whole graphs are constant, glorot or labels"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    rings: Path, run: Run, options: list[str], message: str
) -> None:
    assert_refused(run(*arguments(rings, *options)), message)


@pytest.mark.parametrize(
    ("corpus", "rows", "message"),
    [
        ("rings.g6", "rings.g6#1\tx\nrings.g6#99\ty\n", "Nearest to 'rings.g6#99': rings.g6#9"),
        ("rings.g6", "a\tx\nb\ty\n", "none of the 2 entities is a graph of the collection"),
        ("rings.g6", "1\tx\n2\tx\n", "all targets have the same class"),
        ("one.g6", "1\tx\n", "there is only one graph to learn from"),
        ("empty", "1\tx\n", "there is no file of graphs in this folder"),
    ],
)
def test_bad_targets_and_corpora_are_refused(
    rings: Path, run: Run, tmp_path: Path, corpus: str, rows: str, message: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "one.g6").write_bytes(b"A_\n")
    (tmp_path / "rings.g6").write_bytes((rings / "rings.g6").read_bytes())
    targets = tmp_path / "targets.tsv"
    targets.write_text(f"graph\tclass\n{rows}")
    result = run("train", tmp_path / corpus, "--graphs", "--targets", targets)
    assert_refused(result, message)


def test_options_of_graphs_need_graphs(run: Run, tmp_path: Path) -> None:
    targets = tmp_path / "targets.tsv"
    targets.write_text("vertex\tclass\n0\tx\n1\ty\n")
    for option, message in (
        (["--batch", "4"], "has no effect: it is for --graphs and --links"),
        (["--readout", "sum"], "has no effect: it is for whole graphs, --graphs"),
    ):
        result = run("train", "example:c6", "--targets", targets, *option)
        assert_refused(result, message)
