"""Features that a layer of a witness gives to its classes, and how to read numbers back from them.

Before its non-linearity, a layer of a witness has a number b(c), different for each class c, in all
columns, and subtracts the threshold of each column. With b_1 < ... < b_p in order, row i is

    sign   +1 in columns 1 .. i, -1 in the others            thresholds between the b_i
    relu   b_i - b_{k-1} in columns k = 1 .. i, 0 elsewhere   thresholds b_{k-1}, with b_0 = b_1 - 1

Both are regular triangular matrices (for signs, after adding the last row). So for any numbers
z_1, ..., z_p there is a vector u with (row i) · u = z_i. It is known in closed form and consists of
multiples of 1/2, with which floating-point arithmetic is exact up to 2^52. This is the paper's
Lemma on sign matrices, with a vector of biases instead of -1 in all columns: dividing by the
thresholds, as its proof does, would not keep the numbers whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Code:
    """Numbers for the classes, and how to read them from the features."""

    #: The numbers z.
    values: FloatArray
    #: The vector u that reads them.
    reader: FloatArray
    #: How large the sums get while they are read.
    reach: float


def _steps(random: np.random.Generator, most: int, count: int) -> FloatArray:
    """Random whole numbers from 1 to ``most``, one for each class; a single class gets 1."""
    return random.integers(1, (most if count > 1 else 1) + 1, count).astype(np.float64)


class OneHot:
    """Features before the first layer: a unit vector for each class."""

    def __init__(self, rows: FloatArray) -> None:
        """``rows`` has the feature row of each class, in any order."""
        self._rows = rows

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Random numbers for the classes."""
        values = np.cumsum(_steps(random, most, len(self._rows)))
        return Code(values, reader=values @ self._rows, reach=float(values[-1]))


class Signs:
    """Features after a layer with sign activation."""

    def __init__(self, numbers: FloatArray) -> None:
        """``numbers`` has the b of each class."""
        self._rank = np.argsort(np.argsort(numbers))
        ordered = np.sort(numbers)
        self.thresholds = np.concatenate([ordered[:1] - 1, (ordered[1:] + ordered[:-1]) / 2])

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Ascending numbers, so that the absolute entries of u sum to the largest of them."""
        z = np.cumsum(_steps(random, most, len(self._rank)))
        u = np.concatenate([[(z[0] + z[-1]) / 2], np.diff(z) / 2])
        return Code(z[self._rank], reader=u, reach=float(np.abs(u).sum()))


class Ramps:
    """Features after a layer with ReLU activation."""

    def __init__(self, numbers: FloatArray) -> None:
        """``numbers`` has the b of each class."""
        self._rank = np.argsort(np.argsort(numbers))
        self._ordered = np.sort(numbers)
        self.thresholds = np.concatenate([self._ordered[:1] - 1, self._ordered[:-1]])

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Numbers that ascend by multiples of the steps between the b, so that u is whole."""
        factors = _steps(random, most, len(self._rank))
        z = np.cumsum(factors * (self._ordered - self.thresholds))
        u = np.diff(factors, prepend=0.0)
        # The last row has the largest entries, and so the largest sum over columns.
        reach = float((self._ordered[-1] - self.thresholds) @ np.abs(u))
        return Code(z[self._rank], reader=u, reach=reach)


ENCODINGS: dict[str, type[Signs] | type[Ramps]] = {"sign": Signs, "relu": Ramps}
