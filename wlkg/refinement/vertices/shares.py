"""Relative frequencies as sums modulo 2^64: the weights of arcs for tests that see shares.

mean-rwl sees, for each relation i, the share of N_i(v) that has each colour. With

    w(v, i) = 2^k / |N_i(v)|         2^k: the largest power of two that divides some |N_i(v)|

the sum of w(v, i) · mixed(colour of u, i) over the arcs (i, u) of v depends on the shares alone,
and it can be updated as colours change. The |N_i(v)| never change, so neither do the weights: the
engine of `wlkg.refinement.vertices.worklist` stays as it is, and so does its cost.

Each w(v, i) is a fraction with an odd denominator. Odd numbers have inverses modulo 2^64, so such
fractions are numbers modulo 2^64, and arithmetic with them is exact: equal shares give equal sums.
In the worst case the sums of different shares differ by a multiple of 2^k, so that k bits of each
sum carry no information. The check (`equitable_check`) does not rely on them: it compares counts,
divided by their common divisors, without hashing.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import IntArray, UInt64Array, frozen
from wlkg.graph.arcs import Arcs
from wlkg.refinement.compiled.mixing import ONE


def arc_weights(arcs: Arcs, owner: IntArray) -> UInt64Array:
    """The weight of each arc: 2^k divided by the number of its owner's arcs in its relation."""
    key = owner.astype(np.int64) * max(arcs.num_relations, 1) + arcs.relation
    _, group, sizes = np.unique(key, return_inverse=True, return_counts=True)
    return frozen(_power_divided_by(sizes.astype(np.uint64))[group.reshape(-1)])


def _power_divided_by(sizes: UInt64Array) -> UInt64Array:
    """2^k / d modulo 2^64 for each size d."""
    power = sizes & -sizes  # the largest power of two that divides d
    largest: np.uint64 = power.max(initial=ONE)
    return (largest // power) * _inverses(sizes // power)


def _inverses(odd: UInt64Array) -> UInt64Array:
    """The inverses of odd numbers modulo 2^64, by Newton's method."""
    inverse = odd.copy()  # correct in the last 3 bits: the square of an odd number is 1 modulo 8
    for _ in range(5):  # each step doubles the correct bits: 6, 12, 24, 48, 96
        inverse *= np.uint64(2) - odd * inverse
    return inverse
