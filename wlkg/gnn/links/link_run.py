"""The state of training a model of links with one seed, and its checkpoint."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from wlkg.arrays import Int64Array
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.saved_model import LINKS
from wlkg.gnn.checkpoints.untrusted import checked_weights
from wlkg.gnn.links.link_config import LinkConfig
from wlkg.gnn.links.link_results import LINK_CURVES, LinkEpoch, LinkResult, best_epoch
from wlkg.gnn.links.link_task import LinkTask, Ranked
from wlkg.gnn.links.loss import softmax_loss
from wlkg.gnn.links.negatives import draw_negatives
from wlkg.gnn.links.ranking import NoNumberError, scores_of
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.training.optimiser_state import named_state, restore_state
from wlkg.gnn.training.run_file import (
    check_dtype,
    check_epoch,
    check_identity,
    checkpoint_path,
    diverged,
    reading_run,
)
from wlkg.links.scores import LinkScores


class LinkRun:
    """The state of training with one seed after some epochs.

    An epoch takes a step of the optimiser for each batch of triples, then ranks the validation
    triples. The weights of the epoch that is best on validation are kept.
    """

    def __init__(self, task: LinkTask, config: LinkConfig) -> None:
        self._task, self._config = task, config
        self._model = task.scorer.make(config.seed)
        self._optimiser = torch.optim.Adam(
            self._model.parameters(),
            lr=config.learning_rate,
            weight_decay=config.weight_decay,
            fused=task.device.type in ("cpu", "cuda"),
        )
        self.epoch = 0
        self._rows: list[list[float]] = []
        self._best: dict[str, Tensor] = {}
        self._tested: dict[int, dict[str, LinkScores]] = {}

    # -- training ---------------------------------------------------------------------------------

    def advance(self, save: Path | None) -> None:
        """One epoch: a step for each batch, then measure the model."""
        if not self._rows:
            self._measure(math.nan, save)
        random = np.random.default_rng([self._config.seed, self.epoch])
        total, count = 0.0, 0
        for triples in self._batches(random):
            self._optimiser.zero_grad()
            loss = self._loss(triples, random)
            if not math.isfinite(loss.item()):
                raise diverged(loss.item(), self.epoch + 1, self._config.seed, save)
            torch.autograd.backward(loss)
            self._optimiser.step()
            total, count = total + loss.item() * len(triples), count + len(triples)
        self.epoch += 1
        self._measure(total / count, save)

    def _batches(self, random: np.random.Generator) -> Iterator[Int64Array]:
        """The triples in random order, a batch at a time."""
        order = random.permutation(self._task.examples.num_triples)
        size = self._config.batch or len(order)
        for low in range(0, len(order), size):
            yield order[low : low + size]

    def _loss(self, triples: Int64Array, random: np.random.Generator) -> Tensor:
        """The loss of the two queries of each triple of a batch."""
        examples, scorer, device = self._task.examples, self._task.scorer, self._task.device
        places = np.concatenate([triples, triples + examples.num_triples])
        query, answer = examples.query[places], examples.answer[places]
        questions, count = examples.questions, self._config.negatives
        number = torch.from_numpy(questions.number[query]).to(device)
        asked = (questions.source[query], number)
        left_out = triples if self._config.remove_batch else None
        prepared = scorer.prepare(self._model)
        if count is None:
            scores = scorer.scores(self._model, prepared, *asked, left_out=left_out)
            column = torch.from_numpy(scorer.group_of[answer]).to(device)
            free = questions.free(query, scorer.group_of, scorer.sizes)
            weight = torch.from_numpy(free).to(device, scores.dtype)
            return softmax_loss(scores.gather(1, column[:, None])[:, 0], scores, weight)
        sampled, usable = draw_negatives(questions, query, count, random)
        candidates = np.concatenate([answer[:, None], sampled], axis=1)
        scores = scorer.scores(
            self._model, prepared, *asked, candidates=candidates, left_out=left_out
        )
        weight = torch.from_numpy(usable).to(device, scores.dtype)
        return softmax_loss(scores[:, 0], scores[:, 1:], weight)

    def _measure(self, loss: float, save: Path | None) -> None:
        """Add a row to the curves, and keep the weights if they are the best so far."""
        row, validation = [loss, *[math.nan] * (len(LINK_CURVES) - 1)], self._task.validation
        if validation is not None:
            scores = self._scores(self._model, validation, self.epoch, save)
            usual = scores["random"]
            row = [loss, usual.mrr, scores["pessimistic"].mrr, usual.hits_at_10]
        self._rows.append(row)
        if validation is not None and best_epoch(self._curves) == self.epoch:
            self._best = {name: w.clone() for name, w in self._model.state_dict().items()}

    def _scores(
        self, model: nn.Module, ranked: Ranked, epoch: int, save: Path | None = None
    ) -> dict[str, LinkScores]:
        """The scores of the model of an epoch; it has none if it diverged in its last step."""
        try:
            return scores_of(model, ranked.scorer, ranked.questions)
        except NoNumberError as error:
            seed = self._config.seed
            raise diverged(math.nan, epoch, seed, save, what="a score") from error

    @property
    def _curves(self) -> Tensor:
        """A row for each epoch that was measured."""
        return torch.tensor(self._rows, dtype=torch.float64).reshape(-1, len(LINK_CURVES))

    @property
    def is_out_of_patience(self) -> bool:
        """Whether validation has not improved for as many epochs as the configuration allows."""
        if self._config.patience is None or not self.epoch or self._task.validation is None:
            return False
        return self.epoch - best_epoch(self._curves) >= self._config.patience

    def summary(self) -> str:
        """The last loss and validation MRR in words."""
        loss, mrr, *_ = self._rows[-1]
        return f"loss {loss:.3f}" + ("" if math.isnan(mrr) else f", validation MRR {mrr:.3f}")

    # -- results ----------------------------------------------------------------------------------

    def finish(self) -> None:
        """Rank the test triples by the last model and by the one that is best on validation."""
        if not self._rows:
            self._measure(math.nan, None)
        test = self._task.test
        if test is None:
            return
        self._tested[self.epoch] = self._scores(self._model, test, self.epoch)
        if self._best and (best := best_epoch(self._curves)) != self.epoch:
            model = self._task.scorer.make(self._config.seed)
            model.load_state_dict(self._best)
            self._tested[best] = self._scores(model, test, best)

    def result(self, seconds_per_epoch: float) -> LinkResult:
        """The result after the current epoch."""
        curves = self._curves
        last, *chosen = [
            LinkEpoch.of(epoch, curves, self._tested.get(epoch))
            for epoch in (self.epoch, *([best_epoch(curves)] if self._best else []))
        ]
        return LinkResult(
            seed=self._config.seed,
            parameters=count_parameters(self._model),
            last=last,
            chosen=chosen[0] if chosen else None,
            seconds_per_epoch=seconds_per_epoch,
            curves=curves,
            model=self._model,
        )

    # -- checkpoints ------------------------------------------------------------------------------

    def _identity(self) -> dict[str, Any]:
        """What a checkpoint must agree with. Epochs may differ: a run may be resumed for more."""
        settings = asdict(self._config)
        del settings["epochs"]
        return {
            "model": asdict(self._task.config),
            "training": {**settings, "decoder": self._task.decoder},
            "data": self._task.fingerprint,
        }

    def save(self, folder: Path) -> None:
        """Write everything that the next epoch depends on."""
        content = {
            "identity": self._identity(),
            "about": asdict(self._task.about),
            "classes": (),
            "items": LINKS,
            "links": {"decoder": self._task.decoder, "relations": self._task.relations},
            "epoch": self.epoch,
            "model": self._model.state_dict(),
            "best": self._best,
            "optimiser": named_state(self._model, self._optimiser),
            "curves": self._curves,
        }
        save_checkpoint(checkpoint_path(folder, self._config.seed), content)

    def load(self, folder: Path) -> None:
        """Continue from the checkpoint of this seed, if there is one."""
        path = checkpoint_path(folder, self._config.seed)
        if path.exists():
            content = load_checkpoint(path)
            with reading_run(path):
                self._restore(content, path)

    def _restore(self, content: dict[str, Any], path: Path) -> None:
        epoch, curves = content["epoch"], content["curves"]
        check_identity(content, self._identity(), path)
        check_epoch(epoch, curves, len(LINK_CURVES), self._config.epochs, path)
        weights = checked_weights(content["model"])
        check_dtype(weights, self._task.dtype, path)
        best = content.get("best", {})
        if bool(best) != (self._task.validation is not None):
            raise ValueError("the weights of the best epoch do not fit")
        if best:
            best = checked_weights(best)
            check_dtype(best, self._task.dtype, path)
            self._model.load_state_dict(best)  # raises if they do not fit
        self._model.load_state_dict(weights)
        restore_state(self._model, self._optimiser, content["optimiser"])
        self._best = best
        self._rows = curves.tolist()
        self.epoch = epoch
