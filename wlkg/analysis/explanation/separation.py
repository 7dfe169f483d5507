"""A small formula that is true of one item and false of another, as deep as the separating round.

Let a run separate v and w first at round t > 0. Then for some relation R the neighbours of v and of
w have different numbers of some class of round t - 1. It need not be described exactly: any formula
psi of depth t - 1 that is true of different numbers of neighbours will do, and

    at_least n R psi   or   exactly n R psi

is true of v, false of w, and has depth t. No formula of a smaller depth does the same. In order of
size, psi is

1. ``true``, if the numbers of neighbours differ;
2. a single fact (round 1) or a number of neighbours, perhaps with a fact (round 2): all are tried;
3. a formula that separates two classes of neighbours, of which v has more and w has more, found in
   the same way one round before; if it is true of equally many neighbours after all, further such
   formulas are added to it until the numbers differ.

The classes of round t - 2 are balanced, so only classes that come from the same one are compared in
step 3. A budget limits how many pairs of classes are tried; each part of a formula is found once
for each pair of classes. Nothing recurses: pairs may be separated as late as a graph has vertices.

Items are vertices or tuples: whatever `Items` says.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, zip_longest
from typing import NamedTuple, Protocol

import numpy as np

from wlkg.analysis.explanation.formulas import (
    TRUE,
    Formula,
    Modality,
    Relation,
    at_least,
    conjunction,
    degree,
    exactly,
    negation,
    share_at_least,
    share_exactly,
)
from wlkg.arrays import IntArray
from wlkg.partition import History


class Items(Protocol):
    """What formulas speak about: items, the facts about each, and the items that it sees."""

    @property
    def sees_shares(self) -> bool:
        """Whether items see relative frequencies instead of counts."""

    def facts(self, item: int) -> tuple[Formula, ...]:
        """The atoms of depth 0 that are true of an item."""

    def arc_counts(self, item: int) -> Mapping[Relation, int]:
        """The numbers of arcs that atoms of depth 1 state; empty if there are no such atoms."""

    def around(self, item: int) -> Sequence[tuple[Modality, IntArray]]:
        """The items that an item sees under each modality, in a fixed order; none is empty."""


class _Pair(NamedTuple):
    """Two items that were separated first at a round, and how many pairs may be tried for them."""

    one: int
    two: int
    round: int
    budget: int


#: A search asks for formulas of other pairs, one by one, and returns its own.
_Search = Generator[_Pair, Formula, Formula]

#: Class -> the number of neighbours in it, and one of them.
_Profile = dict[int, tuple[int, int]]

_BUDGET = 64
_BEAM = 8
#: Neighbourhoods beyond this size are counted by arrays.
_SMALL = 48
#: The number of entries of profiles that are kept.
_KEPT = 2_000_000


@dataclass
class _Look:
    """What two items see differently under a modality."""

    modality: Modality
    #: The numbers of neighbours of both.
    totals: tuple[int, int]
    #: For each class, how much more the first item has of it than the second; never 0.
    surplus: dict[int, int]
    #: A neighbour from each of these classes.
    of_class: dict[int, int]


def _fast(array: IntArray) -> memoryview[int]:
    """The array for reading single values, which is slow in numpy."""
    return memoryview(np.ascontiguousarray(array, dtype=np.int64).data).cast("B").cast("q")


class Separator:
    """Finds formulas for pairs of items, given the run that separates them."""

    def __init__(self, items: Items, history: History) -> None:
        self._items = items
        self._history = history
        self._class_of = _fast(history.class_of)
        self._parent = _fast(history.parent)
        self._birth = _fast(history.birth)
        self._found: dict[tuple[int, int, int, int], Formula] = {}
        self._truth: dict[Formula, dict[int, bool]] = {}
        self._profiles: dict[tuple[int, int], dict[Modality, _Profile]] = {}
        self._entries = 0

    def formula(self, v: int, w: int) -> Formula | None:
        """A formula that is true of v and false of w; None if the run does not separate them."""
        t = self._history.separated_at(v, w)
        if t is None:
            return None
        return self._solve(_Pair(v, w, t, max(1, min(_BUDGET, 1000 // (t + 1)))))

    # -- searching, without recursion -------------------------------------------------------------

    def _solve(self, pair: _Pair) -> Formula:
        """Run a search, and those that it asks for, on a stack."""
        stack = [(pair, self._search(pair))]
        answer: Formula | None = None
        while stack:
            pair, search = stack[-1]
            try:
                wanted = next(search) if answer is None else search.send(answer)
            except StopIteration as end:
                answer = end.value
                assert answer is not None
                self._remember(pair, answer)
                stack.pop()
                continue
            answer = self._found.get(self._key(wanted))
            if answer is None:
                stack.append((wanted, self._search(wanted)))
        assert answer is not None
        return answer

    def _key(self, pair: _Pair) -> tuple[int, int, int, int]:
        one, two = self.class_at(pair.one, pair.round), self.class_at(pair.two, pair.round)
        return one, two, pair.round, pair.budget

    def _remember(self, pair: _Pair, formula: Formula) -> None:
        key = self._key(pair)
        self._found[key] = formula
        truth = self._truth.setdefault(formula, {})
        truth[self.class_at(pair.one, formula.depth)] = True
        truth[self.class_at(pair.two, formula.depth)] = False

    def _search(self, pair: _Pair) -> _Search:
        v, w, t, budget = pair
        if t == 0:
            return self._fact(v, w)
        if t == 1 and (atom := self._degree(v, w)) is not None:
            return atom
        looks = self._looks(v, w, t - 1)
        unequal = [look for look in looks if self._unequal_totals(look)]
        if unequal:
            return min(
                (self._statement(v, w, look, TRUE) for look in unequal),
                key=lambda f: (f.size, f.op == "exactly", f.count or 0),
            )
        best: tuple[_Look, Formula] | None = None
        if t <= 2:
            best = self._best(
                (look, psi) for look in looks for psi in self._simple(look, with_count=t == 2)
            )
        if best is None:
            wanted = list(islice(self._pairs(looks, t), min(_BEAM, budget)))
            share = max(1, budget // len(wanted))
            for look, one, two in wanted:
                psi = yield from self._telling(look, one, two, share, best[1] if best else None)
                if psi is not None:
                    best = self._best([best, (look, psi)] if best else [(look, psi)])
                if best is not None and best[1].size == t and self._balance(*best) > 0:
                    break
        assert best is not None
        return self._statement(v, w, *best)

    def _best(self, choices: Iterable[tuple[_Look, Formula]]) -> tuple[_Look, Formula] | None:
        """The smallest; then one of which v has more, because "at least" reads best; the first."""
        return min(
            choices, key=lambda choice: (choice[1].size, self._balance(*choice) < 0), default=None
        )

    # -- what two items see -----------------------------------------------------------------------

    def _looks(self, v: int, w: int, t: int) -> list[_Look]:
        """The modalities under which v and w see different classes of round t."""
        ours, theirs = self._profile(v, t), self._profile(w, t)
        looks = []
        for modality in [*ours, *(m for m in theirs if m not in ours)]:
            one, two = ours.get(modality, {}), theirs.get(modality, {})
            totals = (sum(n for n, _ in one.values()), sum(n for n, _ in two.values()))
            # Shares are compared by cross multiplication.
            weights = (totals[1], totals[0]) if self._items.sees_shares and all(totals) else (1, 1)
            surplus, of_class = {}, {}
            for c in [*one, *(c for c in two if c not in one)]:
                n, item = one.get(c, (0, -1))
                m, other = two.get(c, (0, -1))
                difference = n * weights[0] - m * weights[1]
                if difference:
                    surplus[c] = difference
                    of_class[c] = item if n else other
            if surplus:
                looks.append(_Look(modality, totals, surplus, of_class))
        return looks

    def _unequal_totals(self, look: _Look) -> bool:
        one, two = look.totals
        return not (one and two) if self._items.sees_shares else one != two

    def _profile(self, item: int, t: int) -> dict[Modality, _Profile]:
        """For each modality, the classes of round t that an item sees."""
        known = self._profiles.get((item, t))
        if known is None:
            known = {m: self._counted(seen, t) for m, seen in self._items.around(item)}
            self._entries += 1 + sum(map(len, known.values()))
            if self._entries > _KEPT:
                self._profiles.clear()
                self._entries = 0
            self._profiles[item, t] = known
        return known

    def _counted(self, items: IntArray, t: int) -> _Profile:
        if len(items) > _SMALL:
            classes, first, counts = np.unique(
                self._history.class_at(items, t), return_index=True, return_counts=True
            )
            values = zip(counts.tolist(), items[first].tolist(), strict=True)
            return dict(zip(classes.tolist(), values, strict=True))
        profile: _Profile = {}
        for item in items.tolist():
            c = self.class_at(item, t)
            count, first_item = profile.get(c, (0, item))
            profile[c] = (count + 1, first_item)
        return profile

    def class_at(self, item: int, t: int) -> int:
        """The class of an item at a round."""
        c: int = self._class_of[item]
        while self._birth[c] > t:
            c = self._parent[c]
        return c

    # -- simple formulas, all of which are tried --------------------------------------------------

    def _fact(self, v: int, w: int) -> Formula:
        ours, theirs = self._items.facts(v), self._items.facts(w)
        for fact in ours:
            if fact not in theirs:
                return fact
        return next(negation(fact) for fact in theirs if fact not in ours)

    def _degree(self, v: int, w: int) -> Formula | None:
        """An atom about the number of arcs; preferably one that v has, then the least number."""
        ours, theirs = self._items.arc_counts(v), self._items.arc_counts(w)
        different = [r for r in [*ours, *theirs] if ours.get(r, 0) != theirs.get(r, 0)]
        if not different:
            return None
        relation = min(different, key=lambda r: (ours.get(r, 0) == 0, ours.get(r, 0)))
        return degree(relation, ours.get(relation, 0))

    def _simple(self, look: _Look, *, with_count: bool) -> Iterator[Formula]:
        """Formulas without connectives that v has more of, or w: facts, or numbers of neighbours.

        A number of neighbours that separates is a threshold at which the items beyond it do not
        balance. For each thing to count the least threshold is taken.
        """
        # For each thing to count, (how many, surplus) over the classes.
        tally: dict[tuple[Modality | Relation | None, Formula], dict[int, int]] = {}
        for c, item in look.of_class.items():
            for what, count in self._countable(item, with_count=with_count):
                values = tally.setdefault(what, {})
                values[count] = values.get(count, 0) + look.surplus[c]
        for (kind, fact), values in tally.items():
            if kind is None:
                if values[1]:
                    yield fact
            elif isinstance(kind, Modality):
                balance, threshold = 0, None
                for count in sorted(values, reverse=True):
                    balance += values[count]
                    threshold = count if balance else threshold
                if threshold is not None:
                    lower = max((count for count in values if count < threshold), default=0)
                    yield self._at_least(kind, lower + 1, fact)
            else:
                yield from (degree(kind, n) for n in sorted(values) if values[n])

    def _countable(
        self, item: int, *, with_count: bool
    ) -> Iterator[tuple[tuple[Modality | Relation | None, Formula], int]]:
        if not with_count:
            for fact in self._items.facts(item):
                yield (None, fact), 1
            return
        for relation, count in self._items.arc_counts(item).items():
            yield (relation, TRUE), count
        for modality, classes in self._profile(item, 0).items():
            total = sum(count for count, _ in classes.values())
            # Of shares, only "some" and "none" are looked at here.
            shares = self._items.sees_shares
            yield (modality, TRUE), 1 if shares else total
            facts: dict[Formula, int] = {}
            for count, neighbour in classes.values():
                for fact in self._items.facts(neighbour):
                    facts[fact] = facts.get(fact, 0) + count
            if not shares:
                for fact, count in facts.items():
                    yield (modality, fact), count

    def _at_least(self, modality: Modality, count: int, psi: Formula) -> Formula:
        if self._items.sees_shares:
            # The least share of anything: a threshold of 1 is asked for only with ``true``.
            return share_at_least(Fraction(count), modality.relation, psi)
        return at_least(count, modality.relation, psi, modality.position)

    # -- formulas that separate classes of neighbours ---------------------------------------------

    def _pairs(self, looks: list[_Look], t: int) -> Iterator[tuple[_Look, int, int]]:
        """Pairs of neighbours to separate, from one look after the other in turn.

        The first is of a class that v has more of, the second of a class that w has more of, and
        both of the same class of the round before.
        """
        turns = [self._pairs_of(look, t) for look in sorted(looks, key=lambda k: len(k.surplus))]
        for row in zip_longest(*turns):
            yield from (choice for choice in row if choice is not None)

    def _pairs_of(self, look: _Look, t: int) -> Iterator[tuple[_Look, int, int]]:
        groups: dict[int, tuple[list[int], list[int]]] = {}
        for c, item in look.of_class.items():
            group = groups.setdefault(self.class_at(item, t - 2) if t > 1 else 0, ([], []))
            group[look.surplus[c] < 0].append(item)
        for more, less in sorted(groups.values(), key=lambda group: len(group[0]) + len(group[1])):
            for one, two in islice(zip(more, less, strict=False), _BEAM):
                yield look, one, two
            if more and less:
                yield from ((look, one, less[0]) for one in more[1:_BEAM])

    def _telling(
        self, look: _Look, one: int, two: int, budget: int, best: Formula | None
    ) -> Generator[_Pair, Formula, Formula | None]:
        """A formula true of ``one`` and false of ``two`` that does not balance under a look.

        None if it becomes larger than the best one so far.
        """
        parts: list[Formula] = []
        rivals = [two]
        while True:
            rival = rivals[0]
            t = self._history.separated_at(one, rival)
            assert t is not None
            parts.append((yield _Pair(one, rival, t, budget)))
            psi = conjunction(parts)
            if self._balance(look, psi):
                return self._pruned(look, parts)
            if best is not None and psi.size > best.size:
                return None
            self._evaluate(psi, look.of_class.values())
            rivals = [x for x in look.of_class.values() if x != one and self._is_true(psi, x)]
            rivals.sort(key=lambda x: self._history.separated_at(one, x) or 0)

    def _pruned(self, look: _Look, parts: list[Formula]) -> Formula:
        """The parts without those that are not needed."""
        for part in list(parts):
            rest = [other for other in parts if other is not part]
            if rest and self._balance(look, conjunction(rest)):
                parts = rest
        return conjunction(parts)

    def _balance(self, look: _Look, psi: Formula) -> int:
        """How many more neighbours satisfy psi at v than at w."""
        self._evaluate(psi, look.of_class.values())
        return sum(n for c, n in look.surplus.items() if self._is_true(psi, look.of_class[c]))

    def _statement(self, v: int, w: int, look: _Look, psi: Formula) -> Formula:
        """What v says about its neighbours with psi that w does not."""
        relation, position = look.modality
        counts = []
        for item in (v, w):
            profile = self._profile(item, psi.depth).get(look.modality, {})
            self._evaluate(psi, [neighbour for _, neighbour in profile.values()])
            counts.append(sum(n for n, x in profile.values() if self._is_true(psi, x)))
        if self._items.sees_shares:
            if not all(look.totals):
                some = share_at_least(Fraction(1), relation, TRUE)
                return some if look.totals[0] else negation(some)
            shares = [Fraction(n, total) for n, total in zip(counts, look.totals, strict=True)]
            make = share_at_least if shares[0] > shares[1] else share_exactly
            return make(shares[0], relation, psi)
        if counts[0] > counts[1]:
            return at_least(counts[1] + 1, relation, psi, position)
        return exactly(counts[0], relation, psi, position)

    # -- evaluating, class by class ---------------------------------------------------------------

    def _is_true(self, formula: Formula, item: int) -> bool:
        return self._truth[formula][self.class_at(item, formula.depth)]

    def _evaluate(self, formula: Formula, items: Iterable[int]) -> None:
        """Find the truth of a formula for items, once for each class of the round that it needs."""
        waiting = [(formula, item) for item in items]
        while waiting:
            part, item = waiting[-1]
            c = self.class_at(item, part.depth)
            truth = self._truth.setdefault(part, {})
            if c in truth:
                waiting.pop()
                continue
            needed = list(self._needed(part, item))
            missing = [(arg, x) for arg, x in needed if not self._is_known(arg, x)]
            if missing:
                waiting += missing
                continue
            truth[c] = self._value(part, item)
            waiting.pop()

    def _is_known(self, formula: Formula, item: int) -> bool:
        return self.class_at(item, formula.depth) in self._truth.get(formula, ())

    def _needed(self, part: Formula, item: int) -> Iterator[tuple[Formula, int]]:
        if part.count is None and part.share is None:
            return ((arg, item) for arg in part.args)
        return ((arg, x) for arg in part.args for _, x in self._seen(part, item).values())

    def _seen(self, part: Formula, item: int) -> _Profile:
        assert part.relation is not None
        modality = Modality(part.relation, part.positions[0] if part.positions else None)
        return self._profile(item, part.args[0].depth).get(modality, {})

    def _value(self, part: Formula, item: int) -> bool:
        """The value of a formula whose parts are known."""
        if part.op in ("and", "or", "not"):
            values = [self._is_true(arg, item) for arg in part.args]
            return not values[0] if part.op == "not" else (all if part.op == "and" else any)(values)
        if part.op == "degree":
            assert part.relation is not None
            return self._items.arc_counts(item).get(part.relation, 0) == part.count
        if not part.args:
            return part is TRUE or part in self._items.facts(item)
        seen = self._seen(part, item).values()
        count = sum(n for n, x in seen if self._is_true(part.args[0], x))
        if part.share is not None:
            total = sum(n for n, _ in seen)
            have, need = count * part.share.denominator, total * part.share.numerator
            return total > 0 and (have >= need if part.op == "share_at_least" else have == need)
        assert part.count is not None
        return count >= part.count if part.op == "at_least" else count == part.count
