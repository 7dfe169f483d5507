"""One formula per label from a decision tree.

A node with the question q and the formulas y and n of its two subtrees stands for
"(q and y) or (not q and n)". It only has to be right about the items that reach the node, so
shorter combinations often do: y alone, "y or n", "(q and y) or n", ... The smallest one that is
right about these items is taken. Truth is a Boolean array over the items, so trying one costs a
pass over the items of the node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from wlkg.analysis.explanation.formulas import (
    FALSE,
    TRUE,
    Formula,
    conjunction,
    disjunction,
    negation,
)
from wlkg.analysis.explanation.learned.tree import Question, Tree
from wlkg.arrays import BoolArray, IntArray

#: How a node is put together from the truth of its question and of its two subtrees.
_Truth = Callable[[BoolArray, BoolArray, BoolArray], BoolArray]


def labelled(tree: Tree, step: int, num_items: int) -> IntArray:
    """The label that the tree gives to each item after a step of pruning."""
    labels = np.zeros(num_items, dtype=np.int64)
    for number, items in _reached(tree, step, np.arange(num_items)).items():
        if tree.is_leaf(number, step):
            labels[items] = tree.nodes[number].label
    return labels


def formula_of(tree: Tree, step: int, label: int, items: IntArray, num_items: int) -> Question:
    """A formula that is true of exactly those of the items to which the tree gives a label."""
    reached = _reached(tree, step, items)
    found: dict[int, Question] = {}
    always = Question(TRUE, np.ones(num_items, dtype=bool))
    never = Question(FALSE, np.zeros(num_items, dtype=bool))
    # Children come after their parents.
    for number in sorted(reached, reverse=True):
        node = tree.nodes[number]
        if tree.is_leaf(number, step):
            found[number] = always if node.label == label else never
        else:
            assert node.question is not None
            yes, no = found.pop(node.yes), found.pop(node.no)
            found[number] = _combined(node.question, yes, no, reached[number])
    return found[0]


def _reached(tree: Tree, step: int, items: IntArray) -> dict[int, IntArray]:
    """The nodes that are left after a step of pruning, each with the items that reach it."""
    reached = {0: items}
    waiting = [0]
    while waiting:
        number = waiting.pop()
        node = tree.nodes[number]
        if tree.is_leaf(number, step):
            continue
        assert node.question is not None
        answers = node.question.holds[reached[number]]
        reached[node.yes] = reached[number][answers]
        reached[node.no] = reached[number][~answers]
        waiting += [node.yes, node.no]
    return reached


def _combined(question: Question, yes: Question, no: Question, items: IntArray) -> Question:
    """The smallest combination that is right about the items."""
    if yes.formula is no.formula:
        return yes
    truths = question.holds[items], yes.holds[items], no.holds[items]
    wanted = np.where(*truths)
    options = sorted(_options(question.formula, yes.formula, no.formula), key=_size)
    for formula, truth in options:
        if np.array_equal(truth(*truths), wanted):
            return Question(formula, truth(question.holds, yes.holds, no.holds))
    raise AssertionError("the question with both subtrees is always right")


def _size(option: tuple[Formula, _Truth]) -> int:
    return option[0].size


def _options(q: Formula, y: Formula, n: Formula) -> Iterator[tuple[Formula, _Truth]]:
    other = negation(q)
    yield y, lambda q, y, n: y
    yield n, lambda q, y, n: n
    yield q, lambda q, y, n: q
    yield other, lambda q, y, n: ~q
    yield disjunction([y, n]), lambda q, y, n: y | n
    yield conjunction([y, n]), lambda q, y, n: y & n
    yield disjunction([conjunction([q, y]), n]), lambda q, y, n: (q & y) | n
    yield disjunction([y, conjunction([other, n])]), lambda q, y, n: y | (~q & n)
    yield conjunction([disjunction([other, y]), n]), lambda q, y, n: (~q | y) & n
    yield conjunction([y, disjunction([q, n])]), lambda q, y, n: y & (q | n)
    either = disjunction([conjunction([q, y]), conjunction([other, n])])
    yield either, lambda q, y, n: (q & y) | (~q & n)
    both = conjunction([disjunction([other, y]), disjunction([q, n])])
    yield both, lambda q, y, n: (~q | y) & (q | n)
