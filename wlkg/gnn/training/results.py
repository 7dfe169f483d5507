"""Results of training: of one epoch, of one seed, and of all seeds."""

from __future__ import annotations

import math
from dataclasses import dataclass

from torch import Tensor, nn

from wlkg.display import Brief, Displayed
from wlkg.gnn.training.task import Task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.text import counted

#: The columns of `TrainResult.curves`.
CURVES = ("loss", "train_accuracy", "validation_loss", "validation_accuracy", "test_accuracy")
#: How `TrainResult.chosen` is chosen.
CHOSEN_BY = "lowest validation loss, then highest accuracy, then first epoch"


@dataclass(frozen=True)
class EpochResult:
    """Losses and accuracies after an epoch; those of an empty set are None."""

    epoch: int
    loss: float
    train_accuracy: float
    validation_loss: float | None
    validation_accuracy: float | None
    test_accuracy: float | None

    @classmethod
    def of(cls, epoch: int, curves: Tensor) -> EpochResult:
        """The row of an epoch in the curves."""
        loss, train, *others = curves[epoch].tolist()
        return cls(epoch, loss, train, *(None if math.isnan(x) else x for x in others))


def chosen_epoch(curves: Tensor) -> int:
    """The epoch that is best by `CHOSEN_BY`; a loss that is not a number is the worst."""
    loss = curves[:, CURVES.index("validation_loss")].nan_to_num(nan=math.inf, posinf=math.inf)
    accuracy = curves[:, CURVES.index("validation_accuracy")]
    # Of several largest entries, argmax returns the first.
    return int(accuracy.masked_fill(loss > loss.min(), -1).argmax())


@dataclass(frozen=True, eq=False)
class TrainResult(Brief):
    """A model trained with one seed."""

    seed: int
    #: How many numbers are learned, and how many stay as they are.
    parameters: int
    frozen_parameters: int
    last: EpochResult
    #: The best epoch by `CHOSEN_BY`; None without validation targets.
    chosen: EpochResult | None
    seconds_per_epoch: float
    #: A row for every epoch, beginning with epoch 0, with the columns `CURVES`.
    curves: Tensor
    model: nn.Module


@dataclass(frozen=True, eq=False)
class Training(Displayed):
    """The task, how models were trained on it, and a result for each seed."""

    task: Task
    #: Its seed is the first; the others follow it.
    config: TrainConfig
    results: tuple[TrainResult, ...]

    def __repr__(self) -> str:
        tested = [result.last.test_accuracy for result in self.results]
        known = [accuracy for accuracy in tested if accuracy is not None]
        on, accuracies = ("test", known) if known else ("train", self._train_accuracies)
        mean = sum(accuracies) / len(accuracies)
        seeds = counted(len(self.results), "seed", "seeds")
        return (
            f"Training({self.task.config.model}, {self.results[0].last.epoch} epochs, {seeds},"
            f" mean {on} accuracy {mean:.3f})"
        )

    @property
    def _train_accuracies(self) -> list[float]:
        return [result.last.train_accuracy for result in self.results]
