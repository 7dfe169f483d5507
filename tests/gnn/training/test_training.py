"""Training: honest reports, the same bytes for one seed, and runs that survive being killed."""

from __future__ import annotations

import csv
import json
import math
import pickle
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from wlkg.cli import app
from wlkg.errors import InputError, UsageError
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.config import MODELS, ModelConfig, defaults
from wlkg.gnn.devices import find_device
from wlkg.gnn.features import make_features
from wlkg.gnn.training import loop as training
from wlkg.gnn.training.loop import DivergedError, TrainConfig, checkpoint_path, train
from wlkg.gnn.training.task import Task, make_task
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.readers.targets import Targets

N = 30


def _graph() -> RelationalGraph:
    draw = np.random.default_rng(1).integers
    return RelationalGraph.from_arrays(
        draw(0, N, 90), draw(0, 3, 90), draw(0, N, 90), num_vertices=N, relation_names=list("abc")
    ).with_label_ids(draw(0, 3, N))


def _targets(low: int, high: int) -> Targets:
    return Targets(np.arange(low, high), tuple("xyz"[v % 3] for v in range(low, high)))


def _task(model: str = "rgcn", **options: Any) -> Task:
    config = ModelConfig(model, 4, 4, 1, 1)
    return make_task(_graph(), _targets(0, 20), _targets(20, 30), config, **options)


CONFIG = TrainConfig(epochs=30, learning_rate=0.01, weight_decay=0.0005)


def _bytes(model: torch.nn.Module) -> bytes:
    return b"".join(p.detach().numpy().tobytes() for p in model.parameters())


every_model = pytest.mark.parametrize("model", sorted(MODELS))


@every_model
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(model: str) -> None:
    task = _task(model)
    first, again = train(task, CONFIG), train(task, CONFIG)
    assert _bytes(first.model) == _bytes(again.model)
    assert first.last == again.last
    assert _bytes(train(task, replace(CONFIG, seed=1)).model) != _bytes(first.model)


@every_model
def test_training_lowers_the_loss(model: str) -> None:
    found = train(_task(model), replace(CONFIG, epochs=200))
    assert found.last.loss < 0.9 * float(found.curves[0, 0])


@pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp", "compgcn"])
def test_compression_changes_no_curve(model: str) -> None:
    curves = [
        train(_task(model, compress=compress, dtype="float64"), CONFIG).curves
        for compress in (True, False)
    ]
    assert torch.allclose(curves[0], curves[1], rtol=1e-9, equal_nan=True)


def test_what_is_reported_is_the_last_epoch_and_the_one_that_validation_chose() -> None:
    found = train(_task(), replace(CONFIG, epochs=60))
    assert found.curves.shape == (61, 4)
    loss, train_accuracy, validation, test = found.curves[-1].tolist()
    assert found.last.epoch == 60
    assert (found.last.loss, found.last.train_accuracy) == (loss, train_accuracy)
    assert (found.last.validation_accuracy, found.last.test_accuracy) == (validation, test)
    assert found.chosen is not None
    best = max(found.curves[:, 2].tolist())
    assert found.chosen.validation_accuracy == best
    assert found.chosen.epoch == found.curves[:, 2].tolist().index(best)
    assert found.chosen.test_accuracy == found.curves[found.chosen.epoch, 3].item()


def test_the_curves_are_what_the_model_does() -> None:
    task = _task()
    found = train(task, CONFIG)
    split = task.split(0)
    with torch.no_grad():
        right = task.scores(found.model).argmax(dim=1) == task.labels
    for part, accuracy in (
        (split.train, found.last.train_accuracy),
        (split.validation, found.last.validation_accuracy),
        (split.test, found.last.test_accuracy),
    ):
        assert accuracy == pytest.approx(right[part].float().mean().item())


def test_validation_is_a_seeded_share_of_the_training_vertices_only() -> None:
    split = _task().split(3)
    assert len(split.validation) == 3
    assert sorted([*split.train.tolist(), *split.validation.tolist()]) == list(range(20))
    assert split.test.tolist() == list(range(20, 30))
    assert split.validation.tolist() == _task().split(3).validation.tolist()
    assert any(split.validation.tolist() != _task().split(s).validation.tolist() for s in range(5))


def test_without_test_vertices_there_is_no_test_accuracy() -> None:
    task = make_task(_graph(), _targets(0, 20), None, ModelConfig("rgcn", 4, 4, 1, 1))
    assert train(task, CONFIG).last.test_accuracy is None


def test_features_from_labels_are_one_hot_and_seen_by_the_model() -> None:
    task = _task(features="labels")
    assert task.config.in_width == 3
    assert train(task, CONFIG).last != train(_task(), CONFIG).last
    unlabelled = RelationalGraph.from_triples([("a", "r", "b")])
    targets = Targets(np.array([0, 1]), ("x", "y"))
    with pytest.raises(UsageError, match="no labels"):
        make_task(unlabelled, targets, None, ModelConfig("rgcn", 4, 4, 1, 1), features="labels")


def test_features_may_be_given_in_a_table(tmp_path: Path) -> None:
    graph, path = _graph(), tmp_path / "x.tsv"
    values = np.random.default_rng(3).integers(0, 2, (N, 2)) / 4
    lines = [f"{v}\t{a}\t{b}" for v, (a, b) in enumerate(values.tolist())]
    path.write_text("\n".join(lines) + "\n")
    given = make_features(graph, str(path), 4)
    assert given.width == 2
    assert np.array_equal(given.of(np.arange(N)).numpy(), values)
    assert given.start == Partition.of(values[:, 0] * 2 + values[:, 1])
    curves = [
        train(_task(features=str(path), compress=compress, dtype="float64"), CONFIG).curves
        for compress in (True, False)
    ]
    assert torch.allclose(curves[0], curves[1], rtol=1e-9, equal_nan=True)
    assert not torch.allclose(curves[0], train(_task(dtype="float64"), CONFIG).curves)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0\t1\nzed\t2\n", "line 2: 1 name is not a vertex of the graph: zed"),
        ("0\tx\n", "line 1: expected numbers"),
        ("0\tnan\n", "line 1: expected at least one finite number"),
        ("0\n", "line 1: expected at least one finite number"),
        ("0\t1\t2\n1\t2\n", "line 2: expected 3 tab-separated fields as in the first line"),
        ("0\t1\n0\t2\n", "line 2: a second feature vector for '0': [1.0] and [2.0]"),
        ("0\t1\n", "29 vertices have no feature vector: 1, 2, 3, ..."),
    ],
)
def test_a_table_of_features_that_cannot_be_used_is_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        make_features(_graph(), str(path), 4)
    assert message in str(caught.value)


def test_patience_ends_a_run_that_many_epochs_after_the_best_validation() -> None:
    whole = train(_task(), replace(CONFIG, epochs=300))
    short = train(_task(), replace(CONFIG, epochs=300, patience=20))
    seen = whole.curves[:, 2].tolist()
    last = next(t for t in range(300) if t - seen.index(max(seen[: t + 1])) >= 20) + 1
    assert short.last.epoch == last < 300
    assert torch.equal(short.curves, whole.curves[: last + 1])


# -- checkpoints ----------------------------------------------------------------------------------


class _StopError(Exception):
    pass


@every_model
def test_a_run_resumed_at_any_epoch_ends_with_the_same_bytes(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = _task(model)
    whole = train(task, CONFIG)
    monkeypatch.setattr(training, "_SAVE_SECONDS", 0.0)
    advance = training._Run.advance

    def stopping(run: training._Run, save: Path | None) -> None:
        if run.epoch == 17:
            raise _StopError
        advance(run, save)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training._Run, "advance", stopping)
        with pytest.raises(_StopError):
            train(task, CONFIG, save=tmp_path)
    assert checkpoint_path(tmp_path, 0).exists()
    resumed = train(task, CONFIG, save=tmp_path, resume=True)
    assert _bytes(resumed.model) == _bytes(whole.model)
    assert torch.equal(resumed.curves, whole.curves)
    assert resumed.last == whole.last
    assert resumed.chosen == whole.chosen


def test_a_finished_run_is_resumed_for_more_epochs(tmp_path: Path) -> None:
    task = _task()
    train(task, CONFIG, save=tmp_path)
    more = replace(CONFIG, epochs=40)
    assert _bytes(train(task, more, save=tmp_path, resume=True).model) == _bytes(
        train(task, more).model
    )
    with pytest.raises(InputError, match="has 40 epochs, more than 30"):
        train(task, CONFIG, save=tmp_path, resume=True)


def test_a_checkpoint_of_another_model_or_graph_is_refused(tmp_path: Path) -> None:
    train(_task(), CONFIG, save=tmp_path)
    with pytest.raises(InputError, match="another model than this run's"):
        train(_task("compgcn"), CONFIG, save=tmp_path, resume=True)
    with pytest.raises(InputError, match="another training than this run's"):
        train(_task(), replace(CONFIG, learning_rate=0.5), save=tmp_path, resume=True)
    other = make_task(
        _graph().permuted(np.arange(N)[::-1]),
        _targets(0, 20),
        _targets(20, 30),
        ModelConfig("rgcn", 4, 4, 1, 1),
    )
    with pytest.raises(InputError, match="another data than this run's"):
        train(other, CONFIG, save=tmp_path, resume=True)


def test_a_run_that_began_with_other_weights_is_not_resumed(tmp_path: Path) -> None:
    begins = []
    for seed in (1, 2):
        train(_task(), replace(CONFIG, seed=seed), save=tmp_path)
        begins.append(_task(initial=load_model(str(checkpoint_path(tmp_path, seed)))))
    train(begins[0], CONFIG, save=tmp_path)
    train(begins[0], CONFIG, save=tmp_path, resume=True)
    with pytest.raises(InputError, match="another data than this run's"):
        train(begins[1], CONFIG, save=tmp_path, resume=True)


@pytest.mark.parametrize(
    "change",
    [{"identity": 3}, {"epoch": "x"}, {"curves": None}, {"model": {}}, {"optimiser": []}],
)
def test_a_checkpoint_that_holds_no_run_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    train(_task(), CONFIG, save=tmp_path)
    path = checkpoint_path(tmp_path, 0)
    save_checkpoint(path, {**load_checkpoint(path, torch.device("cpu")), **change})
    with pytest.raises(InputError, match=r"does not hold a run of training\. Train anew"):
        train(_task(), CONFIG, save=tmp_path, resume=True)


class _Malicious:
    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("was-here"),)


@pytest.mark.parametrize("content", ["pickle", "torch", "text", "empty", "cut"])
def test_a_file_that_is_no_checkpoint_is_refused_and_never_executed(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = checkpoint_path(tmp_path, 0)
    if content == "pickle":
        path.write_bytes(pickle.dumps(_Malicious()))
    elif content == "torch":
        torch.save({"format": "wlkg-checkpoint/1", "model": _Malicious()}, path)
    elif content == "cut":
        train(_task(), CONFIG, save=tmp_path)
        path.write_bytes(path.read_bytes()[:500])
    else:
        path.write_bytes(b"hello" if content == "text" else b"")
    with pytest.raises(InputError, match="checkpoint of wlkg"):
        train(_task(), CONFIG, save=tmp_path, resume=True)
    assert not (tmp_path / "was-here").exists()


def test_a_loss_that_is_no_number_stops_the_run_and_keeps_the_last_checkpoint(
    tmp_path: Path,
) -> None:
    train(_task(), CONFIG, save=tmp_path)
    before = checkpoint_path(tmp_path, 0).read_bytes()
    task, calls = _task(), []

    def scores(model: torch.nn.Module) -> torch.Tensor:
        calls.append(model)
        return task.scores(model) * (math.nan if len(calls) > 4 else 1)

    with pytest.raises(DivergedError, match="the loss is nan in epoch 5 of seed 0") as caught:
        train(replace(task, scores=scores), CONFIG, save=tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert checkpoint_path(tmp_path, 0).read_bytes() == before


# -- the command ----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    graph = _graph()
    lines = [f"v{h}\t{r}\tv{t}" for h, r, t in graph.named_triples()]
    (tmp_path / "g.tsv").write_text("\n".join(lines) + "\n")
    for name, low, high in (("train", 0, 20), ("test", 20, 30)):
        rows = [f"v{v}\t{'xyz'[v % 3]}" for v in range(low, high)]
        (tmp_path / f"{name}.tsv").write_text("entity\tlabel\n" + "\n".join(rows) + "\n")
    return tuple(str(tmp_path / f"{n}.tsv") for n in ("g", "train", "test"))  # type: ignore[return-value]


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["train", *arguments])


def test_the_command_reports_what_scripts_rely_on(files: tuple[str, str, str]) -> None:
    graph, targets, holdout = files
    options = ["--targets", targets, "--holdout", holdout, "--epochs", "20", "--seeds", "2"]
    result = _run(graph, *options, "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
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
def test_every_option_of_a_model_is_taken(files: tuple[str, str, str], options: list[str]) -> None:
    result = _run(files[0], "--targets", files[1], "--epochs", "3", *options)
    assert result.exit_code == 0, result.output
    assert "by validation" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_curves_are_written_for_every_epoch(files: tuple[str, str, str], tmp_path: Path) -> None:
    log = tmp_path / "curves.csv"
    result = _run(files[0], "--targets", files[1], "--epochs", "5", "--log", str(log))
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(log.read_text().splitlines()))
    assert [row["epoch"] for row in rows] == [str(e) for e in range(6)]
    assert all(math.isfinite(float(row["loss"])) for row in rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "gat"], "unknown model 'gat'. Known: rgcn, rgcn-mlp, compgcn, k-rn"),
        (["--composition", "cross", "--model", "compgcn"], "unknown composition 'cross'"),
        (["--composition", "rotate", "--model", "compgcn", "--dim", "3"], "even width, found 3"),
        (["--aggregation", "max"], "unknown aggregation 'max'. Known: sum, mean"),
        (["--device", "tpu"], "unknown device 'tpu'"),
        (["--dtype", "float8"], "unknown dtype 'float8'"),
        (["--features", "random.tsv"], "random.tsv"),
        (["--dim", "0"], "width must be at least 1, found 0"),
        (["--layers", "0"], "layers must be at least 1, found 0"),
        (["--resume"], "--resume needs --save"),
        (["--model", "k-rn", "-k", "1"], "at least 2"),
        (["--label-column", "kind"], "no column is called 'kind'"),
    ],
)
def test_what_cannot_be_trained_is_refused_with_the_reason(
    files: tuple[str, str, str], options: list[str], message: str
) -> None:
    result = _run(files[0], "--targets", files[1], "--epochs", "2", *options)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_one_class_or_targets_that_are_tested_on_are_refused(
    files: tuple[str, str, str], tmp_path: Path
) -> None:
    result = _run(files[0], "--targets", files[1], "--holdout", files[1])
    assert result.exit_code == 2
    assert "20 vertices are both targets and held out" in result.output
    alone = tmp_path / "one.tsv"
    alone.write_text("entity\tlabel\nv1\tx\nv2\tx\n")
    result = _run(files[0], "--targets", str(alone))
    assert result.exit_code == 2
    assert "the same class" in result.output


def test_a_device_that_this_machine_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UsageError, match=r"no cuda device for float32\. Take --device cpu or auto"):
        find_device("cuda", torch.float32)


def test_a_tuple_network_that_would_not_fit_is_refused(files: tuple[str, str, str]) -> None:
    options = ["--model", "k-rn", "-k", "3", "--max-memory", "10k"]
    result = _run(files[0], "--targets", files[1], *options)
    assert result.exit_code == 3
    assert re.search(r"27,000 tuples", result.output)


def test_without_pytorch_the_command_says_what_to_install(files: tuple[str, str, str]) -> None:
    program = (
        "import sys; sys.modules['torch'] = None; from wlkg.cli import main; "
        f"sys.argv = ['wlkg', 'train', {files[0]!r}, '--targets', {files[1]!r}]; main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert result.returncode == 4
    assert "pip install 'wlkg[gnn]'" in result.stderr


def test_a_killed_process_resumes_to_the_same_weights(
    files: tuple[str, str, str], tmp_path: Path
) -> None:
    graph, targets, _ = files
    folders = [tmp_path / name for name in ("whole", "killed")]
    options = [graph, "--targets", targets, "--epochs", "1500", "--seed", "5"]
    program = (
        "import wlkg.gnn.training as t; t._SAVE_SECONDS = 0.05; from wlkg.cli import main; main()"
    )
    command = [sys.executable, "-c", program, "train", *options]
    subprocess.run([*command, "--save", str(folders[0])], check=True, capture_output=True)
    process = subprocess.Popen(
        [*command, "--save", str(folders[1])], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    checkpoint = checkpoint_path(folders[1], 5)
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    subprocess.run(
        [*command, "--save", str(folders[1]), "--resume"], check=True, capture_output=True
    )
    states = [
        torch.load(checkpoint_path(folder, 5), weights_only=True)["model"] for folder in folders
    ]
    assert states[0].keys() == states[1].keys()
    for key, value in states[0].items():
        assert torch.equal(value, states[1][key])


def test_hyperparameters_are_those_of_the_paper() -> None:
    small, large = (defaults("rgcn", n) for n in (8_285, 1_666_764))
    assert (small.layers, small.epochs, small.learning_rate) == (2, 8000, 0.001)
    assert (large.layers, large.epochs, large.learning_rate) == (3, 100, 0.03)
    assert defaults("rgcn-mlp", 1_666_764).epochs == 400
    comp = defaults("compgcn", 1_666_764)
    assert (comp.layers, comp.epochs) == (2, 800)
