"""Which rows of floating-point features are equal, as far as the numbers decide it.

Rows that are equal in exact arithmetic differ by rounding. The amount is *measured*: the caller
runs the model on the same graph in several arrangements, and ``noise`` is the largest change in the
features of a vertex. The distance between two rows is the largest difference of their entries,
divided by the largest entry of either. Two rows are

- surely different if no chain of steps of at most ``CLEAR`` times the noise joins them;
- possibly different if no chain of steps of at most ``BLURRED`` times the noise joins them.

Where the two partitions agree, the numbers decide; elsewhere nothing is guessed. Numbers alone
cannot prove two rows *equal*, because different rows may come out just as close. So close rows
count as equal only if the noise is small and no other rows are slightly further apart, as some
would be if rows were close by chance.

Chains are found column by column: rows are sorted by each column in turn and cut where no step
reaches across, until nothing more can be cut. A cut never separates rows that a chain joins, but
rows that no chain joins may stay together. Cost: O(columns · rows · log rows).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.arrays import BoolArray, FloatArray, IntArray
from wlkg.partition import Partition

#: Distances up to BLURRED times the noise may be rounding; beyond CLEAR times it they are not.
BLURRED = 2.0**8
CLEAR = 2.0**13
#: Different rows are often this close: tolerances from here on decide nothing.
_LARGE = 0.5
#: The distance between rows that differ by one neighbour in a million.
_FINE = 2.0**-20
#: Row comparisons before the search for the smallest gap settles for a lower bound.
_MOST_COMPARISONS = 4_000_000
#: Rows that are compared at a time, so that they stay in the processor's cache.
_BLOCK = 2048
#: Differences, or sums of a few, of larger numbers may overflow.
_HUGE = 2.0**1000


@dataclass(frozen=True, eq=False)
class Clusters:
    """Rows that are equal up to rounding."""

    #: Rows of different classes are surely different.
    surely: Partition
    #: Rows of different classes are possibly different; finer than ``surely`` or equal to it.
    possibly: Partition
    #: The classes of ``possibly`` whose rows are all close to each other, not only joined by a
    #: chain; every other row is in a class of its own.
    close: Partition
    #: An upper bound, nearly sharp, on the distances inside the classes of ``possibly``.
    max_spread: float
    #: The smallest distance between the first rows of two such classes; None for a single class.
    min_gap: float | None
    noise: float

    @property
    def tight(self) -> bool:
        """Whether all rows of one class of ``possibly`` are close to each other."""
        return self.close == self.possibly

    @property
    def clear(self) -> bool:
        """Whether rows are either very close or far apart, so that close rows are equal."""
        return self.tight and self.surely == self.possibly and is_fine(self.noise)


def is_fine(noise: float) -> bool:
    """Whether the noise is too small to hide even a slight difference between rows."""
    return BLURRED * noise <= _FINE


def cluster(rows: FloatArray, noise: float) -> Clusters:
    """Group rows whose rounding errors are about ``noise``, relative to their size."""
    if rows.shape[1] == 0:
        rows = np.zeros((len(rows), 1))
    if np.abs(rows).max(initial=0.0) > _HUGE:
        rows = rows * 2.0**-8  # differences must not overflow
    distinct, place = distinct_rows(rows)
    scale = np.abs(distinct).max(axis=1, initial=0.0)
    near = cut(distinct, scale, BLURRED * noise)
    spreads = spreads_of(distinct, scale, near)
    spread = float(spreads.max(initial=0.0))
    first = np.unique(near.colours, return_index=True)[1]
    gap = smallest_gap(distinct[first], scale[first])
    far = near
    # The spread bounds by how much rows of two classes can be closer than their first rows, and
    # also the relative difference of their scales.
    if gap is not None and gap * (1 - spread) - 2 * spread <= CLEAR * noise:
        far = cut(distinct, scale, CLEAR * noise)
    possibly = Partition.of(near.colours[place])
    is_close = (spreads <= CLEAR * noise) & (CLEAR * noise < _LARGE)
    return Clusters(
        surely=Partition.of(far.colours[place]),
        possibly=possibly,
        close=_broken_up(possibly, kept=is_close[near.colours[place]]),
        max_spread=spread,
        min_gap=gap,
        noise=noise,
    )


def _broken_up(classes: Partition, kept: BoolArray) -> Partition:
    """The same classes for the rows to keep; every other row gets a class of its own."""
    alone = classes.num_classes + np.arange(classes.num_items)
    return Partition.of(np.where(kept, classes.colours, alone))


def deviation(rows: FloatArray, others: FloatArray) -> float:
    """The largest distance between rows and the rows that they should equal."""
    largest = 0.0
    for start in range(0, len(rows), _BLOCK):
        block = slice(start, start + _BLOCK)
        one, two = rows[block] / 2, others[block] / 2  # differences must not overflow
        scale = np.maximum(np.abs(one), np.abs(two)).max(axis=1, initial=0.0)
        different = np.abs(one - two).max(axis=1, initial=0.0)
        largest = float(np.max(different[scale > 0] / scale[scale > 0], initial=largest))
    return largest


def distinct_rows(rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """The rows without repetitions, compared bit by bit, and the place of each row among them."""
    rows = np.ascontiguousarray(rows) + 0.0  # no negative zeros
    keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], place.reshape(-1)


def cut(rows: FloatArray, scale: FloatArray, tolerance: float) -> Partition:
    """Group the rows that steps of at most the tolerance join in every column.

    The length of a step is the difference of two entries, divided by the scale of the larger row.
    """
    tolerance = min(tolerance, 2.0)  # no step is longer
    group = np.zeros(len(rows), dtype=np.int64)
    active = np.arange(len(rows))
    before = 0
    while len(active) and (count := int(group.max(initial=0)) + 1) != before:
        before = count
        for column in rows.T:
            active, group = _cut_column(column, scale, tolerance, active, group)
            if not len(active):
                break
    return Partition.of(group)


def _cut_column(
    column: FloatArray, scale: FloatArray, tolerance: float, active: IntArray, group: IntArray
) -> tuple[IntArray, IntArray]:
    """Cut the groups by one column; return the rows that still share a group, and the groups."""
    order = active[np.lexsort((column[active], group[active]))]
    same = group[order[1:]] == group[order[:-1]]
    cut_here = same & _nothing_reaches_across(column[order], tolerance * scale[order], same)
    opens = np.r_[True, ~same | cut_here]
    fresh = np.r_[False, cut_here]
    # The first part of a group keeps its number; the others get new numbers.
    number = np.where(fresh, int(group.max(initial=0)) + np.cumsum(fresh), group[order])
    group[order] = number[np.maximum.accumulate(np.where(opens, np.arange(len(order)), 0))]
    sizes = np.diff(np.r_[np.flatnonzero(opens), len(order)])
    return order[np.repeat(sizes > 1, sizes)], group


def _nothing_reaches_across(values: FloatArray, reach: FloatArray, same: BoolArray) -> BoolArray:
    """For each pair of adjacent values of a group: whether no step crosses the gap between them.

    Values ascend in each group. It is not enough to check the two adjacent values: a row with
    larger entries may have a similar value here and reach further.
    """
    apart = np.diff(values) > np.maximum(reach[1:], reach[:-1])
    if not (apart & same).any():
        return apart
    ends = np.concatenate([values - reach, values, values + reach])
    ranks = np.unique(ends, return_inverse=True)[1].reshape(3, -1)
    # Ranks of a later group exceed all earlier ranks.
    low, middle, high = ranks + np.r_[0, np.cumsum(~same)] * (3 * len(values))
    furthest = np.maximum.accumulate(high)[:-1]
    nearest = np.minimum.accumulate(low[::-1])[::-1][1:]
    uncrossed: BoolArray = (furthest < middle[1:]) & (middle[:-1] < nearest)
    return uncrossed


def spreads_of(rows: FloatArray, scale: FloatArray, classes: Partition) -> FloatArray:
    """For each class an upper bound, nearly sharp, on the distance between two of its rows."""
    spreads = np.zeros(classes.num_classes)
    several = classes.sizes > 1
    if several.any():
        members = np.flatnonzero(several[classes.colours])
        order = members[np.argsort(classes.colours[members], kind="stable")]
        sizes = classes.sizes[several]
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        high = np.maximum.reduceat(rows[order], starts)
        low = np.minimum.reduceat(rows[order], starts)
        size = np.minimum.reduceat(scale[order], starts)
        widest = (high - low).max(axis=1)
        # No distance exceeds 2; equal rows may be zero.
        spreads[several] = widest / np.where(widest > 0, np.maximum(size, widest / 2), 1.0)
    return spreads


def sorting_keys(rows: FloatArray, scale: FloatArray) -> FloatArray:
    """A number for each row; the numbers of rows at distance d <= 1/2 differ by at most 4 d.

    The logarithm of the scale contributes at most 2 d, and the weighted mean of the entries divided
    by the scale another 2 d.
    """
    weights: FloatArray = np.random.default_rng(0).random((rows.shape[1],))
    weights /= weights.sum()
    unit = np.where(scale > 0, scale, 1.0)
    # A row of zeros is at distance 1 from every other row.
    keys: FloatArray = np.where(scale > 0, np.log(unit), -1e4) + (rows / unit[:, None]) @ weights
    return keys


def smallest_gap(rows: FloatArray, scale: FloatArray) -> float | None:
    """The smallest distance between two different rows; a lower bound if there are very many.

    Rows are sorted by their keys, and only rows with close keys are compared.
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
    """The smallest distance between the chosen rows and the rows ``offset`` places after them."""
    difference = np.abs(rows[chosen + offset] - rows[chosen]).max(axis=1)
    size = np.maximum(scale[chosen + offset], scale[chosen])
    return float((difference / np.where(size > 0, size, 1.0)).min())
