"""The numbers of a witness: random whole numbers that give every class a sum of its own.

With the classes c of round t - 1 as features (see `encodings`), one layer computes for each
vertex v, or tuple t, the number

    b(v) = z(c(v)) + sum_i a_i sum_{w in N_i(v)} z(c(w))                       1-rwl
    b(v) = z(c(v)) + a sum_i sum_{w in N_i(v)} z(c(w)) + sum_i y_i |N_i(v)|    weak-rwl
    b(t) = z(c(t)) + sum_j a_j sum_i a_i sum_{w in N_i(v_j)} z(c(t[j := w]))   K-rlwl

with random whole numbers z, a, y. They are drawn again, from larger ranges, until b differs for
different classes of round t. (The proof takes powers of n for the a_i, which overflow with only a
few relations.)

All sums consist of multiples of 1/4 below 2^51, so floating-point arithmetic is exact.
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

#: Compositions with which layers only count the arcs of each relation.
COUNTING = ("add", "sub", "concat")
#: Floating-point numbers hold multiples of 1/4, the midpoints of multiples of 1/2, up to here.
_EXACT = 2.0**51
#: Draws from a range before it is doubled.
_DRAWS = 4
#: The largest factor of all messages with such compositions: a factor of 1 does not always work.
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
    """The numbers of one layer."""

    #: How the input is read.
    code: Code
    #: The number of each relation, and the factor of each position of a tuple.
    relations: FloatArray
    positions: FloatArray
    #: The number b that each class gets.
    sums: FloatArray
    #: No sum on the way is larger than this.
    largest: float


def who_sees_whom(arcs: Arcs, k: int) -> Seen:
    """The neighbours of vertices, or for k > 1 of k-tuples of vertices in lexicographic order."""
    if k == 1:
        zeros = np.zeros(len(arcs), dtype=np.int64)
        return Seen(owner=arcs.source, other=arcs.neighbour, relation=arcs.relation, position=zeros)
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
    *,
    before: Partition,
    after: Partition,
    seen: Seen,
    random: np.random.Generator,
) -> Numbers:
    """Draw numbers until every class of the round ``after`` has a sum of its own."""
    first = np.unique(after.colours, return_index=True)[1]
    most = 2
    while True:
        for _ in range(_DRAWS):
            numbers = _numbers(
                config,
                encoding.draw(random, most),
                classes=before,
                seen=seen,
                random=random,
                most=most,
            )
            if numbers.largest >= _EXACT:
                raise TooLargeError(
                    f"the witness needs whole numbers up to {numbers.largest:.2g}, more than the"
                    f" {_EXACT:.2g} that floating-point numbers hold exactly. Use fewer --layers"
                    + (" or --activation sign" if config.activation == "relu" else "")
                )
            sums = numbers.sums[first]
            if len(np.unique(sums)) == len(sums):
                return replace(numbers, sums=sums)
        most *= 2


def _numbers(
    config: ModelConfig,
    code: Code,
    *,
    classes: Partition,
    seen: Seen,
    random: np.random.Generator,
    most: int,
) -> Numbers:
    """Draw the other numbers, up to ``most``, and compute the sum of every item."""
    relations = random.integers(1, most + 1, config.relations).astype(np.float64)
    counts = config.model == "compgcn" and config.composition in COUNTING
    # The factors of positions; where relations scale, the only position of a vertex needs none.
    largest_factor = most if config.model == "k-rn" else _SHARED if counts else 1
    positions = random.integers(1, largest_factor + 1, config.k).astype(np.float64)
    value = code.values[classes.colours]
    factor, number = positions[seen.position], relations[seen.relation]

    def messages(values: FloatArray | float) -> FloatArray:
        plain = values + _worth(config, code) * number if counts else number * values
        return factor * plain

    def added(rows: FloatArray) -> FloatArray:
        total = np.bincount(seen.owner, weights=rows, minlength=len(value))
        return total.astype(np.float64, copy=False)

    sums = value + added(messages(value[seen.other]))
    largest = code.reach + added(messages(code.reach)).max()
    return Numbers(
        code=code, relations=relations, positions=positions, sums=sums, largest=float(largest)
    )


def _worth(config: ModelConfig, code: Code) -> float:
    """The factor of a relation's number, which is added to, or put beside, the first feature."""
    return 1.0 if config.composition == "concat" else float(code.reader[0])
