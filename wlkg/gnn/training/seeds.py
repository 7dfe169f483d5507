"""A model trained with several seeds."""

from __future__ import annotations

from dataclasses import replace

from wlkg.errors import UsageError
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.results import Training
from wlkg.gnn.training.task import Task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.progress import SILENT, Progress
from wlkg.writers.aside import made_folder


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
    folder = None if save is None else made_folder(save)
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
