"""A model trained with several seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from wlkg.errors import UsageError
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.results import Training, TrainResult
from wlkg.gnn.training.task import Task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.progress import SILENT, Progress
from wlkg.writers.aside import made_folder

Config = TypeVar("Config", bound=TrainConfig)
Result = TypeVar("Result")


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
    if config.patience is not None and not task.sets.num_validation:
        raise UsageError("--patience needs validation: there is no target to validate on")

    def once(config: TrainConfig, folder: Path | None) -> TrainResult:
        return train_once(task, config, save=folder, resume=resume, progress=progress)

    results = for_each_seed(once, config, seeds, save=save, resume=resume)
    return Training(task=task, config=config, results=results)


def for_each_seed(
    once: Callable[[Config, Path | None], Result],
    config: Config,
    seeds: int,
    *,
    save: str | None,
    resume: bool,
) -> tuple[Result, ...]:
    """Call a function for each of successive seeds, with the folder for checkpoints."""
    if seeds < 1:
        raise UsageError(f"seeds must be at least 1, found {seeds}")
    if resume and save is None:
        raise UsageError("--resume needs --save: the folder that holds the checkpoints")
    folder = None if save is None else made_folder(save)
    return tuple(
        once(replace(config, seed=config.seed + number), folder) for number in range(seeds)
    )
