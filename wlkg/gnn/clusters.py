"""Which rows of floating-point features are equal, as far as the numbers can tell.

Rows that are equal in exact arithmetic differ by rounding. How much, is *measured*: the caller runs
the model on the same graph in several orders, and ``noise`` is by how much the features of one
vertex then differ. The distance of two rows is the largest difference of their entries divided by
the largest entry of either. Two rows are

- surely different, if no chain of steps of at most ``CLEAR`` times the noise joins them;
- possibly different, if none of at most ``BLURRED`` times the noise does.

Where these two partitions agree the numbers decide; where they do not, nothing is guessed.

A chain here is one in every column: rows are sorted by each column in turn, and cut where
neighbours are too far apart, until nothing is cut any more. O(columns · rows · log rows).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wlkg.partition import Partition
from wlkg.triples import IntArray

Floats = npt.NDArray[np.float64]

#: Distances up to so many times the noise may be rounding, and from so many on are none.
BLURRED = 2.0**8
CLEAR = 2.0**13
#: Comparisons of rows after which the search for the smallest gap gives a lower bound instead.
_MOST_COMPARISONS = 4_000_000


@dataclass(frozen=True, eq=False)
class Clusters:
    """Rows that are equal up to rounding."""

    #: Rows of different classes are surely different.
    surely: Partition
    #: Rows of different classes are possibly different; finer than ``surely`` or equal to it.
    possibly: Partition
    #: The largest distance inside a class of ``possibly``.
    max_spread: float
    #: The smallest distance between two such classes; None if there is only one.
    min_gap: float | None
    noise: float

    @property
    def tight(self) -> bool:
        """Whether rows of one class of ``possibly`` are so close that they count as equal."""
        return self.max_spread <= CLEAR * self.noise


def cluster(rows: Floats, noise: float) -> Clusters:
    """The classes of rows whose rounding errors are about ``noise``, relative to their size."""
    if rows.shape[1] == 0:
        rows = np.zeros((len(rows), 1))
    distinct, place = distinct_rows(rows)
    scale = np.abs(distinct).max(axis=1, initial=0.0)
    near = cut(distinct, scale, BLURRED * noise)
    spread = _spread(distinct, scale, near)
    first = np.unique(near.colours, return_index=True)[1]
    gap = smallest_gap(distinct[first], scale[first])
    far = near
    if gap is not None and gap <= CLEAR * noise:
        far = cut(distinct, scale, CLEAR * noise)
    return Clusters(
        Partition.of(far.colours[place]), Partition.of(near.colours[place]), spread, gap, noise
    )


def deviation(rows: Floats, others: Floats) -> float:
    """The largest distance between rows and others that ought to be the same."""
    scale = np.maximum(np.abs(rows), np.abs(others)).max(axis=1, initial=0.0)
    different = np.abs(rows - others).max(axis=1, initial=0.0)
    return float(np.max(different[scale > 0] / scale[scale > 0], initial=0.0))


def distinct_rows(rows: Floats) -> tuple[Floats, IntArray]:
    """The rows without repetitions, bit by bit, and where each row is among them."""
    rows = np.ascontiguousarray(rows) + 0.0  # no negative zeros
    keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], place.reshape(-1)


def cut(rows: Floats, scale: Floats, tolerance: float) -> Partition:
    """Rows that are joined in every column by steps of at most the tolerance."""
    group = np.zeros(len(rows), dtype=np.int64)
    active = np.arange(len(rows))
    before = 0
    while len(active) and (found := int(group.max(initial=0)) + 1) != before:
        before = found
        for column in rows.T:
            active, group = _cut_column(column, scale, tolerance, active, group)
            if not len(active):
                break
    return Partition.of(group)


def _cut_column(
    column: Floats, scale: Floats, tolerance: float, active: IntArray, group: IntArray
) -> tuple[IntArray, IntArray]:
    """Cut the groups by one column, and the rows that are still in company."""
    order = active[np.lexsort((column[active], group[active]))]
    same = group[order[1:]] == group[order[:-1]]
    step = np.diff(column[order])
    apart = step > tolerance * np.maximum(scale[order[1:]], scale[order[:-1]])
    opens = np.r_[True, ~same | apart]
    fresh = np.r_[False, same & apart]
    # The first part of a group keeps its number; the others get new ones.
    number = np.where(fresh, int(group.max(initial=0)) + np.cumsum(fresh), group[order])
    group[order] = number[np.maximum.accumulate(np.where(opens, np.arange(len(order)), 0))]
    sizes = np.diff(np.r_[np.flatnonzero(opens), len(order)])
    return order[np.repeat(sizes > 1, sizes)], group


def _spread(rows: Floats, scale: Floats, classes: Partition) -> float:
    """The largest distance, at most, of two rows of one class."""
    order = np.argsort(classes.colours, kind="stable")
    starts = np.concatenate([[0], np.cumsum(classes.sizes)[:-1]]).astype(np.int64)
    several = classes.sizes > 1
    if not several.any():
        return 0.0
    high = np.maximum.reduceat(rows[order], starts)[several]
    low = np.minimum.reduceat(rows[order], starts)[several]
    size = np.maximum.reduceat(scale[order], starts)[several]
    return float(((high - low).max(axis=1) / np.where(size > 0, size, 1.0)).max())


def smallest_gap(rows: Floats, scale: Floats) -> float | None:
    """The smallest distance of two different rows; a lower bound of it if there are very many.

    Rows at a distance d have keys that differ by at most 4 d (while d is at most 1/2): the
    logarithm of a row's scale moves by at most 2 d, and a weighted mean of its entries divided by
    the scale by at most 2 d. So rows are sorted by that key, and only those close in it compared.
    """
    if len(rows) < 2:
        return None
    weights: Floats = np.random.default_rng(0).random((rows.shape[1],))
    weights /= weights.sum()
    unit = np.where(scale > 0, scale, 1.0)
    # A row of zeros is at distance 1 from all others.
    key = np.where(scale > 0, np.log(unit), -1e9) + (rows / unit[:, None]) @ weights
    order = np.argsort(key, kind="stable")
    rows, scale, key = rows[order], scale[order], key[order]
    best, compared = 1.0, 0
    for offset in range(1, len(rows)):
        ahead = key[offset:] - key[:-offset]
        chosen = np.flatnonzero(ahead <= 4 * best)
        if not len(chosen):
            return best
        compared += len(chosen)
        if compared * rows.shape[1] > 64 * _MOST_COMPARISONS:
            return min(best, float(ahead.min()) / 4)
        best = min(best, _closest(rows, scale, chosen, offset))
    return best


def _closest(rows: Floats, scale: Floats, chosen: IntArray, offset: int) -> float:
    """The smallest distance between chosen rows and those so many places further on."""
    difference = np.abs(rows[chosen + offset] - rows[chosen]).max(axis=1)
    size = np.maximum(scale[chosen + offset], scale[chosen])
    return float((difference / np.where(size > 0, size, 1.0)).min())
