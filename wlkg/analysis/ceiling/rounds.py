"""Scores round by round, from the split tree of a run and the labels of some of its items.

A round that splits no class of targets repeats the scores of the round before, so only the others
are computed: fewer rounds than there are targets, each for a sort of the targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from wlkg.analysis.ceiling.macro_f1 import best_macro_f1
from wlkg.analysis.ceiling.scores import Table
from wlkg.arrays import IntArray
from wlkg.graph.names import canonical_order
from wlkg.partition import History, Partition
from wlkg.readers.targets import Targets


@dataclass(frozen=True)
class Score:
    """The number of targets that are right after a round."""

    round: int
    correct: int
    total: int

    @property
    def accuracy(self) -> float:
        return self.correct / self.total


@dataclass(frozen=True)
class RoundCeiling(Score):
    """The best scores of one label per class at a round."""

    #: The number of classes that hold targets of this split.
    classes: int
    balanced_accuracy: float
    #: A value that is reached, and one that is not exceeded; the best value if they are equal.
    macro_f1: float
    macro_f1_bound: float


@dataclass(frozen=True, eq=False)
class LabelledItems:
    """The targets of all splits, one split after the other, with their labels as numbers."""

    items: IntArray
    labels: IntArray
    #: The names of the labels in canonical order.
    names: tuple[str, ...]
    #: Where the targets of each split are.
    places: tuple[slice, ...]

    @classmethod
    def of(cls, parts: Sequence[Targets]) -> LabelledItems:
        """The targets of these splits."""
        words = [word for part in parts for word in part.labels]
        names = canonical_order(words)
        number = {name: i for i, name in enumerate(names)}
        ends = np.cumsum([len(part) for part in parts]).tolist()
        return cls(
            items=np.concatenate([part.vertices for part in parts]),
            labels=np.array([number[word] for word in words], dtype=np.int64),
            names=tuple(names),
            places=tuple(
                slice(end - len(part), end) for end, part in zip(ends, parts, strict=True)
            ),
        )


@dataclass(frozen=True, eq=False)
class Step:
    """The classes of all targets from a round until the next step."""

    round: int
    classes: IntArray


def steps(history: History, items: IntArray, last: int) -> Iterator[Step]:
    """Round 0, and the rounds up to the last that split a class of the items."""
    num_classes = 0
    for number in _births(history, items, last):
        partition = Partition.of(history.class_at(items, number))
        if partition.num_classes > num_classes:
            num_classes = partition.num_classes
            yield Step(number, partition.colours)


def _births(history: History, items: IntArray, last: int) -> list[int]:
    """The rounds in which the classes of the items, and their ancestors, came into being."""
    births = {0}
    classes = np.unique(history.class_of[items])
    while len(classes):
        births.update(history.birth[classes].tolist())
        classes = np.unique(history.parent[classes[history.birth[classes] > 0]])
    return sorted(number for number in births if number <= last)


def best_scores(step: Step, labelled: LabelledItems, part: slice) -> RoundCeiling:
    """The best scores of one label per class on a split."""
    table = Table.of(step.classes[part], labelled.labels[part])
    macro_f1 = best_macro_f1(table)
    return RoundCeiling(
        round=step.round,
        correct=table.correct,
        total=int(table.sizes.sum()),
        classes=len(table.classes),
        balanced_accuracy=table.balanced_accuracy,
        macro_f1=macro_f1.reached,
        macro_f1_bound=macro_f1.bound,
    )


def fitted_scores(all_steps: Iterable[Step], labelled: LabelledItems) -> Iterator[Score]:
    """The scores on the test targets of the most frequent training label of each class."""
    train, test = labelled.places
    truth = labelled.labels[test]
    guess = np.bincount(labelled.labels[train]).argmax().repeat(len(truth))
    for step in all_steps:
        table = Table.of(step.classes[train], labelled.labels[train])
        majority = np.full(int(step.classes.max()) + 1, -1)
        majority[table.classes] = table.labels[table.label[table.majority]]
        known = majority[step.classes[test]]
        # Without training targets, keep the guess of the class that this one was split from.
        guess = np.where(known < 0, guess, known)
        yield Score(round=step.round, correct=int((guess == truth).sum()), total=len(truth))


Scored = TypeVar("Scored", bound=Score)


def every_round(scores: Sequence[Scored], last: int) -> Iterator[Scored]:
    """The scores of all rounds: those of a step hold until the next step."""
    ends = [score.round for score in scores[1:]] + [last + 1]
    for score, end in zip(scores, ends, strict=True):
        for number in range(score.round, end):
            yield replace(score, round=number)
