"""The numbers of a witness: random whole numbers that give every class a sum of its own.

With the classes c of round t - 1 as features (see `encodings`), one layer computes for each
vertex v, or tuple t, the number

    b(v) = z(c(v)) + a sum_{w in N(v)} z(c(w))                                 1-wl
    b(v) = z(c(v)) + sum_i a_i sum_{w in N_i(v)} z(c(w))                       1-rwl
    b(v) = z(c(v)) + sum_i sum_{w in N_i(v)} y_i(c(w))                         1-rwl, by a table
    b(v) = z(c(v)) + a sum_i sum_{w in N_i(v)} z(c(w)) + sum_i y_i |N_i(v)|    weak-rwl
    b(t) = z(c(t)) + sum_j a_j sum_i a_i sum_{w in N_i(v_j)} z(c(t[j := w]))   K-rlwl
    b(t) = z(c(t)) + sum_j a_j sum_i sum_{w in N_i(v_j)} y_i(c(t[j := w]))     K-rlwl, by a table

and for the pairs of rawl2, b(u, v) as for the vertices v of 1-rwl, with c(u, w) for c(w)

with random whole numbers z, a, y. They are drawn again, from larger ranges, until b differs for
different classes of round t. (The proof takes powers of n for the a_i, which overflow with only a
few relations.)

All sums consist of multiples of 1/4 below 2^51, so floating-point arithmetic is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from wlkg.arrays import FloatArray, IntArray
from wlkg.errors import TooLargeError
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.theorems.encodings import Code, Encoding
from wlkg.graph.arcs import Arcs
from wlkg.partition import Partition

#: Compositions that multiply the features of a neighbour by the number of a relation.
SCALING = ("mult", "scale", "corr", "rotate")
#: Compositions with which layers only count the arcs of each relation.
COUNTING = ("add", "sub", "concat")
#: Compositions that give each pair of a relation and a class a number of its own.
CHOOSING = ("mlp", "mlp2")
#: The models that compose features with vectors of relations.
COMPOSING = ("compgcn", "k-rn", "c-mpnn")
#: Floating-point numbers hold multiples of 1/4, the midpoints of multiples of 1/2, up to here.
_EXACT = 2.0**51
#: Draws from a range before it is doubled.
_DRAWS = 4
#: The largest factor of all messages of a layer whose relations have none: 1 does not always work.
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
    #: The number of each relation; with a composition of `CHOOSING`, of each relation (row) and
    #: class (column, in the order of the features).
    relations: FloatArray
    #: The factor of each position of a tuple.
    positions: FloatArray
    #: The number b that each class gets.
    sums: FloatArray
    #: No sum on the way is larger than this.
    largest: float
    #: A number that is added to b before the messages, and subtracted after them (see `_anchor`).
    anchor: float = 0.0


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
    encoding: Encoding,
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
                config, encoding, classes=before, seen=seen, random=random, most=most
            )
            if numbers.largest >= _EXACT:
                raise TooLargeError(
                    f"the witness needs whole numbers up to {numbers.largest:,.0f}, more than the"
                    f" {_EXACT:,.0f} that floating-point numbers hold exactly. Use fewer --layers"
                    + (" or --activation sign" if config.activation == "relu" else "")
                )
            sums = numbers.sums[first]
            if len(np.unique(sums)) == len(sums):
                return replace(numbers, sums=sums)
        most *= 2


def _numbers(
    config: ModelConfig,
    encoding: Encoding,
    *,
    classes: Partition,
    seen: Seen,
    random: np.random.Generator,
    most: int,
) -> Numbers:
    """Draw numbers up to ``most``, and compute the sum of every item."""
    code = encoding.draw(random, most)
    relations = _relation_numbers(config, encoding, random, most)
    positions = random.integers(1, _largest_factor(config, most) + 1, config.k).astype(np.float64)
    value, factor = code.values[classes.colours], positions[seen.position]

    def added(messages: FloatArray) -> FloatArray:
        total = np.bincount(seen.owner, weights=factor * messages, minlength=len(value))
        return total.astype(np.float64, copy=False)

    if carrier(config) == CHOOSING:
        places = encoding.columns[classes.colours[seen.other]]
        total = added(relations[seen.relation, places])
        # A message is computed by the gate, times the largest number, and a number.
        message = (encoding.gate.reach + 1) * relations.max()
        return Numbers(
            code=code,
            relations=relations,
            positions=positions,
            sums=value + total,
            largest=float(max(code.reach + total.max(), message)),
        )
    number = relations[seen.relation]

    def messages(values: FloatArray | float) -> FloatArray:
        if carrier(config) == COUNTING:
            return values + _worth(config, code) * number
        return number * values

    sums = value + added(messages(value[seen.other]))
    anchor = 0.0
    if _is_rounded(config):
        anchor = _anchor(len(code.reader), added(messages(code.length)), seen)
    return Numbers(
        code=code,
        relations=relations,
        positions=positions,
        sums=sums,
        largest=float(anchor + code.reach + added(messages(code.reach)).max()),
        anchor=anchor,
    )


def carrier(config: ModelConfig) -> tuple[str, ...]:
    """The compositions that bring the numbers of relations into messages in the same way."""
    if config.model not in COMPOSING:
        return SCALING
    return next(names for names in (SCALING, COUNTING, CHOOSING) if config.composition in names)


def _relation_numbers(
    config: ModelConfig, encoding: Encoding, random: np.random.Generator, most: int
) -> FloatArray:
    """A number for each relation, or for each relation and class."""
    if config.model == "gnn":
        return np.ones(1)
    if carrier(config) != CHOOSING:
        return random.integers(1, most + 1, config.relations).astype(np.float64)
    table = np.zeros((config.relations, len(encoding.one)))
    shape = len(table), len(encoding.columns)
    table[:, encoding.columns] = random.integers(1, most + 1, shape)
    return table


def _largest_factor(config: ModelConfig, most: int) -> int:
    """Up to where the factors of positions go."""
    if config.model == "k-rn":
        return most
    # The only position of a vertex needs no factor where the numbers of relations are factors.
    return _SHARED if config.model == "gnn" or carrier(config) == COUNTING else 1


def first_column(code: Code) -> int:
    """The first feature that the code reads."""
    return int(np.flatnonzero(code.reader)[0])


def _worth(config: ModelConfig, code: Code) -> float:
    """The factor of a relation's number, which is added to, or put beside, the first feature."""
    return 1.0 if config.composition == "concat" else float(code.reader[first_column(code)])


def _is_rounded(config: ModelConfig) -> bool:
    """Whether messages have rounding errors that the non-linearity would pass on."""
    composes = config.model in COMPOSING
    return composes and config.composition == "corr" and config.activation == "relu"


def _anchor(width: int, lengths: FloatArray, seen: Seen) -> float:
    """A power of 2 so large that the errors of all messages vanish when they are added to it.

    Circular correlation is computed by Fourier transforms, with an error below 8 log2(width) units
    of the last digit of the features' length; adding up n products adds at most n such units. A
    number of twice the size of all these units has no digits for them. It is subtracted again, so
    in exact arithmetic it changes nothing.
    """
    most_messages = np.bincount(seen.owner).max(initial=0)
    units = 8 * (1 + math.log2(width)) + width + most_messages
    return float(2.0 ** math.ceil(math.log2(max(2 * units * lengths.max(), 2.0))))
