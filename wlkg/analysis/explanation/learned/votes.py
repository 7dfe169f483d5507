"""Predictions seen by class: how many vertices of each class of a test have each prediction.

Vertices that a test does not tell apart are one item. Where the test bounds the model, all vertices
of an item have the same prediction; a model that sees more gives some item several, and then the
most frequent one is explained.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.arrays import BoolArray, Int64Array, IntArray
from wlkg.partition import Partition


@dataclass(frozen=True, eq=False)
class Votes:
    """Vote i: ``weight[i]`` vertices of item ``item[i]`` are predicted to be ``label[i]``."""

    #: The vertex that stands for each item.
    items: IntArray
    item: IntArray
    label: IntArray
    weight: Int64Array
    num_labels: int

    @classmethod
    def of(cls, classes: Partition, vertices: IntArray, labels: IntArray, num_labels: int) -> Votes:
        """The votes of some vertices, given the classes of all."""
        colours, first, item = np.unique(
            classes.colours[vertices], return_index=True, return_inverse=True
        )
        keys, weight = np.unique(
            item.reshape(-1).astype(np.int64) * num_labels + labels, return_counts=True
        )
        return cls(
            items=vertices[first],
            item=keys // num_labels if len(colours) else keys,
            label=keys % num_labels if len(colours) else keys,
            weight=weight,
            num_labels=num_labels,
        )

    @property
    def num_items(self) -> int:
        return len(self.items)

    @classmethod
    def between(cls, items: IntArray, chosen: IntArray, holds: BoolArray) -> Votes:
        """One vote for each of some items: label 1 where something holds, else 0."""
        return cls(
            items=items,
            item=chosen,
            label=holds[chosen].astype(np.int64),
            weight=np.ones(len(chosen), dtype=np.int64),
            num_labels=2,
        )

    @cached_property
    def majority(self) -> IntArray:
        """The most frequent label of each item; the first one wins a tie."""
        order = np.lexsort([self.label, -self.weight, self.item])
        first = np.ones(len(order), dtype=bool)
        first[1:] = self.item[order[1:]] != self.item[order[:-1]]
        labels = np.zeros(self.num_items, dtype=np.int64)
        labels[self.item[order[first]]] = self.label[order[first]]
        return labels

    @cached_property
    def total(self) -> int:
        """The number of vertices."""
        return int(self.weight.sum())

    @cached_property
    def _table(self) -> Int64Array:
        """A row of weights by label for each item."""
        table = np.zeros((self.num_items, self.num_labels), dtype=np.int64)
        table[self.item, self.label] = self.weight
        return table

    def right(self, labels: IntArray) -> int:
        """The number of vertices whose prediction is the given label of their item."""
        return int(self._table[np.arange(self.num_items), labels].sum())
