"""Partitions of vertices (or tuples) into colour classes, and the split tree of all rounds.

A run of a WL test only ever splits classes. The largest part of a split class keeps its id, so a
new class is at most half as large as its parent was, and the tree of splits is at most log2(n)
deep. Three arrays of size O(n) answer any question about any round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wlkg.arrays import BoolArray, IntArray, frozen


@dataclass(frozen=True, eq=False, repr=False)
class Partition:
    """Item v has colour ``colours[v]``; colours are numbered by first occurrence."""

    colours: IntArray

    @classmethod
    def of(cls, keys: npt.ArrayLike) -> Partition:
        """The partition into items with equal keys."""
        array = np.asarray(keys)
        _, first, inverse = np.unique(array, return_index=True, return_inverse=True)
        number = np.empty(len(first), dtype=np.int64)
        number[np.argsort(first)] = np.arange(len(first))
        return cls(frozen(number[inverse.reshape(-1)].astype(np.int32)))

    @classmethod
    def trivial(cls, count: int) -> Partition:
        """All items in one class."""
        return cls(frozen(np.zeros(count, dtype=np.int32)))

    @property
    def num_items(self) -> int:
        return len(self.colours)

    @cached_property
    def sizes(self) -> IntArray:
        """The size of each class."""
        return np.bincount(self.colours)

    @property
    def num_classes(self) -> int:
        return len(self.sizes)

    @cached_property
    def indistinguishable_pairs(self) -> int:
        """The number of unordered pairs of items with the same colour."""
        sizes = self.sizes.astype(np.int64)
        return int((sizes * (sizes - 1) // 2).sum())

    @property
    def distinguishable_pairs(self) -> int:
        """The number of unordered pairs of items with different colours."""
        return self.num_items * (self.num_items - 1) // 2 - self.indistinguishable_pairs

    @cached_property
    def _grouped(self) -> tuple[IntArray, IntArray]:
        order = np.argsort(self.colours, kind="stable")
        return order, np.concatenate([[0], np.cumsum(self.sizes)])

    def members(self, colour: int) -> IntArray:
        """The items of a colour, in ascending order."""
        order, starts = self._grouped
        return order[starts[colour] : starts[colour + 1]]

    def refines(self, other: Partition) -> bool:
        """Whether items with the same colour here have the same colour in ``other``."""
        return self.meet(other).num_classes == self.num_classes

    def meet(self, other: Partition) -> Partition:
        """The coarsest partition that refines both."""
        return Partition.of(self.colours.astype(np.int64) * other.num_classes + other.colours)

    def first_pair_split_by(self, other: Partition) -> tuple[int, int] | None:
        """The first two items with equal colours here but not in ``other``, or None."""
        both = self.meet(other)
        if both.num_classes == self.num_classes:
            return None
        first = np.unique(self.colours, return_index=True)[1]
        differs = both.colours != both.colours[first[self.colours]]
        item = int(np.argmax(differs))
        return int(first[self.colours[item]]), item

    def restricted(self, items: npt.ArrayLike) -> Partition:
        """The partition of these items only, renumbered."""
        return Partition.of(self.colours[np.asarray(items, dtype=np.int64)])

    def __eq__(self, other: object) -> bool:
        """Equal as partitions; colours are canonical, so comparing them item by item suffices."""
        return isinstance(other, Partition) and np.array_equal(self.colours, other.colours)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Partition({self.num_items:,} items, {self.num_classes:,} classes)"


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """The split tree of a run.

    Class c was born in round ``birth[c]``, when it was split off from ``parent[c]``; the largest
    part kept the parent's id. The classes of round 0 have birth 0 and are their own parents.
    Classes are numbered in order of birth.
    """

    class_of: IntArray
    parent: IntArray
    birth: IntArray
    #: The last round in which a class was split.
    rounds: int

    def __repr__(self) -> str:
        counts = self.classes_per_round
        return (
            f"History({len(self.class_of):,} items, {int(counts[0]):,} to {int(counts[-1]):,}"
            f" classes, {self.rounds:,} rounds)"
        )

    @classmethod
    def from_rounds(cls, colourings: Sequence[npt.ArrayLike]) -> History:
        """The split tree of a sequence of colourings, each refining the previous one."""
        first = Partition.of(colourings[0])
        class_of = first.colours.astype(np.int64)
        parents = [np.arange(first.num_classes)]
        births = [np.zeros(first.num_classes, dtype=np.int64)]
        count, rounds = first.num_classes, 0
        for number, colouring in enumerate(colourings[1:], 1):
            parts = Partition.of(class_of).meet(Partition.of(np.asarray(colouring)))
            owner = np.empty(parts.num_classes, dtype=np.int64)
            owner[parts.colours] = class_of
            # The largest part of each class keeps the id; the first one wins a tie.
            order = np.lexsort([np.arange(len(owner)), -parts.sizes, owner])
            split_off = np.zeros(len(owner), dtype=bool)
            split_off[1:] = owner[order[1:]] == owner[order[:-1]]
            born = order[split_off]
            ids = owner.copy()
            ids[born] = count + np.arange(len(born))
            parents.append(owner[born])
            births.append(np.full(len(born), number))
            count += len(born)
            rounds = number if len(born) else rounds
            class_of = ids[parts.colours]
        return cls(
            class_of=class_of,
            parent=np.concatenate(parents),
            birth=np.concatenate(births),
            rounds=rounds,
        )

    def meet(self, other: History) -> History:
        """The split tree whose partition at every round is the meet of those of both trees.

        A class of the meet is a pair of classes, and splits off from another pair when either of
        its classes splits off. Items change classes at most as often as in both trees together.
        """
        width = len(other.parent)

        def born(pairs: IntArray) -> IntArray:
            return np.maximum(self.birth[pairs // width], other.birth[pairs % width])

        def origin(pairs: IntArray) -> IntArray:
            one, two, birth = pairs // width, pairs % width, born(pairs)
            one = np.where(self.birth[one] == birth, self.parent[one], one)
            return one * width + np.where(other.birth[two] == birth, other.parent[two], two)

        of_item = self.class_of.astype(np.int64) * width + other.class_of
        pairs = waiting = np.unique(of_item)
        while len(waiting):
            waiting = np.setdiff1d(origin(waiting), pairs)
            pairs = np.union1d(pairs, waiting)
        parent = np.searchsorted(pairs, origin(pairs))
        return _without_empty_classes(np.searchsorted(pairs, of_item), parent, born(pairs))

    def of_members(self, owner: IntArray) -> History:
        """The history of other items, each of which has the colours of its owner here."""
        return replace(self, class_of=self.class_of[owner])

    def restricted(self, items: npt.ArrayLike) -> History:
        """The history of these items only: without the others, they part at the same rounds."""
        class_of = self.class_of[np.asarray(items, dtype=np.int64)]
        held = np.bincount(class_of, minlength=len(self.parent)).astype(np.int64)
        kept = np.flatnonzero(self._with_descendants(held))
        number = np.zeros(len(self.parent), dtype=np.int64)
        number[kept] = np.arange(len(kept))
        return _without_empty_classes(
            number[class_of], number[self.parent[kept]], self.birth[kept].astype(np.int64)
        )

    @property
    def num_items(self) -> int:
        return len(self.class_of)

    @cached_property
    def complete_since(self) -> IntArray:
        """For each class, the first round at which it had no other items than in the end."""
        since = self.birth.copy()
        split_off = self.birth > 0
        np.maximum.at(since, self.parent[split_off], self.birth[split_off])
        return since

    @cached_property
    def classes_per_round(self) -> IntArray:
        """The number of classes at rounds 0, 1, ..., ``rounds``."""
        return np.cumsum(np.bincount(self.birth, minlength=self.rounds + 1))

    @cached_property
    def distinguishable_per_round(self) -> IntArray:
        """The number of pairs with different colours at rounds 0, 1, ..., ``rounds``."""
        final = np.bincount(self.class_of, minlength=len(self.parent)).astype(np.int64)
        at_birth = self._with_descendants(final)
        is_root = self.birth == 0
        # A class is split off from what its parent kept: its final members and the children that
        # were split off later.
        order = np.lexsort([np.arange(len(self.parent)), self.parent])
        order = order[~is_root[order]][::-1]
        later = np.cumsum(at_birth[order]) - at_birth[order]
        first = np.r_[True, self.parent[order][1:] != self.parent[order][:-1]][: len(order)]
        later -= np.maximum.accumulate(np.where(first, later, 0))
        gained = np.zeros(self.rounds + 1, dtype=np.int64)
        np.add.at(gained, self.birth[order], at_birth[order] * (final[self.parent[order]] + later))
        roots = at_birth[is_root]
        gained[0] = (self.num_items**2 - int((roots**2).sum())) // 2
        return np.cumsum(gained)

    def _with_descendants(self, values: IntArray) -> IntArray:
        """For each class, the sum of its own value and those of its descendants."""
        totals = values.copy()
        depth = np.zeros(len(self.parent), dtype=np.int64)
        above = self.parent.copy()
        climbing = np.flatnonzero(self.birth > 0)
        while len(climbing):
            depth[climbing] += 1
            climbing = climbing[self.birth[above[climbing]] > 0]
            above[climbing] = self.parent[above[climbing]]
        for level in range(int(depth.max(initial=0)), 0, -1):
            chosen = np.flatnonzero(depth == level)
            np.add.at(totals, self.parent[chosen], totals[chosen])
        return totals

    def imbalanced_at(self, one: BoolArray, two: BoolArray) -> int | None:
        """The first round at which a class has different numbers of two kinds of items.

        ``one`` and ``two`` mark the items of each kind. A class that is balanced when it is born
        stays balanced until an imbalanced class splits off from it.
        """
        counts = [
            np.bincount(self.class_of, weights=kind, minlength=len(self.parent))
            for kind in (one, two)
        ]
        balance = self._with_descendants((counts[0] - counts[1]).astype(np.int64))
        births = self.birth[balance != 0]
        return int(births.min()) if len(births) else None

    def class_at(self, items: npt.ArrayLike, round: int) -> IntArray:  # noqa: A002
        """The class ids of items at a round."""
        classes = np.array(self.class_of[np.asarray(items)], dtype=np.int64)
        while (late := self.birth[classes] > round).any():
            classes[late] = self.parent[classes[late]]
        return classes

    def partition(self, round: int | None = None) -> Partition:  # noqa: A002
        """The partition at a round, by default the last."""
        if round is None or round >= self.rounds:
            return Partition.of(self.class_of)
        return Partition.of(self.class_at(np.arange(self.num_items), round))

    def separated_at(self, v: int, w: int) -> int | None:
        """The first round at which two items have different colours; None if there is none."""
        a, b = int(self.class_of[v]), int(self.class_of[w])
        if a == b:
            return None
        split = 0
        while a != b:
            # The younger class cannot be an ancestor of the other.
            if self.birth[a] < self.birth[b] or (self.birth[a] == self.birth[b] and a < b):
                a, b = b, a
            split = int(self.birth[a])
            if split == 0:
                return 0
            a = int(self.parent[a])
        return split


def _without_empty_classes(class_of: IntArray, parent: IntArray, birth: IntArray) -> History:
    """The history of a tree some of whose classes lose all their items to classes split off.

    The last class that splits off from such a class takes its place, with its birth and parent.
    """
    is_empty = np.bincount(class_of, minlength=len(parent)) == 0
    split_off = np.flatnonzero(birth > 0)
    split_off = split_off[np.lexsort([birth[split_off], parent[split_off]])]
    is_last = np.ones(len(split_off), dtype=bool)
    is_last[:-1] = parent[split_off[1:]] != parent[split_off[:-1]]
    takes_place = np.zeros(len(parent), dtype=bool)
    takes_place[split_off[is_last & is_empty[parent[split_off]]]] = True
    place = np.arange(len(parent))
    while (moving := takes_place[place]).any():
        place[moving] = parent[place[moving]]
    kept = np.flatnonzero(~takes_place)
    kept = kept[np.argsort(birth[kept], kind="stable")]
    number = np.empty(len(parent), dtype=np.int64)
    number[kept] = np.arange(len(kept))
    return History(
        class_of=number[place[class_of]],
        parent=number[place[parent[kept]]],
        birth=birth[kept],
        rounds=int(birth[kept].max(initial=0)),
    )
