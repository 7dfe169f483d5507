"""A run of a study, trained. This is what worker processes do; PyTorch is loaded here only."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Sequence
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from wlkg.errors import WlkgError
from wlkg.progress import SILENT, Progress
from wlkg.studies.dataset import Dataset
from wlkg.studies.runs import Epoch, RunResult
from wlkg.studies.study import Run

if TYPE_CHECKING:
    from wlkg.gnn.training.results import EpochResult, TrainResult

#: About this many epochs of the curves are kept in a result file.
_CURVE_POINTS = 20
_PACKAGES = ("wlkg", "torch", "numpy")


def require_torch() -> None:
    """Refuse to go on if nothing can be trained."""
    import wlkg.gnn.api  # noqa: F401


def train_run(dataset: Dataset, run: Run, progress: Progress = SILENT) -> RunResult:
    """Train one model with one seed. A training that diverges is a result too."""
    from wlkg.gnn.api import train
    from wlkg.gnn.threads import one_thread
    from wlkg.gnn.training.run_file import DivergedError

    started = time.perf_counter()
    try:
        with one_thread():
            training = train(
                dataset.graph,
                dataset.targets,
                dataset.holdout,
                run.choice,
                epochs=run.epochs,
                learning_rate=run.learning_rate,
                weight_decay=run.weight_decay,
                seed=run.seed,
                device=run.device,
                progress=progress,
            )
    except DivergedError as error:
        return _failed(run, error, time.perf_counter() - started)
    return _finished(run, training.results[0], time.perf_counter() - started)


def _finished(run: Run, result: TrainResult, seconds: float) -> RunResult:
    from wlkg.gnn.api import CURVES

    rows = [dict(zip(CURVES, row, strict=True)) for row in result.curves.tolist()]
    epochs = [_from_curves(number, row) for number, row in enumerate(rows)]
    tested = [epoch for epoch in epochs if epoch.test_accuracy is not None]
    return RunResult(
        run=run,
        parameters=result.parameters,
        last=_reported(result.last),
        chosen=None if result.chosen is None else _reported(result.chosen),
        best_on_test=max(tested, key=lambda epoch: epoch.test_accuracy or 0, default=None),
        curve=_sampled(epochs),
        seconds=round(seconds, 3),
        seconds_per_epoch=float(f"{result.seconds_per_epoch:.4g}"),
        versions=versions(),
    )


def _reported(result: EpochResult) -> Epoch:
    return Epoch(**{field.name: getattr(result, field.name) for field in fields(Epoch)})


def _from_curves(number: int, row: dict[str, float]) -> Epoch:
    """An epoch from a row of the curves, where NaN stands for the accuracy of an empty split."""
    known: dict[str, Any] = {name: None if math.isnan(row[name]) else row[name] for name in row}
    known["epoch"] = number
    return Epoch(**{field.name: known[field.name] for field in fields(Epoch)})


def _sampled(epochs: Sequence[Epoch]) -> tuple[Epoch, ...]:
    step = max((len(epochs) - 1) // _CURVE_POINTS, 1)
    return tuple(epochs[::step])


def _failed(run: Run, error: WlkgError, seconds: float) -> RunResult:
    return RunResult(
        run=run,
        parameters=None,
        last=None,
        chosen=None,
        best_on_test=None,
        curve=(),
        seconds=round(seconds, 3),
        seconds_per_epoch=0.0,
        versions=versions(),
        failure=str(error),
    )


def versions() -> dict[str, str]:
    """The versions of what computes a run."""
    known = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            known[package] = version(package)
        except PackageNotFoundError:  # pragma: no cover
            known[package] = "not installed"
    return known
