"""The best macro-F1 of one label per class: a value that is reached, and a bound.

The mean over labels l of 2 hits(l) / (n(l) + predicted(l)) is a sum of ratios in which every class
occurs twice, so it cannot be maximised class by class. A class that holds a single label chooses it
in some best solution, which leaves the mixed ones:

- where there are few of them, all choices are tried;
- otherwise *reached* is the best of two starts, the labels that are best for accuracy and for
  balanced accuracy, each improved one class at a time until no single change helps;
- and *bound* lets every label choose its classes for itself. Its best set takes classes in
  decreasing purity n(c, l) / n(c) up to some point: where F is the best value, it consists of the
  classes purer than F / 2, which add more to the numerator than to F times the denominator.

Where both are equal the value is exact. Cost: a sort for the bound, and for each sweep of the
search (mixed classes) x (labels).
"""

from __future__ import annotations

import numpy as np

from wlkg.analysis.ceiling.scores import Table, mean
from wlkg.arrays import FloatArray, IntArray

#: All choices are tried if they are described by no more numbers than this.
_FEW = 1 << 18
#: A change that gains no more is rounding.
_ROUNDING = 1e-12


def best_macro_f1(table: Table) -> tuple[float, float]:
    """A macro-F1 that some choice of labels reaches, and one that none exceeds."""
    mixed = int((table.labels_per_class > 1).sum())
    if len(table.labels) ** (mixed + 1) <= _FEW:
        best = best_of_all(table)
        return best, best
    return max(climbed(table, table.majority), climbed(table, table.balanced)), bound(table)


def _f1(table: Table, hits: IntArray, predicted: IntArray) -> FloatArray:
    scores: FloatArray = 2 * hits / (table.totals + predicted)
    return scores


def bound(table: Table) -> float:
    """The mean of what each label could reach for itself."""
    sizes = table.sizes[table.owner]
    order = np.lexsort([-table.count / sizes, table.label])
    label = table.label[order]
    starts = np.searchsorted(label, np.arange(len(table.labels)))

    def running(values: IntArray) -> IntArray:
        """Sums that begin anew with each label."""
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
    everyone = np.arange(count)
    for place, (row, size) in enumerate(zip(rows, sizes.tolist(), strict=True)):
        choice = everyone // labels**place % labels
        hits[everyone, choice] += row[choice]
        predicted[everyone, choice] += size
    best = int(_f1(table, hits, predicted).sum(axis=1).argmax())
    return mean(_f1(table, hits[best], predicted[best]))


def climbed(table: Table, entries: IntArray) -> float:
    """The value of a choice of entries after single changes until none helps."""
    hits, predicted = table.hits(entries), table.predicted(entries)
    mixed = np.flatnonzero(table.labels_per_class > 1)
    rows = _rows(table, mixed)
    # Classes come in the order of their rows: the result does not depend on their numbers.
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
    """The counts of all labels in these classes."""
    place = np.full(len(table.classes), -1)
    place[classes] = np.arange(len(classes))
    kept = place[table.owner] >= 0
    rows = np.zeros((len(classes), len(table.labels)), dtype=np.int64)
    rows[place[table.owner[kept]], table.label[kept]] = table.count[kept]
    return rows


def _better(
    table: Table, row: IntArray, size: int, label: int, hits: IntArray, predicted: IntArray
) -> int:
    """Take one class out and put it where it helps most; ``hits`` and ``predicted`` follow."""
    hits[label] -= row[label]
    predicted[label] -= size
    gains = _f1(table, hits + row, predicted + size) - _f1(table, hits, predicted)
    best = int(gains.argmax())
    if gains[best] <= gains[label] + _ROUNDING:
        best = label
    hits[best] += row[best]
    predicted[best] += size
    return best
