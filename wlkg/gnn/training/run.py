"""The state of a training run: model, optimiser and curves, and its checkpoint."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.retired import without_retired
from wlkg.gnn.checkpoints.untrusted import checked_weights
from wlkg.gnn.models.parameters import count_learned, count_parameters
from wlkg.gnn.training.optimiser_state import named_state, restore_state
from wlkg.gnn.training.results import CURVES, EpochResult, TrainResult, chosen_epoch
from wlkg.gnn.training.run_file import (
    check_columns,
    check_dtype,
    check_epoch,
    check_identity,
    checkpoint_path,
    diverged,
    reading_run,
)
from wlkg.gnn.training.task import Task
from wlkg.gnn.training.train_config import TrainConfig


class TrainingRun:
    """The state of training with one seed after some epochs."""

    def __init__(self, task: Task, config: TrainConfig) -> None:
        self._task, self._config = task, config
        self._split = task.split(config.seed)
        self._model = task.scorer.make(config.seed)
        self._optimiser = torch.optim.Adam(
            self._model.parameters(),
            lr=config.learning_rate,
            weight_decay=config.weight_decay,
            fused=task.device.type in ("cpu", "cuda"),
        )
        self._batches = self._drawn_batches()
        self.epoch = 0
        self._curves = torch.empty((0, len(CURVES)), dtype=torch.float64)

    def _drawn_batches(self) -> list[tuple[Any, Tensor]]:
        """The mini-batches with their classes, none for full batches.

        Which targets go together is drawn once, so that a batch is prepared once; the sequence of
        the batches changes from epoch to epoch.
        """
        size, train = self._config.batch, self._split.train.cpu().numpy()
        if size is None:
            return []
        shuffled = np.random.default_rng(self._config.seed).permutation(train)
        batches = np.split(shuffled, range(size, len(shuffled), size))
        return [(self._task.scorer.batch(each), self._task.labels[each]) for each in batches]

    def advance(self, save: Path | None) -> None:
        """One epoch: measure the model, then take a step of the optimiser for each batch."""
        if not self._batches:
            self._optimiser.zero_grad()
            loss = self._measure()
            self._check_finite(loss, save)
            self._step(loss)
        else:
            with torch.no_grad():
                self._check_finite(self._measure(), save)
            order = np.random.default_rng([self._config.seed, self.epoch])
            for number in order.permutation(len(self._batches)).tolist():
                batch, labels = self._batches[number]
                self._optimiser.zero_grad()
                self._step(cross_entropy(self._model(batch), labels))
        self.epoch += 1

    def _step(self, loss: Tensor) -> None:
        torch.autograd.backward(loss)
        self._optimiser.step()

    def _check_finite(self, loss: Tensor, save: Path | None) -> None:
        if not math.isfinite(loss.item()):
            raise diverged(loss.item(), self.epoch + 1, self._config.seed, save)

    @property
    def is_out_of_patience(self) -> bool:
        """Whether validation has not improved for as many epochs as the configuration allows."""
        if self._config.patience is None or not (self.epoch and len(self._split.validation)):
            return False
        best = chosen_epoch(self._curves[: self.epoch])
        return self.epoch - 1 - best >= self._config.patience

    def summary(self) -> str:
        """The last loss and accuracies in words."""
        row = EpochResult.of(self.epoch - 1, self._curves)
        words = ("train", "validation", "test")
        accuracies = ((word, getattr(row, f"{word}_accuracy")) for word in words)
        shares = [f"{word} {100 * share:.0f} %" for word, share in accuracies if share is not None]
        return ", ".join([f"loss {row.loss:.3f}", *shares])

    def finish(self) -> None:
        """Measure the model after the last step."""
        with torch.no_grad():
            self._measure()

    def _measure(self) -> Tensor:
        """The current loss; loss and accuracies are added to the curves."""
        scores = self._task.scorer.scores(self._model)
        labels, split = self._task.labels, self._split
        loss = cross_entropy(scores[split.train], labels[split.train])
        known = scores.detach()
        correct = (known.argmax(dim=1) == labels).to(torch.float64)
        # The mean over an empty part is NaN.
        row = [
            loss.detach(),
            correct[split.train].mean(),
            cross_entropy(known[split.validation], labels[split.validation]),
            correct[split.validation].mean(),
            correct[split.test].mean(),
        ]
        curves = self._curves_so_far()
        curves[self.epoch] = torch.stack([number.to(torch.float64) for number in row]).cpu()
        return loss

    def _curves_so_far(self) -> Tensor:
        """The curves up to the current epoch, which may not be measured yet."""
        if self.epoch >= len(self._curves):
            # Room for as many epochs again, because --epochs may be a number that is never reached.
            more = torch.full((self.epoch + 100, len(CURVES)), math.nan, dtype=torch.float64)
            self._curves = torch.cat([self._curves, more])
        return self._curves[: self.epoch + 1]

    def result(self, seconds_per_epoch: float) -> TrainResult:
        """The result after the current epoch."""
        curves = self._curves_so_far()
        chosen = None
        if len(self._split.validation):
            chosen = EpochResult.of(chosen_epoch(curves), curves)
        learned = count_learned(self._model)
        return TrainResult(
            seed=self._config.seed,
            parameters=learned,
            frozen_parameters=count_parameters(self._model) - learned,
            last=EpochResult.of(self.epoch, curves),
            chosen=chosen,
            seconds_per_epoch=seconds_per_epoch,
            curves=curves,
            model=self._model,
        )

    def _identity(self) -> dict[str, Any]:
        """What a checkpoint must agree with. Epochs may differ: a run may be resumed for more."""
        settings = {**asdict(self._config), "freeze": self._task.scorer.freeze}
        del settings["epochs"]
        model = asdict(self._task.config)
        return {"model": model, "training": settings, "data": self._task.fingerprint}

    def save(self, folder: Path) -> None:
        """Write everything that the next epoch depends on."""
        content = {
            "identity": self._identity(),
            "about": asdict(self._task.about),
            "classes": self._task.classes,
            "items": self._task.items,
            "epoch": self.epoch,
            "model": self._model.state_dict(),
            "optimiser": named_state(self._model, self._optimiser),
            "curves": self._curves_so_far(),
        }
        save_checkpoint(checkpoint_path(folder, self._config.seed), content)

    def load(self, folder: Path) -> None:
        """Continue from the checkpoint of this seed, if there is one."""
        path = checkpoint_path(folder, self._config.seed)
        if not path.exists():
            return
        content = load_checkpoint(path)
        with reading_run(path):
            self._restore(content, path)

    def _restore(self, content: dict[str, Any], path: Path) -> None:
        epoch, curves = content["epoch"], content["curves"]
        check_columns(curves, len(CURVES), path)
        check_identity(content, self._identity(), path)
        check_epoch(epoch, curves, len(CURVES), self._config.epochs, path)
        model = self._task.config.model
        weights = checked_weights(without_retired(model, content["model"]))
        check_dtype(weights, self._task.dtype, path)
        self._model.load_state_dict(weights)
        restore_state(self._model, self._optimiser, without_retired(model, content["optimiser"]))
        self._curves = curves
        self.epoch = epoch
