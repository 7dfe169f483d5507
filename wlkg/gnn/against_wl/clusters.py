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

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from wlkg.arrays import BoolArray, FloatArray, IntArray, UInt64Array
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
#: Columns that are looked at one by one before all are looked at together.
_SINGLE = 8
#: An odd number with random-looking bits.
_ODD = np.uint64(0x9E3779B97F4A7C15)


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
    if largest_entries(rows).max(initial=0.0) > _HUGE:
        rows = rows * 2.0**-8  # differences must not overflow
    distinct, place = distinct_rows(rows)
    scale = largest_entries(distinct)
    near = cut(distinct, scale, BLURRED * noise)
    spreads = spreads_of(distinct, scale, near)
    spread = float(spreads.max(initial=0.0))
    first = np.unique(near.colours, return_index=True)[1]
    gap = smallest_gap(distinct, scale, first)
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
    for block in _blocks(len(rows)):
        one, two = rows[block] / 2, others[block] / 2  # differences must not overflow
        scale = np.maximum(np.abs(one), np.abs(two)).max(axis=1, initial=0.0)
        different = np.abs(one - two).max(axis=1, initial=0.0)
        largest = float(np.max(different[scale > 0] / scale[scale > 0], initial=largest))
    return largest


def largest_entries(rows: FloatArray) -> FloatArray:
    """The largest absolute value in each row."""
    largest: FloatArray = np.maximum(rows.max(axis=1, initial=0.0), -rows.min(axis=1, initial=0.0))
    return largest


def _blocks(count: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, count, _BLOCK))


def distinct_rows(rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """The rows without repetitions, compared bit by bit, and the place of each row among them.

    Rows are sorted by a hash of their bits; rows with equal hashes are then compared.
    """
    _, first, place = np.unique(_hashes(rows), return_index=True, return_inverse=True)
    place = place.reshape(-1)
    repeated = np.flatnonzero(first[place] != np.arange(len(rows)))
    original = first[place[repeated]]
    if not all(
        np.array_equal(rows[repeated[b]], rows[original[b]]) for b in _blocks(len(original))
    ):
        first, place = _sorted_by_bits(rows)
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    distinct = rows[first[order]]
    distinct += 0.0  # no negative zeros
    return distinct, number[place]


def _hashes(rows: FloatArray) -> UInt64Array:
    """A random-looking number for each row; rows with equal entries have equal numbers."""
    salts = np.random.default_rng(0).integers(0, 2**64, rows.shape[1], dtype=np.uint64)
    hashes = np.empty(len(rows), dtype=np.uint64)
    for block in _blocks(len(rows)):
        bits = (rows[block] + 0.0).view(np.uint64)
        bits ^= bits >> np.uint64(32)
        bits += salts
        bits *= _ODD
        bits ^= bits >> np.uint64(29)
        bits *= _ODD
        hashes[block] = bits.sum(axis=1, dtype=np.uint64)
    return hashes


def _sorted_by_bits(rows: FloatArray) -> tuple[IntArray, IntArray]:
    """The first of each of the distinct rows, and the place of each row, found without hashes."""
    rows = np.ascontiguousarray(rows) + 0.0
    keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return first, place.reshape(-1)


def cut(rows: FloatArray, scale: FloatArray, tolerance: float) -> Partition:
    """Group the rows that steps of at most the tolerance join in every column.

    The length of a step is the difference of two entries, divided by the scale of the larger row.
    A group is settled when no column has cut it since all have been tried, or when no column can.
    """
    tolerance = min(tolerance, 2.0)  # no step is longer
    reach = tolerance * scale
    group = np.zeros(len(rows), dtype=np.int64)
    #: The rows of groups that are not settled, group by group.
    active = np.arange(len(rows))
    #: How many columns have not cut the group of a row, the one that has cut it last included.
    tried = np.zeros(len(rows), dtype=np.int64)
    width, number = rows.shape[1], 0
    while len(active):
        active = _cut_column(rows[:, number % width], reach, active, group, tried)
        active = active[tried[active] < width]
        number += 1
        # Looking at all columns at once pays off when single columns have made groups small.
        if number >= _SINGLE and number & (number - 1) == 0:
            active = _not_settled(rows, reach, active, group)
    return Partition.of(group)


def _cut_column(
    column: FloatArray, reach: FloatArray, active: IntArray, group: IntArray, tried: IntArray
) -> IntArray:
    """Cut the groups by one column, and return the rows that still share a group.

    ``group`` and ``tried`` are changed in place.
    """
    run = _runs(group[active])
    order = active[np.lexsort((column[active], run))]
    cut_here = _nothing_reaches_across(column[order], reach[order], run)
    opens = np.r_[True, (run[1:] != run[:-1]) | cut_here]
    fresh = np.r_[False, cut_here]
    # The first part of a group keeps its number; the others get new numbers.
    number = np.where(fresh, int(group.max(initial=0)) + np.cumsum(fresh), group[order])
    group[order] = number[np.maximum.accumulate(np.where(opens, np.arange(len(order)), 0))]
    was_cut = np.bincount(run, weights=fresh)[run] > 0
    tried[order] = np.where(was_cut, 0, tried[order]) + 1
    sizes = np.diff(np.r_[np.flatnonzero(opens), len(order)])
    shared: IntArray = order[np.repeat(sizes > 1, sizes)]
    return shared


def _runs(keys: IntArray) -> IntArray:
    """The number of the run of equal keys that each one is in."""
    runs: IntArray = np.cumsum(np.diff(keys, prepend=keys[:1]) != 0)
    return runs


def _not_settled(
    rows: FloatArray, reach: FloatArray, active: IntArray, group: IntArray
) -> IntArray:
    """The rows of groups that some column may cut: in which two rows are out of reach."""
    run = _runs(group[active])
    starts = np.flatnonzero(np.diff(run, prepend=-1))
    least = np.minimum.reduceat(reach[active], starts) if len(starts) else reach[:0]
    open_runs = np.zeros(len(starts), dtype=bool)
    for block in _blocks(len(active)):
        first = starts[run[block]]
        # Of two rows out of reach of each other, one is at least half as far from the first row.
        apart = np.abs(rows[active[block]] - rows[active[first]]).max(axis=1, initial=0.0)
        open_runs[run[block][apart > 0.49 * least[run[block]]]] = True
    unsettled: IntArray = active[open_runs[run]]
    return unsettled


def _nothing_reaches_across(values: FloatArray, reach: FloatArray, run: IntArray) -> BoolArray:
    """For each pair of adjacent values of a run: whether no step crosses the gap between them.

    Values ascend in each run. It is not enough to check the two adjacent values: a row with
    larger entries may have a similar value here and reach further.
    """
    same = run[1:] == run[:-1]
    uncrossed: BoolArray = same & (np.diff(values) > np.maximum(reach[1:], reach[:-1]))
    # Runs without such a gap are done.
    chosen = np.flatnonzero((np.bincount(run[1:], uncrossed, len(run)) > 0)[run])
    if not len(chosen):
        return uncrossed
    values, reach, run = values[chosen], reach[chosen], run[chosen]
    ends = np.concatenate([values - reach, values, values + reach])
    ranks = np.unique(ends, return_inverse=True)[1].reshape(3, -1)
    # Ranks of a later run exceed all earlier ranks.
    low, middle, high = ranks + run * (3 * len(values))
    furthest = np.maximum.accumulate(high)[:-1]
    nearest = np.minimum.accumulate(low[::-1])[::-1][1:]
    inside = run[1:] == run[:-1]
    gaps = inside & (furthest < middle[1:]) & (middle[:-1] < nearest)
    uncrossed[chosen[:-1][inside]] = gaps[inside]
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
    keys: FloatArray = np.where(scale > 0, np.log(unit), -1e4)
    for block in _blocks(len(rows)):
        keys[block] += (rows[block] / unit[block, None]) @ weights
    return keys


def smallest_gap(rows: FloatArray, scale: FloatArray, among: IntArray) -> float | None:
    """The smallest distance between two different rows among those given by their numbers.

    If there are very many close ones it is a lower bound. Rows are sorted by their keys, and only
    rows with close keys are compared.
    """
    if len(among) < 2:
        return None
    key = sorting_keys(rows, scale)[among]
    rounding = 16 * float(np.finfo(np.float64).eps * np.abs(key).max())
    order = np.argsort(key, kind="stable")
    key, among = key[order], among[order]
    rows, scale = rows[among], scale[among]
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
    smallest = np.inf
    for block in _blocks(len(chosen)):
        one, two = chosen[block], chosen[block] + offset
        difference = np.abs(rows[two] - rows[one]).max(axis=1)
        size = np.maximum(scale[two], scale[one])
        distance = difference / np.where(size > 0, size, 1.0)
        smallest = min(smallest, float(distance.min()))
    return smallest
