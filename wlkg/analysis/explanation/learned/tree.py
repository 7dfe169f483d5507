"""A decision tree whose questions are formulas, grown on items and pruned step by step.

A node asks the candidate with the best gain for its size: the gain is the fall of the Gini impurity
of the predictions, weighted by vertices, divided by (size + 1)^``thrift``. Where no candidate tells
any of its items apart, a formula that separates two of them is asked for; items are classes of a
test, so there is one. The tree is grown until every leaf is right about all its items.

Pruning takes away, again and again, the subtree that loses the fewest vertices for the size it
saves (weakest-link pruning of Breiman et al., with sizes of formulas in place of leaves). Growing
costs O(entries of the candidates) per level at most.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from wlkg.analysis.explanation.learned.candidates import Candidates
from wlkg.analysis.explanation.learned.columns import gathered
from wlkg.analysis.explanation.learned.question import Question
from wlkg.analysis.explanation.learned.votes import Votes
from wlkg.arrays import BoolArray, FloatArray, Int64Array, IntArray

_LEAST_GAIN = 1e-9


#: A formula that is true of the first of two items and false of the second.
Separate = Callable[[int, int], Question]


@dataclass(eq=False)
class Node:
    """A leaf, or a question with a tree for each answer. Children come after their parents."""

    parent: int
    #: The prediction of most vertices here, and how many have another.
    label: int
    wrong: int
    question: Question | None = None
    yes: int = -1
    no: int = -1


@dataclass(frozen=True, eq=False)
class Tree:
    """Node 0 is the root. ``cut[i]`` is the step of pruning at which node i becomes a leaf."""

    nodes: list[Node]
    cut: list[int] = field(default_factory=list)
    #: The number of wrong vertices after each step; step 0 is the whole tree.
    wrong: list[int] = field(default_factory=list)

    def is_leaf(self, number: int, step: int) -> bool:
        """Whether a node is a leaf after a step of pruning."""
        node = self.nodes[number]
        return node.question is None or self.cut[number] <= step

    def cost(self, step: int) -> int:
        """The size of the questions that are left after a step of pruning."""
        return sum(
            node.question.formula.size + 1
            for number, node in enumerate(self.nodes)
            if node.question is not None and self.cut[number] > step
        )


@dataclass(eq=False)
class Effort:
    """How many entries of candidates may still be looked at before only what must be done is."""

    left: int

    @property
    def over(self) -> bool:
        return self.left <= 0


@dataclass(frozen=True, eq=False)
class Grower:
    """Grows trees from candidates."""

    pool: Candidates
    separate: Separate
    effort: Effort
    _separating: list[Question] = field(default_factory=list)
    _asked: dict[int, Question] = field(default_factory=dict)
    _below: dict[int, Candidates] = field(default_factory=dict)

    def grow(self, votes: Votes, thrift: float) -> Tree:
        """The tree that is right about every item of the votes, as far as that can be."""
        everything = np.arange(len(votes.item))
        nodes = [_leaf(-1, _counts(votes, everything))]
        waiting = [(0, everything)]
        while waiting:
            number, rows = waiting.pop()
            question = self._question(votes, rows, thrift)
            if question is None:
                continue
            answers = question.holds[votes.item[rows]]
            node = nodes[number]
            node.question, node.yes, node.no = question, len(nodes), len(nodes) + 1
            for part in (rows[answers], rows[~answers]):
                waiting.append((len(nodes), part))
                nodes.append(_leaf(number, _counts(votes, part)))
        tree = Tree(nodes)
        _prune(tree)
        return tree

    def exact(self, votes: Votes, size: int) -> Question | None:
        """The smallest candidate, or its negation, that is right about every item.

        None if none below a size is.
        """
        if size not in self._below:
            self._below[size] = self.pool.smaller_than(size)
        gains = self._gains(votes, np.arange(len(votes.item)), self._below[size])
        pure = gains.numbers[gains.pure]
        return self._asking(int(pure[0])) if len(pure) else None

    def _question(self, votes: Votes, rows: IntArray, thrift: float) -> Question | None:
        """What to ask about these votes; None if all their items have the same label."""
        wanted = votes.majority[votes.item[rows]]
        if (wanted == wanted[0]).all():
            return None
        gains = self._gains(votes, rows, self.pool)
        if not len(gains.numbers):
            return self._separated(votes, rows, wanted)
        if gains.pure.any():
            return self._asking(int(gains.numbers[gains.pure][0]))
        # Without any gain, something is still told apart.
        scores = (gains.gain + _LEAST_GAIN) / (self.pool.sizes[gains.numbers] + 1.0) ** thrift
        return self._asking(int(gains.numbers[int(scores.argmax())]))

    def _asking(self, number: int) -> Question:
        if number not in self._asked:
            holds = np.zeros(self.pool.num_items, dtype=bool)
            holds[self.pool.true_of(number)] = True
            self._asked[number] = Question(self.pool.formulas[number], holds)
        return self._asked[number]

    def _gains(self, votes: Votes, rows: IntArray, pool: Candidates) -> _Gains:
        labels = votes.num_labels
        places, owner = gathered(pool.of_item_starts, votes.item[rows])
        self.effort.left -= len(places) + len(pool.formulas)
        which, row = pool.of_item[places], rows[owner]
        numbers = np.arange(len(pool.formulas))
        if len(which) < len(numbers):
            # A small node touches few candidates: number those only.
            numbers, which = np.unique(which, return_inverse=True)
        keys = which.astype(np.int64) * labels + votes.label[row]
        true = np.bincount(keys, votes.weight[row], len(numbers) * labels).reshape(-1, labels)
        counts = _counts(votes, rows).astype(np.float64)
        false = counts - true
        ones, zeros = true.sum(axis=1), false.sum(axis=1)
        telling = np.flatnonzero((ones > 0) & (zeros > 0))
        true, false, ones, zeros = true[telling], false[telling], ones[telling], zeros[telling]
        return _Gains(
            numbers=numbers[telling],
            gain=(true**2).sum(axis=1) / ones
            + (false**2).sum(axis=1) / zeros
            - (counts**2).sum() / counts.sum(),
            pure=(true.max(axis=1) == ones) & (false.max(axis=1) == zeros),
        )

    def _separated(self, votes: Votes, rows: IntArray, wanted: IntArray) -> Question:
        items = votes.item[rows]
        # A formula that separated two other items may do.
        for known in self._separating:
            if 0 < known.holds[items].sum() < len(items):
                return known
        heaviest = np.lexsort([rows, -votes.weight[rows]]).tolist()
        one = heaviest[0]
        two = next(place for place in heaviest if wanted[place] != wanted[one])
        question = self.separate(int(items[one]), int(items[two]))
        self._separating.append(question)
        return question


@dataclass(frozen=True, eq=False)
class _Gains:
    """The candidates that tell some items apart, by number, smallest formulas first."""

    numbers: IntArray
    #: The fall of the Gini impurity, times the number of vertices.
    gain: FloatArray
    #: Whether all vertices have the same label on either side.
    pure: BoolArray


def _counts(votes: Votes, rows: IntArray) -> Int64Array:
    return np.bincount(votes.label[rows], votes.weight[rows], votes.num_labels).astype(np.int64)


def _leaf(parent: int, counts: Int64Array) -> Node:
    label = int(counts.argmax())
    return Node(parent, label, int(counts.sum() - counts[label]))


def _prune(tree: Tree) -> None:
    """Fill in the steps of pruning."""
    nodes = tree.nodes
    wrong, cost = [node.wrong for node in nodes], [0] * len(nodes)
    for number in range(len(nodes) - 1, -1, -1):
        node = nodes[number]
        if node.question is not None:
            wrong[number] = wrong[node.yes] + wrong[node.no]
            cost[number] = cost[node.yes] + cost[node.no] + node.question.formula.size + 1
    never = len(nodes) + 1
    cut = [never] * len(nodes)
    total = [wrong[0]]

    def link(number: int) -> tuple[float, int, int, int]:
        lost = nodes[number].wrong - wrong[number]
        return lost / cost[number], -cost[number], number, wrong[number]

    heap = [link(number) for number in range(len(nodes)) if cost[number]]
    heapq.heapify(heap)
    while heap:
        entry = heapq.heappop(heap)
        number = entry[2]
        if cut[number] != never or not cost[number] or entry != link(number):
            continue
        step = len(total)
        lost, saved = nodes[number].wrong - wrong[number], cost[number]
        below = [number]
        while below:
            inner = below.pop()
            if cut[inner] == never:
                cut[inner], cost[inner] = step, 0
                if nodes[inner].question is not None:
                    below += [nodes[inner].yes, nodes[inner].no]
        above = nodes[number].parent
        wrong[number] += lost
        while above >= 0:
            wrong[above] += lost
            cost[above] -= saved
            heapq.heappush(heap, link(above))
            above = nodes[above].parent
        total.append(wrong[0])
    tree.cut.extend(cut)
    tree.wrong.extend(total)
