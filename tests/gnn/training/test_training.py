"""Training: honest reports, the same bytes for the same seed, runs that survive being killed."""

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

import wlkg
from wlkg.cli import app
from wlkg.errors import InputError, UsageError
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.config import DEVICES, DTYPES, MODELS, ModelChoice, defaults
from wlkg.gnn.devices import find_device, find_dtype
from wlkg.gnn.features import make_features
from wlkg.gnn.training import loop
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.run import DivergedError, TrainingRun, checkpoint_path
from wlkg.gnn.training.task import Task, make_task
from wlkg.gnn.training.train_config import TrainConfig
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
    choice = ModelChoice(model, width=4)
    return make_task(_graph(), _targets(0, 20), _targets(20, 30), choice, **options)


CONFIG = TrainConfig(epochs=30, learning_rate=0.01, weight_decay=0.0005)


def _bytes(model: torch.nn.Module) -> bytes:
    return b"".join(p.detach().numpy().tobytes() for p in model.parameters())


every_model = pytest.mark.parametrize("model", sorted(MODELS))


@every_model
def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not(model: str) -> None:
    task = _task(model)
    first, second = train_once(task, CONFIG), train_once(task, CONFIG)
    assert _bytes(first.model) == _bytes(second.model)
    assert first.last == second.last
    assert _bytes(train_once(task, replace(CONFIG, seed=1)).model) != _bytes(first.model)


@every_model
def test_training_lowers_the_loss(model: str) -> None:
    result = train_once(_task(model), replace(CONFIG, epochs=200))
    assert result.last.loss < 0.9 * float(result.curves[0, 0])


@pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp", "compgcn"])
def test_compression_does_not_change_the_curves(model: str) -> None:
    curves = [
        train_once(_task(model, compress=compress, dtype="float64"), CONFIG).curves
        for compress in (True, False)
    ]
    assert torch.allclose(curves[0], curves[1], rtol=1e-9, equal_nan=True)


def test_the_last_epoch_and_the_best_on_validation_are_reported() -> None:
    result = train_once(_task(), replace(CONFIG, epochs=60))
    assert result.curves.shape == (61, 4)
    loss, train_accuracy, validation, test = result.curves[-1].tolist()
    assert result.last.epoch == 60
    assert (result.last.loss, result.last.train_accuracy) == (loss, train_accuracy)
    assert (result.last.validation_accuracy, result.last.test_accuracy) == (validation, test)
    assert result.chosen is not None
    best = max(result.curves[:, 2].tolist())
    assert result.chosen.validation_accuracy == best
    assert result.chosen.epoch == result.curves[:, 2].tolist().index(best)
    assert result.chosen.test_accuracy == result.curves[result.chosen.epoch, 3].item()


def test_the_last_row_of_the_curves_is_what_the_trained_model_achieves() -> None:
    task = _task()
    result = train_once(task, CONFIG)
    split = task.split(0)
    with torch.no_grad():
        correct = task.scorer.scores(result.model).argmax(dim=1) == task.labels
    for part, accuracy in (
        (split.train, result.last.train_accuracy),
        (split.validation, result.last.validation_accuracy),
        (split.test, result.last.test_accuracy),
    ):
        assert accuracy == pytest.approx(correct[part].float().mean().item())


def test_validation_is_a_seeded_share_of_the_training_vertices_only() -> None:
    split = _task().split(3)
    assert len(split.validation) == 3
    assert sorted([*split.train.tolist(), *split.validation.tolist()]) == list(range(20))
    assert split.test.tolist() == list(range(20, 30))
    assert split.validation.tolist() == _task().split(3).validation.tolist()
    assert any(split.validation.tolist() != _task().split(s).validation.tolist() for s in range(5))


def test_without_test_vertices_there_is_no_test_accuracy() -> None:
    task = make_task(_graph(), _targets(0, 20), None, ModelChoice("rgcn"))
    assert train_once(task, CONFIG).last.test_accuracy is None


def test_features_from_labels_are_one_hot_and_change_the_result() -> None:
    task = _task(features="labels")
    assert task.config.in_width == 3
    assert train_once(task, CONFIG).last != train_once(_task(), CONFIG).last
    unlabelled = RelationalGraph.from_triples([("a", "r", "b")])
    targets = Targets(np.array([0, 1]), ("x", "y"))
    with pytest.raises(UsageError, match="no labels"):
        make_task(unlabelled, targets, None, ModelChoice("rgcn"), features="labels")


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
        train_once(_task(features=str(path), compress=compress, dtype="float64"), CONFIG).curves
        for compress in (True, False)
    ]
    assert torch.allclose(curves[0], curves[1], rtol=1e-9, equal_nan=True)
    assert not torch.allclose(curves[0], train_once(_task(dtype="float64"), CONFIG).curves)


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


def test_a_run_ends_when_validation_has_not_improved_for_the_epochs_of_patience() -> None:
    whole = train_once(_task(), replace(CONFIG, epochs=300))
    short = train_once(_task(), replace(CONFIG, epochs=300, patience=20))
    accuracy = whole.curves[:, 2].tolist()
    last = next(t for t in range(300) if t - accuracy.index(max(accuracy[: t + 1])) >= 20) + 1
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
    whole = train_once(task, CONFIG)
    monkeypatch.setattr(loop, "_SAVE_SECONDS", 0.0)
    advance = TrainingRun.advance

    def stopping(run: TrainingRun, save: Path | None) -> None:
        if run.epoch == 17:
            raise _StopError
        advance(run, save)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TrainingRun, "advance", stopping)
        with pytest.raises(_StopError):
            train_once(task, CONFIG, save=tmp_path)
    assert checkpoint_path(tmp_path, 0).exists()
    resumed = train_once(task, CONFIG, save=tmp_path, resume=True)
    assert _bytes(resumed.model) == _bytes(whole.model)
    assert torch.equal(resumed.curves, whole.curves)
    assert resumed.last == whole.last
    assert resumed.chosen == whole.chosen


def test_a_finished_run_is_resumed_for_more_epochs(tmp_path: Path) -> None:
    task = _task()
    train_once(task, CONFIG, save=tmp_path)
    more = replace(CONFIG, epochs=40)
    assert _bytes(train_once(task, more, save=tmp_path, resume=True).model) == _bytes(
        train_once(task, more).model
    )
    with pytest.raises(InputError, match="has 40 epochs, more than 30"):
        train_once(task, CONFIG, save=tmp_path, resume=True)


def test_a_checkpoint_of_another_model_or_graph_is_refused(tmp_path: Path) -> None:
    train_once(_task(), CONFIG, save=tmp_path)
    with pytest.raises(InputError, match="model differs from this run's"):
        train_once(_task("compgcn"), CONFIG, save=tmp_path, resume=True)
    with pytest.raises(InputError, match="training differs from this run's"):
        train_once(_task(), replace(CONFIG, learning_rate=0.5), save=tmp_path, resume=True)
    other = make_task(
        _graph().permuted(np.arange(N)[::-1]),
        _targets(0, 20),
        _targets(20, 30),
        ModelChoice("rgcn", width=4),
    )
    with pytest.raises(InputError, match="data differs from this run's"):
        train_once(other, CONFIG, save=tmp_path, resume=True)


def test_a_run_that_started_with_other_weights_is_not_resumed(tmp_path: Path) -> None:
    tasks = []
    for seed in (1, 2):
        train_once(_task(), replace(CONFIG, seed=seed), save=tmp_path)
        initial = load_model(str(checkpoint_path(tmp_path, seed)))
        tasks.append(make_task(_graph(), _targets(0, 20), _targets(20, 30), initial))
    train_once(tasks[0], CONFIG, save=tmp_path)
    train_once(tasks[0], CONFIG, save=tmp_path, resume=True)
    with pytest.raises(InputError, match="data differs from this run's"):
        train_once(tasks[1], CONFIG, save=tmp_path, resume=True)


def _with_graph_head(path: Path) -> None:
    """Put the readout for graphs into a checkpoint, as k-RNs used to have it."""
    content = load_checkpoint(path, torch.device("cpu"))
    retired = {
        f"graph_head.mlp.{number}.{name}": torch.ones(4)
        for number in (0, 2)
        for name in ("weight", "bias")
    }
    content["model"].update(retired)
    # Nothing was learned there, so the optimiser lists these weights but has no state for them.
    content["optimiser"]["param_groups"][0]["params"] = list(range(len(content["model"])))
    save_checkpoint(path, content)


def test_a_run_of_a_k_rn_that_still_had_a_graph_readout_is_resumed(tmp_path: Path) -> None:
    task, more = _task("k-rn"), replace(CONFIG, epochs=40)
    train_once(task, CONFIG, save=tmp_path)
    _with_graph_head(checkpoint_path(tmp_path, 0))
    resumed = train_once(task, more, save=tmp_path, resume=True)
    assert _bytes(resumed.model) == _bytes(train_once(task, more).model)


@pytest.mark.parametrize(
    "change",
    [{"identity": 3}, {"epoch": "x"}, {"curves": None}, {"model": {}}, {"optimiser": []}],
)
def test_a_checkpoint_without_a_training_run_is_refused(
    change: dict[str, Any], tmp_path: Path
) -> None:
    train_once(_task(), CONFIG, save=tmp_path)
    path = checkpoint_path(tmp_path, 0)
    save_checkpoint(path, {**load_checkpoint(path, torch.device("cpu")), **change})
    with pytest.raises(InputError, match=r"does not hold a training run\. Train again"):
        train_once(_task(), CONFIG, save=tmp_path, resume=True)


class _Malicious:
    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("was-here"),)


@pytest.mark.parametrize("content", ["pickle", "torch", "text", "empty", "cut"])
def test_a_file_that_is_not_a_checkpoint_is_refused_and_never_executed(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = checkpoint_path(tmp_path, 0)
    if content == "pickle":
        path.write_bytes(pickle.dumps(_Malicious()))
    elif content == "torch":
        torch.save({"format": "wlkg-checkpoint/1", "model": _Malicious()}, path)
    elif content == "cut":
        train_once(_task(), CONFIG, save=tmp_path)
        path.write_bytes(path.read_bytes()[:500])
    else:
        path.write_bytes(b"hello" if content == "text" else b"")
    with pytest.raises(InputError, match="checkpoint of wlkg"):
        train_once(_task(), CONFIG, save=tmp_path, resume=True)
    assert not (tmp_path / "was-here").exists()


def test_a_loss_that_is_not_a_number_stops_the_run_and_keeps_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train_once(_task(), CONFIG, save=tmp_path)
    before = checkpoint_path(tmp_path, 0).read_bytes()
    task, calls = _task(), []
    true_scores = task.scorer.scores

    def scores(model: torch.nn.Module) -> torch.Tensor:
        calls.append(model)
        return true_scores(model) * (math.nan if len(calls) > 4 else 1)

    monkeypatch.setattr(task.scorer, "scores", scores)
    with pytest.raises(DivergedError, match="the loss is nan in epoch 5 of seed 0") as caught:
        train_once(task, CONFIG, save=tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert checkpoint_path(tmp_path, 0).read_bytes() == before


# -- the function ---------------------------------------------------------------------------------


def _by_name(low: int, high: int) -> dict[str, str]:
    return {str(v): "xyz"[v % 3] for v in range(low, high)}


def test_targets_are_given_by_name_and_seeds_follow_each_other() -> None:
    training = wlkg.train(
        _graph(), {**_by_name(0, 20), "nobody": "x"}, _by_name(20, 30), epochs=4, seeds=2, seed=3
    )
    assert training.task.targets.missing == ("nobody",)
    assert training.task.classes == ("x", "y", "z")
    assert training.config == TrainConfig(
        epochs=4, learning_rate=0.001, weight_decay=0.0005, seed=3
    )
    assert [result.seed for result in training.results] == [3, 4]
    for result in training.results:
        expected = train_once(_task(), replace(training.config, seed=result.seed))
        assert _bytes(result.model) == _bytes(expected.model)
        assert result.last == expected.last


def test_the_direction_of_a_call_replaces_that_of_the_graph() -> None:
    graph, targets = _graph(), _by_name(0, 20)
    turned = wlkg.train(graph.with_direction("out"), targets, epochs=3)
    training = wlkg.train(graph, targets, epochs=3, direction="out")
    assert training.task.about.direction == "out"
    assert training.task.fingerprint == turned.task.fingerprint
    assert _bytes(training.results[0].model) == _bytes(turned.results[0].model)


def test_a_choice_is_completed_by_the_graph_the_features_and_the_classes() -> None:
    choice = ModelChoice("compgcn", width=5, composition="add", norm=False)
    training = wlkg.train(_graph(), _by_name(0, 20), model=choice, features="labels", epochs=0)
    config = training.task.config
    assert (config.in_width, config.width, config.out_width) == (3, 5, 3)
    assert (config.relations, config.inverses, config.layers) == (6, True, 2)
    assert (config.composition, config.norm) == ("add", False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": -1}, "epochs must be at least 0, found -1"),
        ({"learning_rate": -0.1}, "learning rate must be at least 0, found -0.1"),
        ({"learning_rate": math.nan}, "learning rate must be at least 0, found nan"),
        ({"weight_decay": -1.0}, "weight decay must be at least 0, found -1.0"),
        ({"patience": 0}, "patience must be at least 1, found 0"),
        ({"seed": -1}, "seed must be at least 0, found -1"),
        ({"seeds": 0}, "seeds must be at least 1, found 0"),
    ],
)
def test_numbers_that_are_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        wlkg.train(_graph(), _by_name(0, 20), **options)
    assert str(caught.value) == message


def test_targets_that_the_graph_does_not_have_cannot_be_trained_on() -> None:
    with pytest.raises(UsageError, match="there is no target to train on"):
        wlkg.train(_graph(), {"nobody": "x", "nowhere": "y"})


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
def test_every_option_of_a_model_is_accepted(
    files: tuple[str, str, str], options: list[str]
) -> None:
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
        (["--lr", "-1"], "learning rate must be at least 0, found -1.0"),
        (["--weight-decay", "nan"], "weight decay must be at least 0, found nan"),
        (["--model", "k-rn", "-k", "1"], "at least 2"),
        (["--label-column", "kind"], "no column is called 'kind'"),
    ],
)
def test_options_that_cannot_be_used_are_refused_with_the_reason(
    files: tuple[str, str, str], options: list[str], message: str
) -> None:
    result = _run(files[0], "--targets", files[1], "--epochs", "2", *options)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_a_single_class_and_targets_that_are_held_out_are_refused(
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
    with pytest.raises(UsageError, match=r"no cuda device for float32\. Use --device cpu or auto"):
        find_device("cuda", torch.float32)


@pytest.mark.parametrize("name", DEVICES)
def test_every_device_of_the_table_is_found_or_missing_from_this_machine(name: str) -> None:
    try:
        assert find_device(name, torch.float32).type in DEVICES
    except UsageError as error:
        assert f"this machine has no {name} device" in str(error)  # noqa: PT017


@pytest.mark.parametrize("name", DTYPES)
def test_every_dtype_of_the_table_is_found(name: str) -> None:
    assert str(find_dtype(name)) == f"torch.{name}"


def test_a_k_rn_that_would_not_fit_into_memory_is_refused(files: tuple[str, str, str]) -> None:
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
        "from wlkg.gnn.training import loop; loop._SAVE_SECONDS = 0.05; "
        "from wlkg.cli import main; main()"
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
