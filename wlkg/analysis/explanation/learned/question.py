"""A formula together with its truth on all items, and how the two are combined."""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.analysis.explanation.formulas import Formula, conjunction, disjunction, negation
from wlkg.arrays import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Question:
    """A formula, and for each item whether it is true."""

    formula: Formula
    holds: BoolArray

    def among(self, items: IntArray) -> Question:
        """The same about some items only."""
        return Question(self.formula, self.holds[items])

    def __and__(self, other: Question) -> Question:
        return Question(conjunction([self.formula, other.formula]), self.holds & other.holds)

    def __or__(self, other: Question) -> Question:
        return Question(disjunction([self.formula, other.formula]), self.holds | other.holds)

    def __invert__(self) -> Question:
        return Question(negation(self.formula), ~self.holds)
