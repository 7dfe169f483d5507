"""Formulas evaluated only where it is needed: once for each class that cannot be told apart.

A formula of depth d has the same value for all items that share a class of round d of the run. So a
value is stored by formula and class, and found from one item of the class and the classes that it
sees. Where very many classes are asked for, the formula is evaluated for all items at once.

Nothing recurses: a formula may be as deep as a run has rounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from wlkg.analysis.explanation.formulas import TRUE, Formula, Modality, Relation
from wlkg.arrays import BoolArray, IntArray
from wlkg.partition import History


class Items(Protocol):
    """What formulas speak about: items, the facts about each, and the items that it sees."""

    @property
    def sees_shares(self) -> bool:
        """Whether items see relative frequencies instead of counts."""

    def facts(self, item: int, /) -> tuple[Formula, ...]:
        """The atoms of depth 0 that are true of an item."""

    def arc_counts(self, item: int, /) -> Mapping[Relation, int]:
        """The numbers of arcs that atoms of depth 1 state; empty if there are no such atoms."""

    def around(self, item: int, /) -> Sequence[tuple[Modality, IntArray]]:
        """The items that an item sees under each modality, in a fixed order; none is empty."""

    def holds(self, formula: Formula, /) -> BoolArray:
        """For each item, whether a formula is true of it."""


#: Class -> the number of items in it, and one of them.
Profile = dict[int, tuple[int, int]]

#: Collections of items beyond this size are counted by arrays.
_SMALL = 48
#: The number of entries of profiles that are kept.
_KEPT = 2_000_000
#: Beyond this number of classes, a formula that is not very deep is evaluated for all items.
_MANY = 2_000
_SHALLOW = 30


class Classwise:
    """The items as a run sees them, and what is known about formulas."""

    def __init__(self, items: Items, history: History) -> None:
        self.items = items
        self.history = history
        self._class_of = _fast(history.class_of)
        self._parent = _fast(history.parent)
        self._birth = _fast(history.birth)
        self._truth: dict[Formula, dict[int, bool]] = {}
        self._profiles: dict[tuple[int, int], dict[Modality, Profile]] = {}
        self._entries = 0

    # -- classes ----------------------------------------------------------------------------------

    def class_at(self, item: int, t: int) -> int:
        """The class of an item at a round."""
        c: int = self._class_of[item]
        while self._birth[c] > t:
            c = self._parent[c]
        return c

    def profile(self, item: int, t: int) -> dict[Modality, Profile]:
        """For each modality, the classes of round t that an item sees."""
        known = self._profiles.get((item, t))
        if known is None:
            known = {m: self.counted(seen, t) for m, seen in self.items.around(item)}
            self._entries += 1 + sum(map(len, known.values()))
            if self._entries > _KEPT:
                self._profiles.clear()
                self._entries = 0
            self._profiles[item, t] = known
        return known

    def counted(self, items: IntArray, t: int) -> Profile:
        """The classes of some items at a round."""
        if len(items) > _SMALL:
            classes, first, counts = np.unique(
                self.history.class_at(items, t), return_index=True, return_counts=True
            )
            values = zip(counts.tolist(), items[first].tolist(), strict=True)
            return dict(zip(classes.tolist(), values, strict=True))
        profile: Profile = {}
        for item in items.tolist():
            c = self.class_at(item, t)
            count, first_item = profile.get(c, (0, item))
            profile[c] = (count + 1, first_item)
        return profile

    # -- formulas ---------------------------------------------------------------------------------

    def learn(self, formula: Formula, item: int, *, value: bool) -> None:
        """The value of a formula for an item is known."""
        self._truth.setdefault(formula, {})[self.class_at(item, formula.depth)] = value

    def count(self, formula: Formula, profile: Profile) -> int:
        """How many items of a profile satisfy a formula.

        The classes of the profile must be of a round that is not below the depth of the formula.
        """
        self._evaluate(formula, [item for _, item in profile.values()])
        return sum(n for n, item in profile.values() if self._is_true(formula, item))

    def satisfying(self, formula: Formula, items: Collection[int]) -> list[int]:
        """Those of the items of which a formula is true."""
        self._evaluate(formula, items)
        return [item for item in items if self._is_true(formula, item)]

    def _is_true(self, formula: Formula, item: int) -> bool:
        return self._truth[formula][self.class_at(item, formula.depth)]

    def _is_known(self, formula: Formula, item: int) -> bool:
        return self.class_at(item, formula.depth) in self._truth.get(formula, ())

    def _evaluate(self, formula: Formula, items: Collection[int]) -> None:
        waiting = [(formula, item) for item in items if not self._is_known(formula, item)]
        if len(waiting) > _MANY and formula.depth <= _SHALLOW:
            everywhere = self.items.holds(formula)
            for _, item in waiting:
                self.learn(formula, item, value=bool(everywhere[item]))
            return
        while waiting:
            part, item = waiting[-1]
            if self._is_known(part, item):
                waiting.pop()
                continue
            missing = [need for need in self._needed(part, item) if not self._is_known(*need)]
            if missing:
                waiting += missing
            else:
                self.learn(part, item, value=self._value(part, item))
                waiting.pop()

    def _needed(self, part: Formula, item: int) -> Iterator[tuple[Formula, int]]:
        """The formulas, each with an item, whose values determine that of a formula."""
        for arg in part.args:
            if part.relation is None:
                yield arg, item
            else:
                yield from ((arg, seen) for _, seen in self._seen(part, item).values())

    def _seen(self, part: Formula, item: int) -> Profile:
        assert part.relation is not None
        modality = Modality(part.relation, part.positions[0] if part.positions else None)
        return self.profile(item, part.args[0].depth).get(modality, {})

    def _value(self, part: Formula, item: int) -> bool:
        """The value of a formula whose parts are known."""
        if part.op == "degree":
            assert part.relation is not None
            return self.items.arc_counts(item).get(part.relation, 0) == part.count
        if not part.args:
            return part is TRUE or part in self.items.facts(item)
        if part.relation is None:
            values = [self._is_true(arg, item) for arg in part.args]
            return not values[0] if part.op == "not" else (all if part.op == "and" else any)(values)
        seen = self._seen(part, item).values()
        count = sum(n for n, x in seen if self._is_true(part.args[0], x))
        if part.share is None:
            assert part.count is not None
            return count >= part.count if part.op == "at_least" else count == part.count
        total = sum(n for n, _ in seen)
        have, need = count * part.share.denominator, total * part.share.numerator
        return total > 0 and (have >= need if part.op == "share_at_least" else have == need)


def _fast(array: IntArray) -> memoryview[int]:
    """The array for reading single values, which is slow in numpy."""
    return memoryview(np.ascontiguousarray(array, dtype=np.int64).data).cast("B").cast("q")
