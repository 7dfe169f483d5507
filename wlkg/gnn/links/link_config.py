"""How a model of links is trained."""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.errors import UsageError
from wlkg.gnn.training.train_config import TrainConfig


@dataclass(frozen=True)
class LinkConfig(TrainConfig):
    """How a model of links is trained; ``batch`` counts triples, each of which asks two queries."""

    #: For each answer, how many other candidates are drawn; None takes all of them.
    negatives: int | None = None
    #: Conditional models: whether the triples of a batch are left out of the graph meanwhile.
    remove_batch: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.negatives is not None and self.negatives < 1:
            raise UsageError(f"negatives must be at least 1, found {self.negatives}")
