"""Training with one seed: full-batch Adam on the cross-entropy of the training vertices.

Every epoch is one forward pass for all targets, so the accuracies of training, validation and test
targets cost nothing extra. Two epochs are reported: the last, and the one with the lowest loss on
validation. The test targets have no influence on either. On a CPU the same seed
gives the same bytes, even if a run was killed and resumed.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Protocol, TypeVar

import torch

from wlkg.gnn.training.reproducible import reproducible
from wlkg.gnn.training.results import TrainResult
from wlkg.gnn.training.run import TrainingRun
from wlkg.gnn.training.task import Task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.progress import SILENT, Progress

#: Seconds between two checkpoints of a run.
_SAVE_SECONDS = 5.0

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class Run(Protocol[Result_co]):
    """The state of training with one seed, which can be saved and continued."""

    epoch: int

    def advance(self, save: Path | None) -> None:
        """One epoch; ``save`` is the folder that an error names."""

    @property
    def is_out_of_patience(self) -> bool:
        """Whether to stop before the last epoch."""

    def finish(self) -> None:
        """After the last epoch."""

    def summary(self) -> str:
        """The last epoch in words."""

    def save(self, folder: Path) -> None:
        """Write a checkpoint."""

    def load(self, folder: Path) -> None:
        """Continue from the checkpoint of this seed, if there is one."""

    def result(self, seconds_per_epoch: float) -> Result_co:
        """What was trained."""


def train_once(
    task: Task,
    config: TrainConfig,
    *,
    save: Path | None = None,
    resume: bool = False,
    progress: Progress = SILENT,
) -> TrainResult:
    """Train one model with one seed, and keep checkpoints in the folder ``save`` if it is given."""
    run, effort = TrainingRun(task, config), (task.device, task.scorer.effort)
    return run_to_end(run, config, effort, save=save, resume=resume, progress=progress)


def run_to_end(
    run: Run[Result],
    config: TrainConfig,
    effort: tuple[torch.device, int],
    *,
    save: Path | None,
    resume: bool,
    progress: Progress,
) -> Result:
    """Run all epochs that are left; ``effort`` says where, and how much each forward pass is."""
    if resume and save is not None:
        run.load(save)
    progress.start(f"training, seed {config.seed}", config.epochs, "epochs")
    saved_at = started = time.perf_counter()
    first_epoch = run.epoch
    try:
        with reproducible(*effort):
            while run.epoch < config.epochs and not run.is_out_of_patience:
                run.advance(save)
                if save is not None and time.perf_counter() - saved_at > _SAVE_SECONDS:
                    run.save(save)
                    saved_at = time.perf_counter()
                progress.say(run.summary())
                progress.done(run.epoch)
            run.finish()
        if save is not None:
            run.save(save)
    finally:
        progress.finish()
    epochs = max(run.epoch - first_epoch, 1)
    return run.result((time.perf_counter() - started) / epochs)
