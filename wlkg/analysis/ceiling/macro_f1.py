"""The best macro-F1 of one label per class: a value that is reached, and an upper bound.

The mean over labels l of 2 hits(l) / (n(l) + predicted(l)) is a sum of ratios in which every class
occurs twice, so it cannot be maximised class by class. Some best solution gives every class that
holds a single label this label, which leaves the mixed classes:

- if there are few of them, all choices are tried;
- otherwise *reached* is the better of two starts, the best labels for accuracy and for balanced
  accuracy, each improved one class at a time until no single change helps;
- and *bound* lets every label choose its own classes. The best set takes classes in decreasing
  purity n(c, l) / n(c) up to some point: if F is the best value, it consists of the classes purer
  than F / 2, which add more to the numerator than to F times the denominator.

If both are equal, the value is exact. Cost: a sort for the bound, and (mixed classes) x (labels)
for each sweep of the search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.analysis.ceiling.scores import Table, mean
from wlkg.arrays import FloatArray, IntArray

#: All choices are tried if no more numbers than this describe them.
_MAX_CHOICES = 1 << 18
#: A smaller gain is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class MacroF1:
    """A macro-F1 that some choice of labels reaches, and one that no choice exceeds."""

    reached: float
    bound: float


def best_macro_f1(table: Table) -> MacroF1:
    """The best macro-F1, or a range that contains it."""
    mixed = int((table.labels_per_class > 1).sum())
    if len(table.labels) ** (mixed + 1) <= _MAX_CHOICES:
        best = best_of_all(table)
        return MacroF1(reached=best, bound=best)
    reached = max(climbed(table, table.majority), climbed(table, table.balanced))
    return MacroF1(reached=reached, bound=bound(table))


def _f1(table: Table, hits: IntArray, predicted: IntArray) -> FloatArray:
    scores: FloatArray = 2 * hits / (table.totals + predicted)
    return scores


def bound(table: Table) -> float:
    """The mean of what each label could reach on its own."""
    sizes = table.sizes[table.owner]
    order = np.lexsort([-table.count / sizes, table.label])
    label = table.label[order]
    starts = np.searchsorted(label, np.arange(len(table.labels)))

    def running(values: IntArray) -> IntArray:
        """Cumulative sums that restart at each label."""
        sums = np.cumsum(values)
        return sums - (sums - values)[starts][label]

    f1 = 2 * running(table.count[order]) / (table.totals[label] + running(sizes[order]))
    return mean(np.maximum.reduceat(f1, starts))


def best_of_all(table: Table) -> float:
    """The best value, by trying all labels for all mixed classes."""
    mixed = np.flatnonzero(table.labels_per_class > 1)
    rows, sizes = _rows(table, mixed), table.sizes[mixed]
    labels = len(table.labels)
    count = labels ** len(mixed)
    pure = np.setdiff1d(table.majority, table.majority[mixed], assume_unique=True)
    alone = np.bincount(table.label[pure], weights=table.count[pure], minlength=labels)
    hits = np.tile(alone.astype(np.int64), (count, 1))
    predicted = hits.copy()
    choices = np.arange(count)
    for place, (row, size) in enumerate(zip(rows, sizes.tolist(), strict=True)):
        label = choices // labels**place % labels
        hits[choices, label] += row[label]
        predicted[choices, label] += size
    best = int(_f1(table, hits, predicted).sum(axis=1).argmax())
    return mean(_f1(table, hits[best], predicted[best]))


def climbed(table: Table, entries: IntArray) -> float:
    """The value of a choice of entries after single changes until none helps."""
    hits, predicted = table.hits(entries), table.predicted(entries)
    mixed = np.flatnonzero(table.labels_per_class > 1)
    rows = _rows(table, mixed)
    # Classes are visited in the order of their rows: their numbers do not influence the result.
    order = np.lexsort(rows.T[::-1])
    rows, sizes = rows[order], table.sizes[mixed][order].tolist()
    choice = table.label[entries[mixed]][order].tolist()
    is_moving = True
    while is_moving:
        is_moving = False
        for place, label in enumerate(choice):
            choice[place] = _better(table, rows[place], sizes[place], label, hits, predicted)
            is_moving |= choice[place] != label
    return mean(_f1(table, hits, predicted))


def _rows(table: Table, classes: IntArray) -> IntArray:
    """The counts of all labels in some classes, one row per class."""
    place = np.full(len(table.classes), -1)
    place[classes] = np.arange(len(classes))
    kept = place[table.owner] >= 0
    rows = np.zeros((len(classes), len(table.labels)), dtype=np.int64)
    rows[place[table.owner[kept]], table.label[kept]] = table.count[kept]
    return rows


def _better(
    table: Table, row: IntArray, size: int, label: int, hits: IntArray, predicted: IntArray
) -> int:
    """The best label for one class, all else equal; updates ``hits`` and ``predicted``."""
    hits[label] -= row[label]
    predicted[label] -= size
    gains = _f1(table, hits + row, predicted + size) - _f1(table, hits, predicted)
    best = int(gains.argmax())
    if gains[best] <= gains[label] + _ROUNDING:
        best = label
    hits[best] += row[best]
    predicted[best] += size
    return best
