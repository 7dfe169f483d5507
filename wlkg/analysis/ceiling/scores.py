"""The best scores that one label per class can reach.

With n(c, l) targets of label l in class c, n(c) in c and n(l) of l, a choice of one label per class
is scored by

=================  =================================================  ==============================
accuracy           sum of n(c, choice(c)) / n                         best: the most frequent label
balanced accuracy  mean over l of hits(l) / n(l)                      best: largest n(c, l) / n(l)
macro-F1           mean over l of 2 hits(l) / (n(l) + predicted(l))   see `macro_f1`
=================  =================================================  ==============================

where hits(l) sums n(c, l) and predicted(l) sums n(c) over the classes that chose l. The mean is
over the labels that occur. Cost: a sort of the targets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Table:
    """How often each label occurs in each class.

    Entry i says that ``count[i]`` targets of class ``owner[i]`` have label ``label[i]``; entries
    are sorted by both. The classes and labels that occur are renumbered from 0, in order.
    """

    owner: IntArray
    label: IntArray
    count: IntArray
    #: The original numbers of classes and labels.
    classes: IntArray
    labels: IntArray

    @classmethod
    def of(cls, classes: IntArray, labels: IntArray) -> Table:
        """Target i is in class ``classes[i]`` and has label ``labels[i]``."""
        known_classes, owner = np.unique(classes, return_inverse=True)
        known_labels, label = np.unique(labels, return_inverse=True)
        entries, count = np.unique(owner * len(known_labels) + label, return_counts=True)
        owner, label = np.divmod(entries, max(len(known_labels), 1))
        return cls(
            owner=owner, label=label, count=count, classes=known_classes, labels=known_labels
        )

    @cached_property
    def starts(self) -> IntArray:
        """The first entry of each class."""
        return np.searchsorted(self.owner, np.arange(len(self.classes)))

    @cached_property
    def sizes(self) -> IntArray:
        """The number of targets of each class."""
        return np.add.reduceat(self.count, self.starts)

    @cached_property
    def totals(self) -> IntArray:
        """The number of targets of each label."""
        return np.bincount(self.label, weights=self.count).astype(np.int64)

    @property
    def labels_per_class(self) -> IntArray:
        return np.diff(self.starts, append=len(self.owner))

    def best_entries(self, worth: IntArray | FloatArray) -> IntArray:
        """For each class the entry of largest worth; ties go to the first label."""
        return np.lexsort([self.label, -worth, self.owner])[self.starts]

    @cached_property
    def majority(self) -> IntArray:
        """For each class the entry of its most frequent label."""
        return self.best_entries(self.count)

    @cached_property
    def balanced(self) -> IntArray:
        """For each class the entry that holds the largest share of its label."""
        return self.best_entries(self.count / self.totals[self.label])

    def hits(self, entries: IntArray) -> IntArray:
        """For each label, the number of targets that a choice of entries gets right."""
        return self._per_label(entries, self.count[entries])

    def predicted(self, entries: IntArray) -> IntArray:
        """For each label, the number of targets that a choice of entries gives it to."""
        return self._per_label(entries, self.sizes)

    def _per_label(self, entries: IntArray, values: IntArray) -> IntArray:
        sums = np.bincount(self.label[entries], weights=values, minlength=len(self.labels))
        return sums.astype(np.int64)

    @property
    def correct(self) -> int:
        """The most targets that one label per class gets right."""
        return int(self.count[self.majority].sum())

    @property
    def balanced_accuracy(self) -> float:
        """The best mean recall of the labels."""
        return mean(self.hits(self.balanced) / self.totals)


def mean(values: FloatArray) -> float:
    """The mean, independent of the order of the values."""
    return math.fsum(values.tolist()) / len(values)
