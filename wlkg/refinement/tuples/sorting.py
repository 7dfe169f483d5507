"""Codes sorted on both cores, and what a sorted array tells: classes and pairs.

NumPy sorts 64-bit integers fast but on one core. Codes look random, so their first bits spread them
over buckets of about equal size, each of which fits the processor's cache and is sorted by itself.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from wlkg.arrays import UInt64Array
from wlkg.refinement.compiled.arc_arrays import Array
from wlkg.refinement.compiled.kernel import Kernel, run
from wlkg.refinement.compiled.threads import WORKERS, equal_ranges, on_ranges

#: Fewer names than this are sorted as they are.
_LARGE = 2_000_000
_BUCKET_BITS = 9


@dataclass(frozen=True)
class Count:
    """How many classes there are, and how many pairs of tuples share one."""

    classes: int
    alike: int


def sort_into(names: UInt64Array, out: UInt64Array) -> None:
    """Write the names, sorted, to ``out``."""
    if len(names) < _LARGE:
        out[:] = names
        out.sort()
        return
    ranges = equal_ranges(len(names), WORKERS)
    shift = np.uint64(64 - _BUCKET_BITS)
    sizes = np.zeros((len(ranges), 2**_BUCKET_BITS), dtype=np.int64)
    starts = np.array([low for low, _ in ranges])
    on_ranges(count_buckets, len(names), ranges, starts, names, shift, sizes)
    # Bucket by bucket, and within a bucket range by range.
    ends = np.cumsum(sizes.T.reshape(-1)).reshape(2**_BUCKET_BITS, len(ranges))
    places = np.ascontiguousarray((ends - sizes.T).T)
    on_ranges(fill_buckets, len(names), ranges, starts, names, shift, places, out)
    edges = itertools.pairwise([0, *ends[:, -1].tolist()])
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        for done in [pool.submit(out[low:high].sort) for low, high in edges]:
            done.result()


def count(ordered: UInt64Array) -> Count:
    """The classes of sorted names."""
    classes, alike = run(count_runs, len(ordered), ordered)
    return Count(int(classes), int(alike))


@Kernel
def count_buckets(
    low: int, high: int, starts: Array, names: Array, shift: np.uint64, sizes: Array
) -> None:
    """How many of the names ``low:high`` belong to each bucket, as a row for this range."""
    row = sizes[np.searchsorted(starts, low)]
    for t in range(low, high):
        row[np.int64(names[t] >> shift)] += 1


@Kernel
def fill_buckets(
    low: int,
    high: int,
    starts: Array,
    names: Array,
    shift: np.uint64,
    places: Array,
    out: Array,
) -> None:
    """Move the names ``low:high`` to the places that are kept for this range."""
    row = places[np.searchsorted(starts, low)]
    for t in range(low, high):
        bucket = np.int64(names[t] >> shift)
        out[row[bucket]] = names[t]
        row[bucket] += 1


@Kernel
def count_runs(ordered: Array) -> Any:
    """The number of different names in a sorted array, and the number of pairs of equal ones."""
    classes = 0
    alike = 0
    length = 0
    for t in range(len(ordered)):
        if t > 0 and ordered[t] == ordered[t - 1]:
            alike += length
            length += 1
        else:
            classes += 1
            length = 1
    return classes, alike
