"""Which rows of floating-point features are equal, as far as the numbers can tell.

Rows that are equal in exact arithmetic differ by rounding. How much, is *measured*: the caller runs
the model on the same graph in several orders, and ``noise`` is by how much the features of one
vertex then differ. The distance of two rows is the largest difference of their entries divided by
the largest entry of either. Two rows are

- surely different, if no chain of steps of at most ``CLEAR`` times the noise joins them;
- possibly different, if none of at most ``BLURRED`` times the noise does.

Where these two partitions agree the numbers decide; where they do not, nothing is guessed. That
rows are *equal* no number can show: different ones may come out as close as that. So close rows
count as equal only if there is little noise, and if there are none that are just a little less
close, as there would be if closeness were chance.

Chains are looked for column by column: rows are sorted by each column in turn, and cut where
nothing reaches across, until nothing is cut any more. So rows that a chain joins are never cut, but
others may stay together. O(columns · rows · log rows).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.arrays import BoolArray, FloatArray, IntArray
from wlkg.partition import Partition

#: Distances up to so many times the noise may be rounding, and from so many on are none.
BLURRED = 2.0**8
CLEAR = 2.0**13
#: Unlike rows are often no further apart: with so much noise they tell nothing.
_LARGE = 0.5
#: How close rows are that differ by one neighbour among a million.
_FINE = 2.0**-20
#: Comparisons of rows after which the search for the smallest gap gives a lower bound instead.
_MOST_COMPARISONS = 4_000_000
#: Differences of larger numbers, and sums of a few, may overflow.
_HUGE = 2.0**1000


@dataclass(frozen=True, eq=False)
class Clusters:
    """Rows that are equal up to rounding."""

    #: Rows of different classes are surely different.
    surely: Partition
    #: Rows of different classes are possibly different; finer than ``surely`` or equal to it.
    possibly: Partition
    #: The classes of ``possibly`` whose rows are close to each other, not only joined by a chain;
    #: all other rows are alone.
    close: Partition
    #: The largest distance inside a class of ``possibly``, or a little more.
    max_spread: float
    #: The smallest distance between the first rows of two such classes; None if there is only one.
    min_gap: float | None
    noise: float

    @property
    def tight(self) -> bool:
        """Whether all rows of one class of ``possibly`` are close to each other."""
        return self.close == self.possibly

    @property
    def clear(self) -> bool:
        """Whether rows are either very close or far apart, so that close ones are equal."""
        return self.tight and self.surely == self.possibly and is_fine(self.noise)


def is_fine(noise: float) -> bool:
    """Whether rows that differ but little are told from equal ones, for all this noise."""
    return BLURRED * noise <= _FINE


def cluster(rows: FloatArray, noise: float) -> Clusters:
    """The classes of rows whose rounding errors are about ``noise``, relative to their size."""
    if rows.shape[1] == 0:
        rows = np.zeros((len(rows), 1))
    if np.abs(rows).max(initial=0.0) > _HUGE:
        rows = rows * 2.0**-8  # differences must not overflow
    distinct, place = distinct_rows(rows)
    scale = np.abs(distinct).max(axis=1, initial=0.0)
    near = cut(distinct, scale, BLURRED * noise)
    spreads = _spreads(distinct, scale, near)
    spread = float(spreads.max(initial=0.0))
    first = np.unique(near.colours, return_index=True)[1]
    gap = smallest_gap(distinct[first], scale[first])
    far = near
    # Rows of two classes are closer than their first rows by no more than the spread of each, and
    # their scale differs by no larger share.
    if gap is not None and gap * (1 - spread) - 2 * spread <= CLEAR * noise:
        far = cut(distinct, scale, CLEAR * noise)
    possibly = Partition.of(near.colours[place])
    is_close = (spreads <= CLEAR * noise) & (CLEAR * noise < _LARGE)
    return Clusters(
        Partition.of(far.colours[place]),
        possibly,
        _broken_up(possibly, is_close[near.colours[place]]),
        spread,
        gap,
        noise,
    )


def _broken_up(classes: Partition, kept: BoolArray) -> Partition:
    """The same classes, of which only some rows are kept; the others are alone."""
    alone = classes.num_classes + np.arange(classes.num_items)
    return Partition.of(np.where(kept, classes.colours, alone))


def deviation(rows: FloatArray, others: FloatArray) -> float:
    """The largest distance between rows and others that ought to be the same."""
    rows, others = rows / 2, others / 2  # differences must not overflow
    scale = np.maximum(np.abs(rows), np.abs(others)).max(axis=1, initial=0.0)
    different = np.abs(rows - others).max(axis=1, initial=0.0)
    return float(np.max(different[scale > 0] / scale[scale > 0], initial=0.0))


def distinct_rows(rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """The rows without repetitions, bit by bit, and where each row is among them."""
    rows = np.ascontiguousarray(rows) + 0.0  # no negative zeros
    keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], place.reshape(-1)


def cut(rows: FloatArray, scale: FloatArray, tolerance: float) -> Partition:
    """Rows that are joined in every column by steps of at most the tolerance.

    A step is as long as the difference of two entries, divided by the scale of the larger row.
    """
    tolerance = min(tolerance, 2.0)  # no step is longer
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
    column: FloatArray, scale: FloatArray, tolerance: float, active: IntArray, group: IntArray
) -> tuple[IntArray, IntArray]:
    """Cut the groups by one column, and the rows that are still in company."""
    order = active[np.lexsort((column[active], group[active]))]
    same = group[order[1:]] == group[order[:-1]]
    cut_here = same & _nothing_reaches_across(column[order], tolerance * scale[order], same)
    opens = np.r_[True, ~same | cut_here]
    fresh = np.r_[False, cut_here]
    # The first part of a group keeps its number; the others get new ones.
    number = np.where(fresh, int(group.max(initial=0)) + np.cumsum(fresh), group[order])
    group[order] = number[np.maximum.accumulate(np.where(opens, np.arange(len(order)), 0))]
    sizes = np.diff(np.r_[np.flatnonzero(opens), len(order)])
    return order[np.repeat(sizes > 1, sizes)], group


def _nothing_reaches_across(values: FloatArray, reach: FloatArray, same: BoolArray) -> BoolArray:
    """Between neighbours of one group: whether no value before reaches one behind, or back.

    Values ascend in each group. It is not enough that the two neighbours do not reach each other:
    a row with larger entries may have the same value as they, and reach further.
    """
    apart = np.diff(values) > np.maximum(reach[1:], reach[:-1])
    if not (apart & same).any():
        return apart
    ends = np.concatenate([values - reach, values, values + reach])
    ranks = np.unique(ends, return_inverse=True)[1].reshape(3, -1)
    # Ranks of a later group are larger than all before.
    low, middle, high = ranks + np.r_[0, np.cumsum(~same)] * (3 * len(values))
    furthest = np.maximum.accumulate(high)[:-1]
    nearest = np.minimum.accumulate(low[::-1])[::-1][1:]
    found: BoolArray = (furthest < middle[1:]) & (middle[:-1] < nearest)
    return found


def _spreads(rows: FloatArray, scale: FloatArray, classes: Partition) -> FloatArray:
    """For each class the largest distance of two rows, or a little more."""
    spreads = np.zeros(classes.num_classes)
    several = classes.sizes > 1
    if several.any():
        order = np.argsort(classes.colours, kind="stable")
        starts = np.concatenate([[0], np.cumsum(classes.sizes)[:-1]]).astype(np.int64)
        high = np.maximum.reduceat(rows[order], starts)[several]
        low = np.minimum.reduceat(rows[order], starts)[several]
        size = np.minimum.reduceat(scale[order], starts)[several]
        widest = (high - low).max(axis=1)
        # No distance is more than 2.
        spreads[several] = widest / np.maximum(size, widest / 2)
    return spreads


def sorting_keys(rows: FloatArray, scale: FloatArray) -> FloatArray:
    """A number for each row; those of rows at a distance d <= 1/2 differ by at most 4 d.

    The logarithm of a row's scale moves by at most 2 d, and a weighted mean of its entries divided
    by the scale by at most 2 d.
    """
    weights: FloatArray = np.random.default_rng(0).random((rows.shape[1],))
    weights /= weights.sum()
    unit = np.where(scale > 0, scale, 1.0)
    # A row of zeros is at distance 1 from all others.
    keys: FloatArray = np.where(scale > 0, np.log(unit), -1e4) + (rows / unit[:, None]) @ weights
    return keys


def smallest_gap(rows: FloatArray, scale: FloatArray) -> float | None:
    """The smallest distance of two different rows; a lower bound of it if there are very many.

    Rows are sorted by their keys, and only those close in them compared.
    """
    if len(rows) < 2:
        return None
    key = sorting_keys(rows, scale)
    rounding = 16 * float(np.finfo(np.float64).eps * np.abs(key).max())
    order = np.argsort(key, kind="stable")
    rows, scale, key = rows[order], scale[order], key[order]
    best, compared = np.inf, 0
    for offset in range(1, len(rows)):
        ahead = key[offset:] - key[:-offset]
        chosen = np.flatnonzero(ahead <= (4 * best + rounding if best <= _LARGE else np.inf))
        if not len(chosen):
            return best
        compared += len(chosen)
        if compared * rows.shape[1] > 64 * _MOST_COMPARISONS:
            return min(best, max(float(ahead.min()) - rounding, 0.0) / 4, _LARGE)
        best = min(best, _closest(rows, scale, chosen, offset))
    return best


def _closest(rows: FloatArray, scale: FloatArray, chosen: IntArray, offset: int) -> float:
    """The smallest distance between chosen rows and those so many places further on."""
    difference = np.abs(rows[chosen + offset] - rows[chosen]).max(axis=1)
    size = np.maximum(scale[chosen + offset], scale[chosen])
    return float((difference / np.where(size > 0, size, 1.0)).min())
