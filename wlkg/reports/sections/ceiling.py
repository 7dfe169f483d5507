"""The section of ``wlkg ceiling``: the best that any model bounded by a test can reach."""

from __future__ import annotations

from itertools import zip_longest

from wlkg.reports.blocks import Block, Chart, Column, Paragraph, Section, Series, Table, Value
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.links import links_section
from wlkg.reports.sections.marks import marks
from wlkg.reports.sections.rounds import LONG, MOST_POINTS, MOST_ROWS, left_out_note, shown_rounds
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import Names, counted, listed, percent, titled


def ceiling_section(result: Result) -> Section:
    """The limit, the curve, the entities that collide, a trained model, and all variants."""
    fields, names = result.fields, Names.of(result)
    if fields.text("of") == "links":
        return links_section(result)
    splits = {name: split.many("rounds") for name, split in fields.named("splits").items()}
    if not (splits and all(splits.values())):
        raise fields.error("splits: expected at least one round in each split")
    chart = _chart(fields, splits)
    blocks: list[Block] = [
        Paragraph(_answer(fields, splits), "verdict"),
        *(Paragraph(text, "note") for text in _notes(fields)),
        chart,
    ]
    if fields.has("trained"):
        blocks += _trained_blocks(fields.one("trained"), fields.text("test"))
    blocks += _colliding_blocks(result, fields, names)
    blocks += [_rounds_table(name, rounds) for name, rounds in splits.items()]
    if fields.has("fitted"):
        blocks.append(_fitted_table(fields.many("fitted")))
    variants = fields.many("variants") if fields.has("variants") else []
    if len(variants) > 1:
        blocks.append(_variants_table(variants))
    title = titled(fields.text("graph"), f"ceiling of {fields.text('test')}")
    return Section(title, tuple(blocks), figure=(chart,))


def _answer(fields: Fields, splits: dict[str, list[Fields]]) -> str:
    test, last = fields.text("test"), {name: rounds[-1] for name, rounds in splits.items()}
    depth = ""
    if not fields.truth("stable"):
        most = max(rounds[-1].whole("round") for rounds in splits.values())
        depth = f" of at most {counted(most, 'layer', 'layers')}"
    if all(score.whole("correct") == score.whole("total") for score in last.values()):
        return f"{test} sets no limit: no class mixes labels of one split."
    limits = listed(
        [
            f"{score.whole('correct'):,} of {score.whole('total'):,} {name} targets"
            f" ({percent(score.number('accuracy') or 0)})"
            for name, score in last.items()
        ]
    )
    return f"No model{depth} bounded by {test} gets more than {limits} right."


def _notes(fields: Fields) -> list[str]:
    notes = []
    for name, split in fields.named("splits").items():
        missing = split.texts("missing")
        if missing:
            some = counted(len(missing), "target is", "targets are")
            notes.append(f"{some} of {name} not in the graph: {listed(missing[:3])}.")
    if fields.whole("in_both"):
        both = counted(fields.whole("in_both"), "target is", "targets are")
        notes.append(f"{both} in both splits: fitted has seen their labels.")
    if not fields.truth("exact"):
        notes.append("Not proved: the colours rely on hashes.")
    return notes


def _chart(fields: Fields, splits: dict[str, list[Fields]]) -> Chart:
    """Accuracy by round: the ceilings as bounds, and what the training labels reach on test."""
    series = [
        Series(f"ceiling, {name}", _points(rounds), "bound") for name, rounds in splits.items()
    ]
    if fields.has("fitted"):
        series.append(Series("fitted on train, scored on test", _points(fields.many("fitted"))))
    if fields.has("trained"):
        trained = fields.one("trained")
        for name, split in trained.named("splits").items():
            point = (split.whole("round"), split.number("accuracy"))
            series.append(Series(f"{trained.text('model')}, {name}", (point,)))
    rounds = max(len(rounds) for rounds in splits.values())
    title = f"Highest accuracy under {fields.text('test')}"
    return Chart(title, "round", "accuracy", tuple(series), log_x=rounds > LONG, style="share")


def _points(rounds: list[Fields]) -> tuple[tuple[float, float | None], ...]:
    shown = shown_rounds(len(rounds), MOST_POINTS)
    return tuple((rounds[t].whole("round"), rounds[t].number("accuracy")) for t in shown)


def _rounds_table(split: str, rounds: list[Fields]) -> Table:
    columns = (
        *(Column(title, "count") for title in ("round", "classes", "right", "of")),
        *(
            Column(title, "share")
            for title in ("accuracy", "balanced", "macro-F1", "macro-F1 bound")
        ),
    )
    counts = ("round", "classes", "correct", "total")
    shares = ("accuracy", "balanced_accuracy", "macro_f1", "macro_f1_bound")
    rows = tuple(
        (*map(rounds[t].whole, counts), *map(rounds[t].number, shares))
        for t in shown_rounds(len(rounds), MOST_ROWS)
    )
    title = f"Best scores on {split}"
    return Table(title, columns, rows, note=left_out_note(len(rounds)))


def _fitted_table(rounds: list[Fields]) -> Table:
    columns = (
        *(Column(title, "count") for title in ("round", "right", "of")),
        Column("accuracy", "share"),
    )
    keys = ("round", "correct", "total")
    rows = tuple(
        (*map(rounds[t].whole, keys), rounds[t].number("accuracy"))
        for t in shown_rounds(len(rounds), MOST_ROWS)
    )
    note = "Each class takes its most frequent train label, and is scored on test."
    left_out = left_out_note(len(rounds))
    return Table(
        "Fitted on train, scored on test", columns, rows, note=f"{note} {left_out}".strip()
    )


def _colliding_blocks(result: Result, fields: Fields, names: Names) -> list[Block]:
    """Targets that share a class but not a label: what no such model can get right."""
    if not fields.whole("colliding_classes"):
        return [Paragraph("Targets of different labels are all told apart.")]
    classes = fields.many("colliding")
    targets = counted(fields.whole("colliding_targets"), "target", "targets")
    count = counted(fields.whole("colliding_classes"), "class", "classes")
    text = f"{targets} in {count} with more than one label: whatever such a model predicts for a"
    text += " class, it is wrong about some of them."
    blocks: list[Block] = [Paragraph(text)]
    if classes:
        shown = marks(result.graphs, labels_in_turn(classes[0].many("targets")))
        graph = view(result.graphs, tests=(fields.text("test"),), marked=shown)
        table = _colliding_table(fields, classes, names)
        blocks += [*graph.drawing, table, *graph.folded]
    return blocks


def labels_in_turn(targets: list[Fields]) -> list[str]:
    """The names of targets, ordered so that the first few have different labels."""
    by_label: dict[str, list[str]] = {}
    for target in targets:
        by_label.setdefault(target.text("label"), []).append(target.text("name"))
    turns = zip_longest(*by_label.values())
    return [name for turn in turns for name in turn if name is not None]


def _colliding_table(fields: Fields, classes: list[Fields], names: Names) -> Table:
    rows: list[tuple[Value, ...]] = [
        (
            each.whole("class"),
            target.text("split"),
            names.vertex(target.text("name")),
            names.vertex(target.text("label")),
        )
        for each in classes
        for target in each.many("targets")
    ]
    more = fields.whole("colliding_classes") - len(classes)
    note = f"{counted(more, 'more class', 'more classes')}; --limit lists more." if more > 0 else ""
    columns = (Column("class", "count"), Column("split"), Column("target"), Column("label"))
    title = "Targets that share a class but not a label"
    return Table(title, columns, tuple(rows), note=note, searchable=True)


def _trained_blocks(trained: Fields, test: str) -> list[Block]:
    """How close a trained model comes to the ceiling."""
    splits = trained.named("splits")
    rows = tuple(
        (
            name,
            split.whole("round"),
            *(split.number(key) for key in ("accuracy", "ceiling", "share")),
        )
        for name, split in splits.items()
    )
    columns = (
        Column("split"),
        Column("round", "count"),
        *(Column(title, "share") for title in ("accuracy", "ceiling", "of what is possible")),
    )
    layers = counted(trained.whole("layers"), "layer", "layers")
    table = Table(f"{trained.text('model')}, {layers}, against the ceiling", columns, rows)
    if not any(split.truth("exceeds") for split in splits.values()):
        return [table]
    text = f"More than {test} allows: it does not bound this model, or the model saw another graph"
    return [table, Paragraph(f"{text} or other targets.", "warning")]


def _variants_table(variants: list[Fields]) -> Table:
    """A row for each variant: accuracies after the first round and at the last."""
    splits = list(variants[0].named("splits"))
    titles = [title for name in splits for title in (f"{name}, round 1", f"{name}, last")]
    columns = (
        *(Column(title) for title in ("test", "direction", "literals")),
        *(Column(title, "share") for title in (*titles, "fitted")),
    )
    rows = tuple(_variant_row(variant, splits) for variant in variants)
    return Table("Highest accuracy of each variant", columns, rows)


def _variant_row(variant: Fields, splits: list[str]) -> tuple[Value, ...]:
    row: list[Value] = [variant.text(key) for key in ("test", "direction", "literals")]
    for name in splits:
        rounds = variant.one("splits").one(name).many("rounds")
        if not rounds:
            raise variant.error(f"{variant.where}.splits.{name}: expected at least one round")
        row += [rounds[min(1, len(rounds) - 1)].number("accuracy"), rounds[-1].number("accuracy")]
    fitted = variant.many("fitted") if variant.has("fitted") else []
    row.append(fitted[-1].number("accuracy") if fitted else None)
    return tuple(row)
