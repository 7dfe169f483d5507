"""Tables of exact numbers: integers divided by powers of two, by row divisors, times square roots.

Weights in floating point are integers divided by a power of two, so whatever a model computes by
sums, products and ReLU is such a number too. Means divide by degrees, which each row keeps as its
divisor. Norms divide by square roots of degrees; roots of different square-free integers are
linearly independent over the rationals, so a sum of them is zero only if every coefficient is, and
its sign is decided by computing enough digits.

Entry (r, c) of a table is ``sum_q parts[q][r, c] sqrt(q) / (2**shift divisors[r])`` over
square-free integers q. The integers are Python's, in arrays of objects. A `Budget` bounds the work.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from wlkg.arrays import BoolArray, FloatArray, IntArray

#: Python integers of any size.
Integers = npt.NDArray[np.object_]
#: A table with roots of more different integers is too much work.
_MOST_ROOTS = 64


class TooMuchWorkError(Exception):
    """An exact evaluation would exceed its budget."""


class Budget:
    """The work that an exact evaluation may cost, in additions and products of short integers."""

    def __init__(self, work: float) -> None:
        self.left = work
        self._reserved = 0.0

    def spend(self, operations: float, bits: int = 0) -> None:
        """Account for operations on numbers of that many bits, before they are carried out."""
        self.left -= operations * (1 + bits / 500)
        if self.left < 0:
            raise TooMuchWorkError

    def reserve(self, operations: float) -> None:
        """Refuse now what will be refused later: operations that are still to be spent."""
        self._reserved += operations
        if self.left < self._reserved:
            raise TooMuchWorkError


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of exact numbers; see the head of this file."""

    parts: dict[int, Integers]
    shift: int
    divisors: Integers
    budget: Budget

    @classmethod
    def of(cls, numbers: FloatArray, budget: Budget) -> Table:
        """The exact values of floating-point numbers."""
        integers, shift = _integers(numbers)
        return cls({1: integers}, shift, _ones(len(numbers)), budget)

    def __len__(self) -> int:
        return len(self.divisors)

    @property
    def width(self) -> int:
        return int(next(iter(self.parts.values())).shape[1])

    @property
    def bits(self) -> int:
        """The length of the largest integer."""
        return max(int(np.abs(part).max(initial=0)).bit_length() for part in self.parts.values())

    def _spend(self, operations: float) -> None:
        self.budget.spend(operations * len(self.parts), self.bits)

    def mapped(self, change: Callable[[Integers], Integers], shift: int = 0) -> Table:
        """The table with a linear map applied to its integers."""
        parts = {root: change(part) for root, part in self.parts.items()}
        return replace(self, parts=parts, shift=self.shift + shift)

    def rows(self, index: IntArray) -> Table:
        """The given rows."""
        self.budget.spend(len(index) * self.width * len(self.parts) / 4)
        chosen = self.mapped(lambda part: part[index])
        return replace(chosen, divisors=self.divisors[index])

    def times(self, matrix: Table) -> Table:
        """Rows times a matrix of dyadic numbers."""
        integers = matrix.parts[1]
        self._spend(len(self) * integers.size)
        return self.mapped(lambda part: part.dot(integers), matrix.shift)

    def plus(self, other: Table, sign: int = 1) -> Table:
        """The sum with a table of as many rows, or with a single row for all rows."""
        if len(other) != len(self):
            other = other.rows(np.zeros(len(self), dtype=np.int64))
        one, two = aligned([self, other])
        divisors = _least_multiples(one.divisors, two.divisors)
        one, two = one.over(divisors), two.over(divisors)
        one._spend(2 * len(self) * self.width)
        parts = dict(one.parts)
        for root, part in two.parts.items():
            parts[root] = parts[root] + sign * part if root in parts else sign * part
        return replace(one, parts=parts)

    def over(self, divisors: Integers) -> Table:
        """The same numbers over other divisors, which are multiples of the present ones."""
        factors = divisors // self.divisors
        if not (factors != 1).any():
            return self
        self._spend(len(self) * self.width)
        multiplied = self.mapped(lambda part: part * factors[:, None])
        return replace(multiplied, divisors=divisors)

    # -- non-linearities --------------------------------------------------------------------------

    def signs(self) -> IntArray:
        """-1, 0 or 1 for each entry."""
        if set(self.parts) == {1}:
            return _signs(self.parts[1])
        size = _total(np.abs(part) for part in self.parts.values())
        result = np.zeros(size.shape, dtype=np.int64)
        open_entries: BoolArray = (size != 0).astype(bool)
        digits = 64
        while open_entries.any():
            self._spend(size.size * (1 + digits / 500))
            near = self._approximate(digits)
            decided = open_entries & (np.abs(near) > size).astype(bool)
            result[decided] = _signs(near)[decided]
            open_entries &= ~decided
            digits *= 2
        return result

    def _approximate(self, digits: int) -> Integers:
        """The numerators times 2**digits, each part off by less than its own integer."""
        return _total(part * math.isqrt(root << (2 * digits)) for root, part in self.parts.items())

    def relu(self) -> Table:
        """Negative numbers become 0."""
        positive = self.signs() > 0
        return self.mapped(lambda part: np.where(positive, part, 0))._without_empty_parts()

    def sign(self) -> Table:
        """Each number becomes its sign."""
        return Table({1: self.signs().astype(object)}, 0, _ones(len(self)), self.budget)

    def _without_empty_parts(self) -> Table:
        kept = {root: part for root, part in self.parts.items() if root == 1 or part.any()}
        if 1 not in kept:
            kept[1] = np.zeros((len(self), self.width), dtype=object)
        return replace(self, parts=kept)

    # -- sums of rows -----------------------------------------------------------------------------

    def weighted_sums(
        self, source: IntArray, weights: RootWeights, target: IntArray, count: int
    ) -> Table:
        """Row t is the sum of weight m times row ``source[m]`` over all m with target t."""
        order = np.argsort(target, kind="stable")
        source, target, weights = source[order], target[order], weights.chosen(order)
        starts = np.flatnonzero(np.r_[True, target[1:] != target[:-1]][: len(target)])
        messages = self.divisors[source] * weights.divisor
        divisors = _ones(count)
        if (messages != 1).any():
            self.budget.spend(4 * len(messages))
            divisors[target[starts]] = np.lcm.reduceat(messages, starts)
        factors = (weights.count * (divisors[target] // messages))[:, None]
        parts: dict[int, Integers] = {1: np.zeros((count, self.width), dtype=object)}
        for radicand in np.unique(weights.root).tolist():
            scaled = factors * (weights.root == radicand)[:, None].astype(np.int64)
            for root, part in self.parts.items():
                common = math.gcd(root, radicand)
                self._spend(3 * len(source) * self.width)
                summands = part[source] * (scaled * common)
                sums = np.zeros((count, self.width), dtype=object)
                if len(starts):
                    sums[target[starts]] = np.add.reduceat(summands, starts, axis=0)
                product = root * radicand // common**2
                parts[product] = parts[product] + sums if product in parts else sums
        if len(parts) > _MOST_ROOTS:
            raise TooMuchWorkError
        return Table(parts, self.shift, divisors, self.budget)._without_empty_parts()

    # -- results ----------------------------------------------------------------------------------

    def keys(self) -> list[object]:
        """For each row a key; rows are equal exactly if their keys are."""
        roots = sorted(self.parts)
        keys: list[object] = []
        for row, divisor in enumerate(self.divisors.tolist()):
            entries = {root: tuple(self.parts[root][row].tolist()) for root in roots}
            nonzero = {root: values for root, values in entries.items() if any(values)}
            common = math.gcd(divisor, *(value for values in nonzero.values() for value in values))
            reduced = tuple((q, tuple(v // common for v in vs)) for q, vs in nonzero.items())
            keys.append((divisor // common, reduced) if nonzero else ())
        return keys

    def floats(self) -> FloatArray:
        """The nearest floating-point numbers, up to rounding."""
        digits = 0 if set(self.parts) == {1} else 64
        scale = self.shift + digits
        near = self._approximate(digits)
        out: FloatArray = np.array(
            [
                [entry / (divisor << scale) for entry in row]
                for row, divisor in zip(near.tolist(), self.divisors.tolist(), strict=True)
            ],
            dtype=np.float64,
        ).reshape(near.shape)
        return out


@dataclass(frozen=True, eq=False)
class RootWeights:
    """Weights ``count sqrt(root) / divisor`` of messages, with square-free roots."""

    count: Integers
    divisor: Integers
    root: IntArray

    def chosen(self, index: IntArray) -> RootWeights:
        return RootWeights(self.count[index], self.divisor[index], self.root[index])


def aligned(tables: Sequence[Table]) -> list[Table]:
    """The same numbers over one power of two."""
    shift = max(table.shift for table in tables)
    return [_shifted(table, shift - table.shift) for table in tables]


def _shifted(table: Table, by: int) -> Table:
    if not by:
        return table
    table.budget.spend(len(table) * table.width * len(table.parts), table.bits)
    return table.mapped(lambda part: part * (1 << by), by)


def stacked(tables: Sequence[Table]) -> Table:
    """The rows of all tables, one below the other."""
    tables = aligned(tables)
    roots = sorted({root for table in tables for root in table.parts})
    parts = {
        root: np.concatenate(
            [
                table.parts.get(root, np.zeros((len(table), table.width), dtype=object))
                for table in tables
            ]
        )
        for root in roots
    }
    divisors = np.concatenate([table.divisors for table in tables])
    return replace(tables[0], parts=parts, divisors=divisors)


def side_by_side(one: Table, two: Table) -> Table:
    """The columns of two tables with the same rows."""
    one, two = aligned([one, two])
    divisors = _least_multiples(one.divisors, two.divisors)
    one, two = one.over(divisors), two.over(divisors)
    zeros = [np.zeros((len(table), table.width), dtype=object) for table in (one, two)]
    parts = {
        root: np.concatenate([one.parts.get(root, zeros[0]), two.parts.get(root, zeros[1])], axis=1)
        for root in {**one.parts, **two.parts}
    }
    return replace(one, parts=parts)


def _integers(numbers: FloatArray) -> tuple[Integers, int]:
    """Integers and a shift: the numbers are the integers divided by 2**shift."""
    fraction, exponent = np.frexp(np.asarray(numbers, dtype=np.float64))
    mantissa = (fraction * 2.0**53).astype(np.int64)
    lowest = np.where(mantissa == 0, 1, mantissa & -mantissa)
    zeros = np.round(np.log2(lowest.astype(np.float64))).astype(np.int64)
    power = np.where(mantissa == 0, 0, exponent.astype(np.int64) - 53 + zeros)
    shift = max(0, -int(power.min(initial=0)))
    odd = (mantissa >> zeros).astype(object)
    integers: Integers = odd * (np.array(1, dtype=object) << (power + shift).astype(object))
    return integers.reshape(np.shape(numbers)), shift


def _ones(count: int) -> Integers:
    return np.full(count, 1, dtype=object)


def _signs(integers: Integers) -> IntArray:
    positive, negative = ((integers * s > 0).astype(np.int64) for s in (1, -1))
    signs: IntArray = positive - negative
    return signs


def _total(tables: Iterable[Integers]) -> Integers:
    return functools.reduce(operator.add, tables)


def _least_multiples(one: Integers, two: Integers) -> Integers:
    return one if not (one != two).any() else np.lcm(one, two)
