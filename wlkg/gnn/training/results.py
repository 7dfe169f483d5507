"""Results of training: of one epoch, of one seed, and of all seeds."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from wlkg.gnn.training.task import Task
from wlkg.gnn.training.train_config import TrainConfig

#: The columns of `TrainResult.curves`.
CURVES = ("loss", "train_accuracy", "validation_accuracy", "test_accuracy")


@dataclass(frozen=True)
class EpochResult:
    """Loss and accuracies after an epoch; the accuracy of an empty set is None."""

    epoch: int
    loss: float
    train_accuracy: float
    validation_accuracy: float | None
    test_accuracy: float | None


@dataclass(frozen=True, eq=False)
class TrainResult:
    """A model trained with one seed."""

    seed: int
    parameters: int
    last: EpochResult
    #: The epoch with the best validation accuracy; None without validation vertices.
    chosen: EpochResult | None
    seconds_per_epoch: float
    #: A row for every epoch, beginning with epoch 0, with the columns `CURVES`.
    curves: Tensor
    model: nn.Module


@dataclass(frozen=True, eq=False)
class Training:
    """The task, how models were trained on it, and a result for each seed."""

    task: Task
    #: Its seed is the first; the others follow it.
    config: TrainConfig
    results: tuple[TrainResult, ...]
