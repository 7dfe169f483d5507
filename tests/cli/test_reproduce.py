"""``wlkg reproduce``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson, assert_refused
from tests.studies.toy import write_toy


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def out(toy: Path, run: Run) -> Path:
    folder = toy.parent / "out"
    assert run("reproduce", toy, "--out", folder, "--workers", 1).exit_code == 0
    return folder


def test_a_study_answers_its_questions_in_80_columns(toy: Path, out: Path, run: Run) -> None:
    result = run("reproduce", toy, "--out", out, "--workers", 1)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "Toy: test accuracy in %"
    assert lines[1] == "8 of 8 runs finished"
    assert any(line.split()[:3] == ["width", "2", "4"] for line in lines)
    assert "Q1  Do the models differ from R-GCN?" in lines
    assert "Q2  Does the accuracy depend on the width?" in lines
    assert max(map(len, lines[:-1])) <= 80


def test_json_has_questions_answers_and_evidence(toy: Path, out: Path, run_json: RunJson) -> None:
    document = run_json("reproduce", toy, "--out", out, "--workers", 1)
    assert document["schema"] == "wlkg/reproduce/1"
    assert document["finished"] == document["runs"] == 8
    first, second = document["questions"]
    assert first["question"] == "Q1: Do the models differ from R-GCN?"
    assert set(first) >= {"question", "answer", "evidence"}
    (evidence,) = first["evidence"]
    assert evidence["first"] == "CompGCN"
    assert evidence["low"] <= evidence["mean"] <= evidence["high"]
    assert len(second["evidence"]) == 3
    assert document["tables"]["models"][0]["model"] == "R-GCN"


def test_the_report_alone_needs_neither_data_nor_training(
    out: Path, tmp_path: Path, run: Run, run_json: RunJson, toy: Path
) -> None:
    document = run_json("reproduce", "toy.toml", "--out", out, "--report-only")
    assert document["questions"] == run_json("reproduce", toy, "--out", out)["questions"]
    result = run("reproduce", "aifb", "--report-only", "--out", tmp_path)
    assert_refused(result, "there is no study in this folder")


def test_a_dry_run_lists_runs_and_writes_nothing(
    toy: Path, tmp_path: Path, run: Run, run_json: RunJson
) -> None:
    out = tmp_path / "out"
    result = run("reproduce", toy, "--out", out, "--dry-run", "--workers", 2)
    assert result.exit_code == 0, result.output
    assert "8 runs left: about 0 minutes with 2 processes" in result.stdout
    document = run_json("reproduce", toy, "--out", out, "--dry-run", "--seeds", 1)
    assert [each["finished"] for each in document["runs"]] == [False] * 4
    assert not out.exists()


def test_changes_are_marked(toy: Path, tmp_path: Path, run: Run) -> None:
    options = ("--seeds", 1, "--epochs", 2, "--widths", 3, "--no-figures", "--workers", 1)
    result = run("reproduce", toy, "--out", tmp_path, *options)
    assert result.exit_code == 0, result.output
    assert "not the full study: widths 3, 2 epochs, 1 seed" in result.stdout
    readme = (tmp_path / "README.md").read_text()
    assert "**Not the full study: widths 3, 2 epochs, 1 seed.**" in readme
    assert "wlkg reproduce toy.toml --seeds 1 --epochs 2 --widths 3" in readme
    assert "[widths 3, 2 epochs, 1 seed]" in (tmp_path / "tables" / "models.tex").read_text()
    assert not (tmp_path / "figures").exists()


def test_without_matplotlib_tables_are_written_and_figures_are_not(
    toy: Path, out: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("reproduce", toy, "--out", out, "--workers", 1)
    assert result.exit_code == 0
    assert result.stderr.startswith("note: figures need matplotlib: pip install 'wlkg[plots]'")
    forced = run("reproduce", toy, "--out", out, "--workers", 1, "--figures")
    assert_refused(forced, "Install it with: pip install 'wlkg[plots]'", status=4)


def test_bad_input_is_refused(toy: Path, tmp_path: Path, run: Run) -> None:
    assert_refused(run("reproduce", "aifb"), "aifb needs --data DIR")
    assert_refused(run("reproduce", "aibf", "--data", tmp_path), "unknown study 'aibf'. Known: ")
    result = run("reproduce", "aifb", "--data", tmp_path)
    assert_refused(result, "there is no aifb_stripped.nt.gz or 9 other names, no trainingSet.tsv")
    assert_refused(run("reproduce", tmp_path / "none.toml"), "there is no such study")
    assert_refused(run("reproduce", toy, "--only", "figure"), "unknown experiment 'figure'")
    (tmp_path / "file").write_text("")
    result = run("reproduce", toy, "--out", tmp_path / "file", "--workers", 1)
    assert_refused(result, "the folder cannot be made")


def test_the_facts_about_aifb_are_the_known_ones(
    data_dir: Path, tmp_path: Path, run_json: RunJson
) -> None:
    small = ("--seeds", 1, "--epochs", 1, "--widths", 2, "--widths", 64)
    options = ("--data", data_dir, "--out", tmp_path, "--workers", 1, "--no-figures")
    document = run_json("reproduce", "aifb", *options, *small)
    read, printed = document["tables"]["data"]
    assert {**read, "source": ""} == {**printed, "source": ""}
    bounds = {(each["test"], each["round"]): each for each in document["facts"]["bounds"]}
    assert bounds["1-rwl", 2]["classes"] == 5997
    assert bounds["1-rwl", 3]["classes"] == 7367
    assert bounds["weak-rwl", 2]["classes"] == 5993
    assert bounds["1-rwl", 2]["correct"] == {"train": [138, 140], "test": [36, 36]}
    assert len(document["parameters"]) == 21
    reached = {(each["model"], each["width"]): each for each in document["facts"]["reached"]}
    assert reached["R-GCN, sum", 64]["classes"] == reached["R-GCN, sum", 64]["bound"] == 5997
    assert reached["R-GCN, sum", 2]["classes"] < 4000
    assert [question["question"][:2] for question in document["questions"]] == [
        "Q1",
        "Q2",
        "Q3",
        "Q4",
    ]
