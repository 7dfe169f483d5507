"""Short formulas from which rules are built: what they say, and of which items they are true.

An item stands for a class of vertices that a test does not tell apart. A candidate compares a
column of numbers (`columns`) with a value that occurs in it. Candidates of depth d + 1 take those
of depth d as arguments, as far as a budget of entries allows, and no deeper than `DEEPEST`: what
they cannot tell apart is left to the formulas that separate two vertices.

Candidates that are true of the same items, or of the others, are one: the smallest is kept. They
are compared by two 64-bit sums of random numbers, so a collision could lose a candidate; it cannot
make a rule wrong, since rules are evaluated again on all vertices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula, negation
from wlkg.analysis.explanation.learned.columns import (
    Arguments,
    Columns,
    atom_columns,
    degree_columns,
    neighbour_columns,
)
from wlkg.arrays import BoolArray, Int64Array, IntArray, UInt64Array

#: The greatest depth of candidates.
DEEPEST = 3
#: The most candidates, and the most entries (formula, item) of all of them together.
MOST_CANDIDATES = 12_000
MOST_ENTRIES = 20_000_000
#: The most entries (argument, arc) that are counted for the candidates of a depth.
MOST_COUNTED = 6_000_000
#: The most values that a column is compared with, in candidates and in their arguments.
MOST_VALUES = 64
MOST_ARGUMENT_VALUES = 6


@dataclass(frozen=True, eq=False)
class Candidates:
    """Formulas, smallest first, and the items that each is true of."""

    formulas: tuple[Formula, ...]
    sizes: IntArray
    num_items: int
    #: The items of each formula, and the formulas of each item, as rows one after the other.
    items: IntArray
    item_starts: Int64Array
    of_item: IntArray
    of_item_starts: Int64Array

    def true_of(self, number: int) -> IntArray:
        """The items of a formula."""
        return self.items[self.item_starts[number] : self.item_starts[number + 1]]

    def smaller_than(self, size: int) -> Candidates:
        """The candidates below a size; they keep their numbers."""
        count = int(np.searchsorted(self.sizes, size))
        if count == len(self.formulas):
            return self
        kept = self.of_item < count
        return replace(
            self,
            formulas=self.formulas[:count],
            sizes=self.sizes[:count],
            items=self.items[: self.item_starts[count]],
            item_starts=self.item_starts[: count + 1],
            of_item=self.of_item[kept],
            of_item_starts=np.concatenate([[0], np.cumsum(kept)])[self.of_item_starts],
        )


def candidates(vertices: Vertices, items: IntArray, depth: int) -> Candidates:
    """Candidates of at most a depth, for the vertices that stand for the items."""
    return _candidates(vertices, items, min(depth, DEEPEST), MOST_VALUES)


def _candidates(vertices: Vertices, items: IntArray, depth: int, most_values: int) -> Candidates:
    everything = np.arange(vertices.graph.num_vertices)
    inner = None
    # Iterative: depth by depth, each on all vertices, the last one on the items.
    for below in range(depth):
        inner = _arguments(vertices, _built(vertices, everything, below, inner))
    return _built(vertices, items, depth, inner, most_values)


def _built(
    vertices: Vertices,
    items: IntArray,
    depth: int,
    arguments: Arguments | None,
    most_values: int = MOST_ARGUMENT_VALUES,
) -> Candidates:
    tables: Iterator[Columns] = iter([atom_columns(vertices, items)])
    if depth and vertices.test.sees_degrees:
        tables = chain(tables, [degree_columns(vertices, items)])
    if arguments is not None:
        tables = chain(tables, neighbour_columns(vertices, items, arguments))
    distinct = _Distinct.of(list(tables), len(items), most_values)
    return distinct.stored()


def _arguments(vertices: Vertices, pool: Candidates) -> Arguments:
    """As many of the candidates as the budget allows, small and balanced ones first."""
    leading_here = np.bincount(vertices.arcs.neighbour, minlength=pool.num_items)
    lengths = np.diff(pool.item_starts)
    sums = np.concatenate([[0], np.cumsum(leading_here[pool.items])])
    cost = sums[pool.item_starts[1:]] - sums[pool.item_starts[:-1]]
    order = np.lexsort([-lengths, pool.sizes])
    kept = np.sort(order[np.cumsum(cost[order]) <= MOST_COUNTED])
    number = np.full(len(lengths), -1)
    number[kept] = np.arange(len(kept))
    which = number[pool.of_item]
    counts = np.concatenate([[0], np.cumsum(which >= 0)])
    return Arguments(
        formulas=[pool.formulas[place] for place in kept.tolist()],
        which=which[which >= 0],
        starts=counts[pool.of_item_starts],
    )


@dataclass(frozen=True, eq=False)
class _Distinct:
    """Candidates as stretches of items in a long array, each truth once."""

    num_items: int
    item: IntArray
    begin: IntArray
    end: IntArray
    formulas: list[Formula]

    @classmethod
    def of(cls, tables: list[Columns], num_items: int, most_values: int) -> _Distinct:
        compare = [one for table in tables for one in table.compare]
        column, item, value = _joined(tables)
        # A column by falling value: the items with at least some value are a stretch.
        order = np.lexsort([item, -value, column])
        column, item, value = column[order], item[order], value[order]
        ends = np.flatnonzero(
            np.r_[(column[1:] != column[:-1]) | (value[1:] != value[:-1]), True][: len(column)]
        )
        ends = ends[_spread(column[ends], most_values)]
        begin = np.searchsorted(column, column[ends])
        lane, other = _fingerprints(item, begin, ends + 1, num_items)
        sizes = np.array([one.size for one in compare], dtype=np.int64)[column[ends]]
        # A formula that is true of most items is stored as its negation.
        is_negated = 2 * (ends + 1 - begin) > num_items
        sizes += is_negated
        order = np.lexsort([np.arange(len(ends)), sizes, other, lane])
        first = np.ones(len(order), dtype=bool)
        first[1:] = (lane[order[1:]] != lane[order[:-1]]) | (other[order[1:]] != other[order[:-1]])
        # All items or none: nothing is told apart.
        first &= (lane[order] != 0) | (other[order] != 0)
        kept = order[first]
        # Small formulas first, among them those that split the items most evenly.
        lengths = ends[kept] + 1 - begin[kept]
        lesser = np.minimum(lengths, num_items - lengths)
        order = np.lexsort([kept, -lesser, sizes[kept]])[:MOST_CANDIDATES]
        kept = kept[order[np.cumsum(lesser[order]) <= MOST_ENTRIES]]
        values = zip(column[ends[kept]].tolist(), value[ends[kept]].tolist(), strict=True)
        formulas = [compare[place].formula(number) for place, number in values]
        return cls(num_items, item, begin[kept], ends[kept] + 1, formulas)

    def stored(self) -> Candidates:
        """With the items of each formula; one that is true of most items is stored as its not."""
        formulas, rows = [], []
        for formula, begin, end in zip(
            self.formulas, self.begin.tolist(), self.end.tolist(), strict=True
        ):
            row = self.item[begin:end]
            if 2 * len(row) > self.num_items:
                others = np.ones(self.num_items, dtype=bool)
                others[row] = False
                row, formula = np.flatnonzero(others), negation(formula)  # noqa: PLW2901
            rows.append(row)
            formulas.append(formula)
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        items = np.concatenate([np.zeros(0, dtype=np.int32), *rows]).astype(np.int32)
        which = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
        order = np.argsort(items, kind="stable")
        counts = np.bincount(items, minlength=self.num_items)
        return Candidates(
            formulas=tuple(formulas),
            sizes=np.array([formula.size for formula in formulas], dtype=np.int64),
            num_items=self.num_items,
            items=items,
            item_starts=np.concatenate([[0], np.cumsum(lengths)]),
            of_item=which[order],
            of_item_starts=np.concatenate([[0], np.cumsum(counts)]),
        )


def _joined(tables: list[Columns]) -> tuple[IntArray, IntArray, IntArray]:
    before = np.cumsum([0, *(len(table.compare) for table in tables)]).tolist()
    column = np.concatenate([table.column + n for table, n in zip(tables, before, strict=False)])
    item = np.concatenate([table.item for table in tables])
    return column, item, np.concatenate([table.value for table in tables])


def _spread(column: IntArray, most: int) -> BoolArray:
    """Which values of each column are compared with: all, or some evenly spaced ones."""
    first = np.searchsorted(column, column)
    count = np.searchsorted(column, column, side="right") - first
    rank = np.arange(len(column)) - first
    # Evenly spaced ranks: those at which the scaled rank goes up.
    scaled, before = (rank + 1) * most // np.maximum(count, 1), rank * most // np.maximum(count, 1)
    return np.asarray((count <= most) | (scaled > before))


def _fingerprints(
    item: IntArray, begin: IntArray, end: IntArray, num_items: int
) -> tuple[UInt64Array, UInt64Array]:
    """Two sums for each stretch, the same for its complement; 0 and 0 for all items or none."""
    random = np.random.default_rng(0)
    lanes = []
    for _ in range(2):
        numbers = random.integers(1, 2**64, num_items, dtype=np.uint64, endpoint=False)
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(numbers[item], dtype=np.uint64)])
        lanes.append((sums[end] - sums[begin], np.sum(numbers, dtype=np.uint64)))
    (one, all_one), (two, all_two) = lanes
    flipped = all_one - one < one
    return np.where(flipped, all_one - one, one), np.where(flipped, all_two - two, two)
