"""Predictions as data, as text, and as a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from wlkg.readers.targets import Targets
from wlkg.reports import row_files
from wlkg.reports.row_files import Chunk, Names, check_rows_path, write_rows
from wlkg.reports.terminal import console, note, printable
from wlkg.text import counted, first_few

if TYPE_CHECKING:
    from wlkg.gnn.training.prediction import Predictions

#: How many vertices the terminal shows.
_SHOWN = 10


def check_predictions_path(path: str) -> None:
    """Refuse a path that cannot be written, before any work is done."""
    check_rows_path(path, "predictions")


def predictions_document(
    predictions: Predictions, targets: Targets | None, out: str | None
) -> dict[str, Any]:
    """What ``wlkg predict --json`` prints; a file that was written takes the place of the rows."""
    left_out = predictions.left_out
    document: dict[str, Any] = {
        "model": predictions.config.model,
        "classes": list(predictions.classes),
        "vertices": len(predictions.vertices),
        "counts": predictions.counts,
        "left_out": {"relations": list(left_out.relations), "triples": left_out.triples},
    }
    if targets is not None:
        correct, total = predictions.correct(targets)
        document |= {
            "accuracy": correct / total if total else None,
            "targets": {
                "vertices": len(targets),
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
        {"vertex": vertex, "class": label, "probabilities": probabilities}
        for vertex, label, probabilities in rows
    ]
    return document


def print_predictions(name: str, predictions: Predictions, targets: Targets | None) -> None:
    """How many vertices have each class, the first few of them, and the accuracy on targets."""
    out, config = console(), predictions.config
    count = counted(len(predictions.vertices), "vertex", "vertices")
    title = f"{printable(name)}: {config.model}, {config.layers} layers, {count}"
    out.print(Text(title, "bold"))
    if predictions.left_out.relations:
        note(f"left out: {predictions.left_out}")
    out.print(_class_table(predictions))
    out.print()
    out.print(_vertex_table(predictions))
    rest = len(predictions.vertices) - _SHOWN
    if rest > 0:
        out.print(Text(f"and {rest:,} more; -o OUT.csv writes all of them", style="dim"))
    if targets is not None:
        _print_accuracy(predictions, targets)


def _class_table(predictions: Predictions) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("class", overflow="fold")
    table.add_column("vertices", justify="right", no_wrap=True)
    table.add_column("share", justify="right", no_wrap=True)
    total = max(len(predictions.vertices), 1)
    for name, count in predictions.counts.items():
        table.add_row(printable(name), f"{count:,}", f"{100 * count / total:.1f} %")
    return table


def _vertex_table(predictions: Predictions) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("vertex", no_wrap=True)
    table.add_column("class", no_wrap=True)
    table.add_column("probability", justify="right", no_wrap=True)
    names = predictions.graph.vertex_names
    rows = zip(
        predictions.vertices[:_SHOWN].tolist(),
        predictions.labels[:_SHOWN],
        predictions.certainties[:_SHOWN].tolist(),
        strict=True,
    )
    for vertex, label, certainty in rows:
        table.add_row(_short(names[vertex]), _short(label), f"{100 * certainty:.1f} %")
    return table


def _short(name: str) -> str:
    """A name cut to a third of a line: IRIs differ at their end, literals at their beginning."""
    text, most = printable(name), 32
    if len(text) <= most:
        return text
    return f"{text[: most - 3]}..." if text.startswith('"') else f"...{text[3 - most :]}"


def _print_accuracy(predictions: Predictions, targets: Targets) -> None:
    correct, total = predictions.correct(targets)
    if targets.missing:
        missing = counted(len(targets.missing), "target is", "targets are")
        note(f"{missing} not in the graph: {first_few(targets.missing)}")
    if total:
        console().print(f"accuracy: {100 * correct / total:.1f} % ({correct:,} of {total:,})")
    else:
        note("no target is among the vertices: there is no accuracy")


def write_predictions(predictions: Predictions, path: str) -> None:
    """Write vertex, class, its probability, and a column ``p(CLASS)`` for each class."""
    check_predictions_path(path)
    titles = ["vertex", "class", "probability", *(f"p({name})" for name in predictions.classes)]
    write_rows(path, titles, _chunks(predictions))


def _chunks(predictions: Predictions) -> Iterator[Chunk]:
    names, size = predictions.graph.vertex_names, row_files.CHUNK
    certainties = predictions.certainties
    for begin in range(0, max(len(predictions.vertices), 1), size):
        rows = slice(begin, begin + size)
        yield [
            Names(names, predictions.vertices[rows]),
            Names(predictions.classes, predictions.predicted[rows]),
            certainties[rows],
            *np.ascontiguousarray(predictions.probabilities[rows].T),
        ]
