"""Ceilings as data and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.ceiling.ceiling import Ceiling, SplitCeiling
from wlkg.analysis.ceiling.collisions import CollidingClass, Collisions
from wlkg.analysis.ceiling.rounds import RoundCeiling, Score
from wlkg.analysis.ceiling.trained import Reached, Trained
from wlkg.analysis.ceiling.variants import Variant
from wlkg.reports.terminal import console, note, printable, shortened
from wlkg.text import counted, first_few

_FIRST_ROUNDS = 8
_LAST_ROUNDS = 2
#: So many targets of each label of a colliding class are shown.
_TARGETS = 2
_NAME = 34
_LABEL = 28


# -- data -----------------------------------------------------------------------------------------


def ceiling_document(variant: Variant) -> dict[str, Any]:
    """What ``wlkg ceiling --json`` prints of one variant."""
    found = variant.ceiling
    rounds = {split.split: [_score(score) for score in split.rounds] for split in found.splits}
    return {
        "test": found.test,
        "direction": found.direction,
        "literals": variant.literals,
        "stable": found.stable,
        "exact": found.exact,
        "labels": list(found.labels),
        "rounds": [{"split": name, **score} for name, scores in rounds.items() for score in scores],
        "splits": {
            split.split: {
                "targets": split.last.total,
                "missing": list(split.missing),
                "rounds": rounds[split.split],
            }
            for split in found.splits
        },
        "fitted": None if found.fitted is None else [_score(score) for score in found.fitted],
        "in_both": found.in_both,
        "colliding_classes": found.collisions.num_classes,
        "colliding_targets": found.collisions.num_targets,
        "colliding": [
            {"class": each.number, "targets": [asdict(target) for target in each.targets]}
            for each in found.collisions.classes
        ],
        "seconds": variant.seconds,
    }


def _score(score: Score) -> dict[str, Any]:
    content = asdict(score)
    first = {key: content.pop(key) for key in ("round", "correct", "total")}
    return {**first, "accuracy": score.accuracy, **content}


def trained_document(trained: Trained, reached: Sequence[Reached]) -> dict[str, Any]:
    """A trained model beside the first variant."""
    return {
        "file": trained.path,
        "model": trained.model,
        "layers": trained.layers,
        "splits": {
            each.split: {
                "round": each.round,
                "accuracy": each.accuracy,
                "ceiling": each.ceiling,
                "share": each.share,
                "exceeds": each.exceeds,
            }
            for each in reached
        },
    }


# -- text -----------------------------------------------------------------------------------------


def note_targets(variants: Iterable[Variant]) -> None:
    """Remarks about targets that are missing, or in both splits."""
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


def print_ceiling(name: str, variant: Variant) -> None:
    """The best scores by round, and who collides."""
    out = console()
    found = variant.ceiling
    out.print(Text(f"{printable(name)}: {found.test}, direction {found.direction}", style="bold"))
    out.print(_headline(found))
    out.print()
    for split in found.splits:
        targets = counted(split.last.total, "target", "targets")
        out.print(f"{split.split}: {targets}, {counted(len(found.labels), 'label', 'labels')}")
        out.print(_rounds_table(split, found.fitted if split.split == "test" else None))
        out.print()
    if found.fitted is not None:
        out.print("fitted: each class takes its most frequent train label, scored on test")
        out.print()
    _print_collisions(found.collisions, found)
    state = "stable at" if found.stable else "stopped after"
    how = "exact" if found.exact else "not proved"
    rest = f"{state} round {found.rounds:,}; {how}; {variant.seconds:.3f} s"
    out.print(Text(rest, style="dim"))


def _headline(found: Ceiling) -> str:
    depth = "" if found.stable else f" of at most {counted(found.rounds, 'layer', 'layers')}"
    if all(split.last.correct == split.last.total for split in found.splits):
        return f"{found.test} sets no limit: no class mixes labels of one split"
    limits = " and ".join(
        f"{split.last.correct:,} of {split.last.total:,} ({split.split})" for split in found.splits
    )
    return f"no model{depth} bounded by {found.test} gets more than {limits} right"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _f1(score: RoundCeiling) -> str:
    low, high = (f"{100 * value:.1f}" for value in (score.macro_f1, score.macro_f1_bound))
    return f"{low} %" if score.macro_f1 == score.macro_f1_bound else f"{low} to {high} %"


def _rounds_table(split: SplitCeiling, fitted: Sequence[Score] | None) -> Table:
    table = Table(box=None, pad_edge=False)
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
    if count <= _FIRST_ROUNDS + _LAST_ROUNDS + 1:
        return range(count)
    return [*range(_FIRST_ROUNDS), None, *range(count - _LAST_ROUNDS, count)]


def _print_collisions(collisions: Collisions, found: Ceiling) -> None:
    out = console()
    if not collisions.num_classes:
        out.print("targets of different labels are all told apart")
        return
    targets = counted(collisions.num_targets, "target", "targets")
    classes = counted(collisions.num_classes, "class", "classes")
    out.print(f"{targets} in {classes} of round {found.rounds:,} with more than one label")
    if collisions.classes:
        out.print(_collisions_table(collisions.classes))
    more = collisions.num_classes - len(collisions.classes)
    if more:
        out.print(f"{counted(more, 'more class', 'more classes')}; --limit lists more of them")


def _collisions_table(classes: Sequence[CollidingClass]) -> Table:
    table = Table("class", "split", "target", "label", box=None, pad_edge=False)
    table.columns[0].justify = "right"
    for each in classes:
        title = f"{each.number:,}"
        for label, group in groupby(each.targets, key=lambda target: target.label):
            members = list(group)
            for target in members[:_TARGETS]:
                named = shortened(target.name, _NAME), shortened(label, _LABEL)
                table.add_row(title, target.split, *map(Text, named))
                title = ""
            if len(members) > _TARGETS:
                more = f"and {len(members) - _TARGETS:,} more"
                table.add_row("", "", more, Text(shortened(label, _LABEL)))
    return table


def print_trained(trained: Trained, reached: Sequence[Reached], test: str) -> None:
    """How near a trained model comes to the ceiling."""
    out = console()
    layers = counted(trained.layers, "layer", "layers")
    out.print()
    out.print(Text(f"{trained.model}, {layers}, from {printable(trained.path)}", style="bold"))
    for each in reached:
        best = f"the best of round {each.round:,} is {_percent(each.ceiling)}"
        share = f"reaches {_percent(each.share)} of what is possible"
        if each.exceeds:
            share = f"more than {test} allows"
        out.print(f"{each.split}: {_percent(each.accuracy)}, {best}: {share}")
    if any(each.exceeds for each in reached):
        out.print(f"{test} does not bound this model, or it saw another graph or other targets")


def print_variants(variants: Sequence[Variant]) -> None:
    """A row for each variant: accuracies after the first round and at the last."""
    out = console()
    splits = [split.split for split in variants[0].ceiling.splits]
    table = Table(box=None, pad_edge=False)
    for title in ("test", "direction", "literals"):
        table.add_column(title, no_wrap=True)
    titles = [title for split in splits for title in (f"{split} 1", "last")]
    for title in [*titles, *(["fitted"] if len(splits) > 1 else [])]:
        table.add_column(title, justify="right", no_wrap=True)
    for variant in variants:
        found = variant.ceiling
        scores: list[Score] = []
        for split in found.splits:
            scores += [split.rounds[min(1, found.rounds)], split.last]
        scores += [] if found.fitted is None else [found.fitted[-1]]
        shares = [f"{100 * score.accuracy:.1f}" for score in scores]
        table.add_row(found.test, found.direction, variant.literals, *shares)
    out.print()
    out.print("highest accuracy in %, after round 1 and at the last")
    out.print(table)
