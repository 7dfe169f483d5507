"""Rules at a level of fidelity: a formula for each label, as small as can be found.

Trees that weigh gain against size differently are pruned as far as the level allows. The one that
promises the least size decides the label of every item; its formulas, one for each label, are read
out and shortened. Each is then true of exactly the items that have its label.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula, disjunction, negation
from wlkg.analysis.explanation.learned.candidates import candidates
from wlkg.analysis.explanation.learned.question import Question
from wlkg.analysis.explanation.learned.readout import formula_of, labelled
from wlkg.analysis.explanation.learned.shortening import Shortener
from wlkg.analysis.explanation.learned.tree import Effort, Grower, Tree
from wlkg.analysis.explanation.learned.votes import Votes
from wlkg.analysis.explanation.separation import Separator
from wlkg.arrays import BoolArray
from wlkg.partition import History

#: How gain is weighed against size in the trees that are tried.
THRIFTS = (0.0, 0.5, 1.0)
#: How many entries of candidates may be looked at to shorten the rules of one level.
EFFORT = 120_000_000


@dataclass(frozen=True, eq=False)
class RuleSearch:
    """Finds rules for votes about classes of a round of a run."""

    vertices: Vertices
    history: History
    votes: Votes
    depth: int
    _truth: dict[Formula, BoolArray] = field(default_factory=dict)
    _found: dict[tuple[int, int, bool], tuple[Formula, ...]] = field(default_factory=dict)

    @cached_property
    def _separator(self) -> Separator:
        return Separator(self.vertices, self.history)

    @cached_property
    def _grower(self) -> Grower:
        pool = candidates(self.vertices, self.votes.items, self.depth)
        return Grower(pool, self._separate, Effort(EFFORT))

    def _separate(self, one: int, two: int) -> Question:
        items = self.votes.items
        formula = self._separator.formula(int(items[one]), int(items[two]))
        assert formula is not None, "items are classes of the run"
        return Question(formula, self._evaluate(formula))

    def _evaluate(self, formula: Formula) -> BoolArray:
        if formula not in self._truth:
            self._truth[formula] = self.vertices.holds(formula)[self.votes.items]
        return self._truth[formula]

    @cached_property
    def _trees(self) -> list[Tree]:
        return [self._grower.grow(self.votes, thrift) for thrift in THRIFTS]

    def rules(self, fidelity: float, *, shorten: bool = True) -> tuple[Formula, ...]:
        """A formula for each label; together they are right about a share of the vertices.

        Where the vertices of an item have several labels, no rules can be right about all of them;
        then the share may be smaller than asked for.
        """
        number, step = self._pruned(fidelity)
        key = number, step, shorten
        if key not in self._found:
            self._found[key] = self._read_out(self._trees[number], step, shorten=shorten)
        return self._found[key]

    def _read_out(self, tree: Tree, step: int, *, shorten: bool) -> tuple[Formula, ...]:
        count = self.votes.num_items
        everything = np.arange(count)
        labels = labelled(tree, step, count)
        formulas = [
            formula_of(tree, step, label, everything, count).formula
            for label in range(self.votes.num_labels)
        ]
        if shorten:
            formulas = [
                self._shortest(formula, labels == label) for label, formula in enumerate(formulas)
            ]
        return tuple(_with_otherwise(formulas))

    def _pruned(self, fidelity: float) -> tuple[int, int]:
        """The smallest tree, and the step of its pruning, that is right about enough vertices."""
        allowed = int((1 - fidelity) * self.votes.total + 1e-6)
        choices = []
        for number, tree in enumerate(self._trees):
            most = max(allowed, tree.wrong[0])
            step = max(step for step, wrong in enumerate(tree.wrong) if wrong <= most)
            choices.append((tree.cost(step), number, step))
        _, number, step = min(choices)
        return number, step

    def _shortest(self, formula: Formula, holds: BoolArray) -> Formula:
        """The formula, or that of a tree for this label alone, shortened."""
        grower, count = self._grower, self.votes.num_items
        grower.effort.left = EFFORT // self.votes.num_labels
        shortener = Shortener(grower, self.votes.items, self._evaluate)
        best = shortener.shortened(formula)
        everything = np.arange(count)
        votes = Votes.between(self.votes.items, everything, holds)
        for thrift in THRIFTS:
            if best.size > 2 and not grower.effort.over:
                tree = grower.grow(votes, thrift)
                other = formula_of(tree, 0, 1, everything, count).formula
                best = min(best, shortener.shortened(other), key=_size)
        return best


def _size(formula: Formula) -> int:
    return formula.size


def _with_otherwise(formulas: list[Formula]) -> list[Formula]:
    """The largest formula as "none of the others", if that is smaller."""
    largest = max(range(len(formulas)), key=lambda label: (formulas[label].size, -label))
    others = [formula for label, formula in enumerate(formulas) if label != largest]
    otherwise = negation(disjunction(others))
    if otherwise.size < formulas[largest].size:
        formulas = [otherwise if i == largest else f for i, f in enumerate(formulas)]
    return formulas
