"""Features that a layer of a witness gives to its classes, and how to read numbers back from them.

Before its non-linearity, a layer of a witness has a number b(c), different for each class c, in the
columns with slope 1, and subtracts the threshold of each column. With b_1 < ... < b_p in order, row
i is

    sign   +1 in columns 1 .. i, -1 in the others             thresholds between the b_i
    relu   1 in column 1, which has slope 0 and threshold -1;
           b_i - b_{k-1} in columns k = 2 .. i, 0 elsewhere   thresholds b_{k-1}

Both are regular triangular matrices (for signs, after adding the last row). So for any numbers
z_1, ..., z_p there is a vector u with (row i) · u = z_i. It is known in closed form and consists of
multiples of 1/2, with which floating-point arithmetic is exact up to 2^52. This is the paper's
Lemma on sign matrices, with a vector of biases instead of -1 in all columns: dividing by the
thresholds, as its proof does, would not keep the numbers whole.

A gate is a matrix A with a bias: (row i) A + bias is 0 in the column of class i, and at most -1 in
the columns of all other classes. L times that, added to numbers from 0 to L and cut off by a ReLU,
leaves only the number in the column of the class. For ramps, column k of the gate is -|b - b_k|,
which is a sum of ramps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Code:
    """Numbers for the classes, and how to read them from the features."""

    #: The numbers z.
    values: FloatArray
    #: The vector u that reads them.
    reader: FloatArray
    #: How large the sums get while they are read.
    reach: float
    #: The largest length of a row times the length of u: the unit of errors of Fourier transforms.
    length: float


@dataclass(frozen=True, eq=False)
class Gate:
    """A matrix and a bias that single out the column of each class."""

    matrix: FloatArray
    bias: FloatArray
    #: How large the sums get, the bias included.
    reach: float


def _steps(random: np.random.Generator, most: int, count: int) -> FloatArray:
    """Random whole numbers from 1 to ``most``, one for each class; a single class gets 1."""
    return random.integers(1, (most if count > 1 else 1) + 1, count).astype(np.float64)


class OneHot:
    """Features before the first layer: a unit vector for each class."""

    def __init__(self, rows: FloatArray) -> None:
        """``rows`` has the feature row of each class, in any order."""
        self._rows = rows
        #: The column of each class.
        self.columns: IntArray = np.argmax(rows, axis=1)
        #: The vector that reads 1 from every row.
        self.one: FloatArray = rows.sum(axis=0)

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Random numbers for the classes."""
        values = np.cumsum(_steps(random, most, len(self._rows)))
        reader = values @ self._rows
        return Code(values, reader, reach=float(values[-1]), length=_length(reader))

    @cached_property
    def gate(self) -> Gate:
        """The entry of a class, less 1."""
        width = len(self.one)
        return Gate(np.eye(width), np.full(width, -1.0), reach=2.0)


class Parts:
    """Features before the first layer that are a sum of unit vectors, the same ones for no two.

    Distinct rows need not have distinct numbers: whoever draws them looks at the outcome.
    """

    def __init__(self, rows: FloatArray, always: int) -> None:
        """``rows`` has the feature row of each class, and a single 1 in its first columns."""
        self._rows = rows
        #: The vector that reads 1 from every row.
        self.one: FloatArray = (np.arange(rows.shape[1]) < always).astype(np.float64)
        self.columns: IntArray = np.argmax(rows, axis=1)

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Random numbers for the unit vectors, which are added up."""
        reader: FloatArray = random.integers(1, most + 1, self._rows.shape[1:]).astype(np.float64)
        values = np.asarray(self._rows @ reader)
        size = max(_length(row) for row in self._rows)
        return Code(values, reader, reach=float(values.max()), length=size * _length(reader))

    @property
    def gate(self) -> Gate:
        """There is none: no column belongs to a class."""
        raise NotImplementedError


class Signs:
    """Features after a layer with sign activation."""

    def __init__(self, numbers: FloatArray) -> None:
        """``numbers`` has the b of each class."""
        self.columns: IntArray = np.argsort(np.argsort(numbers))
        ordered = np.sort(numbers)
        self.thresholds = np.concatenate([ordered[:1] - 1, (ordered[1:] + ordered[:-1]) / 2])
        self.slopes = np.ones(len(numbers))
        #: All classes have +1 in the first column.
        self.one = np.eye(len(numbers))[0]

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Ascending numbers, so that the absolute entries of u sum to the largest of them."""
        z = np.cumsum(_steps(random, most, len(self.columns)))
        u = np.concatenate([[(z[0] + z[-1]) / 2], np.diff(z) / 2])
        length = _length(self.slopes) * _length(u)
        return Code(z[self.columns], reader=u, reach=float(np.abs(u).sum()), length=length)

    @cached_property
    def gate(self) -> Gate:
        """Half the difference of columns k and k + 1, less 1; -1 would follow the last column."""
        width = len(self.columns)
        matrix = (np.eye(width) - np.eye(width, k=-1)) / 2
        matrix[0, -1] += 1 / 2
        return Gate(matrix, np.full(width, -1.0), reach=2.0)


class Ramps:
    """Features after a layer with ReLU activation."""

    def __init__(self, numbers: FloatArray) -> None:
        """``numbers`` has the b of each class."""
        self.columns: IntArray = np.argsort(np.argsort(numbers))
        self._ordered = np.sort(numbers)
        self.thresholds = np.concatenate([[-1.0], self._ordered[:-1]])
        self.slopes = np.minimum(np.arange(len(numbers)), 1.0)
        #: All classes have 1 in the first column.
        self.one = np.eye(len(numbers))[0]

    @property
    def _last_row(self) -> FloatArray:
        """The row with the largest entries."""
        row: FloatArray = self.slopes * self._ordered[-1] - self.thresholds
        return row

    def draw(self, random: np.random.Generator, most: int) -> Code:
        """Numbers that ascend by multiples of the steps between the b, so that u is whole."""
        factors = _steps(random, most, len(self.columns))
        z = np.cumsum(factors * np.diff(self._ordered, prepend=self._ordered[0] - 1))
        u = np.concatenate([factors[:1], np.diff(factors[1:], prepend=0.0)])
        return Code(
            z[self.columns],
            reader=u,
            reach=float(self._last_row @ np.abs(u)),
            length=_length(self._last_row) * _length(u),
        )

    @cached_property
    def gate(self) -> Gate:
        """-|b - b_k| is b - b_1 less b_k - b_1, and less twice the ramp that begins at b_k."""
        width = len(self.columns)
        matrix = -2 * np.eye(width, k=-1)
        matrix[0] = self._ordered[0] - self._ordered
        matrix[1:2] += 1
        reach = float((self._last_row @ np.abs(matrix)).max())
        return Gate(matrix, np.zeros(width), reach=reach)


Encoding = OneHot | Parts | Signs | Ramps
ENCODINGS: dict[str, type[Signs] | type[Ramps]] = {"sign": Signs, "relu": Ramps}


def _length(vector: FloatArray) -> float:
    return float(np.linalg.norm(vector))
