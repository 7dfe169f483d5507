"""Training as data, as text, and its curves as a file."""

from __future__ import annotations

import csv
import io
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from wlkg.readers.targets import Targets
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import console, new_table, note, printable
from wlkg.text import first_few
from wlkg.writers.aside import written_aside

if TYPE_CHECKING:
    from wlkg.gnn.training.results import EpochResult, Training, TrainResult
    from wlkg.gnn.training.target_sets import TargetSets

_MEASURES = ("loss", "train_accuracy", "validation_loss", "validation_accuracy", "test_accuracy")

#: The most epochs of the curves in a document.
_MOST_EPOCHS = 200


def training_document(training: Training) -> dict[str, Any]:
    """What ``wlkg train --json`` prints; top-level measures are means over the last epochs."""
    task, config, results = training.task, training.config, training.results
    last = [result.last for result in results]
    chosen = [result.chosen for result in results if result.chosen is not None]
    return {
        "model": task.config.model,
        "config": asdict(task.config),
        "training": asdict(config),
        "parameters": results[0].parameters,
        "frozen_parameters": results[0].frozen_parameters,
        "epochs": config.epochs,
        **{measure: _mean(last, measure) for measure in _MEASURES},
        "deviation": {measure: _deviation(last, measure) for measure in _MEASURES},
        "chosen_by_validation": {measure: _mean(chosen, measure) for measure in _MEASURES},
        "chosen_by": chosen_by(training),
        "seconds_per_epoch": _seconds_per_epoch(training),
        "seed": config.seed,
        "seeds": [result.seed for result in results],
        "runs": [_run_document(result) for result in results],
        "items": task.items,
        "bounded_by": task.bounded_by,
        "classes": list(task.classes),
        "targets": [_targets_document(part) for part in task.sets.parts_to_score],
        "validation": _validation_document(task.sets),
        "left_out": asdict(task.left_out),
        "computed": task.scorer.size,
        "device": str(task.device),
        "dtype": str(task.dtype).removeprefix("torch."),
    }


def chosen_by(training: Training) -> str | None:
    """How an epoch was chosen; None without validation targets."""
    from wlkg.gnn.api import CHOSEN_BY

    return CHOSEN_BY if training.task.sets.num_validation else None


def _targets_document(targets: Targets) -> dict[str, Any]:
    return {"vertices": len(targets), "missing": list(targets.missing)}


def _validation_document(sets: TargetSets) -> dict[str, Any]:
    """The validation targets; those of a share are among the targets to train on."""
    if isinstance(sets.validation, Targets):
        return {**_targets_document(sets.validation), "share": None}
    return {"vertices": sets.num_validation, "missing": [], "share": sets.validation}


def _run_document(result: TrainResult) -> dict[str, Any]:
    from wlkg.gnn.api import CURVES

    return {
        "seed": result.seed,
        "last": asdict(result.last),
        "chosen": None if result.chosen is None else asdict(result.chosen),
        "seconds_per_epoch": result.seconds_per_epoch,
        "curves": curves_document(result.curves.tolist(), CURVES),
    }


def curves_document(
    rows: Sequence[Sequence[float]], columns: Sequence[str]
) -> dict[str, list[float | None]]:
    """Some epochs, evenly spread, the first and last among them; --log writes all of them."""
    step = max(len(rows) - 1, 1) / _MOST_EPOCHS
    epochs = sorted(
        {round(step * i) for i in range(_MOST_EPOCHS + 1)} if step > 1 else range(len(rows))
    )
    values = {
        name: [rows[epoch][column] for epoch in epochs] for column, name in enumerate(columns)
    }
    finite = {
        name: [value if math.isfinite(value) else None for value in column]
        for name, column in values.items()
    }
    return {"epoch": list(epochs), **finite}


def _seconds_per_epoch(training: Training) -> float:
    return statistics.mean(result.seconds_per_epoch for result in training.results)


def _values(results: Sequence[EpochResult], measure: str) -> list[float]:
    values = (getattr(result, measure) for result in results)
    return [value for value in values if value is not None]


def _mean(results: Sequence[EpochResult], measure: str) -> float | None:
    values = _values(results, measure)
    return statistics.mean(values) if values else None


def _deviation(results: Sequence[EpochResult], measure: str) -> float | None:
    values = _values(results, measure)
    return statistics.stdev(values) if len(values) > 1 else None


def print_training(name: str, training: Training) -> None:
    """The model, and for each seed a row for each of the two reported epochs."""
    task, results = training.task, training.results
    out, model = console(), task.config
    title = f"{printable(name)}: {model.model}, {model.layers} layers, width {model.width}"
    if model.readout:
        title += f", readout {model.readout}"
    out.print(heading(title))
    for part in task.sets.parts:
        if part.missing:
            note(f"{len(part.missing):,} targets are not in the graph: {first_few(part.missing)}")
    if task.left_out.relations:
        note(f"left out: {task.left_out}")
    parameters = f"{results[0].parameters:,} parameters"
    if task.scorer.freeze:
        parameters += f" learned, {results[0].frozen_parameters:,} frozen"
    out.print(f"{parameters}, {len(task.classes)} classes, {task.scorer.size}")
    if task.scorer.freeze:
        out.print("The model stays as it is: only a linear map from its features is learned.")
    out.print(_epoch_table(results))
    if chosen_by(training) is not None:
        out.print(remark(f"by validation: {chosen_by(training)}"))
    if len(results) > 1:
        _print_spread("last epoch", [result.last for result in results])
        _print_spread("by validation", [r.chosen for r in results if r.chosen is not None])
    config, pace = training.config, 1000 * _seconds_per_epoch(training)
    settings = f"lr {config.learning_rate:g}, weight decay {config.weight_decay:g}"
    if config.batch is not None:
        settings += f", batches of {config.batch:,}"
    out.print(remark(f"{settings}; {pace:.2f} ms per epoch on {task.device}"))
    if model.readout:
        out.print(
            remark(
                f"bounded by {task.bounded_by}: wlkg ceiling --graphs --test {task.bounded_by} with"
                " the same corpus and targets shows the best that any such model can do"
            )
        )


def _epoch_table(results: Sequence[TrainResult]) -> Table:
    table = new_table(console())
    for title in ("seed", "reported", "epoch", "loss", "train", "validation", "test"):
        justify = "left" if title == "reported" else "right"
        table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for result in results:
        _add_row(table, f"{result.seed}", "last epoch", result.last)
        if result.chosen is not None:
            _add_row(table, "", "by validation", result.chosen)
    return table


def _add_row(table: Table, seed: str, reported: str, result: EpochResult) -> None:
    accuracies = (result.train_accuracy, result.validation_accuracy, result.test_accuracy)
    shares = ("" if value is None else f"{100 * value:.1f} %" for value in accuracies)
    table.add_row(seed, reported, f"{result.epoch:,}", f"{result.loss:.4f}", *shares)


def _print_spread(reported: str, results: Sequence[EpochResult]) -> None:
    for measure in ("validation_accuracy", "test_accuracy"):
        mean, deviation = _mean(results, measure), _deviation(results, measure)
        if mean is not None and deviation is not None:
            title = measure.replace("_accuracy", " accuracy")
            console().print(f"{reported}, {title}: {100 * mean:.1f} % ± {100 * deviation:.1f}")


def write_curves(training: Training, path: str) -> None:
    """Loss and accuracies of every epoch as CSV."""
    from wlkg.gnn.api import CURVES

    rows = (
        [result.seed, epoch, *row]
        for result in training.results
        for epoch, row in enumerate(result.curves.tolist())
    )
    write_rows(path, ["seed", "epoch", *CURVES], rows)


def write_rows(path: str, titles: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table as CSV."""
    with written_aside(Path(path)) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(titles)
        writer.writerows(rows)
        text.detach()
