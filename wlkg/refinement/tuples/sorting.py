"""Sorting codes on both cores, and counting classes in a sorted array.

NumPy sorts 64-bit integers fast, but on one core. Codes look random, so their leading bits
distribute them over buckets of about equal size. Each bucket fits into the processor's cache and is
sorted on its own.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from wlkg.arrays import UInt64Array
from wlkg.compiled.kernel import Kernel, run
from wlkg.refinement.compiled.arc_arrays import Array
from wlkg.refinement.compiled.threads import WORKERS, equal_ranges, on_ranges
from wlkg.refinement.tuples.mirrored_pairs import (
    has_other_mirror_image,
    is_left_out,
    without_mirror_images,
)

#: Fewer codes than this are sorted without buckets.
_LARGE = 2_000_000
_BUCKET_BITS = 9


@dataclass(frozen=True)
class ClassCount:
    """The number of classes, and of pairs of tuples that share a class."""

    classes: int
    indistinguishable_pairs: int


def sort_into(codes: UInt64Array, out: UInt64Array, *, mirrored: bool) -> UInt64Array:
    """Write the codes, sorted, to the beginning of ``out``, and return it.

    If ``mirrored``, those of mirror images are left out (see `mirrored_pairs`).
    """
    if len(codes) < _LARGE:
        kept = without_mirror_images(codes) if mirrored else codes
        out[: len(kept)] = kept
        out[: len(kept)].sort()
        return out[: len(kept)]
    ranges = equal_ranges(len(codes), WORKERS)
    shift = np.uint64(64 - _BUCKET_BITS)
    sizes = np.zeros((len(ranges), 2**_BUCKET_BITS), dtype=np.int64)
    starts = np.array([low for low, _ in ranges])
    on_ranges(count_buckets, len(codes), ranges, starts, codes, shift, mirrored, sizes)
    # The places are laid out bucket by bucket, and range by range within a bucket.
    ends = np.cumsum(sizes.T.reshape(-1)).reshape(2**_BUCKET_BITS, len(ranges))
    places = np.ascontiguousarray((ends - sizes.T).T)
    on_ranges(fill_buckets, len(codes), ranges, starts, codes, shift, mirrored, places, out)
    edges = itertools.pairwise([0, *ends[:, -1].tolist()])
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        for done in [pool.submit(out[low:high].sort) for low, high in edges]:
            done.result()
    return out[: int(ends[-1, -1])]


def count_classes(sorted_codes: UInt64Array, *, mirrored: bool) -> ClassCount:
    """Count the classes of sorted codes; if ``mirrored``, also those of mirror images."""
    classes, pairs = run(count_runs, len(sorted_codes), sorted_codes, mirrored)
    return ClassCount(classes=int(classes), indistinguishable_pairs=int(pairs))


@Kernel
def count_buckets(
    low: int,
    high: int,
    starts: Array,
    codes: Array,
    shift: np.uint64,
    mirrored: bool,
    sizes: Array,
) -> None:
    """Count the codes ``low:high`` in each bucket, in the row of ``sizes`` for this range."""
    row = sizes[np.searchsorted(starts, low)]
    for t in range(low, high):
        row[np.int64(codes[t] >> shift)] += not (mirrored and is_left_out(codes[t]))


@Kernel
def fill_buckets(
    low: int,
    high: int,
    starts: Array,
    codes: Array,
    shift: np.uint64,
    mirrored: bool,
    places: Array,
    out: Array,
) -> None:
    """Copy the codes ``low:high`` to the places reserved for this range."""
    row = places[np.searchsorted(starts, low)]
    for t in range(low, high):
        if mirrored and is_left_out(codes[t]):
            continue
        bucket = np.int64(codes[t] >> shift)
        out[row[bucket]] = codes[t]
        row[bucket] += 1


@Kernel
def count_runs(sorted_codes: Array, mirrored: bool) -> Any:
    """The number of classes of a sorted array, and of pairs of tuples that share a class."""
    classes = 0
    pairs = 0
    length = 0
    alike = 1  # classes of this size that a code stands for
    for t in range(len(sorted_codes)):
        if t > 0 and sorted_codes[t] == sorted_codes[t - 1]:
            pairs += alike * length
            length += 1
        else:
            alike = 2 if mirrored and has_other_mirror_image(sorted_codes[t]) else 1
            classes += alike
            length = 1
    return classes, pairs
