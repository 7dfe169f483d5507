"""How a model is trained."""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.errors import UsageError


@dataclass(frozen=True)
class TrainConfig:
    """How a model is trained."""

    epochs: int
    learning_rate: float
    weight_decay: float
    seed: int = 0
    #: Stop after this many epochs without improvement on validation.
    patience: int | None = None
    #: The number of targets in a mini-batch; all of them if it is None.
    batch: int | None = None

    def __post_init__(self) -> None:
        for name in ("epochs", "learning_rate", "weight_decay", "seed"):
            if not getattr(self, name) >= 0:  # also refuses NaN
                value = getattr(self, name)
                raise UsageError(f"{name.replace('_', ' ')} must be at least 0, found {value}")
        for name in ("patience", "batch"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name} must be at least 1, found {value}")
