"""A shorter formula that is true of the same items.

A part of a formula matters only to some items: an argument of an ``and`` to those of which all its
siblings are true, an argument of an ``or`` to those of which all are false, among the items to
which the ``and`` or ``or`` itself matters. A part is replaced by what is right about the items it
matters to, if that is smaller: nothing at all, or one candidate. (Logic synthesis calls this
resubstitution with observability don't-cares.)

Parts are visited from the outside in, and a change is final before the next part is visited, since
it changes the items to which the next part matters. The walk is iterative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from wlkg.analysis.explanation.formulas import (
    FALSE,
    TRUE,
    Formula,
    conjunction,
    disjunction,
)
from wlkg.analysis.explanation.learned.question import Question
from wlkg.analysis.explanation.learned.tree import Grower
from wlkg.analysis.explanation.learned.votes import Votes
from wlkg.arrays import BoolArray, IntArray

_MOST_PASSES = 4
#: No candidate is larger.
_LARGEST_CANDIDATE = 10


@dataclass(eq=False)
class _Part:
    """An ``and`` or ``or`` of parts, or, without an operator, any other formula."""

    formula: Formula
    parent: _Part | None = None
    holds: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    op: str = ""
    args: list[_Part] = field(default_factory=list)
    matters: BoolArray | None = None

    def collect(self) -> None:
        """Put the formula together again after its parts have changed."""
        join = conjunction if self.op == "and" else disjunction
        self.formula = join(arg.formula for arg in self.args)
        self.holds = _joined(self.op, [arg.holds for arg in self.args])


#: Whether a formula is true of each item.
Evaluate = Callable[[Formula], BoolArray]


@dataclass(frozen=True, eq=False)
class Shortener:
    """Shortens formulas about the items."""

    grower: Grower
    #: The vertex that stands for each item.
    items: IntArray
    evaluate: Evaluate

    def shortened(self, formula: Formula) -> Formula:
        """A formula, smaller if one is found, with the same truth on all items."""
        for _ in range(_MOST_PASSES):
            root = self._parts(formula)
            self._pass(root)
            if root.formula.size >= formula.size:
                break
            formula = root.formula
        return formula

    def _parts(self, formula: Formula) -> _Part:
        """The tree of parts; a shared part is taken apart: each use matters to other items."""
        root = _Part(formula)
        parts = [root]
        for part in parts:
            if part.formula.op in ("and", "or"):
                part.op = part.formula.op
                part.args = [_Part(arg, part) for arg in part.formula.args]
                parts += part.args
        for part in reversed(parts):
            if part.op:
                part.holds = _joined(part.op, [arg.holds for arg in part.args])
            else:
                part.holds = self.evaluate(part.formula)
        return root

    def _pass(self, root: _Part) -> None:
        waiting = [(root, False)]
        while waiting and not self.grower.effort.over:
            part, is_done = waiting.pop()
            if is_done:
                part.collect()
                continue
            part.matters = _mattering(part)
            replacement = self._replacement(part)
            if replacement is not None:
                part.formula, part.holds = replacement.formula, replacement.holds
                part.op, part.args = "", []
            elif part.op:
                waiting.append((part, True))
                waiting += [(arg, False) for arg in reversed(part.args)]
        # Out of effort: what was begun is put together.
        for part, is_done in reversed(waiting):
            if is_done:
                part.collect()

    def _replacement(self, part: _Part) -> Question | None:
        """Something smaller that is right about the items to which the part matters."""
        assert part.matters is not None
        chosen = np.flatnonzero(part.matters)
        wanted = part.holds[chosen]
        for constant, value in ((TRUE, True), (FALSE, False)):
            if (wanted == value).all() and part.formula is not constant:
                return Question(constant, np.full(len(part.holds), value))
        if part.formula.size <= 2:
            return None
        votes = Votes.between(self.items, chosen, part.holds)
        exact = self.grower.exact(votes, min(part.formula.size, _LARGEST_CANDIDATE))
        if exact is None:
            return None
        if exact.holds[chosen[0]] != wanted[0]:
            exact = ~exact
        return exact if exact.formula.size < part.formula.size else None


def _mattering(part: _Part) -> BoolArray:
    above = part.parent
    if above is None:
        return np.ones(len(part.holds), dtype=bool)
    assert above.matters is not None
    others = _joined(above.op, [arg.holds for arg in above.args if arg is not part])
    return above.matters & (others if above.op == "and" else ~others)


def _joined(op: str, truths: Sequence[BoolArray]) -> BoolArray:
    join = np.logical_and if op == "and" else np.logical_or
    return np.asarray(join.reduce(truths))
