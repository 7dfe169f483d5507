"""The section of ``wlkg train``: curves against the ceiling, and what each seed reached."""

from __future__ import annotations

from collections.abc import Mapping

from wlkg.reports.blocks import (
    Block,
    Chart,
    Column,
    Details,
    Paragraph,
    Section,
    Series,
    Table,
    Value,
)
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.words import counted, listed, percent, titled

_ACCURACIES = ("train_accuracy", "validation_accuracy", "test_accuracy")
_LOSSES = ("loss", "validation_loss")
#: The most seeds whose curves are drawn.
_MOST_RUNS = 5
_TITLES = {
    "loss": "train",
    "validation_loss": "validation",
    "train_accuracy": "train",
    "validation_accuracy": "validation",
    "test_accuracy": "test",
}


def train_section(result: Result) -> Section:
    """The accuracy reached, the curves, and a row for each seed and reported epoch."""
    fields = result.fields
    charts = _charts(fields)
    blocks: list[Block] = [
        Paragraph(_answer(fields), "verdict"),
        *charts,
        _runs_table(fields.many("runs")),
        _means_table(fields),
        Details("Model and settings", (_settings(fields),)),
    ]
    title = titled(fields.text("graph"), f"{fields.text('model')}")
    return Section(title, tuple(blocks), figure=charts)


def _answer(fields: Fields) -> str:
    epochs, seeds = fields.whole("epochs"), len(fields.many("runs"))
    reached = [
        f"{percent(value)} of the {_TITLES[key]} targets"
        for key in ("train_accuracy", "test_accuracy")
        if (value := fields.maybe(fields.number, key)) is not None
    ]
    mean = f", the mean of {seeds} seeds" if seeds > 1 else ""
    after = counted(epochs, "epoch", "epochs")
    answer = f"After {after} {fields.text('model')} gets {' and '.join(reached)} right{mean}."
    return f"{answer} {_limit(fields)}".strip()


def _limit(fields: Fields) -> str:
    """What the test that bounds the model allows."""
    best = {name: split.number("accuracy") or 0 for name, split in _ceilings(fields).items()}
    if not best:
        return ""
    test, t = fields.one("ceiling").text("test"), fields.one("ceiling").whole("round")
    bounded = f"bounded by round {t:,} of {test}"
    if all(share == 1 for share in best.values()):
        return f"A model {bounded} could get all of them right."
    most = listed([f"{percent(share)} of {name}" for name, share in best.items()])
    return f"No model {bounded} gets more than {most} right."


def _ceilings(fields: Fields) -> dict[str, Fields]:
    return fields.one("ceiling").named("splits") if fields.has("ceiling") else {}


def _charts(fields: Fields) -> tuple[Chart, ...]:
    """Accuracy with the ceilings as dashed lines, and loss; empty without curves."""
    runs = [run for run in fields.many("runs") if run.has("curves")][:_MOST_RUNS]
    if not runs:
        return ()
    accuracies = _ACCURACIES if len(runs) == 1 else _ACCURACIES[::2]
    losses = _LOSSES if len(runs) == 1 else _LOSSES[:1]
    epochs = [number for run in runs for number in run.one("curves").wholes("epoch")]
    last = max(epochs, default=0)
    accuracy = [
        series
        for run in runs
        for series in curve_lines(run, accuracies, _TITLES, several=len(runs) > 1)
    ]
    for name, split in _ceilings(fields).items():
        share = split.number("accuracy")
        accuracy.append(Series(f"ceiling, {name}", ((0, share), (last, share)), "bound"))
    loss = [
        series
        for run in runs
        for series in curve_lines(run, losses, _TITLES, several=len(runs) > 1)
    ]
    return (
        Chart("Accuracy", "epoch", "accuracy", tuple(accuracy), style="share"),
        Chart("Loss", "epoch", "loss", tuple(loss), log_y=True),
    )


def curve_lines(
    run: Fields, keys: tuple[str, ...], titles: Mapping[str, str], *, several: bool
) -> list[Series]:
    """A line for each curve of a run that has values."""
    curves, lines = run.one("curves"), []
    epochs = curves.wholes("epoch")
    for key in keys:
        values = curves.numbers(key) if curves.has(key) else []
        if len(values) not in (0, len(epochs)):
            raise curves.error(f"{curves.where}.{key}: expected {len(epochs):,} numbers")
        if any(value is not None for value in values):
            seed = f", seed {run.whole('seed')}" if several else ""
            points = tuple(zip(epochs, values, strict=True))
            lines.append(Series(f"{titles[key]}{seed}", points))
    return lines


def _runs_table(runs: list[Fields]) -> Table:
    columns = (
        Column("seed", "count"),
        Column("reported"),
        Column("epoch", "count"),
        Column("loss", "number"),
        *(Column(_TITLES[key], "share") for key in _ACCURACIES),
    )
    rows = []
    for run in runs:
        rows.append(_epoch_row(run.whole("seed"), "last epoch", run.one("last")))
        if run.has("chosen"):
            rows.append(_epoch_row(run.whole("seed"), "by validation", run.one("chosen")))
    return Table("What each seed reached", columns, tuple(rows))


def _epoch_row(seed: int, reported: str, epoch: Fields) -> tuple[Value, ...]:
    numbers = (epoch.maybe(epoch.number, key) for key in ("loss", *_ACCURACIES))
    return (seed, reported, epoch.whole("epoch"), *numbers)


def _means_table(fields: Fields) -> Table:
    """Means and deviations over seeds of the two reported epochs."""
    shares = (Column(_TITLES[key], "share") for key in _ACCURACIES)
    columns = (Column("over seeds"), Column("loss", "number"), *shares)
    keys = ("loss", *_ACCURACIES)
    chosen, deviation = fields.one("chosen_by_validation"), fields.one("deviation")
    rows: list[tuple[Value, ...]] = [
        ("mean, last epoch", *(fields.maybe(fields.number, key) for key in keys)),
        ("deviation, last epoch", *(deviation.maybe(deviation.number, key) for key in keys)),
        ("mean, by validation", *(chosen.maybe(chosen.number, key) for key in keys)),
    ]
    by = fields.maybe(fields.text, "chosen_by")
    note = "" if by is None else f"By validation: {by}."
    return Table("Means over seeds", columns, tuple(rows), note=note)


def _settings(fields: Fields) -> Table:
    config, training = fields.one("config"), fields.one("training")
    rows: list[tuple[Value, ...]] = [
        ("model", fields.text("model")),
        ("layers", config.whole("layers")),
        ("width", config.whole("width")),
        ("parameters that are learned", fields.whole("parameters")),
        ("parameters that are frozen", fields.maybe(fields.whole, "frozen_parameters")),
        ("learning rate", plain(training.number("learning_rate"))),
        ("weight decay", plain(training.number("weight_decay"))),
        ("bounded by", fields.maybe(fields.text, "bounded_by")),
        ("computed", fields.maybe(fields.text, "computed")),
        ("device", fields.maybe(fields.text, "device")),
        ("numbers", fields.maybe(fields.text, "dtype")),
    ]
    return Table("Model and settings", (Column(""), Column("")), tuple(rows))


def plain(number: float | None) -> str | None:
    """A number in as few digits as it was given."""
    return None if number is None else f"{number:g}"
