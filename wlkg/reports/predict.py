"""Predictions as data, as text, and as a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets
from wlkg.reports import row_files
from wlkg.reports.names import Name, ReportNames
from wlkg.reports.row_files import Chunk, Names, check_rows_path, write_rows
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import console, new_table, note, printable
from wlkg.text import counted, first_few

if TYPE_CHECKING:
    from wlkg.gnn.training.prediction import Predictions

_ONE = {"vertices": "vertex", "graphs": "graph"}
#: How many vertices the terminal shows.
_SHOWN = 10


def check_predictions_path(path: str) -> None:
    """Refuse a path that cannot be written, before any work is done."""
    check_rows_path(path, "predictions")


def predictions_document(
    predictions: Predictions, targets: Targets | None, out: str | None
) -> dict[str, Any]:
    """What ``wlkg predict --json`` prints; a file that was written takes the place of the rows."""
    document: dict[str, Any] = {
        "model": predictions.config.model,
        "classes": list(predictions.classes),
        predictions.items: len(predictions.vertices),
        "counts": predictions.counts,
        "left_out": asdict(predictions.left_out),
    }
    if targets is not None:
        correct, total = predictions.correct(targets)
        document |= {
            "accuracy": correct / total if total else None,
            "targets": {
                predictions.items: len(targets),
                "predicted": total,
                "correct": correct,
                "missing": list(targets.missing),
            },
        }
    if out is not None:
        return {**document, "file": out}
    rows = zip(
        predictions.vertex_names,
        predictions.labels,
        predictions.probabilities.tolist(),
        strict=True,
    )
    document["predictions"] = [
        {_ONE[predictions.items]: vertex, "class": label, "probabilities": probabilities}
        for vertex, label, probabilities in rows
    ]
    return document


def print_predictions(
    name: str,
    predictions: Predictions,
    targets: Targets | None,
    graph: RelationalGraph | None = None,
) -> None:
    """How many vertices have each class, the first few of them, and the accuracy on targets."""
    out, config = console(), predictions.config
    items = predictions.items
    count = counted(len(predictions.vertices), _ONE[items], items)
    title = f"{printable(name)}: {config.model}, {config.layers} layers, {count}"
    out.print(heading(title))
    if predictions.left_out.relations:
        note(f"left out: {predictions.left_out}")
    names = ReportNames(graph)
    out.print(_class_table(predictions, names))
    out.print()
    out.print(_vertex_table(predictions, names))
    rest = len(predictions.vertices) - _SHOWN
    if rest > 0:
        out.print(remark(f"and {rest:,} more; -o OUT.csv writes all of them"))
    if targets is not None:
        _print_accuracy(predictions, targets)


def _class_table(predictions: Predictions, names: ReportNames) -> Table:
    table = new_table(console())
    table.add_column("class")
    table.add_column(predictions.items, justify="right", no_wrap=True)
    table.add_column("share", justify="right", no_wrap=True)
    total = max(len(predictions.vertices), 1)
    for name, count in predictions.counts.items():
        share = f"{100 * count / total:.1f} %"
        table.add_row(Name(names.vertex(name)), f"{count:,}", share)
    return table


def _vertex_table(predictions: Predictions, names: ReportNames) -> Table:
    table = new_table(console())
    table.add_column(_ONE[predictions.items])
    table.add_column("class")
    table.add_column("probability", justify="right", no_wrap=True)
    rows = zip(
        predictions.vertices[:_SHOWN].tolist(),
        predictions.labels[:_SHOWN],
        predictions.certainties[:_SHOWN].tolist(),
        strict=True,
    )
    for vertex, label, certainty in rows:
        cells = (Name(names.vertex(text)) for text in (predictions.names[vertex], label))
        table.add_row(*cells, f"{100 * certainty:.1f} %")
    return table


def _print_accuracy(predictions: Predictions, targets: Targets) -> None:
    correct, total = predictions.correct(targets)
    if targets.missing:
        missing = counted(len(targets.missing), "target is", "targets are")
        note(f"{missing} not in the graph: {first_few(targets.missing)}")
    if total:
        console().print(f"accuracy: {100 * correct / total:.1f} % ({correct:,} of {total:,})")
    else:
        note(f"no target is among the {predictions.items}: there is no accuracy")


def write_predictions(predictions: Predictions, path: str) -> None:
    """Write vertex, class, its probability, and a column ``p(CLASS)`` for each class."""
    check_predictions_path(path)
    item = _ONE[predictions.items]
    titles = [item, "class", "probability", *(f"p({name})" for name in predictions.classes)]
    write_rows(path, titles, _chunks(predictions))


def _chunks(predictions: Predictions) -> Iterator[Chunk]:
    names, size = predictions.names, row_files.CHUNK
    certainties = predictions.certainties
    for begin in range(0, max(len(predictions.vertices), 1), size):
        rows = slice(begin, begin + size)
        yield [
            Names(names, predictions.vertices[rows]),
            Names(predictions.classes, predictions.predicted[rows]),
            certainties[rows],
            *np.ascontiguousarray(predictions.probabilities[rows].T),
        ]
