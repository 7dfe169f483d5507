"""The state of a training run: model, optimiser and curves, and its checkpoint."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from wlkg.errors import InputError, WlkgError
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.retired import without_retired, without_retired_state
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.training.results import CURVES, EpochResult, TrainResult
from wlkg.gnn.training.task import Task
from wlkg.gnn.training.train_config import TrainConfig


class DivergedError(WlkgError):
    """The loss is no longer a finite number."""


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
        self.epoch = 0
        self._curves = torch.full((config.epochs + 1, len(CURVES)), math.nan, dtype=torch.float64)

    def advance(self, save: Path | None) -> None:
        """One epoch: measure the model, then take a step of the optimiser."""
        self._optimiser.zero_grad()
        loss = self._measure()
        if not math.isfinite(loss.item()):
            kept = "" if save is None else f" The last good checkpoint is in {save}."
            raise DivergedError(
                f"the loss is {loss.item()} in epoch {self.epoch + 1} of seed {self._config.seed}."
                f"{kept} Use a smaller --lr, or --aggregation mean"
            )
        torch.autograd.backward(loss)
        self._optimiser.step()
        self.epoch += 1

    @property
    def is_out_of_patience(self) -> bool:
        """Whether validation has not improved for as many epochs as the configuration allows."""
        if self._config.patience is None or not (self.epoch and len(self._split.validation)):
            return False
        best = int(self._curves[: self.epoch, 2].argmax())
        return self.epoch - 1 - best >= self._config.patience

    def summary(self) -> str:
        """The last loss and accuracies in words."""
        loss, *accuracies = self._curves[self.epoch - 1].tolist()
        words = zip(("train", "validation", "test"), accuracies, strict=True)
        shares = [f"{word} {100 * x:.0f} %" for word, x in words if not math.isnan(x)]
        return ", ".join([f"loss {loss:.3f}", *shares])

    def finish(self) -> None:
        """Measure the model after the last step."""
        with torch.no_grad():
            self._measure()

    def _measure(self) -> Tensor:
        """The current loss; loss and accuracies are added to the curves."""
        scores = self._task.scorer.scores(self._model)
        labels = self._task.labels
        loss = cross_entropy(scores[self._split.train], labels[self._split.train])
        correct = (scores.detach().argmax(dim=1) == labels).to(torch.float64)
        parts = (self._split.train, self._split.validation, self._split.test)
        # The mean over an empty part is NaN.
        row = [loss.detach().to(torch.float64), *(correct[part].mean() for part in parts)]
        self._curves[self.epoch] = torch.stack(row).cpu()
        return loss

    def result(self, seconds_per_epoch: float) -> TrainResult:
        """The result after the current epoch."""
        chosen = None
        if len(self._split.validation):
            chosen = self._epoch_result(int(self._curves[: self.epoch + 1, 2].argmax()))
        return TrainResult(
            seed=self._config.seed,
            parameters=count_parameters(self._model),
            last=self._epoch_result(self.epoch),
            chosen=chosen,
            seconds_per_epoch=seconds_per_epoch,
            curves=self._curves[: self.epoch + 1],
            model=self._model,
        )

    def _epoch_result(self, epoch: int) -> EpochResult:
        loss, train, validation, test = self._curves[epoch].tolist()
        return EpochResult(
            epoch=epoch,
            loss=loss,
            train_accuracy=train,
            validation_accuracy=None if math.isnan(validation) else validation,
            test_accuracy=None if math.isnan(test) else test,
        )

    def _identity(self) -> dict[str, Any]:
        """What a checkpoint must agree with. Epochs may differ: a run may be resumed for more."""
        settings = asdict(self._config)
        del settings["epochs"]
        model = asdict(self._task.config)
        return {"model": model, "training": settings, "data": self._task.fingerprint}

    def save(self, folder: Path) -> None:
        """Write everything that the next epoch depends on."""
        content = {
            "identity": self._identity(),
            "about": asdict(self._task.about),
            "epoch": self.epoch,
            "model": self._model.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "curves": self._curves[: self.epoch + 1].clone(),
        }
        save_checkpoint(checkpoint_path(folder, self._config.seed), content)

    def load(self, folder: Path) -> None:
        """Continue from the checkpoint of this seed, if there is one."""
        path = checkpoint_path(folder, self._config.seed)
        if not path.exists():
            return
        content = load_checkpoint(path, self._task.device)
        try:
            self._restore(content, path)
        except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise InputError(
                "the checkpoint does not hold a training run",
                path=path,
                remedy="Train again without --resume, or in another folder with --save",
            ) from error

    def _restore(self, content: dict[str, Any], path: Path) -> None:
        theirs = content["identity"]
        for what, value in self._identity().items():
            if theirs.get(what) != value:
                raise InputError(
                    f"the checkpoint's {what} differs from this run's",
                    path=path,
                    remedy="Give the options it was made with, or another folder with --save",
                )
        epoch, curves = int(content["epoch"]), content["curves"].cpu()
        if epoch > self._config.epochs:
            raise InputError(
                f"the checkpoint has {epoch:,} epochs, more than {self._config.epochs:,}",
                path=path,
            )
        model, weights = self._task.config.model, content["model"]
        self._model.load_state_dict(without_retired(model, weights))
        self._optimiser.load_state_dict(without_retired_state(model, weights, content["optimiser"]))
        self._curves[: epoch + 1] = curves
        self.epoch = epoch


def checkpoint_path(folder: Path, seed: int) -> Path:
    """The file of the checkpoint of a seed."""
    return folder / f"seed-{seed}.pt"
