"""The section of ``wlkg train --links``: what was reached, and the ceiling above it."""

from __future__ import annotations

from wlkg.links.scores import METRICS, TIES
from wlkg.reports.blocks import Block, Chart, Column, Details, Paragraph, Section, Table, Value
from wlkg.reports.blocks import Series as Line
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.links import TIES_IN_WORDS, TITLES
from wlkg.reports.sections.train import curve_lines, plain, train_section
from wlkg.reports.sections.words import counted, listed, percent, titled

_REPORTED = {"last": "last epoch", "chosen": "by validation"}
_VALIDATION = ("validation_mrr", "validation_mrr_pessimistic", "validation_hits_at_10")
_LINES = {
    "loss": "train",
    "validation_mrr": "validation, ties at random",
    "validation_mrr_pessimistic": "validation, ties against",
    "validation_hits_at_10": "validation, Hits@10",
}


def training_section(result: Result) -> Section:
    """The section of any training: of links, or of vertices or graphs with labels."""
    fields = result.fields
    is_about_links = fields.has("of") and fields.text("of") == "links"
    return links_training_section(result) if is_about_links else train_section(result)


def links_training_section(result: Result) -> Section:
    """The MRR reached, the ceiling, the curves, and a row for each seed and reported epoch."""
    fields = result.fields
    charts = _charts(fields)
    blocks: list[Block] = [
        Paragraph(_answer(fields), "verdict"),
        *(Paragraph(text, "note") for text in _notes(fields)),
    ]
    if fields.has("ceiling"):
        blocks.append(_ceiling_table(fields.one("ceiling")))
    blocks += [*charts, *(_table(fields, tie) for tie in TIES)]
    blocks.append(Details("Model and settings", (_settings(fields),)))
    title = titled(fields.text("graph"), f"{_model(fields)}, links")
    return Section(title, tuple(blocks), figure=charts)


def _model(fields: Fields) -> str:
    decoder = fields.maybe(fields.text, "decoder")
    return fields.text("model") + ("" if decoder is None else f" + {decoder}")


def _answer(fields: Fields) -> str:
    epochs, seeds = fields.whole("epochs"), len(fields.many("runs"))
    mean = f", the mean of {seeds} seeds" if seeds > 1 else ""
    after = f"After {counted(epochs, 'epoch', 'epochs')}"
    if not fields.has("ties"):
        return f"{after} {_model(fields)} is trained; no links were ranked."
    mrr = fields.one("ties").one("random").number("mrr") or 0
    answer = f"{after} {_model(fields)} has a test MRR of {mrr:.4f}{mean}."
    if not fields.has("ceiling"):
        return answer
    ceiling = fields.one("ceiling")
    limit = ceiling.one("limit").one("random").number("mrr") or 0
    bound = f"round {ceiling.whole('round'):,} of {ceiling.text('test')}"
    share = ceiling.one("reached").one("last").number("random")
    reached = "" if share is None else f": it reaches {percent(share)} of that"
    return f"{answer} No model bounded by {bound} gets more than {limit:.4f}{reached}."


def _notes(fields: Fields) -> list[str]:
    notes = []
    test = fields.one("ranked").one("test") if fields.one("ranked").has("test") else None
    if test is not None:
        asked = counted(test.whole("answers"), "answer", "answers")
        candidates = counted(test.whole("candidates"), "candidate", "candidates")
        notes.append(f"{asked}, each among {candidates} without those known to be true.")
        for key, what in (("new_vertices", "entities"), ("new_relations", "relations")):
            unknown = test.texts(key)
            if unknown:
                some = f"{len(unknown):,} {what}, such as {listed(unknown[:3])}"
                notes.append(f"Not in the graph, but ranked: {some}.")
    if not fields.one("ranked").has("validation"):
        notes.append("There are no validation triples, so no epoch is chosen by them.")
    return notes


def _ceiling_table(ceiling: Fields) -> Table:
    """For each tie rule the limit, and the share of it that was reached."""
    reached = ceiling.one("reached")
    words = [key for key in _REPORTED if reached.has(key)]
    columns = (
        Column("ties"),
        Column("highest MRR", "number"),
        *(Column(f"reached, {_REPORTED[key]}", "share") for key in words),
    )
    rows: list[tuple[Value, ...]] = []
    for tie in TIES:
        if ceiling.one("limit").has(tie):
            limit = ceiling.one("limit").one(tie).number("mrr")
            shares = (reached.one(key).number(tie) for key in words)
            rows.append((TIES_IN_WORDS[tie], limit, *shares))
    exact = "" if ceiling.truth("exact") else " These are upper bounds."
    note = f"The limit of round {ceiling.whole('round'):,} of {ceiling.text('test')}.{exact}"
    return Table("What any such model can reach", columns, tuple(rows), note=note)


def _charts(fields: Fields) -> tuple[Chart, ...]:
    """Validation scores and loss by epoch; empty without curves."""
    runs = [run for run in fields.many("runs") if run.has("curves")]
    keys = _VALIDATION if len(runs) == 1 else _VALIDATION[:1]
    several = len(runs) > 1

    def lines(keys: tuple[str, ...]) -> tuple[Line, ...]:
        found = [curve_lines(run, keys, _LINES, several=several) for run in runs]
        return tuple(line for each in found for line in each)

    charts = (
        Chart("Validation", "epoch", "score", lines(keys), style="number"),
        Chart("Loss", "epoch", "loss", lines(("loss",)), log_y=True),
    )
    return tuple(chart for chart in charts if chart.series)


def _table(fields: Fields, tie: str) -> Table:
    columns = (
        Column("seed", "count"),
        Column("reported"),
        Column("epoch", "count"),
        *(Column(title, "number") for title in TITLES),
    )
    rows: list[tuple[Value, ...]] = []
    for run in fields.many("runs"):
        for key, word in _REPORTED.items():
            if run.has(key) and run.one(key).has("ties"):
                scores = run.one(key).one("ties").one(tie)
                numbers = (scores.number(metric) for metric in METRICS)
                rows.append((run.whole("seed"), word, run.one(key).whole("epoch"), *numbers))
    return Table(f"Test triples, {TIES_IN_WORDS[tie]}", columns, tuple(rows))


def _settings(fields: Fields) -> Table:
    config, training = fields.one("config"), fields.one("training")
    rows: list[tuple[Value, ...]] = [
        ("model", _model(fields)),
        ("layers", config.whole("layers")),
        ("width", config.whole("width")),
        ("parameters", fields.whole("parameters")),
        ("learning rate", plain(training.number("learning_rate"))),
        ("weight decay", plain(training.number("weight_decay"))),
        ("triples in a batch", training.maybe(training.whole, "batch")),
        ("negatives", training.maybe(training.whole, "negatives") or "all candidates"),
        ("epoch by validation", fields.maybe(fields.text, "chosen_by")),
        ("bounded by", fields.text("bounded_by")),
        ("tested on", fields.maybe(fields.text, "inference")),
        ("computed", fields.text("computed")),
        ("device", fields.text("device")),
        ("numbers", fields.text("dtype")),
    ]
    return Table("Model and settings", (Column(""), Column("")), tuple(rows))
