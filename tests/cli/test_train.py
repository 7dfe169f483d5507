"""``wlkg train``: what it reports, what it refuses, and a run that is killed and resumed."""

from __future__ import annotations

import csv
import math
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.cli.running import Run, RunJson, assert_refused
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint
from wlkg.gnn.training.run_file import checkpoint_path

#: A program that runs ``wlkg`` and saves checkpoints often.
SAVING_OFTEN = (
    "from wlkg.gnn.training import loop; loop._SAVE_SECONDS = 0.05; "
    "from wlkg.cli import main; main()"
)


@dataclass(frozen=True)
class Files:
    """A graph of 30 vertices, the classes of 20 of them, and the held-out classes of the rest."""

    graph: Path
    targets: Path
    holdout: Path


@pytest.fixture
def files(tmp_path: Path) -> Files:
    files = Files(
        graph=tmp_path / "g.tsv", targets=tmp_path / "train.tsv", holdout=tmp_path / "test.tsv"
    )
    draw = np.random.default_rng(1).integers
    triples = zip(draw(0, 30, 90), draw(0, 3, 90), draw(0, 30, 90), strict=True)
    files.graph.write_text("".join(f"v{h}\t{'abc'[r]}\tv{t}\n" for h, r, t in triples))
    for path, vertices in ((files.targets, range(20)), (files.holdout, range(20, 30))):
        rows = [f"v{v}\t{'xyz'[v % 3]}\n" for v in vertices]
        path.write_text("entity\tlabel\n" + "".join(rows))
    return files


def test_json_has_the_keys_that_scripts_rely_on(run_json: RunJson, files: Files) -> None:
    document = run_json(
        "train", files.graph, "--targets", files.targets, "--holdout", files.holdout,
        "--epochs", 20, "--seeds", 2,
    )  # fmt: skip
    assert document["schema"] == "wlkg/train/1"
    assert (document["model"], document["epochs"], document["seed"]) == ("rgcn", 20, 0)
    assert document["parameters"] == 7 * 4 * 4 + 7 * 4 * 3
    assert document["seconds_per_epoch"] > 0
    runs = [run["last"] for run in document["runs"]]
    for key in ("loss", "train_accuracy", "test_accuracy"):
        assert document[key] == pytest.approx(np.mean([run[key] for run in runs]))
    assert document["deviation"]["loss"] == pytest.approx(
        np.std([run["loss"] for run in runs], ddof=1)
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--model", "rgcn-mlp", "--bias", "--aggregation", "mean"],
        ["--model", "compgcn", "--composition", "corr", "--no-direction", "--no-norm"],
        ["--model", "compgcn", "--composition", "rotate", "--no-relation-update", "--layers", "3"],
        ["--model", "k-rn", "-k", "2", "--composition", "mlp", "--dim", "3"],
        ["--no-compress", "--dtype", "float64", "--device", "cpu", "--last-activation"],
    ],
)
def test_every_option_of_a_model_is_accepted(run: Run, files: Files, options: list[str]) -> None:
    result = run("train", files.graph, "--targets", files.targets, "--epochs", 3, *options)
    assert result.exit_code == 0, result.output
    assert "by validation" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_curves_are_written_for_every_epoch(run: Run, files: Files, tmp_path: Path) -> None:
    log = tmp_path / "curves.csv"
    result = run("train", files.graph, "--targets", files.targets, "--epochs", 5, "--log", log)
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(log.read_text().splitlines()))
    assert [row["epoch"] for row in rows] == [str(e) for e in range(6)]
    assert all(math.isfinite(float(row["loss"])) for row in rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "gat"], "unknown model 'gat'. Known: gnn, rgcn, rgcn-mlp, compgcn, k-rn"),
        (["--composition", "cross", "--model", "compgcn"], "unknown composition 'cross'"),
        (["--composition", "rotate", "--model", "compgcn", "--dim", "3"], "even width, found 3"),
        (["--aggregation", "max"], "unknown aggregation 'max'. Known: sum, mean"),
        (["--device", "tpu"], "unknown device 'tpu'"),
        (["--dtype", "float8"], "unknown dtype 'float8'"),
        (["--features", "random.tsv"], "random.tsv"),
        (["--dim", "0"], "width must be at least 1, found 0"),
        (["--layers", "0"], "layers must be at least 1, found 0"),
        (["--resume"], "--resume needs --save"),
        (["--lr", "-1"], "learning rate must be at least 0, found -1.0"),
        (["--weight-decay", "nan"], "weight decay must be at least 0, found nan"),
        (["--model", "k-rn", "-k", "0"], "k must be at least 1, found 0"),
        (["--label-column", "kind"], "no column is called 'kind'"),
    ],
)
def test_options_that_cannot_be_used_are_refused_with_the_reason(
    run: Run, files: Files, options: list[str], message: str
) -> None:
    result = run("train", files.graph, "--targets", files.targets, "--epochs", 2, *options)
    assert_refused(result, message)


def test_a_single_class_and_targets_that_are_held_out_are_refused(
    run: Run, files: Files, tmp_path: Path
) -> None:
    result = run("train", files.graph, "--targets", files.targets, "--holdout", files.targets)
    assert_refused(result, "20 vertices are both targets and held out")
    single_class = tmp_path / "one.tsv"
    single_class.write_text("entity\tlabel\nv1\tx\nv2\tx\n")
    assert_refused(run("train", files.graph, "--targets", single_class), "the same class")


@pytest.mark.parametrize(
    "options", [["--model", "k-rn", "-k", "3"], ["--dim", "100000"], ["--model", "compgcn"]]
)
def test_a_model_that_would_not_fit_into_memory_is_refused(
    run: Run, files: Files, options: list[str]
) -> None:
    arguments = ["train", files.graph, "--targets", files.targets, *options]
    result = run(*arguments, "--max-memory", "10k")
    assert_refused(result, "bytes of memory, more than the 10,000 allowed", status=3)


def test_the_report_says_how_an_epoch_was_chosen(run: Run, run_json: RunJson, files: Files) -> None:
    arguments = ["train", files.graph, "--targets", files.targets, "--epochs", 5]
    document = run_json(*arguments)
    assert document["chosen_by"].startswith("lowest validation loss")
    assert document["validation"] == {"vertices": 3, "missing": [], "share": 0.15}
    assert document["validation_loss"] == document["runs"][0]["last"]["validation_loss"] > 0
    assert "by validation: lowest validation loss" in run(*arguments).stdout


def test_validation_is_a_share_or_none_or_a_file(run: Run, run_json: RunJson, files: Files) -> None:
    arguments = ["train", files.graph, "--targets", files.targets, "--epochs", 5, "--validation"]
    none = run_json(*arguments, "0")
    assert (none["chosen_by"], none["validation_loss"]) == (None, None)
    assert none["runs"][0]["chosen"] is None
    assert "by validation" not in run(*arguments, "0").stdout
    assert run_json(*arguments, "0.5")["validation"]["vertices"] == 10
    given = run_json(*arguments, files.holdout)
    assert given["validation"] == {"vertices": 10, "missing": [], "share": None}
    assert [part["vertices"] for part in given["targets"]] == [20]
    assert_refused(run(*arguments, "1.5"), "a share from 0 to below 1, found 1.5")
    assert_refused(run(*arguments, "nothing.tsv"), "nothing.tsv")
    assert_refused(run(*arguments, files.targets), "both targets and for validation")
    assert_refused(run(*arguments, "0", "--patience", "3"), "--patience needs validation")


@pytest.mark.parametrize("model", ["rgcn", "k-rn"])
def test_a_frozen_model_is_reported_as_such(
    run: Run, run_json: RunJson, files: Files, model: str
) -> None:
    arguments = ["train", files.graph, "--targets", files.targets, "--epochs", 5, "--freeze"]
    arguments += ["--model", model]
    document = run_json(*arguments)
    assert document["parameters"] == (5 if model == "rgcn" else 9) * 3
    assert document["frozen_parameters"] > 100
    text = run(*arguments).stdout
    assert "learned, " in text
    assert "only a linear map from its features is learned" in text


def test_a_killed_process_resumes_to_the_same_weights(files: Files, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    command: list[str | Path] = [sys.executable, "-c", SAVING_OFTEN, "train", files.graph]
    command += ["--targets", files.targets, "--epochs", "60", "--seed", "5"]
    subprocess.run([*command, "--save", whole], check=True, capture_output=True)
    process = subprocess.Popen(
        [*command, "--save", killed], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    checkpoint = checkpoint_path(killed, 5)
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    subprocess.run([*command, "--save", killed, "--resume"], check=True, capture_output=True)
    expected, resumed = (
        load_checkpoint(checkpoint_path(folder, 5))["model"] for folder in (whole, killed)
    )
    assert resumed.keys() == expected.keys()
    for name, value in resumed.items():
        assert torch.equal(value, expected[name])
