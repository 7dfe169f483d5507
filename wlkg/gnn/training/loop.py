"""Training with one seed: full-batch Adam on the cross-entropy of the training vertices.

Every epoch is one forward pass for all targets, so the accuracies of training, validation and test
targets cost nothing extra. Two epochs are reported: the last, and the one with the lowest loss on
validation. The test targets have no influence on either. On a CPU the same seed
gives the same bytes, even if a run was killed and resumed.
"""

from __future__ import annotations

import time
from pathlib import Path

from wlkg.gnn.training.reproducible import reproducible
from wlkg.gnn.training.results import TrainResult
from wlkg.gnn.training.run import TrainingRun
from wlkg.gnn.training.task import Task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.progress import SILENT, Progress

#: Seconds between two checkpoints of a run.
_SAVE_SECONDS = 5.0


def train_once(
    task: Task,
    config: TrainConfig,
    *,
    save: Path | None = None,
    resume: bool = False,
    progress: Progress = SILENT,
) -> TrainResult:
    """Train one model with one seed, and keep checkpoints in the folder ``save`` if it is given."""
    run = TrainingRun(task, config)
    if resume and save is not None:
        run.load(save)
    progress.start(f"training, seed {config.seed}", config.epochs, "epochs")
    saved_at = started = time.perf_counter()
    first_epoch = run.epoch
    try:
        with reproducible(task.device, task.scorer.effort):
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
