"""What lowers the ceiling: targets that share a class but not a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.analysis.ceiling.rounds import LabelledItems
from wlkg.analysis.ceiling.scores import Table
from wlkg.arrays import IntArray
from wlkg.display import Brief


@dataclass(frozen=True)
class CollidingTarget:
    """A target that shares its class with a target of another label."""

    name: str
    label: str
    split: str


@dataclass(frozen=True)
class CollidingClass(Brief):
    """A class with more than one label; ``number`` is its colour, targets are sorted by label."""

    number: int
    targets: tuple[CollidingTarget, ...]


@dataclass(frozen=True)
class Collisions(Brief):
    """The numbers of colliding classes and of targets in them, and the first of these classes.

    The most costly classes come first (cost: the targets without the most frequent label), then the
    smallest numbers.
    """

    num_classes: int
    num_targets: int
    classes: tuple[CollidingClass, ...]


def find_collisions(
    classes: IntArray,
    labelled: LabelledItems,
    *,
    names: Sequence[str],
    splits: Sequence[str],
    limit: int | None,
) -> Collisions:
    """The collisions of targets; target i is in class ``classes[i]``, ``names`` name all items."""
    table = Table.of(classes, labelled.labels)
    mixed = np.flatnonzero(table.labels_per_class > 1)
    lost = table.sizes[mixed] - table.count[table.majority[mixed]]
    worst = mixed[np.lexsort([mixed, -lost])][:limit]
    # The sort is stable: a target of both splits is listed under train first.
    order = np.lexsort([labelled.items, labelled.labels, classes])
    num_train = labelled.places[0].stop

    def described(target: int) -> CollidingTarget:
        return CollidingTarget(
            name=names[labelled.items[target]],
            label=labelled.names[labelled.labels[target]],
            split=splits[target >= num_train],
        )

    ends = np.cumsum(table.sizes)
    listed = []
    for place in worst.tolist():
        members = order[ends[place] - table.sizes[place] : ends[place]].tolist()
        listed.append(
            CollidingClass(number=int(table.classes[place]), targets=tuple(map(described, members)))
        )
    return Collisions(
        num_classes=len(mixed),
        num_targets=int(table.sizes[mixed].sum()),
        classes=tuple(listed),
    )
