"""Who stands in the way: targets of one class and different labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.analysis.ceiling.rounds import Labelled
from wlkg.analysis.ceiling.scores import Table
from wlkg.arrays import IntArray


@dataclass(frozen=True)
class CollidingTarget:
    """A target that shares its class with one of another label."""

    name: str
    label: str
    split: str


@dataclass(frozen=True)
class CollidingClass:
    """A class with more than one label, by the number of its colour; targets sorted by label."""

    number: int
    targets: tuple[CollidingTarget, ...]


@dataclass(frozen=True)
class Collisions:
    """How many classes collide, how many targets are in them, and the first of them.

    Classes come by what they cost (the targets that are not of the most frequent label), then by
    number.
    """

    num_classes: int
    num_targets: int
    classes: tuple[CollidingClass, ...]


def find_collisions(
    classes: IntArray,
    labelled: Labelled,
    names: Sequence[str],
    splits: Sequence[str],
    limit: int | None,
) -> Collisions:
    """The collisions of targets, of which the i-th is in class ``classes[i]``."""
    table = Table.of(classes, labelled.labels)
    mixed = np.flatnonzero(table.labels_per_class > 1)
    lost = table.sizes[mixed] - table.count[table.majority[mixed]]
    worst = mixed[np.lexsort([mixed, -lost])][:limit]
    # Sorting is stable, so a target that is in both splits comes as one of train first.
    order = np.lexsort([labelled.items, labelled.labels, classes])
    num_train = labelled.places[0].stop

    def described(target: int) -> CollidingTarget:
        label = labelled.names[labelled.labels[target]]
        return CollidingTarget(names[labelled.items[target]], label, splits[target >= num_train])

    ends = np.cumsum(table.sizes)
    listed = []
    for place in worst.tolist():
        members = order[ends[place] - table.sizes[place] : ends[place]].tolist()
        listed.append(CollidingClass(int(table.classes[place]), tuple(map(described, members))))
    return Collisions(len(mixed), int(table.sizes[mixed].sum()), tuple(listed))
