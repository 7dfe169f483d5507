"""Random permutations of 0 .. size - 1 that are computed, not stored.

A Feistel network permutes the numbers of 2b bits: it splits a number into two halves and, in each
of several rounds, adds a random-looking function of one half to the other. 2b is chosen such that
size <= 2^(2b) < 4 size (but b >= 1). A value that falls outside 0 .. size - 1 is permuted again
until it falls inside ("cycle walking"), which takes fewer than four tries on average and keeps the
map one to one. So any piece of a permutation of 10^16 numbers costs its own length in memory.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import Int64Array, UInt64Array

#: Four rounds look random; two more serve very small halves.
_ROUNDS = 6
_GOLDEN = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1


def random_numbers(values: Int64Array, key: int) -> UInt64Array:
    """A random-looking 64-bit number for each value (the steps of SplitMix64)."""
    return _scrambled(values.astype(np.uint64), key)


def derived_key(key: int, number: int) -> int:
    """A key of its own for each number."""
    return int(random_numbers(np.array([number]), key)[0])


class Permutation:
    """A permutation of 0 .. size - 1 that a key determines."""

    def __init__(self, size: int, key: int) -> None:
        self._size = size
        half = max(((size - 1).bit_length() + 1) // 2, 1)
        self._shift = np.uint64(half)
        self._mask = np.uint64((1 << half) - 1)
        self._keys = [derived_key(key, number) for number in range(_ROUNDS)]

    def __call__(self, values: Int64Array) -> Int64Array:
        result = self._once(values.astype(np.uint64))
        outside = np.flatnonzero(result >= self._size)
        while len(outside):
            result[outside] = self._once(result[outside])
            outside = outside[result[outside] >= self._size]
        return result.astype(np.int64)

    def _once(self, values: UInt64Array) -> UInt64Array:
        left, right = values >> self._shift, values & self._mask
        for key in self._keys:
            left, right = right, left ^ (_scrambled(right, key) & self._mask)
        return (left << self._shift) | right


def _scrambled(values: UInt64Array, key: int) -> UInt64Array:
    x = values * np.uint64(_GOLDEN) + np.uint64((key * _GOLDEN + 1) & _MASK)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: UInt64Array = x ^ (x >> np.uint64(31))
    return mixed
