"""Results of training models of links: of one epoch, of one seed, and of all seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor, nn

from wlkg.display import Brief, Displayed
from wlkg.gnn.links.link_config import LinkConfig
from wlkg.gnn.links.link_task import LinkTask
from wlkg.links.scores import LinkScores
from wlkg.text import counted

#: The columns of `LinkResult.curves`. The loss of an epoch is the mean over its batches.
LINK_CURVES = (
    "loss",
    "validation_mrr",
    "validation_mrr_pessimistic",
    "validation_hits_at_10",
)
#: How `LinkResult.chosen` is chosen.
LINK_CHOSEN_BY = "highest validation MRR with random ties, then first epoch"


@dataclass(frozen=True)
class LinkEpoch:
    """A model after an epoch; what was not measured is None."""

    epoch: int
    loss: float | None
    validation_mrr: float | None
    #: By tie rule, the scores on the test triples.
    ties: Mapping[str, LinkScores] | None

    @classmethod
    def of(cls, epoch: int, curves: Tensor, ties: Mapping[str, LinkScores] | None) -> LinkEpoch:
        """The row of an epoch in the curves, and the scores on the test triples."""
        loss, mrr, *_ = (None if math.isnan(x) else x for x in curves[epoch].tolist())
        return cls(epoch, loss, mrr, ties)


def best_epoch(curves: Tensor) -> int:
    """The epoch that is best by `LINK_CHOSEN_BY`."""
    # Of several largest entries, argmax returns the first.
    return int(curves[:, LINK_CURVES.index("validation_mrr")].argmax())


@dataclass(frozen=True, eq=False)
class LinkResult(Brief):
    """A model of links trained with one seed."""

    seed: int
    parameters: int
    last: LinkEpoch
    #: The best epoch by `LINK_CHOSEN_BY`; None without validation triples.
    chosen: LinkEpoch | None
    seconds_per_epoch: float
    #: A row for every epoch, beginning with epoch 0, with the columns `LINK_CURVES`.
    curves: Tensor
    #: The model after the last epoch.
    model: nn.Module


@dataclass(frozen=True, eq=False)
class LinkTraining(Displayed):
    """The task, how models were trained on it, and a result for each seed."""

    task: LinkTask
    #: Its seed is the first; the others follow it.
    config: LinkConfig
    results: tuple[LinkResult, ...]

    def __repr__(self) -> str:
        reached = [result.last.ties["random"].mrr for result in self.results if result.last.ties]
        mean = f", mean MRR {sum(reached) / len(reached):.3f}" if reached else ""
        seeds = counted(len(self.results), "seed", "seeds")
        return (
            f"LinkTraining({self.task.config.model}, {self.results[0].last.epoch} epochs,"
            f" {seeds}{mean})"
        )
