"""Training: full-batch Adam on the cross-entropy of the training vertices.

Every epoch is one forward pass for all targets, so the accuracies of training, validation and test
vertices cost nothing extra. Two results are reported: that of the last epoch, and that of the epoch
with the best accuracy on the validation vertices (the earliest of them). The test vertices choose
nothing. On a CPU the same seed gives the same bytes, also when a run was killed and resumed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from wlkg.errors import InputError, WlkgError
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.models.networks import count_parameters
from wlkg.gnn.training.task import Split, Task
from wlkg.progress import SILENT, Progress

#: A checkpoint is written when so many seconds have passed since the last one.
_SAVE_SECONDS = 5.0
#: Numbers that an epoch computes, roughly, from which on several threads pay.
_WORTH_THREADS = 2_000_000
CURVES = ("loss", "train_accuracy", "validation_accuracy", "test_accuracy")


@dataclass(frozen=True)
class TrainConfig:
    """How a model is trained."""

    epochs: int
    learning_rate: float
    weight_decay: float
    seed: int = 0
    #: Stop early when the accuracy on validation vertices has not improved for so many epochs.
    patience: int | None = None


@dataclass(frozen=True)
class EpochResult:
    """What a model does after some epochs; accuracies of empty sets are None."""

    epoch: int
    loss: float
    train_accuracy: float
    validation_accuracy: float | None
    test_accuracy: float | None


@dataclass(frozen=True, eq=False)
class TrainResult:
    """A finished run."""

    seed: int
    parameters: int
    last: EpochResult
    #: At the epoch that validation chose; None without validation vertices.
    chosen: EpochResult | None
    seconds_per_epoch: float
    #: A row for every epoch, 0 included, with the columns `CURVES`.
    curves: Tensor
    model: nn.Module


class DivergedError(WlkgError):
    """The loss is no number any more."""


def train(
    task: Task,
    config: TrainConfig,
    *,
    save: Path | None = None,
    resume: bool = False,
    progress: Progress = SILENT,
) -> TrainResult:
    """Train one model with one seed; with a folder to save in, keep checkpoints there."""
    run = _Run(task, config)
    if resume and save is not None:
        run.load(save)
    progress.start(f"training, seed {config.seed}", config.epochs, "epochs")
    saved_at = started = time.perf_counter()
    first = run.epoch
    try:
        with _steady(task):
            while run.epoch < config.epochs and not run.is_out_of_patience:
                run.advance(save)
                if save is not None and time.perf_counter() - saved_at > _SAVE_SECONDS:
                    run.save(save)
                    saved_at = time.perf_counter()
                progress.say(run.standing())
                progress.done(run.epoch)
            run.finish()
        if save is not None:
            run.save(save)
    finally:
        progress.finish()
    epochs = max(run.epoch - first, 1)
    return run.result((time.perf_counter() - started) / epochs)


class _Run:
    """The state of a run: model, optimiser, and the curves up to now."""

    def __init__(self, task: Task, config: TrainConfig) -> None:
        self._task, self._config = task, config
        self._split: Split = task.split(config.seed)
        self._model = task.make(config.seed)
        self._optimiser = torch.optim.Adam(
            self._model.parameters(),
            lr=config.learning_rate,
            weight_decay=config.weight_decay,
            fused=task.device.type in ("cpu", "cuda"),
        )
        self.epoch = 0
        self._curves = torch.full((config.epochs + 1, len(CURVES)), math.nan, dtype=torch.float64)

    def advance(self, save: Path | None) -> None:
        """One epoch: look, and take a step."""
        self._optimiser.zero_grad()
        loss = self._look()
        if not math.isfinite(loss.item()):
            kept = "" if save is None else f" The last good checkpoint is in {save}."
            raise DivergedError(
                f"the loss is {loss.item()} in epoch {self.epoch + 1} of seed {self._config.seed}."
                f"{kept} Take a smaller --lr, or --aggregation mean"
            )
        torch.autograd.backward(loss)
        self._optimiser.step()
        self.epoch += 1

    @property
    def is_out_of_patience(self) -> bool:
        """Whether validation has not improved for long."""
        if self._config.patience is None or not (self.epoch and len(self._split.validation)):
            return False
        best = int(self._curves[: self.epoch, 2].argmax())
        return self.epoch - 1 - best >= self._config.patience

    def standing(self) -> str:
        """The last loss and accuracies in words."""
        loss, *accuracies = self._curves[self.epoch - 1].tolist()
        words = zip(("train", "validation", "test"), accuracies, strict=True)
        shares = [f"{word} {100 * x:.0f} %" for word, x in words if not math.isnan(x)]
        return ", ".join([f"loss {loss:.3f}", *shares])

    def finish(self) -> None:
        """Look once more, after the last step."""
        with torch.no_grad():
            self._look()

    def _look(self) -> Tensor:
        """The loss now; accuracies are written down."""
        scores = self._task.scores(self._model)
        labels = self._task.labels
        loss = cross_entropy(scores[self._split.train], labels[self._split.train])
        right = (scores.detach().argmax(dim=1) == labels).to(torch.float64)
        parts = (self._split.train, self._split.validation, self._split.test)
        # The mean of nothing is no number.
        row = [loss.detach().to(torch.float64), *(right[part].mean() for part in parts)]
        self._curves[self.epoch] = torch.stack(row).cpu()
        return loss

    def result(self, seconds_per_epoch: float) -> TrainResult:
        """What came of it."""
        chosen = None
        if len(self._split.validation):
            chosen = self._at(int(self._curves[: self.epoch + 1, 2].argmax()))
        return TrainResult(
            self._config.seed,
            count_parameters(self._model),
            self._at(self.epoch),
            chosen,
            seconds_per_epoch,
            self._curves[: self.epoch + 1],
            self._model,
        )

    def _at(self, epoch: int) -> EpochResult:
        loss, *accuracies = self._curves[epoch].tolist()
        train_accuracy, *others = accuracies
        validation, test = (None if math.isnan(value) else value for value in others)
        return EpochResult(epoch, loss, train_accuracy, validation, test)

    def _identity(self) -> dict[str, Any]:
        """What a checkpoint must agree with; a run may be resumed for more epochs."""
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
        """Go on where a checkpoint ended, if there is one."""
        path = checkpoint_path(folder, self._config.seed)
        if not path.exists():
            return
        content = load_checkpoint(path, self._task.device)
        try:
            self._take(content, path)
        except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise InputError(
                "the checkpoint does not hold a run of training",
                path=path,
                remedy="Train anew without --resume, or in another folder with --save",
            ) from error

    def _take(self, content: dict[str, Any], path: Path) -> None:
        theirs = content["identity"]
        for what, value in self._identity().items():
            if theirs.get(what) != value:
                raise InputError(
                    f"the checkpoint was made with another {what} than this run's",
                    path=path,
                    remedy="Give the options it was made with, or another folder with --save",
                )
        epoch, curves = int(content["epoch"]), content["curves"].cpu()
        if epoch > self._config.epochs:
            raise InputError(
                f"the checkpoint has {epoch:,} epochs, more than {self._config.epochs:,}",
                path=path,
            )
        self._model.load_state_dict(content["model"])
        self._optimiser.load_state_dict(content["optimiser"])
        self._curves[: epoch + 1] = curves
        self.epoch = epoch


def checkpoint_path(folder: Path, seed: int) -> Path:
    """Where the checkpoint of a seed lies."""
    return folder / f"seed-{seed}.pt"


@contextmanager
def _steady(task: Task) -> Iterator[None]:
    """On a CPU, the same numbers in every run, and threads only where they save time."""
    before = torch.are_deterministic_algorithms_enabled(), torch.get_num_threads()
    if task.device.type == "cpu":
        torch.use_deterministic_algorithms(True)
        if task.effort < _WORTH_THREADS:
            torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before[0])
        torch.set_num_threads(before[1])
