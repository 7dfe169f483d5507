"""Runs that survive being stopped: they are resumed with the same bytes, or refused."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.gnn.checkpoints.saved_models import Content, Malicious, archived, written
from tests.gnn.training.tasks import CONFIG, SETS, N, random_graph, small_task, weights_of
from wlkg.errors import InputError
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.gnn.training import loop
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.run import TrainingRun
from wlkg.gnn.training.run_file import DivergedError, checkpoint_path
from wlkg.gnn.training.task import make_task

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))


# -- runs that are resumed ------------------------------------------------------------------------


class StopError(Exception):
    pass


@every_model
def test_a_run_resumed_at_any_epoch_ends_with_the_same_bytes(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = small_task(model)
    whole = train_once(task, CONFIG)
    monkeypatch.setattr(loop, "_SAVE_SECONDS", 0.0)
    advance = TrainingRun.advance

    def stopping(run: TrainingRun, save: Path | None) -> None:
        if run.epoch == 17:
            raise StopError
        advance(run, save)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TrainingRun, "advance", stopping)
        with pytest.raises(StopError):
            train_once(task, CONFIG, save=tmp_path)
    assert checkpoint_path(tmp_path, 0).exists()
    resumed = train_once(task, CONFIG, save=tmp_path, resume=True)
    assert weights_of(resumed.model) == weights_of(whole.model)
    assert torch.equal(resumed.curves, whole.curves)
    assert resumed.last == whole.last
    assert resumed.chosen == whole.chosen


def test_a_finished_run_is_resumed_for_more_epochs(tmp_path: Path) -> None:
    task = small_task()
    train_once(task, CONFIG, save=tmp_path)
    more = replace(CONFIG, epochs=40)
    assert weights_of(train_once(task, more, save=tmp_path, resume=True).model) == weights_of(
        train_once(task, more).model
    )
    with pytest.raises(InputError, match="has 40 epochs, more than 30"):
        train_once(task, CONFIG, save=tmp_path, resume=True)


def add_graph_head(path: Path) -> None:
    """Put the readout for graphs into a checkpoint, as k-RNs used to have it."""
    content = load_checkpoint(path)
    retired = {
        f"graph_head.mlp.{number}.{name}": torch.ones(4)
        for number in (0, 2)
        for name in ("weight", "bias")
    }
    # Nothing was learned there: the optimiser numbers these weights but has no state for them.
    content["model"] = {**retired, **content["model"]}
    archived(content, path)


def test_a_run_of_a_k_rn_that_still_had_a_graph_readout_is_resumed(tmp_path: Path) -> None:
    task, more = small_task("k-rn"), replace(CONFIG, epochs=40)
    train_once(task, CONFIG, save=tmp_path)
    add_graph_head(checkpoint_path(tmp_path, 0))
    resumed = train_once(task, more, save=tmp_path, resume=True)
    assert weights_of(resumed.model) == weights_of(train_once(task, more).model)


@every_model
def test_a_run_of_an_earlier_version_is_resumed_to_the_same_bytes(
    model: str, tmp_path: Path
) -> None:
    task, more = small_task(model, features="labels"), replace(CONFIG, epochs=40)
    train_once(task, CONFIG, save=tmp_path)
    path = checkpoint_path(tmp_path, 0)
    archived(load_checkpoint(path), path)
    resumed = train_once(task, more, save=tmp_path, resume=True)
    assert weights_of(resumed.model) == weights_of(train_once(task, more).model)


# -- checkpoints that are refused -----------------------------------------------------------------


def test_a_checkpoint_of_another_model_or_graph_is_refused(tmp_path: Path) -> None:
    train_once(small_task(), CONFIG, save=tmp_path)
    with pytest.raises(InputError, match="model differs from this run's"):
        train_once(small_task("compgcn"), CONFIG, save=tmp_path, resume=True)
    with pytest.raises(InputError, match="training differs from this run's"):
        train_once(small_task(), replace(CONFIG, learning_rate=0.5), save=tmp_path, resume=True)
    other = make_task(
        random_graph().permuted(np.arange(N)[::-1]),
        SETS,
        ModelChoice("rgcn", width=4),
    )
    with pytest.raises(InputError, match="data differs from this run's"):
        train_once(other, CONFIG, save=tmp_path, resume=True)


def test_a_run_in_another_precision_is_refused(tmp_path: Path) -> None:
    train_once(small_task(), CONFIG, save=tmp_path)
    message = r"the checkpoint's numbers are float32, this run's float64\. Give the options it was"
    with pytest.raises(InputError, match=message):
        train_once(small_task(dtype="float64"), CONFIG, save=tmp_path, resume=True)


def test_a_run_that_started_with_other_weights_is_not_resumed(tmp_path: Path) -> None:
    tasks = []
    for seed in (1, 2):
        train_once(small_task(), replace(CONFIG, seed=seed), save=tmp_path)
        initial = load_model(str(checkpoint_path(tmp_path, seed)))
        tasks.append(make_task(random_graph(), SETS, initial))
    train_once(tasks[0], CONFIG, save=tmp_path)
    train_once(tasks[0], CONFIG, save=tmp_path, resume=True)
    with pytest.raises(InputError, match="data differs from this run's"):
        train_once(tasks[1], CONFIG, save=tmp_path, resume=True)


def test_a_run_of_an_older_version_without_validation_losses_is_refused(tmp_path: Path) -> None:
    train_once(small_task(), CONFIG, save=tmp_path)
    path = checkpoint_path(tmp_path, 0)
    content = load_checkpoint(path)
    content["curves"] = content["curves"][:, [0, 1, 3, 4]]
    del content["identity"]["training"]["freeze"]
    del content["classes"]
    save_checkpoint(path, content)
    message = r"of an older version, which did not record the validation loss\. Train again without"
    with pytest.raises(InputError, match=message):
        train_once(small_task(), CONFIG, save=tmp_path, resume=True)
    # The model itself can still be used.
    assert load_model(str(path)).config == small_task().config


def replaced(**parts: Any) -> Callable[[Content], None]:
    return lambda content: content.update(parts)


def changed(part: str, name: str, change: Callable[[Tensor], Tensor]) -> Callable[[Content], None]:
    def apply(content: Content) -> None:
        content[part][name] = change(content[part][name])

    return apply


ROOT = "layers.0.root"
NO_RUN: dict[str, Callable[[Content], None]] = {
    "another identity": replaced(identity=3),
    "epochs are a word": replaced(epoch="x"),
    "epochs are a truth value": replaced(epoch=True),
    "epochs are negative": replaced(epoch=-1),
    "fewer epochs than curves": replaced(epoch=29),
    "no curves": replaced(curves=None),
    "infinite curves": lambda content: content["curves"].mul_(math.inf),
    "no weights": replaced(model={}),
    "other weights": lambda content: content["model"].update(more=torch.zeros(2)),
    "weights of another shape": changed("model", ROOT, lambda w: w[:1]),
    "weights that are not numbers": changed("model", ROOT, lambda w: w * math.nan),
    "weights of two types": changed("model", ROOT, lambda w: w.double()),
    "no state": replaced(optimiser=()),
    "a state of no weight": lambda content: content["optimiser"].update(step=torch.tensor(1.0)),
    "a part of a state": lambda content: content["optimiser"].pop(f"{ROOT}.step"),
    "a state of another shape": changed("optimiser", f"{ROOT}.exp_avg", lambda w: w[:1]),
    "a state of another type": changed("optimiser", f"{ROOT}.exp_avg", lambda w: w.double()),
    "a state that is no number": changed("optimiser", f"{ROOT}.exp_avg", lambda w: w * math.nan),
    "negative squares": changed("optimiser", f"{ROOT}.exp_avg_sq", lambda w: -1 - w),
    "negative steps": changed("optimiser", f"{ROOT}.step", lambda w: -w),
    "several steps": changed("optimiser", f"{ROOT}.step", lambda w: w.expand(2)),
}


#: What the archives of earlier versions could not hold, or are not even read with.
NOT_IN_ARCHIVES = {"no weights", "a state of no weight", "several steps"}


@pytest.mark.parametrize(
    ("write", "kind"),
    [(written, kind) for kind in NO_RUN]
    + [(archived, kind) for kind in NO_RUN if kind not in NOT_IN_ARCHIVES],
)
def test_a_checkpoint_without_a_training_run_is_refused(
    write: Callable[[Content, Path], Path], kind: str, tmp_path: Path
) -> None:
    train_once(small_task(), CONFIG, save=tmp_path)
    path = checkpoint_path(tmp_path, 0)
    content = load_checkpoint(path)
    NO_RUN[kind](content)
    write(content, path)
    with pytest.raises(InputError, match=r"does not hold a training run\. Train again"):
        train_once(small_task(), CONFIG, save=tmp_path, resume=True)


@pytest.mark.parametrize("content", ["pickle", "torch", "text", "empty", "cut"])
def test_a_file_that_is_not_a_checkpoint_is_refused_and_never_executed(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = checkpoint_path(tmp_path, 0)
    if content == "pickle":
        path.write_bytes(pickle.dumps(Malicious()))
    elif content == "torch":
        torch.save({"format": "wlkg-checkpoint/1", "model": Malicious()}, path)
    elif content == "cut":
        train_once(small_task(), CONFIG, save=tmp_path)
        path.write_bytes(path.read_bytes()[:500])
    else:
        path.write_bytes(b"hello" if content == "text" else b"")
    with pytest.raises(InputError, match="checkpoint of wlkg"):
        train_once(small_task(), CONFIG, save=tmp_path, resume=True)
    assert not (tmp_path / "was-here").exists()


# -- runs that fail -------------------------------------------------------------------------------


def test_a_loss_that_is_not_a_number_stops_the_run_and_keeps_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train_once(small_task(), CONFIG, save=tmp_path)
    before = checkpoint_path(tmp_path, 0).read_bytes()
    task, calls = small_task(), []
    true_scores = task.scorer.scores

    def scores(model: torch.nn.Module) -> torch.Tensor:
        calls.append(model)
        return true_scores(model) * (math.nan if len(calls) > 4 else 1)

    monkeypatch.setattr(task.scorer, "scores", scores)
    with pytest.raises(DivergedError, match="the loss is nan in epoch 5 of seed 0") as caught:
        train_once(task, CONFIG, save=tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert checkpoint_path(tmp_path, 0).read_bytes() == before
