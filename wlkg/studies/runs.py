"""One result file per run: written completely or not at all, and believed only if it is whole.

A file is believed if it is JSON of the right schema, describes exactly the run it is named after,
and has every number that a finished run has. Any other file is ignored, and its run is done again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wlkg.errors import MALFORMED, UsageError
from wlkg.studies.study import Run
from wlkg.writers.aside import written_aside

SCHEMA = "wlkg/run/1"


@dataclass(frozen=True)
class Epoch:
    """Loss and accuracies after an epoch; the accuracy of an empty split is None."""

    epoch: int
    loss: float
    train_accuracy: float
    validation_accuracy: float | None
    test_accuracy: float | None

    def accuracy(self, split: str) -> float | None:
        value: float | None = getattr(self, f"{split}_accuracy")
        return value


@dataclass(frozen=True)
class RunResult:
    """What a run has given."""

    run: Run
    parameters: int | None
    last: Epoch | None
    #: The epoch that was chosen on the validation vertices; None without any.
    chosen: Epoch | None
    #: The epoch with the best test accuracy, which no honest report would choose.
    best_on_test: Epoch | None
    #: A few epochs from the first to the last.
    curve: tuple[Epoch, ...]
    seconds: float
    seconds_per_epoch: float
    #: The versions of the programs that computed it.
    versions: dict[str, str]
    #: Why there is no result: the training diverged.
    failure: str | None = None

    def document(self) -> dict[str, Any]:
        """The result as JSON."""
        return {
            "schema": SCHEMA,
            "key": self.run.key,
            **asdict(self),
            "run": self.run.document(),
        }

    @classmethod
    def of(cls, document: dict[str, Any]) -> RunResult:
        """The result of a document; raises `ValueError` or `TypeError` for any other document."""
        content = dict(document)
        try:
            if content.pop("schema") != SCHEMA:
                raise ValueError("another schema")
            run = Run.of(content.pop("run"))
            if content.pop("key") != run.key:
                raise ValueError("the key of another run")
            result = cls(
                run=run,
                last=_epoch(content.pop("last")),
                chosen=_epoch(content.pop("chosen")),
                best_on_test=_epoch(content.pop("best_on_test")),
                curve=tuple(Epoch(**point) for point in content.pop("curve")),
                **content,
            )
        except KeyError as error:
            raise ValueError(f"no {error}") from error
        result._check()
        return result

    def _check(self) -> None:
        """Refuse results that no finished run has."""
        if (self.last is None) == (self.failure is None):
            raise ValueError("neither a result nor a failure")
        for epoch in (self.last, self.chosen, self.best_on_test, *self.curve):
            if epoch is None:
                continue
            shares = [epoch.accuracy(split) for split in ("train", "validation", "test")]
            if not all(share is None or 0 <= share <= 1 for share in shares):
                raise ValueError("an accuracy that is none")
            if not math.isfinite(epoch.loss) or not 0 <= epoch.epoch <= self.run.epochs:
                raise ValueError("a loss or an epoch that cannot be")
        if self.last is not None and self.last.epoch != self.run.epochs:
            raise ValueError("an unfinished run")
        if not (self.seconds >= 0 and self.seconds_per_epoch >= 0):
            raise ValueError("a negative time")


def _epoch(document: dict[str, Any] | None) -> Epoch | None:
    return None if document is None else Epoch(**document)


def write_result(folder: Path, result: RunResult) -> None:
    """Write the file of a run."""
    text = json.dumps(result.document(), indent=1, allow_nan=False)
    with written_aside(folder / result.run.file_name) as stream:
        stream.write(f"{text}\n".encode())


def read_result(folder: Path, run: Run) -> RunResult | None:
    """The result of a run, or None if there is none that can be believed."""
    try:
        document = json.loads((folder / run.file_name).read_bytes())
        result = RunResult.of(document)
    except (*MALFORMED, OSError, UsageError):
        return None
    return result if result.run == run else None


def read_results(folder: Path, runs: Iterable[Run]) -> dict[Run, RunResult]:
    """The results of those runs that are finished."""
    results = {run: read_result(folder, run) for run in runs}
    return {run: result for run, result in results.items() if result is not None}
