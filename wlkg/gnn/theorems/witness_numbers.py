"""The numbers of a witness: random whole ones, with which every class has a sum of its own.

With classes c of round t - 1 as features (see `encodings`), one layer computes for each
vertex v, or tuple t, the number

    b(v) = z(c(v)) + sum_i a_i sum_{w in N_i(v)} z(c(w))                       1-rwl
    b(v) = z(c(v)) + a sum_i sum_{w in N_i(v)} z(c(w)) + sum_i y_i |N_i(v)|    weak-rwl
    b(t) = z(c(t)) + sum_j a_j sum_i a_i sum_{w in N_i(v_j)} z(c(t[j := w]))   K-rlwl

with random whole numbers z, a, y, drawn anew, from larger ranges, until b differs for different
classes of round t. (The proof takes powers of n for the a_i, which overflow with a few relations.)

All sums are of whole, half and quarter numbers below 2^51, so floating-point arithmetic is exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from wlkg.arrays import FloatArray, IntArray
from wlkg.errors import TooLargeError
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.theorems.encodings import Code, OneHot, Ramps, Signs
from wlkg.graph.arcs import Arcs
from wlkg.partition import Partition

#: Compositions that only count relations.
COUNTING = ("add", "sub", "concat")
#: Up to here floating-point numbers hold quarters exactly: what lies between two half numbers.
_EXACT = 2.0**51
_DRAWS = 4
#: The factor of all messages where relations only count: 1 alone would not always do.
_SHARED = 8


@dataclass(frozen=True, eq=False)
class Seen:
    """Who sees whom: item ``owner`` sees item ``other`` through a relation, at a position."""

    owner: IntArray
    other: IntArray
    relation: IntArray
    position: IntArray


@dataclass(frozen=True, eq=False)
class Numbers:
    """The numbers of one layer: how its input is read, factors, and what comes out per class."""

    code: Code
    relations: FloatArray
    positions: FloatArray
    sums: FloatArray
    largest: float


def who_sees_whom(arcs: Arcs, k: int) -> Seen:
    """What vertices see, or for k > 1 what k-tuples of them see, in lexicographic order."""
    if k == 1:
        zeros = np.zeros(len(arcs), dtype=np.int64)
        return Seen(arcs.source, arcs.neighbour, arcs.relation, zeros)
    n = arcs.num_vertices
    places = np.arange(n**k).reshape((n,) * k)
    parts = []
    for j in range(k):
        rows = [np.take(places, ends, axis=j) for ends in (arcs.source, arcs.neighbour)]
        shape = [1] * k
        shape[j] = len(arcs)
        relation = np.broadcast_to(arcs.relation.reshape(shape), rows[0].shape)
        columns = (*rows, relation, np.full(rows[0].shape, j))
        parts.append([column.reshape(-1) for column in columns])
    return Seen(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def draw_numbers(
    config: ModelConfig,
    encoding: OneHot | Signs | Ramps,
    before: Partition,
    after: Partition,
    seen: Seen,
    random: np.random.Generator,
) -> Numbers:
    """Draw numbers until every class of the next round has a sum of its own."""
    first = np.unique(after.colours, return_index=True)[1]
    most = 2
    while True:
        for _ in range(_DRAWS):
            numbers = _numbers(config, encoding, before, seen, random, most)
            if numbers.largest >= _EXACT:
                raise TooLargeError(
                    f"the witness needs whole numbers up to {numbers.largest:.2g}, more than the"
                    f" {_EXACT:.2g} that floating-point numbers hold exactly. Take fewer --layers"
                    + (" or --activation sign" if config.activation == "relu" else "")
                )
            sums = numbers.sums[first]
            if len(np.unique(sums)) == len(sums):
                return replace(numbers, sums=sums)
        most *= 2


def _numbers(
    config: ModelConfig,
    encoding: OneHot | Signs | Ramps,
    before: Partition,
    seen: Seen,
    random: np.random.Generator,
    most: int,
) -> Numbers:
    code = encoding.draw(random, most)
    relations = random.integers(1, most + 1, config.relations).astype(np.float64)
    counts = config.model == "compgcn" and config.composition in COUNTING
    # A factor for each position; where relations scale, the only position needs none.
    few = most if config.model == "k-rn" else _SHARED if counts else 1
    positions = random.integers(1, few + 1, config.k).astype(np.float64)
    value = code.values[before.colours]
    factor, number = positions[seen.position], relations[seen.relation]

    def messages(values: FloatArray | float) -> FloatArray:
        plain = values + _worth(config, code) * number if counts else number * values
        return factor * plain

    def added(rows: FloatArray) -> FloatArray:
        total = np.bincount(seen.owner, weights=rows, minlength=len(value))
        return total.astype(np.float64, copy=False)

    sums = value + added(messages(value[seen.other]))
    largest = code.reach + added(messages(code.reach)).max()
    return Numbers(code, relations, positions, sums, float(largest))


def _worth(config: ModelConfig, code: Code) -> float:
    """What a relation's number counts for: it is added to, or stands beside, the first feature."""
    return 1.0 if config.composition == "concat" else float(code.reader[0])
