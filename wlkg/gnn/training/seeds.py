"""A model trained with several seeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from wlkg.errors import OutputError, UsageError
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.results import Training
from wlkg.gnn.training.task import Task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.progress import SILENT, Progress


def train_seeds(
    task: Task,
    config: TrainConfig,
    seeds: int,
    *,
    save: str | None = None,
    resume: bool = False,
    progress: Progress = SILENT,
) -> Training:
    """Train with ``seeds`` successive seeds, the first of which is the configuration's."""
    if seeds < 1:
        raise UsageError(f"seeds must be at least 1, found {seeds}")
    if resume and save is None:
        raise UsageError("--resume needs --save: the folder that holds the checkpoints")
    if config.patience is not None and not task.sets.num_validation:
        raise UsageError("--patience needs validation: there is no target to validate on")
    folder = None if save is None else _made_folder(save)
    results = tuple(
        train_once(
            task,
            replace(config, seed=config.seed + number),
            save=folder,
            resume=resume,
            progress=progress,
        )
        for number in range(seeds)
    )
    return Training(task=task, config=config, results=results)


def _made_folder(path: str) -> Path:
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: the folder cannot be made: {error.strerror}") from error
    return folder
