"""A model trained with several seeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from wlkg.errors import OutputError, UsageError
from wlkg.gnn.training.loop import TrainConfig, TrainResult, train
from wlkg.gnn.training.task import Task
from wlkg.progress import SILENT, Progress


def run_seeds(
    task: Task,
    config: TrainConfig,
    seeds: int,
    *,
    save: str | None = None,
    resume: bool = False,
    progress: Progress = SILENT,
) -> list[TrainResult]:
    """One run for each of so many seeds, beginning with the configuration's."""
    if resume and save is None:
        raise UsageError("--resume needs --save: the folder that holds the checkpoints")
    folder = None
    if save is not None:
        folder = Path(save)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{save}: the folder cannot be made: {error.strerror}") from error
    return [
        train(
            task,
            replace(config, seed=config.seed + number),
            save=folder,
            resume=resume,
            progress=progress,
        )
        for number in range(seeds)
    ]
