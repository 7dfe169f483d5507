"""Training with one seed: honest reports, and the same bytes for the same seed."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from tests.gnn.training.tasks import CONFIG, random_graph, small_task, targets_of, weights_of
from wlkg.gnn.config import MODELS, ModelChoice
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.task import make_task

every_model = pytest.mark.parametrize("model", sorted(MODELS))


@every_model
def test_the_same_seed_gives_the_same_bytes_and_another_seed_does_not(model: str) -> None:
    task = small_task(model)
    first, second = train_once(task, CONFIG), train_once(task, CONFIG)
    assert weights_of(first.model) == weights_of(second.model)
    assert first.last == second.last
    assert weights_of(train_once(task, replace(CONFIG, seed=1)).model) != weights_of(first.model)


@every_model
def test_training_lowers_the_loss(model: str) -> None:
    result = train_once(small_task(model), replace(CONFIG, epochs=200))
    assert result.last.loss < 0.9 * float(result.curves[0, 0])


@pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp", "compgcn"])
def test_compression_does_not_change_the_curves(model: str) -> None:
    curves = [
        train_once(small_task(model, compress=compress, dtype="float64"), CONFIG).curves
        for compress in (True, False)
    ]
    assert torch.allclose(curves[0], curves[1], rtol=1e-9, equal_nan=True)


def test_the_last_epoch_and_the_best_on_validation_are_reported() -> None:
    result = train_once(small_task(), replace(CONFIG, epochs=60))
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
    task = small_task()
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


def test_without_test_vertices_there_is_no_test_accuracy() -> None:
    task = make_task(random_graph(), targets_of(0, 20), None, ModelChoice("rgcn"))
    assert train_once(task, CONFIG).last.test_accuracy is None


def test_a_run_ends_when_validation_has_not_improved_for_the_epochs_of_patience() -> None:
    whole = train_once(small_task(), replace(CONFIG, epochs=300))
    short = train_once(small_task(), replace(CONFIG, epochs=300, patience=20))
    accuracy = whole.curves[:, 2].tolist()
    last = next(t for t in range(300) if t - accuracy.index(max(accuracy[: t + 1])) >= 20) + 1
    assert short.last.epoch == last < 300
    assert torch.equal(short.curves, whole.curves[: last + 1])
