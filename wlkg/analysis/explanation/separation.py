"""A small formula that is true of one item and false of another, as deep as the separating round.

Let a run separate v and w first at round t > 0. Then for some relation R the neighbours of v and of
w have different numbers of some class of round t - 1. It need not be described exactly: any formula
psi of depth t - 1 that is true of different numbers of neighbours will do, and

    at_least n R psi   or   exactly n R psi

is true of v, false of w, and has depth t. No formula of a smaller depth does the same. In order of
size, psi is

1. ``true``, if the numbers of neighbours differ;
2. a single fact (round 1) or a number of neighbours, perhaps with a fact (round 2): all are tried
   (`simple_formulas`);
3. a formula that separates two classes of neighbours, one that v has more of and one that w has
   more of, found in the same way one round before; if it is true of equally many neighbours after
   all, further such formulas are added to it until the numbers differ.

The classes of round t - 2 are balanced, so only classes that come from the same one are compared in
step 3. A budget limits how many pairs of classes are tried. Each part of a formula is found once
for each pair of classes. Nothing recurses: pairs may be separated as late as a graph has vertices.

Items are vertices or tuples (`wlkg.analysis.explanation.classwise.Items`). The same search finds a
formula that is true of different numbers of items in two collections, such as two graphs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fractions import Fraction
from itertools import islice, zip_longest
from typing import NamedTuple

from wlkg.analysis.explanation.classwise import Classwise, Items, Profile
from wlkg.analysis.explanation.formulas import (
    TRUE,
    Formula,
    at_least,
    conjunction,
    degree,
    exactly,
    negation,
    share_at_least,
    share_exactly,
)
from wlkg.analysis.explanation.simple_formulas import Look, difference, simple_formulas
from wlkg.arrays import IntArray
from wlkg.partition import History


class _Pair(NamedTuple):
    """Two items that are separated first at a round, and how many pairs may be tried for them."""

    one: int
    two: int
    round: int
    budget: int


#: A search asks for the formulas of other pairs, one by one, and returns its own result.
_Search = Generator[_Pair, Formula, Formula]


class _Choice(NamedTuple):
    """A formula that does not balance under a look."""

    look: Look
    psi: Formula
    #: How many more neighbours satisfy it at v than at w; not 0.
    balance: int

    def rank(self) -> tuple[int, bool]:
        """The smallest first; then one that v has more of, because "at least" reads best."""
        return self.psi.size, self.balance < 0


_BUDGET = 64
_BEAM = 8
#: Pairs that are separated late get a smaller budget: this number divided by the round.
_WORK = 1000
#: Simple formulas are tried if the items differ in at most this many classes.
_MOST_CLASSES = 50_000


class Separator:
    """Finds formulas for pairs of items, given the run that separates them."""

    def __init__(self, items: Items, history: History) -> None:
        self._classes = Classwise(items, history)
        self._items = items
        self._history = history
        self._found: dict[tuple[int, int, int, int], Formula] = {}

    def formula(self, v: int, w: int) -> Formula | None:
        """A formula that is true of v and false of w; None if the run does not separate them."""
        t = self._history.separated_at(v, w)
        return None if t is None else self._run(self._search(_Pair(v, w, t, _budget(t))))

    def counting(self, ours: IntArray, theirs: IntArray, t: int) -> Formula:
        """A formula of depth t that is true of different numbers of items in two collections.

        The collections have different numbers of some class of round t, and of no class before.
        """
        profiles = self._classes.counted(ours, t), self._classes.counted(theirs, t)
        look = difference(None, *profiles, shares=False)
        assert look is not None
        return self._run(self._formula_of_best([look], t + 1, _budget(t)))

    def count(self, formula: Formula, items: IntArray) -> int:
        """The number of these items of which a formula is true."""
        return self._classes.count(formula, self._classes.counted(items, formula.depth))

    # -- searching, without recursion -------------------------------------------------------------

    def _run(self, search: _Search) -> Formula:
        """Run a search, and those that it asks for, on a stack."""
        stack: list[tuple[_Pair | None, _Search]] = [(None, search)]
        answer: Formula | None = None
        while stack:
            pair, search = stack[-1]
            try:
                wanted = next(search) if answer is None else search.send(answer)
            except StopIteration as end:
                answer = end.value
                if pair is not None:
                    self._remember(pair, end.value)
                stack.pop()
                continue
            answer = self._found.get(self._key(wanted))
            if answer is None:
                stack.append((wanted, self._search(wanted)))
        assert answer is not None
        return answer

    def _key(self, pair: _Pair) -> tuple[int, int, int, int]:
        v, w, t, budget = pair
        return self._classes.class_at(v, t), self._classes.class_at(w, t), t, budget

    def _remember(self, pair: _Pair, formula: Formula) -> None:
        self._found[self._key(pair)] = formula
        self._classes.learn(formula, pair.one, value=True)
        self._classes.learn(formula, pair.two, value=False)

    def _search(self, pair: _Pair) -> _Search:
        v, w, t, budget = pair
        if t == 0:
            return self._fact(v, w)
        if t == 1 and (atom := self._degree(v, w)) is not None:
            return atom
        looks = self._looks(v, w, t - 1)
        unequal = [look for look in looks if look.has_unequal_totals]
        if unequal:
            return min(
                (self._statement(v, w, look, TRUE) for look in unequal),
                key=lambda f: (f.size, f.op == "exactly", f.count or 0),
            )
        best = yield from self._best_choice(looks, t, budget)
        return self._statement(v, w, best.look, best.psi)

    def _formula_of_best(self, looks: list[Look], t: int, budget: int) -> _Search:
        if any(look.has_unequal_totals for look in looks):
            return TRUE
        return (yield from self._best_choice(looks, t, budget)).psi

    def _best_choice(
        self, looks: list[Look], t: int, budget: int
    ) -> Generator[_Pair, Formula, _Choice]:
        """A look, and a small formula of depth t - 1 that does not balance under it."""
        simple = self._simple_choices(looks, t - 1) if t <= 2 else ()
        best = min(simple, key=_Choice.rank, default=None)
        if best is not None:
            return best
        wanted = list(islice(self._pairs(looks, t), min(_BEAM, budget)))
        for look, one, two in wanted:
            limit: int | None = None if best is None else best.psi.size
            choice = yield from self._telling(look, one, two, budget // len(wanted), limit)
            if choice is not None and (best is None or choice.rank() < best.rank()):
                best = choice
            # Nothing is smaller than one operator for each round.
            if best is not None and best.rank() == (t, False):
                break
        assert best is not None
        return best

    def _simple_choices(self, looks: list[Look], depth: int) -> Iterator[_Choice]:
        for look in looks:
            if len(look.surplus) <= _MOST_CLASSES:
                for psi in simple_formulas(self._classes, look, depth):
                    yield _Choice(look, psi, self._balance(look, psi))

    # -- what two items see -----------------------------------------------------------------------

    def _looks(self, v: int, w: int, t: int) -> list[Look]:
        """The modalities under which v and w see different classes of round t."""
        ours, theirs = self._classes.profile(v, t), self._classes.profile(w, t)
        nothing: Profile = {}
        looks = (
            difference(
                modality,
                ours.get(modality, nothing),
                theirs.get(modality, nothing),
                shares=self._items.sees_shares,
            )
            for modality in [*ours, *(m for m in theirs if m not in ours)]
        )
        return [look for look in looks if look is not None]

    def _fact(self, v: int, w: int) -> Formula:
        ours, theirs = self._items.facts(v), self._items.facts(w)
        for fact in ours:
            if fact not in theirs:
                return fact
        return next(negation(fact) for fact in theirs if fact not in ours)

    def _degree(self, v: int, w: int) -> Formula | None:
        """An atom about a number of arcs; preferably of arcs that v has, and a small number."""
        ours, theirs = self._items.arc_counts(v), self._items.arc_counts(w)
        different = [r for r in [*ours, *theirs] if ours.get(r, 0) != theirs.get(r, 0)]
        if not different:
            return None
        relation = min(different, key=lambda r: (ours.get(r, 0) == 0, ours.get(r, 0)))
        return degree(relation, ours.get(relation, 0))

    def _statement(self, v: int, w: int, look: Look, psi: Formula) -> Formula:
        """What is true of the number of neighbours of v that satisfy psi, and not of w."""
        assert look.modality is not None
        relation, position = look.modality
        have, others = (
            self._classes.count(psi, self._classes.profile(item, psi.depth).get(look.modality, {}))
            for item in (v, w)
        )
        if not self._items.sees_shares:
            if have > others:
                return at_least(others + 1, relation, psi, position)
            return exactly(have, relation, psi, position)
        if not all(look.totals):
            some = share_at_least(Fraction(1), relation, TRUE)
            return some if look.totals[0] else negation(some)
        share = Fraction(have, look.totals[0])
        is_more = share > Fraction(others, look.totals[1])
        return (share_at_least if is_more else share_exactly)(share, relation, psi)

    # -- formulas that separate classes of neighbours ---------------------------------------------

    def _pairs(self, looks: list[Look], t: int) -> Iterator[tuple[Look, int, int]]:
        """Pairs of neighbours to separate, from one look after the other in turn.

        The first is of a class that v has more of, the second of a class that w has more of, and
        both of the same class of the round before.
        """
        looks = sorted(looks, key=lambda look: len(look.surplus))
        for row in zip_longest(*(self._pairs_of(look, t) for look in looks)):
            yield from (choice for choice in row if choice is not None)

    def _pairs_of(self, look: Look, t: int) -> Iterator[tuple[Look, int, int]]:
        groups: dict[int, tuple[list[int], list[int]]] = {}
        for c, item in look.of_class.items():
            before = self._classes.class_at(item, t - 2) if t > 1 else 0
            groups.setdefault(before, ([], []))[look.surplus[c] < 0].append(item)
        for more, less in sorted(groups.values(), key=lambda group: len(group[0]) + len(group[1])):
            yield from ((look, one, two) for one, two in zip(more, less, strict=False))

    def _telling(
        self, look: Look, one: int, two: int, budget: int, limit: int | None
    ) -> Generator[_Pair, Formula, _Choice | None]:
        """A formula true of ``one`` and false of ``two`` that does not balance under a look.

        None if it becomes larger than the limit.
        """
        parts: list[Formula] = []
        rival = two
        while True:
            t = self._history.separated_at(one, rival)
            assert t is not None
            parts.append((yield _Pair(one, rival, t, max(budget, 1))))
            psi = conjunction(parts)
            balance = self._balance(look, psi)
            if balance:
                break
            if limit is not None and psi.size >= limit:
                return None
            rivals = self._classes.satisfying(psi, look.of_class.values())
            rival = min(
                (item for item in rivals if item != one),
                key=lambda item: self._history.separated_at(one, item) or 0,
            )
        # Some parts may not be needed once others are there.
        for part in list(parts[:-1]):
            rest = [other for other in parts if other is not part]
            if self._balance(look, conjunction(rest)):
                parts = rest
        psi = conjunction(parts)
        return _Choice(look, psi, self._balance(look, psi))

    def _balance(self, look: Look, psi: Formula) -> int:
        """How many more neighbours satisfy psi at v than at w."""
        satisfying = self._classes.satisfying(psi, look.of_class.values())
        return sum(look.surplus_of[item] for item in satisfying)


def _budget(t: int) -> int:
    return max(1, min(_BUDGET, _WORK // (t + 1)))
