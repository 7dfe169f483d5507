"""A small formula that is true of exactly the vertices of one class of a round.

All formulas of depth t agree on a class of round t, so it is enough that a formula is true of one
member and false of every other vertex. It is a conjunction, found greedily: add the formula, true
of the member, that excludes most of the remaining other vertices for its size, until none remains.
Candidates are

- the facts about the member, and those that are not true of it;
- how many neighbours it has under each relation, and that it has none under others;
- how many of its neighbours have a rare number of neighbours under a relation;
- the formulas that separate it from a few of the remaining vertices (`separation`), with the exact
  number of neighbours in place of "at least" too.

"Most for its size" means: the logarithm of the factor by which the rest shrinks, divided by the
size. In the end, parts that turn out not to be needed are dropped, largest first, and "exactly"
becomes "at least" where that makes no difference. Candidates of the last two kinds are evaluated on
all vertices, once; all others together cost one pass over the arcs of the remaining vertices.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
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
#: The number of neighbours under each relation whose own neighbours are counted, and the number of
#: formulas about them.
_FEW = 5
_TWO_STEPS = 32


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
        pool = _Pool(self._vertices)
        pool.add(self._two_steps(vertex) if t > 1 else ())
        chosen: list[Formula] = []
        rest = ~member
        while rest.any():
            chosen.append(self._best(vertex, t, rest, classes, pool))
            rest &= pool.value(chosen[-1])
        formula = conjunction(self._relaxed(self._needed(chosen, member, pool), member, pool))
        return Selection(formula, frozen(np.flatnonzero(member)))

    def _best(
        self, vertex: int, t: int, rest: BoolArray, classes: IntArray, pool: _Pool
    ) -> Formula:
        """The formula that excludes most of the rest for its size; the first of equals."""
        remaining = int(np.count_nonzero(rest))
        choices: list[tuple[Formula, int]] = [
            *self._facts(vertex, rest),
            *(self._numbers(vertex, rest) if t else ()),
        ]
        # A fact or number that leaves nothing is as small as any formula.
        if all(excluded < remaining for _, excluded in choices):
            pool.add(self._separating(vertex, rest, classes))
            choices += pool.excluded(rest)
        return max(choices, key=lambda choice: _worth(choice[0], choice[1], remaining))[0]

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

    def _two_steps(self, vertex: int) -> Iterator[Formula]:
        """How many neighbours have a certain number of neighbours, the rarest numbers first."""
        if self._vertices.sees_shares:
            return
        table, places = self._degrees, self._rarity
        found: dict[tuple[Relation, int, int], int] = {}
        for modality, neighbours in self._vertices.around(vertex):
            for neighbour in neighbours[:_FEW].tolist():
                begin, end = np.searchsorted(table.vertex, [neighbour, neighbour + 1])
                for i in range(begin, end):
                    key = (modality.relation, int(table.relation[i]), int(table.count[i]))
                    found[key] = int(places[i])
        for relation, other, count in sorted(found, key=lambda key: found[key])[:_TWO_STEPS]:
            psi = self._number(self._vertices.relations[other], count)
            neighbours = self._vertices.neighbours(vertex, relation)
            yield exactly(self._separator.count(psi, neighbours), relation, psi)

    @cached_property
    def _rarity(self) -> Int64Array:
        """For each row of `_degrees`, how many vertices have the same number in the relation."""
        table = self._degrees
        key = table.relation * (1 + int(table.count.max(initial=0))) + table.count
        _, group, sizes = np.unique(key, return_inverse=True, return_counts=True)
        return np.asarray(sizes[group.reshape(-1)])

    # -- making it smaller ------------------------------------------------------------------------

    def _needed(self, parts: list[Formula], member: BoolArray, pool: _Pool) -> list[Formula]:
        """The parts without those that make no difference, largest first."""
        kept = parts
        for part in sorted(parts, key=lambda part: -part.size):
            rest = [other for other in kept if other is not part]
            if rest and pool.selects(rest, member):
                kept = rest
        return kept

    def _relaxed(self, parts: list[Formula], member: BoolArray, pool: _Pool) -> list[Formula]:
        """The parts with "at least" for "exactly" where that is enough."""
        kept = parts
        for part in parts:
            if part.op != "exactly" or not part.count:
                continue
            assert part.relation is not None
            for count in sorted({1, part.count}):
                weaker = at_least(count, part.relation, part.args[0])
                changed = [weaker if other is part else other for other in kept]
                if pool.selects(changed, member):
                    kept = changed
                    break
        return kept


class _Pool:
    """Formulas and their values on all vertices."""

    def __init__(self, vertices: Vertices) -> None:
        self._vertices = vertices
        self._values: dict[Formula, BoolArray] = {}

    def add(self, formulas: Iterable[Formula]) -> None:
        fresh = [formula for formula in dict.fromkeys(formulas) if formula not in self._values]
        self._values.update(zip(fresh, self._vertices.hold(fresh), strict=True))

    def value(self, formula: Formula) -> BoolArray:
        self.add([formula])
        return self._values[formula]

    def excluded(self, rest: BoolArray) -> list[tuple[Formula, int]]:
        """How many of the rest each formula excludes."""
        return [(f, int(np.count_nonzero(rest & ~value))) for f, value in self._values.items()]

    def selects(self, parts: list[Formula], member: BoolArray) -> bool:
        """Whether exactly the members satisfy all parts."""
        return np.array_equal(np.logical_and.reduce([self.value(part) for part in parts]), member)


def _worth(formula: Formula, excluded: int, remaining: int) -> float:
    """By which factor a formula reduces the rest, in powers, for its size."""
    return math.log((remaining + 0.5) / (remaining - excluded + 0.5)) / formula.size
