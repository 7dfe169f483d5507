"""Training with one seed: honest reports, and the same bytes for the same seed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from tests.gnn.training.tasks import CONFIG, random_graph, small_task, targets_of, weights_of
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.results import CURVES, TrainResult, chosen_epoch
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import make_task


def curve(result: TrainResult, name: str) -> list[float]:
    column: list[float] = result.curves[:, CURVES.index(name)].tolist()
    return column


every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))


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
    assert result.curves.shape == (61, len(CURVES))
    assert [getattr(result.last, name) for name in CURVES] == result.curves[-1].tolist()
    assert result.last.epoch == 60
    assert result.chosen is not None
    losses = curve(result, "validation_loss")
    assert result.chosen.epoch == losses.index(min(losses))
    row = result.curves[result.chosen.epoch].tolist()
    assert [getattr(result.chosen, name) for name in CURVES] == row


@pytest.mark.parametrize(
    ("losses", "accuracies", "chosen"),
    [
        # At epoch 0 the accuracy is the best, but the loss is not.
        ([219.0, 1.0, 0.5, 0.6], [1.0, 0.5, 0.5, 0.5], 2),
        ([0.5, 0.5, 0.5], [0.2, 0.8, 0.8], 1),
        ([0.5, 0.4, 0.4], [1.0, 0.0, 0.0], 1),
        ([0.1, 0.2, 0.3], [0.0, 1.0, 1.0], 0),
        ([math.nan, math.inf, 3.0], [1.0, 1.0, 0.0], 2),
        ([math.nan, math.inf, math.nan], [0.0, 1.0, 1.0], 1),
    ],
)
def test_the_loss_on_validation_decides_then_the_accuracy_then_the_earliest_epoch(
    losses: list[float], accuracies: list[float], chosen: int
) -> None:
    curves = torch.zeros(len(losses), len(CURVES), dtype=torch.float64)
    curves[:, CURVES.index("validation_loss")] = torch.tensor(losses)
    curves[:, CURVES.index("validation_accuracy")] = torch.tensor(accuracies)
    assert chosen_epoch(curves) == chosen


def test_the_loss_on_validation_is_the_cross_entropy_of_the_validation_targets() -> None:
    task = small_task()
    result = train_once(task, CONFIG)
    split = task.split(0)
    with torch.no_grad():
        scores = task.scorer.scores(result.model)[split.validation]
    probabilities = torch.softmax(scores.double(), dim=1)
    of_the_class = probabilities[torch.arange(len(scores)), task.labels[split.validation]]
    assert result.last.validation_loss == pytest.approx(-of_the_class.log().mean().item())


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


def test_without_validation_no_epoch_is_chosen() -> None:
    sets = TargetSets(targets_of(0, 20), targets_of(20, 30), validation=0)
    result = train_once(make_task(random_graph(), sets, ModelChoice("rgcn")), CONFIG)
    assert result.chosen is None
    assert (result.last.validation_loss, result.last.validation_accuracy) == (None, None)


def test_without_test_vertices_there_is_no_test_accuracy() -> None:
    task = make_task(random_graph(), TargetSets(targets_of(0, 20)), ModelChoice("rgcn"))
    assert train_once(task, CONFIG).last.test_accuracy is None


def test_a_run_ends_when_validation_has_not_improved_for_the_epochs_of_patience() -> None:
    config = replace(CONFIG, epochs=300, learning_rate=0.1, seed=1)
    whole = train_once(small_task(), config)
    short = train_once(small_task(), replace(config, patience=20))
    losses = curve(whole, "validation_loss")
    last = next(t for t in range(300) if t - losses.index(min(losses[: t + 1])) >= 20) + 1
    assert short.last.epoch == last < 300
    assert torch.equal(short.curves, whole.curves[: last + 1])
