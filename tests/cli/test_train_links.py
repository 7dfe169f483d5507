"""``wlkg train --links``: what it prints and writes, what it refuses, and how it ends."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson
from tests.gnn.links.small_sets import TEST, TRAIN, VALID
from wlkg.gnn.config import LINK_WIDTH

SCORES = {"mrr", "hits_at_1", "hits_at_3", "hits_at_10", "mean_rank"}
TIES = {"random", "pessimistic", "optimistic"}


def write_split(folder: Path, name: str, triples: object) -> None:
    assert isinstance(triples, list)
    folder.mkdir(exist_ok=True)
    lines = ["\t".join(triple) + "\n" for triple in triples]
    (folder / f"{name}.txt").write_text("".join(lines))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "people"
    for name, triples in (("train", TRAIN), ("valid", VALID), ("test", TEST)):
        write_split(place, name, triples)
    return place


def test_json_has_the_keys_that_scripts_rely_on(run_json: RunJson, folder: Path) -> None:
    document = run_json("train", folder, "--links", "--epochs", 3, "--seeds", 2)
    assert document["schema"] == "wlkg/train/1"
    for key in ("model", "parameters", "epochs", "loss", "seconds_per_epoch", "seed"):
        assert document[key] is not None
    assert (document["of"], document["decoder"], document["seeds"]) == ("links", "distmult", [0, 1])
    assert document["config"]["width"] == LINK_WIDTH
    assert set(document["ties"]) == TIES
    assert all(set(scores) == SCORES for scores in document["ties"].values())
    for metric in SCORES:
        assert document[metric] == {tie: document["ties"][tie][metric] for tie in TIES}
    for run in document["runs"]:
        assert set(run["last"]["ties"]) == set(run["chosen"]["ties"]) == TIES
        assert run["curves"]["epoch"] == [0, 1, 2, 3]
        assert run["curves"]["loss"][0] is None
    ceiling = document["ceiling"]
    assert (ceiling["test"], ceiling["round"], ceiling["exact"]) == ("1-rwl", 2, True)
    assert ceiling["limit"]["random"] == ceiling["bound"]
    assert ceiling["limit"]["optimistic"] is None
    reached = document["mrr"]["pessimistic"] / ceiling["ties"]["pessimistic"]["mrr"]
    assert ceiling["reached"]["last"]["pessimistic"] == pytest.approx(reached)
    assert document["ranked"]["test"]["answers"] == 4


@pytest.mark.parametrize(
    ("options", "test", "layer"),
    [
        (("--model", "c-mpnn", "--layers", 3, "--dim", 4), "rawl2", 3),
        (("--model", "c-mpnn", "--layers", 1, "--dim", 4, "--global-readout"), "rawl2-all", 1),
        (("--model", "compgcn", "--decoder", "transe"), "1-rwl", 3),
        (("--aggregation", "mean", "--layers", 1, "--decoder", "mlp"), "mean-rwl", 1),
    ],
)
def test_the_ceiling_is_that_of_the_test_and_round_that_bound_the_model(
    run_json: RunJson, folder: Path, options: tuple[object, ...], test: str, layer: int
) -> None:
    trained = run_json("train", folder, "--links", "--epochs", 1, *options)
    ceiling = run_json("ceiling", folder, "--links", "--test", test, "--rounds", layer)
    expected = ceiling["tests"][0]["rounds"][layer - 1]
    assert trained["ceiling"]["test"] == test
    assert {key: trained["ceiling"][key] for key in expected} == expected


def test_text_puts_the_result_beside_the_ceiling(run: Run, folder: Path) -> None:
    result = run("train", folder, "--links", "--epochs", 2)
    assert result.exit_code == 0, result.output
    text = " ".join(result.stdout.split())
    assert "rgcn + distmult, 2 layers, width 32" in text
    assert "The highest MRR of any model bounded by round 2 of 1-rwl:" in text
    assert "ties ceiling last reached best reached" in text
    assert "best epoch: highest validation MRR" in text
    assert "next: wlkg ceiling" in result.stderr
    # The first line has the name of the folder.
    assert max(map(len, result.stdout.splitlines()[1:])) <= 80


def test_an_inductive_set_is_tested_on_another_folder(
    run: Run, run_json: RunJson, folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    write_split(other, "train", [("x", "near", "y"), ("z", "lives", "x"), ("z", "knows", "w")])
    write_split(other, "test", [("w", "lives", "stranger")])
    arguments = ("train", folder, "--links", "--inference", other, "--epochs", 1)
    document = run_json(*arguments)
    assert document["inference"] == str(other)
    assert document["ranked"]["test"]["candidates"] == 5
    assert document["ranked"]["test"]["new_vertices"] == ["stranger"]
    ceiling = run_json("ceiling", other, "--links", "--test", "1-rwl", "--rounds", 2)
    assert document["ceiling"]["ties"] == ceiling["tests"][0]["rounds"][1]["ties"]
    result = run(*arguments)
    assert "1 entity of test not in the graph" in result.stderr
    assert f"--links --test 1-rwl --train {folder}" in result.stderr.replace("\n", " ")
    write_split(other, "train", [("x", "hates", "y"), ("z", "lives", "x")])
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert "--unknown-relations skip" in " ".join(refused.stderr.split())
    skipped = run(*arguments, "--unknown-relations", "skip")
    assert skipped.exit_code == 0
    assert "left out: 1 relation is new to the model, with 1 triple: hates" in skipped.stderr
    document = run_json(*arguments, "--unknown-relations", "skip")
    assert document["ranked"]["test"]["left_out"] == {"relations": ["hates"], "triples": 1}
    assert [each["path"] for each in document["inputs"]] == [str(folder), str(other)]
    misspelt = run(*arguments, "--unknown-relations", "skp")
    assert misspelt.exit_code == 2


def test_a_model_that_does_not_see_relations_is_tested_with_all_of_them(
    run_json: RunJson, folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    # Three paths of different lengths from y: without `hates`, most of them is gone.
    hates = [("x", "hates", "y"), ("y", "hates", "z"), ("y", "hates", "v"), ("v", "hates", "u")]
    write_split(other, "train", [*hates, ("u", "hates", "t"), ("z", "lives", "w")])
    write_split(other, "test", [("x", "lives", "w")])
    model = ("--model", "gnn", "--layers", 3)
    arguments = ("train", folder, "--links", "--inference", other, "--epochs", 1, *model)
    document = run_json(*arguments)
    assert document["ranked"]["test"]["left_out"] == {"relations": [], "triples": 0}
    ceiling = run_json("ceiling", other, "--links", "--test", "1-wl", "--rounds", 3)
    assert document["ceiling"]["ties"] == ceiling["tests"][0]["rounds"][2]["ties"]
    assert document["ceiling"]["ties"]["pessimistic"]["mrr"] == 1


def test_validation_triples_that_are_part_of_the_graph_choose_no_epoch(
    run: Run, folder: Path
) -> None:
    result = run("train", folder, "--links", "--splits", "train,valid", "--epochs", 1)
    assert result.exit_code == 0
    assert "the valid split is part of the graph: no epoch is chosen" in result.stderr
    assert "there is no valid split" not in result.stderr


def test_without_validation_nothing_is_chosen_and_that_is_said(
    run: Run, run_json: RunJson, folder: Path
) -> None:
    (folder / "valid.txt").unlink()
    result = run("train", folder, "--links", "--epochs", 1)
    assert result.exit_code == 0
    assert "there is no valid split" in result.stderr
    document = run_json("train", folder, "--links", "--epochs", 1)
    assert document["chosen_by_validation"]["ties"] is None
    assert document["runs"][0]["chosen"] is None
    refused = run("train", folder, "--links", "--patience", 3)
    assert refused.exit_code == 2
    assert "--patience needs validation" in refused.stderr


def test_bad_folders_are_refused(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "test.txt").write_text("")
    result = run("train", folder, "--links")
    assert result.exit_code == 2
    assert "test.txt: the file is empty" in " ".join(result.stderr.split())
    (folder / "test.txt").unlink()
    result = run("train", folder, "--links")
    assert result.exit_code == 2
    assert "there is no test split in this folder" in " ".join(result.stderr.split())
    (tmp_path / "file.tsv").write_text("a\tr\tb\n")
    result = run("train", tmp_path / "file.tsv", "--links")
    assert result.exit_code == 2
    assert "expected a folder" in result.stderr


def test_what_the_graph_does_not_have_is_counted_and_ranked(
    run: Run, run_json: RunJson, folder: Path
) -> None:
    write_split(folder, "test", [("p0", "hates", "p1"), ("p0", "knows", "stranger")])
    document = run_json("train", folder, "--links", "--epochs", 1)
    ranked = document["ranked"]["test"]
    assert ranked["new_vertices"] == ["stranger"]
    assert ranked["new_relations"] == ["hates"]
    assert ranked["answers"] == 4
    notes = " ".join(run("train", folder, "--links", "--epochs", 1).stderr.split())
    assert "1 relation of test not in the graph" in notes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--links", "--targets", "t.tsv"), "--targets has no effect"),
        (("--links", "--freeze"), "--freeze has no effect"),
        (("--links", "--unknown-relations", "skip"), "it is about --inference"),
        (("--links", "--model", "k-rn"), "unknown model of links 'k-rn'"),
        (("--links", "--model", "c-mpnn", "--decoder", "mlp"), "--decoder has no effect"),
        (("--links", "--model", "c-mpnn", "--no-compress"), "--no-compress has no effect"),
        (("--links", "--remove-batch"), "--remove-batch has no effect on rgcn"),
        (("--links", "--keep-batch"), "--keep-batch has no effect on rgcn"),
        (("--batch", "3", "--targets", "t.tsv"), "it is for --graphs and --links"),
        (("--decoder", "mlp"), "--decoder has no effect: it belongs to --links"),
        (("--keep-batch",), "--keep-batch has no effect: it belongs to --links"),
        ((), "missing option '--targets'"),
    ],
)
def test_options_without_effect_are_refused(
    run: Run, folder: Path, options: tuple[str, ...], message: str
) -> None:
    result = run("train", folder, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_too_little_memory_is_refused(run: Run, folder: Path) -> None:
    result = run("train", folder, "--links", "--max-memory", "1k")
    assert result.exit_code == 3
    assert "--max-memory" in result.stderr


def test_curves_checkpoints_and_pages_are_written(run: Run, folder: Path, tmp_path: Path) -> None:
    log, page, save = tmp_path / "log.csv", tmp_path / "page.html", tmp_path / "runs"
    written = ("--log", log, "--html", page, "--markdown", tmp_path / "page.md")
    result = run("train", folder, "--links", "--epochs", 2, "--save", save, *written)
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(log.read_text().splitlines()))
    assert [row["epoch"] for row in rows] == ["0", "1", "2"]
    assert rows[0]["loss"] == ""
    assert float(rows[2]["validation_mrr"]) > 0
    text = (tmp_path / "page.md").read_text()
    assert "has a test MRR of" in text
    assert "No model bounded by round 2 of 1-rwl gets more than" in text
    assert "What any such model can reach" in page.read_text()
    assert (save / "seed-0.pt").is_file()
    again = run("train", folder, "--links", "--epochs", 3, "--save", save, "--resume")
    assert again.exit_code == 0, again.output


def test_a_model_of_links_has_no_classes_to_predict(run: Run, folder: Path, tmp_path: Path) -> None:
    run("train", folder, "--links", "--epochs", 1, "--save", tmp_path / "runs")
    result = run("predict", tmp_path / "runs" / "seed-0.pt", folder)
    assert result.exit_code == 2
    assert "trained to predict links, and has no classes of vertices" in " ".join(
        result.stderr.split()
    )
