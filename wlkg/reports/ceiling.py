"""Ceilings as data and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.ceiling.ceiling import Ceiling, SplitCeiling
from wlkg.analysis.ceiling.collisions import CollidingClass
from wlkg.analysis.ceiling.rounds import RoundCeiling, Score
from wlkg.analysis.ceiling.study import CeilingStudy, Variant
from wlkg.analysis.ceiling.trained import TrainedComparison
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import Name, ReportNames
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import Terminal, console, new_table, note, printable
from wlkg.text import counted, first_few

_FIRST_ROUNDS = 8
_LAST_ROUNDS = 2
#: The most targets that are shown of each label of a colliding class.
_MAX_TARGETS = 2


# -- data -----------------------------------------------------------------------------------------


def study_document(study: CeilingStudy) -> dict[str, Any]:
    """What ``wlkg ceiling --json`` prints: the first variant, then all of them."""
    variants = [_variant_document(variant) for variant in study.variants]
    content: dict[str, Any] = {"of": study.of, **variants[0]}
    if study.trained is not None:
        content["trained"] = _trained_document(study.trained)
    return {**content, "variants": variants}


def _variant_document(variant: Variant) -> dict[str, Any]:
    ceiling = variant.ceiling
    rounds = {split.split: [_score(score) for score in split.rounds] for split in ceiling.splits}
    return {
        "test": ceiling.test,
        "direction": ceiling.direction,
        "literals": variant.literals,
        "stable": ceiling.stable,
        "exact": ceiling.exact,
        "labels": list(ceiling.labels),
        "rounds": [{"split": name, **score} for name, scores in rounds.items() for score in scores],
        "splits": {
            split.split: {
                "targets": split.last.total,
                "missing": list(split.missing),
                "rounds": rounds[split.split],
            }
            for split in ceiling.splits
        },
        "fitted": None if ceiling.fitted is None else [_score(score) for score in ceiling.fitted],
        "in_both": ceiling.in_both,
        "colliding_classes": ceiling.collisions.num_classes,
        "colliding_targets": ceiling.collisions.num_targets,
        "colliding": [
            {"class": each.number, "targets": [asdict(target) for target in each.targets]}
            for each in ceiling.collisions.classes
        ],
        "seconds": variant.seconds,
    }


def _score(score: Score) -> dict[str, Any]:
    content = asdict(score)
    first = {key: content.pop(key) for key in ("round", "correct", "total")}
    return {**first, "accuracy": score.accuracy, **content}


def _trained_document(comparison: TrainedComparison) -> dict[str, Any]:
    return {
        "file": comparison.model.path,
        "model": comparison.model.model,
        "layers": comparison.model.layers,
        "splits": {
            reached.split: {
                "round": reached.round,
                "accuracy": reached.accuracy,
                "ceiling": reached.ceiling,
                "share": reached.share,
                "exceeds": reached.exceeds,
            }
            for reached in comparison.splits
        },
    }


# -- text -----------------------------------------------------------------------------------------


def print_study(name: str, study: CeilingStudy, graph: RelationalGraph | None = None) -> None:
    """The first variant in full, the trained model, and a table of all variants."""
    _note_targets(study.variants)
    _print_variant(name, study.first, ReportNames(graph))
    if study.trained is not None:
        _print_trained(study.trained, study.first.ceiling.test)
    if len(study.variants) > 1:
        _print_variants(study.variants)


def _note_targets(variants: Iterable[Variant]) -> None:
    """Remarks about targets that are missing, or in both splits; each remark once."""
    notes = []
    for variant in variants:
        for split in variant.ceiling.splits:
            if split.missing:
                missing = counted(len(split.missing), "target is", "targets are")
                place = f"{split.split}, literals {variant.literals}"
                notes.append(f"{place}: {missing} not there: {first_few(split.missing)}")
        if variant.ceiling.in_both:
            both = counted(variant.ceiling.in_both, "target is", "targets are")
            notes.append(f"{both} in both splits: fitted has seen their labels")
    for text in dict.fromkeys(notes):
        note(text)


def _print_variant(name: str, variant: Variant, names: ReportNames) -> None:
    """The best scores by round, and the targets that collide."""
    out = console()
    ceiling = variant.ceiling
    title = f"{printable(name)}: {ceiling.test}, direction {ceiling.direction}"
    out.print(heading(title))
    out.print(_headline(ceiling))
    out.print()
    for split in ceiling.splits:
        targets = counted(split.last.total, "target", "targets")
        out.print(f"{split.split}: {targets}, {counted(len(ceiling.labels), 'label', 'labels')}")
        out.print(_rounds_table(out, split, ceiling.fitted if split.split == "test" else None))
        out.print()
    if ceiling.fitted is not None:
        out.print("fitted: each class takes its most frequent train label, scored on test")
        out.print()
    _print_collisions(out, ceiling, names)
    state = "stable at" if ceiling.stable else "stopped after"
    how = "exact" if ceiling.exact else "not proved"
    took = "" if variant.seconds is None else f"; {variant.seconds:.3f} s"
    rest = f"{state} round {ceiling.rounds:,}; {how}{took}"
    out.print(remark(rest))


def _headline(ceiling: Ceiling) -> str:
    depth = "" if ceiling.stable else f" of at most {counted(ceiling.rounds, 'layer', 'layers')}"
    if all(split.last.correct == split.last.total for split in ceiling.splits):
        return f"{ceiling.test} sets no limit: no class mixes labels of one split"
    limits = " and ".join(
        f"{split.last.correct:,} of {split.last.total:,} ({split.split})"
        for split in ceiling.splits
    )
    return f"no model{depth} bounded by {ceiling.test} gets more than {limits} right"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _f1(score: RoundCeiling) -> str:
    low, high = (f"{100 * value:.1f}" for value in (score.macro_f1, score.macro_f1_bound))
    return f"{low} %" if score.macro_f1 == score.macro_f1_bound else f"{low} to {high} %"


def _rounds_table(out: Terminal, split: SplitCeiling, fitted: Sequence[Score] | None) -> Table:
    table = new_table(out)
    titles = ["round", "classes", "right", "accuracy", "balanced", "macro-F1"]
    for title in titles if fitted is None else [*titles, "fitted"]:
        table.add_column(title, justify="right", no_wrap=True)
    for number in _shown(len(split.rounds)):
        if number is None:
            table.add_row("...")
            continue
        score = split.rounds[number]
        row = [f"{number:,}", f"{score.classes:,}", f"{score.correct:,}"]
        row += [_percent(score.accuracy), _percent(score.balanced_accuracy), _f1(score)]
        if fitted is not None:
            row.append(f"{fitted[number].correct:,}  {_percent(fitted[number].accuracy)}")
        table.add_row(*row)
    return table


def _shown(count: int) -> Iterable[int | None]:
    """The rounds to show; None stands for those left out in the middle."""
    if count <= _FIRST_ROUNDS + _LAST_ROUNDS + 1:
        return range(count)
    return [*range(_FIRST_ROUNDS), None, *range(count - _LAST_ROUNDS, count)]


def _print_collisions(out: Terminal, ceiling: Ceiling, names: ReportNames) -> None:
    collisions = ceiling.collisions
    if not collisions.num_classes:
        out.print("targets of different labels are all told apart")
        return
    targets = counted(collisions.num_targets, "target", "targets")
    classes = counted(collisions.num_classes, "class", "classes")
    out.print(f"{targets} in {classes} of round {ceiling.rounds:,} with more than one label")
    if collisions.classes:
        out.print(_collisions_table(out, collisions.classes, names))
    more = collisions.num_classes - len(collisions.classes)
    if more:
        out.print(f"{counted(more, 'more class', 'more classes')}; --limit lists more of them")


def _collisions_table(
    out: Terminal, classes: Sequence[CollidingClass], names: ReportNames
) -> Table:
    table = new_table(out)
    table.add_column("class", justify="right", no_wrap=True)
    table.add_column("split", no_wrap=True)
    for title_of_names in ("target", "label"):
        table.add_column(title_of_names)
    for each in classes:
        title = f"{each.number:,}"
        for label, group in groupby(each.targets, key=lambda target: target.label):
            members = list(group)
            for target in members[:_MAX_TARGETS]:
                cells = Name(names.vertex(target.name)), Name(names.vertex(label))
                table.add_row(title, target.split, *cells)
                title = ""
            if len(members) > _MAX_TARGETS:
                more = f"and {len(members) - _MAX_TARGETS:,} more"
                table.add_row("", "", more, Name(names.vertex(label)))
    return table


def _print_trained(comparison: TrainedComparison, test: str) -> None:
    """How close a trained model comes to the ceiling."""
    out = console()
    model = comparison.model
    layers = counted(model.layers, "layer", "layers")
    out.print()
    out.print(Text(f"{model.model}, {layers}, from {printable(model.path)}", style="bold"))
    for reached in comparison.splits:
        best = f"the best of round {reached.round:,} is {_percent(reached.ceiling)}"
        share = f"reaches {_percent(reached.share)} of what is possible"
        if reached.exceeds:
            share = f"more than {test} allows"
        out.print(f"{reached.split}: {_percent(reached.accuracy)}, {best}: {share}")
    if any(reached.exceeds for reached in comparison.splits):
        out.print(f"{test} does not bound this model, or it saw another graph or other targets")


def _print_variants(variants: Sequence[Variant]) -> None:
    """A row for each variant: accuracies after the first round and at the last."""
    out = console()
    splits = [split.split for split in variants[0].ceiling.splits]
    table = new_table(out)
    table.add_column("test")
    for title in ("direction", "literals"):
        table.add_column(title, no_wrap=True)
    titles = [title for split in splits for title in (f"{split} 1", "last")]
    for title in [*titles, *(["fitted"] if len(splits) > 1 else [])]:
        table.add_column(title, justify="right", no_wrap=True)
    for variant in variants:
        ceiling = variant.ceiling
        scores: list[Score] = []
        for split in ceiling.splits:
            scores += [split.rounds[min(1, ceiling.rounds)], split.last]
        scores += [] if ceiling.fitted is None else [ceiling.fitted[-1]]
        shares = [f"{100 * score.accuracy:.1f}" for score in scores]
        table.add_row(Name(ceiling.test), ceiling.direction, variant.literals, *shares)
    out.print()
    out.print("highest accuracy in %, after round 1 and at the last")
    out.print(table)
