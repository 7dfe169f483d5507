"""A small formula that is true of exactly the vertices of one class of a round.

All formulas of depth t agree on a class of round t, so it is enough that a formula is true of one
member and false of every other vertex. It is a conjunction, found greedily: add the formula, true
of the member, that excludes most of the remaining other vertices for its size, until none remains.
Candidates are

- the facts about the member, and those that are not true of it;
- how many neighbours it has under each relation, and that it has none under others;
- the formulas that separate it from a few of the remaining vertices (`separation`), with the exact
  number of neighbours in place of "at least" too.

In the end, parts that turn out not to be needed are dropped, largest first, and "exactly" becomes
"at least" where that makes no difference. Each candidate of the last kind is evaluated on all
vertices; all others together cost one pass over the arcs of the remaining vertices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import (
    TRUE,
    Formula,
    Relation,
    at_least,
    conjunction,
    degree,
    exactly,
    negation,
    share_at_least,
    share_exactly,
)
from wlkg.analysis.explanation.separation import Separator
from wlkg.arrays import BoolArray, Int64Array, IntArray, frozen
from wlkg.partition import History

#: The number of remaining classes that the member is separated from in each step: the largest.
_RIVALS = 4


@dataclass(frozen=True, eq=False)
class Selection:
    """A formula and the vertices that satisfy it, by id."""

    formula: Formula
    members: IntArray


@dataclass(frozen=True, eq=False)
class _Degrees:
    """Every vertex and relation with arcs: how many there are. Sorted by vertex."""

    vertex: Int64Array
    relation: Int64Array
    count: Int64Array


class ClassFormulas:
    """Finds formulas for classes, given the run that makes them."""

    def __init__(self, vertices: Vertices, history: History, separator: Separator) -> None:
        self._vertices = vertices
        self._history = history
        self._separator = separator

    def select(self, vertex: int, t: int) -> Selection:
        """A formula of depth at most t that selects the class of a vertex at round t."""
        classes = self._history.class_at(np.arange(self._history.num_items), t)
        member = classes == classes[vertex]
        parts: dict[Formula, BoolArray] = {}
        rest = ~member
        while rest.any():
            part = self._best(vertex, t, rest, classes)
            parts[part] = self._vertices.holds(part)
            rest &= parts[part]
        formula = conjunction(self._relaxed(self._pruned(parts, member), member))
        return Selection(formula, frozen(np.flatnonzero(member)))

    def _best(self, vertex: int, t: int, rest: BoolArray, classes: IntArray) -> Formula:
        """The formula that excludes most of the rest for its size; the first of equals."""
        choices: list[tuple[Formula, int]] = [
            *self._facts(vertex, rest),
            *(self._numbers(vertex, rest) if t else ()),
        ]
        remaining = np.count_nonzero(rest)
        best = max(choices, key=_worth, default=None)
        # A fact or number that leaves nothing is as small as any formula.
        if best is None or best[1] < remaining:
            told = list(self._separating(vertex, rest, classes))
            values = self._vertices.hold(told)
            excluded = (np.count_nonzero(rest & ~value) for value in values)
            choices += zip(told, map(int, excluded), strict=True)
            best = max(choices, key=_worth)
        return best[0]

    def _facts(self, vertex: int, rest: BoolArray) -> Iterator[tuple[Formula, int]]:
        """Facts about the vertex, and those about one of the rest that are not true of it."""
        own = self._vertices.facts(vertex)
        others = self._vertices.facts(int(np.argmax(rest)))
        formulas = [*own, *(negation(fact) for fact in others if fact not in own)]
        for formula, value in zip(formulas, self._vertices.hold(formulas), strict=True):
            yield formula, int(np.count_nonzero(rest & ~value))

    # -- numbers of neighbours under a relation ---------------------------------------------------

    @cached_property
    def _degrees(self) -> _Degrees:
        arcs = self._vertices.arcs
        fresh = np.ones(len(arcs), dtype=bool)
        fresh[1:] = (np.diff(arcs.source) != 0) | (np.diff(arcs.relation) != 0)
        start = np.flatnonzero(fresh)
        count = np.diff(np.append(start, len(arcs)))
        if self._vertices.sees_shares:
            count = np.minimum(count, 1)
        return _Degrees(arcs.source[start], arcs.relation[start].astype(np.int64), count)

    def _numbers(self, vertex: int, rest: BoolArray) -> Iterator[tuple[Formula, int]]:
        """For each relation, how many neighbours the vertex has, and how many others that excludes.

        Only the best relations that it has none of are of interest.
        """
        table, num_relations = self._degrees, len(self._vertices.relations)
        begin, end = np.searchsorted(table.vertex, [vertex, vertex + 1])
        own = np.zeros(num_relations, dtype=np.int64)
        own[table.relation[begin:end]] = table.count[begin:end]
        chosen = rest[table.vertex]
        relation, count = table.relation[chosen], table.count[chosen]
        some = np.bincount(relation, minlength=num_relations)
        alike = np.bincount(relation[count == own[relation]], minlength=num_relations)
        remaining = np.count_nonzero(rest)
        excluded = np.where(own > 0, remaining - alike, some)
        for i in np.flatnonzero(excluded).tolist():
            yield self._number(self._vertices.relations[i], int(own[i])), int(excluded[i])

    def _number(self, relation: Relation, count: int) -> Formula:
        if self._vertices.test.sees_degrees:
            return degree(relation, count)
        if self._vertices.sees_shares:
            some = share_at_least(Fraction(1), relation, TRUE)
            return some if count else negation(some)
        return exactly(count, relation, TRUE)

    # -- formulas that separate -------------------------------------------------------------------

    def _separating(self, vertex: int, rest: BoolArray, classes: IntArray) -> Iterator[Formula]:
        remaining = np.flatnonzero(rest)
        _, first, counts = np.unique(classes[remaining], return_index=True, return_counts=True)
        for i in np.argsort(-counts, kind="stable")[:_RIVALS].tolist():
            formula = self._separator.formula(vertex, int(remaining[first[i]]))
            assert formula is not None
            yield formula
            if formula.op in ("at_least", "share_at_least") and formula.args[0] is not TRUE:
                yield self._exact(formula, vertex)

    def _exact(self, formula: Formula, vertex: int) -> Formula:
        """The formula with the vertex's own number of neighbours, exactly."""
        relation, arg = formula.relation, formula.args[0]
        assert relation is not None
        neighbours = self._vertices.neighbours(vertex, relation)
        count = self._separator.count(arg, neighbours)
        if formula.share is not None:
            return share_exactly(Fraction(count, len(neighbours)), relation, arg)
        return exactly(count, relation, arg)

    # -- making it smaller ------------------------------------------------------------------------

    def _pruned(
        self, parts: dict[Formula, BoolArray], member: BoolArray
    ) -> dict[Formula, BoolArray]:
        """The parts that are needed."""
        kept = dict(parts)
        for part in sorted(parts, key=lambda part: -part.size):
            rest = {other: value for other, value in kept.items() if other is not part}
            if rest and _all_of(rest, member):
                kept = rest
        return kept

    def _relaxed(self, parts: dict[Formula, BoolArray], member: BoolArray) -> list[Formula]:
        """The parts with "at least" for "exactly" where that is enough."""
        kept = dict(parts)
        for part in parts:
            if part.op != "exactly" or not part.count:
                continue
            assert part.relation is not None
            for count in sorted({1, part.count}):
                weaker = at_least(count, part.relation, part.args[0])
                changed = {
                    (weaker if other is part else other): (
                        self._vertices.holds(weaker) if other is part else value
                    )
                    for other, value in kept.items()
                }
                if _all_of(changed, member):
                    kept = changed
                    break
        return list(kept)


def _worth(choice: tuple[Formula, int]) -> float:
    formula, excluded = choice
    return excluded / formula.size


def _all_of(parts: dict[Formula, BoolArray], member: BoolArray) -> bool:
    """Whether exactly the members satisfy all parts."""
    return np.array_equal(np.logical_and.reduce(list(parts.values())), member)
