"""The toy study from beginning to end."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import PROGRAM
from tests.needs_torch import needs_torch
from tests.studies.rebuilding import assert_rebuilt
from tests.studies.toy import TOML, toy_study
from wlkg.errors import InputError, UsageError
from wlkg.studies import schedule
from wlkg.studies.reproduce import Reproduction, plan, report, reproduce
from wlkg.studies.runs import RunResult

pytestmark = needs_torch


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy")
    toy_study(folder)
    return folder


@pytest.fixture(scope="module")
def done(toy: Path) -> Reproduction:
    return reproduce(str(toy / "toy.toml"), toy / "out", workers=1, command="wlkg reproduce toy")


def numbers(folder: Path) -> dict[str, Any]:
    """What the run files say, but for the time that it took."""
    documents = {path.name: json.loads(path.read_text()) for path in (folder / "runs").iterdir()}
    for document in documents.values():
        del document["seconds"], document["seconds_per_epoch"]
    return documents


def test_every_run_has_a_file_and_every_table_three(done: Reproduction) -> None:
    assert len(list((done.folder / "runs").iterdir())) == 2 * 2 * 2
    names = {path.name for path in (done.folder / "tables").iterdir()}
    for table in ("data", "settings", "models", "comparisons", "bounds"):
        assert {f"{table}.md", f"{table}.tex", f"{table}.csv"} <= names
    readme = (done.folder / "README.md").read_text()
    assert "8 of 8 runs finished" in readme
    assert "wlkg reproduce toy" in readme
    assert "**Q1: Do the models differ from R-GCN?**" in readme
    assert str(done.folder) not in readme + (done.folder / "study.json").read_text()


def test_results_are_those_of_the_training_function(toy: Path, done: Reproduction) -> None:
    from wlkg.gnn.api import train
    from wlkg.studies.dataset import load_dataset

    dataset = load_dataset(toy_study(toy).data)
    for run, result in done.results.results.items():
        training = train(
            dataset.graph, dataset.targets, dataset.holdout, run.choice, epochs=5, seed=run.seed
        )
        expected = training.results[0].last
        assert result.last is not None
        assert result.last.test_accuracy == expected.test_accuracy
        assert result.last.loss == expected.loss
        assert result.parameters == training.results[0].parameters
        best = float(training.results[0].curves[:, -1].max())
        assert result.best_on_test is not None
        assert result.best_on_test.test_accuracy == best


def test_a_finished_study_is_only_reported_again(
    toy: Path, done: Reproduction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "train_run", lambda *_: pytest.fail("trained again"))
    again = reproduce(str(toy / "toy.toml"), done.folder, workers=1, command="wlkg reproduce toy")
    assert again.results.results == done.results.results
    assert all(each.is_finished for each in plan(toy_study(toy), done.folder))


def test_the_report_can_be_made_from_the_files_alone(done: Reproduction, tmp_path: Path) -> None:
    assert_rebuilt(done.folder, tmp_path / "again")


def test_a_published_table_that_was_changed_is_noticed(done: Reproduction, tmp_path: Path) -> None:
    import shutil

    copy = shutil.copytree(done.folder, tmp_path / "copy")
    table = copy / "tables" / "models.csv"
    table.write_text(table.read_text().replace("R-GCN,2", "R-GCN,3"))
    with pytest.raises(AssertionError, match="models"):
        assert_rebuilt(copy, tmp_path / "again")


def test_half_written_and_lost_runs_are_done_again_with_equal_results(
    toy: Path, done: Reproduction, tmp_path: Path
) -> None:
    import shutil

    copy = shutil.copytree(done.folder, tmp_path / "copy")
    first, second, *_ = sorted((copy / "runs").iterdir())
    first.write_bytes(first.read_bytes()[:100])
    second.unlink()
    finished = [each.is_finished for each in plan(toy_study(toy), copy)]
    assert finished.count(False) == 2
    reproduce(toy_study(toy), copy, workers=1)
    assert numbers(copy) == numbers(done.folder)


def test_several_processes_give_the_same_results(
    toy: Path, done: Reproduction, tmp_path: Path
) -> None:
    reproduce(toy_study(toy), tmp_path / "out", workers=2, figures=False)
    assert numbers(tmp_path / "out") == numbers(done.folder)
    assert not multiprocessing.active_children()


@pytest.mark.usefixtures("heeds_signals")
def test_ctrl_c_ends_the_workers_and_keeps_finished_runs(tmp_path: Path) -> None:
    toy_study(tmp_path, TOML.replace("epochs = 5", "epochs = 800"))
    arguments = ["reproduce", str(tmp_path / "toy.toml"), "--out", str(tmp_path / "out")]
    command = [*PROGRAM, *arguments, "--workers", "2"]
    # A terminal sends Ctrl-C to all processes of a group.
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        runs = tmp_path / "out" / "runs"
        for _ in range(600):
            if process.poll() is not None or (runs.exists() and any(runs.glob("*.json"))):
                break
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert stderr == "error: interrupted\n"
    kept = {path.name: path.read_bytes() for path in runs.iterdir()}
    assert 0 < len(kept) < 8
    planned = plan(toy_study(tmp_path, TOML.replace("epochs = 5", "epochs = 800")), runs.parent)
    assert {each.run.file_name for each in planned if each.is_finished} == set(kept)


def test_a_worker_that_dies_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "_work", _die)
    with pytest.raises(schedule.WorkerError, match="Finished runs are kept"):
        reproduce(toy_study(tmp_path), tmp_path / "out", workers=2)


def test_an_error_of_a_worker_keeps_its_exit_status() -> None:
    import pickle

    error = schedule.WorkerError("it would not fit")
    error.exit_code = 3
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.exit_code) == ("it would not fit", 3)


def _die(*_: object) -> None:
    raise SystemExit(9)


def test_a_run_that_diverges_is_a_result(tmp_path: Path) -> None:
    toml = TOML.replace("widths = [2, 4]", "widths = [2]\nlearning_rate = 1e30")
    done = reproduce(toy_study(tmp_path, toml), tmp_path / "out", workers=1, figures=False)
    failed = [result for result in done.results.results.values() if result.failure is not None]
    assert failed
    assert all(isinstance(result, RunResult) and result.last is None for result in failed)
    assert "runs diverged and are left out" in (done.folder / "tables" / "models.md").read_text()
    assert "diverged: " in (done.folder / "README.md").read_text()
    assert done.answers[0].text.startswith("Open: ")


def test_a_model_that_cannot_be_built_is_refused_before_training(tmp_path: Path) -> None:
    toml = TOML.replace("widths = [2, 4]", "widths = [2, 3]") + 'composition = "rotate"\n'
    with pytest.raises(UsageError, match="rotate needs features of an even width"):
        reproduce(toy_study(tmp_path, toml), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_held_out_targets_validation_is_compared(tmp_path: Path) -> None:
    toml = TOML.replace('holdout = "test.tsv"\n', "")
    done = reproduce(toy_study(tmp_path, toml), tmp_path / "out", workers=1)
    text = (done.folder / "tables" / "models.md").read_text()
    assert "validation, last epoch" in text
    assert done.answers[0].comparisons[0].test is not None


def test_a_folder_without_a_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no study in this folder"):
        report(tmp_path)
    for text in ("{", "[]", '{"schema": "wlkg/run/1"}', '{"schema": "wlkg/study/1"}'):
        (tmp_path / "study.json").write_text(text)
        with pytest.raises(InputError, match="this is not a study"):
            report(tmp_path)
