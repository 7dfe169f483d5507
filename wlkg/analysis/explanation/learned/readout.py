"""One formula per label from a decision tree.

A node with the question q and the formulas y and n of its two subtrees stands for
"(q and y) or (not q and n)". It only has to be right about the items that reach the node, so
shorter combinations often do: y alone, "y or n", "(q and y) or n", ... The smallest one that is
right about these items is taken. Truth is a Boolean array over the items, so trying one costs a
pass over the items of the node.
"""

from __future__ import annotations

import numpy as np

from wlkg.analysis.explanation.formulas import FALSE, TRUE
from wlkg.analysis.explanation.learned.question import Question
from wlkg.analysis.explanation.learned.tree import Tree
from wlkg.arrays import IntArray


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
    options = _options(question.among(items), yes.among(items), no.among(items))
    wanted = options[-1].holds
    for place in sorted(range(len(options)), key=lambda place: options[place].formula.size):
        if np.array_equal(options[place].holds, wanted):
            break
    return _options(question, yes, no)[place]


def _options(q: Question, y: Question, n: Question) -> list[Question]:
    """Combinations to try; the last two are always right."""
    return [
        y,
        n,
        q,
        ~q,
        y | n,
        y & n,
        (q & y) | n,
        y | (~q & n),
        (~q | y) & n,
        y & (q | n),
        (~q | y) & (q | n),
        (q & y) | (~q & n),
    ]
