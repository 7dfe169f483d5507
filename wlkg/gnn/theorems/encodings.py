"""Features that a layer of a witness gives to its classes, and how to read numbers back from them.

Before its non-linearity a layer of a witness has a number b(c) for each class c, another for each,
in all columns, and subtracts a threshold of the column. With b_1 < ... < b_p in order, row i is

    sign   +1 in columns 1 .. i, -1 in the others            thresholds between the b_i
    relu   b_i - b_{k-1} in columns k = 1 .. i, 0 elsewhere   thresholds b_{k-1}, with b_0 = b_1 - 1

Both are regular triangular matrices (after adding the last row, for signs). So for any numbers
z_1, ..., z_p there is a vector u with (row i) · u = z_i, and it is known in closed form: whole or
half numbers, with which floating-point arithmetic is exact up to 2^52. This is the paper's Lemma
on sign matrices with a vector of biases instead of -1 in all columns: dividing by thresholds, as
its proof does, would leave whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Code:
    """Numbers z for the classes, the vector u that reads them, and how large sums get."""

    values: FloatArray
    reader: FloatArray
    reach: float


def _steps(random: np.random.Generator, most: int, count: int) -> FloatArray:
    """Random whole numbers, one for each class; a single class needs none but 1."""
    return random.integers(1, (most if count > 1 else 1) + 1, count).astype(np.float64)


class OneHot:
    """Features before the first layer: a unit vector for each class."""

    def __init__(self, rows: FloatArray) -> None:
        """``rows`` are those of the classes, in any order."""
        self._rows = rows

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Random numbers that the features can be read as."""
        values = np.cumsum(_steps(random, most, len(self._rows)))
        return Code(values, values @ self._rows, float(values[-1]))


class Signs:
    """Features after a layer with signs."""

    def __init__(self, numbers: FloatArray) -> None:
        """``numbers`` are the b of the classes."""
        self._rank = np.argsort(np.argsort(numbers))
        ordered = np.sort(numbers)
        self.thresholds = np.concatenate([ordered[:1] - 1, (ordered[1:] + ordered[:-1]) / 2])

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Rising numbers, so that the entries of u sum up to no more than the largest."""
        z = np.cumsum(_steps(random, most, len(self._rank)))
        u = np.concatenate([[(z[0] + z[-1]) / 2], np.diff(z) / 2])
        return Code(z[self._rank], u, float(np.abs(u).sum()))


class Ramps:
    """Features after a layer with ReLU."""

    def __init__(self, numbers: FloatArray) -> None:
        self._rank = np.argsort(np.argsort(numbers))
        self._ordered = np.sort(numbers)
        self.thresholds = np.concatenate([self._ordered[:1] - 1, self._ordered[:-1]])

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Numbers that rise by multiples of the steps between the b, so that u is whole."""
        factors = _steps(random, most, len(self._rank))
        z = np.cumsum(factors * (self._ordered - self.thresholds))
        u = np.diff(factors, prepend=0.0)
        # Sums over columns are the largest in the last row, which has the largest entries.
        reach = float((self._ordered[-1] - self.thresholds) @ np.abs(u))
        return Code(z[self._rank], u, reach)


ENCODINGS: dict[str, type[Signs] | type[Ramps]] = {"sign": Signs, "relu": Ramps}
