"""Scores round by round, from the split tree of a run and the labels of some of its items.

Rounds that split no class of targets repeat the scores of the round before, so only the others are
computed: at most one less than there are targets, each for a sort of the targets.
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
    """How many targets are right after so many rounds."""

    round: int
    correct: int
    total: int

    @property
    def accuracy(self) -> float:
        return self.correct / self.total


@dataclass(frozen=True)
class RoundCeiling(Score):
    """The best scores of one label per class at a round."""

    #: Classes that hold targets of this split.
    classes: int
    balanced_accuracy: float
    #: A value that is reached, and one that is not exceeded; the best value if they are equal.
    macro_f1: float
    macro_f1_bound: float


@dataclass(frozen=True, eq=False)
class Labelled:
    """The targets of all splits, one split after the other, with their labels as numbers."""

    items: IntArray
    labels: IntArray
    #: The labels in canonical order.
    names: tuple[str, ...]
    #: Where the targets of each split are.
    places: tuple[slice, ...]

    @classmethod
    def of(cls, parts: Sequence[Targets]) -> Labelled:
        """The targets of these splits."""
        words = [word for part in parts for word in part.labels]
        names = canonical_order(words)
        number = {name: i for i, name in enumerate(names)}
        ends = np.cumsum([len(part) for part in parts]).tolist()
        return cls(
            np.concatenate([part.vertices for part in parts]),
            np.array([number[word] for word in words], dtype=np.int64),
            tuple(names),
            tuple(slice(end - len(part), end) for end, part in zip(ends, parts, strict=True)),
        )


#: A round, and the classes of all targets from then on until the next step.
Step = tuple[int, IntArray]


def steps(history: History, items: IntArray, last: int) -> Iterator[Step]:
    """The rounds up to the last one that split a class of the items, round 0 included."""
    classes = 0
    for number in _births(history, items, last):
        partition = Partition.of(history.class_at(items, number))
        if partition.num_classes > classes:
            classes = partition.num_classes
            yield number, partition.colours


def _births(history: History, items: IntArray, last: int) -> list[int]:
    """The rounds in which classes of the items, or classes that these split off, came up."""
    births = {0}
    found = np.unique(history.class_of[items])
    while len(found):
        births.update(history.birth[found].tolist())
        found = np.unique(history.parent[found[history.birth[found] > 0]])
    return sorted(number for number in births if number <= last)


def best_scores(step: Step, labelled: Labelled, part: slice) -> RoundCeiling:
    """The best that one label per class does on a split."""
    number, classes = step
    table = Table.of(classes[part], labelled.labels[part])
    reached, bound = best_macro_f1(table)
    return RoundCeiling(
        number,
        table.correct,
        int(table.sizes.sum()),
        len(table.classes),
        table.balanced_accuracy,
        reached,
        bound,
    )


def fitted_scores(found: Iterable[Step], labelled: Labelled) -> Iterator[Score]:
    """What the most frequent training labels of the classes do on the test targets."""
    train, test = labelled.places
    truth = labelled.labels[test]
    guess = np.bincount(labelled.labels[train]).argmax().repeat(len(truth))
    for number, classes in found:
        table = Table.of(classes[train], labelled.labels[train])
        majority = np.full(int(classes.max()) + 1, -1)
        majority[table.classes] = table.labels[table.label[table.majority]]
        known = majority[classes[test]]
        # The guess of the round before was made for the class that this one is a part of.
        guess = np.where(known < 0, guess, known)
        yield Score(number, int((guess == truth).sum()), len(truth))


Scored = TypeVar("Scored", bound=Score)


def every_round(scores: Sequence[Scored], last: int) -> Iterator[Scored]:
    """The scores of all rounds: those of a step hold until the next."""
    ends = [score.round for score in scores[1:]] + [last + 1]
    for score, end in zip(scores, ends, strict=True):
        for number in range(score.round, end):
            yield replace(score, round=number)
