"""Runs of training as data and as text, and their curves as a file."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from wlkg.readers.targets import Targets
from wlkg.reports.terminal import console, note, printable
from wlkg.text import first_few
from wlkg.writers.aside import written_aside

if TYPE_CHECKING:
    from wlkg.gnn.training.loop import EpochResult, TrainConfig, TrainResult
    from wlkg.gnn.training.task import Task

_MEASURES = ("loss", "train_accuracy", "validation_accuracy", "test_accuracy")


def training_document(
    task: Task,
    config: TrainConfig,
    targets: Sequence[Targets | None],
    results: Sequence[TrainResult],
) -> dict[str, Any]:
    """What ``wlkg train --json`` prints; measures are those of the last epoch, means over seeds."""
    last = [result.last for result in results]
    chosen = [result.chosen for result in results if result.chosen is not None]
    return {
        "model": task.config.model,
        "config": asdict(task.config),
        "training": asdict(config),
        "parameters": results[0].parameters,
        "epochs": config.epochs,
        **{measure: _mean(last, measure) for measure in _MEASURES},
        "deviation": {measure: _deviation(last, measure) for measure in _MEASURES},
        "chosen_by_validation": {measure: _mean(chosen, measure) for measure in _MEASURES},
        "seconds_per_epoch": statistics.mean(result.seconds_per_epoch for result in results),
        "seed": config.seed,
        "seeds": [result.seed for result in results],
        "runs": [_run_document(result) for result in results],
        "classes": list(task.classes),
        "targets": [
            {"vertices": len(part), "missing": list(part.missing)}
            for part in targets
            if part is not None
        ],
        "computed": task.size,
        "device": str(task.device),
        "dtype": str(task.dtype).removeprefix("torch."),
    }


def _run_document(result: TrainResult) -> dict[str, Any]:
    return {
        "seed": result.seed,
        "last": asdict(result.last),
        "chosen": None if result.chosen is None else asdict(result.chosen),
        "seconds_per_epoch": result.seconds_per_epoch,
    }


def _values(results: Sequence[EpochResult], measure: str) -> list[float]:
    values = (getattr(result, measure) for result in results)
    return [value for value in values if value is not None]


def _mean(results: Sequence[EpochResult], measure: str) -> float | None:
    values = _values(results, measure)
    return statistics.mean(values) if values else None


def _deviation(results: Sequence[EpochResult], measure: str) -> float | None:
    values = _values(results, measure)
    return statistics.stdev(values) if len(values) > 1 else None


def print_training(
    name: str,
    task: Task,
    config: TrainConfig,
    targets: Sequence[Targets | None],
    results: Sequence[TrainResult],
) -> None:
    """The model, and a row for each seed and each of the two reported epochs."""
    out = console()
    model = task.config
    out.print(
        Text(
            f"{printable(name)}: {model.model}, {model.layers} layers, width {model.width}", "bold"
        )
    )
    for part in targets:
        if part is not None and part.missing:
            note(f"{len(part.missing):,} targets are not in the graph: {first_few(part.missing)}")
    out.print(f"{results[0].parameters:,} parameters, {len(task.classes)} classes, {task.size}")
    table = Table(box=None, pad_edge=False)
    for title in ("seed", "reported", "epoch", "loss", "train", "validation", "test"):
        justify = "left" if title == "reported" else "right"
        table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for result in results:
        _add_row(table, f"{result.seed}", "last epoch", result.last)
        if result.chosen is not None:
            _add_row(table, "", "by validation", result.chosen)
    out.print(table)
    if len(results) > 1:
        _print_spread("last epoch", [result.last for result in results])
        _print_spread("by validation", [r.chosen for r in results if r.chosen is not None])
    pace = statistics.mean(result.seconds_per_epoch for result in results)
    settings = f"lr {config.learning_rate:g}, weight decay {config.weight_decay:g}"
    out.print(Text(f"{settings}; {1000 * pace:.2f} ms per epoch on {task.device}", style="dim"))


def _add_row(table: Table, seed: str, what: str, result: EpochResult) -> None:
    accuracies = (result.train_accuracy, result.validation_accuracy, result.test_accuracy)
    shares = ("" if value is None else f"{100 * value:.1f} %" for value in accuracies)
    table.add_row(seed, what, f"{result.epoch:,}", f"{result.loss:.4f}", *shares)


def _print_spread(what: str, results: Sequence[EpochResult]) -> None:
    for measure in ("validation_accuracy", "test_accuracy"):
        mean, deviation = _mean(results, measure), _deviation(results, measure)
        if mean is not None and deviation is not None:
            title = measure.replace("_accuracy", " accuracy")
            console().print(f"{what}, {title}: {100 * mean:.1f} % ± {100 * deviation:.1f}")


def write_curves(results: Sequence[TrainResult], path: str) -> None:
    """Loss and accuracies of every epoch as CSV."""
    from wlkg.gnn.training.loop import CURVES

    with written_aside(Path(path)) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["seed", "epoch", *CURVES])
        for result in results:
            for epoch, row in enumerate(result.curves.tolist()):
                writer.writerow([result.seed, epoch, *row])
        text.detach()
