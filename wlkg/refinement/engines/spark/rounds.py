"""One round in Spark: join arcs with the colours at their ends, sum by vertex, name the classes.

A colour is a pair of 64-bit numbers. With h_1, h_2 two hash functions of salts of their own,

    s_j(v) = sum over arcs (i, u) of h_j(i, C(u)) modulo 2^64        C'(v) = (h_j(C(v), s_j(v)))_j

and for the other tests

=========  ====================================================================================
weak-rwl   h_j(C(u)), and in round 1 also h_j(i): degrees never change
mean-rwl   the sum goes over relations i and colours c, of h_j(i, c, share of c in N_i(v)); the
           share is a double, which depends on the quotient alone
=========  ====================================================================================

Equal multisets give equal sums, so every split is right; `check` looks for splits that were missed.
Sums are formed before the shuffle and after it, so a vertex with millions of arcs sends one row per
partition. Arcs stay where they are, in partitions by neighbour, and are sorted once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from wlkg.catalogue import VertexTest

#: The columns that hold a colour.
COLOUR = ("colour1", "colour2")
#: What the second lane adds to the salt of the first.
_SECOND_LANE = 1 << 32
_LABELS, _ARCS, _DEGREES, _NAMES = range(4)


def lane(salt: int, *columns: Column) -> Column:
    """A random-looking 64-bit function of some columns; tests put a weaker one in its place."""
    return fn.xxhash64(fn.lit(salt), *columns)


def _lanes(purpose: int, salt: int, *columns: Column) -> list[Column]:
    """The two lanes of a hash for one of several purposes."""
    first = 4 * salt + purpose
    return [lane(first + number * _SECOND_LANE, *columns) for number in range(2)]


def start_colours(vertices: DataFrame, salt: int) -> DataFrame:
    """The colours of round 0: one per label."""
    named = (
        hashed.alias(name)
        for hashed, name in zip(_lanes(_LABELS, salt, fn.col("label")), COLOUR, strict=True)
    )
    return vertices.select("vertex", "label", *named)


def next_colours(
    arcs: DataFrame, colours: DataFrame, test: VertexTest, salt: int, *, is_first: bool
) -> DataFrame:
    """The colours of the next round, each with that of the round before (``was1``, ``was2``)."""
    own = [fn.col(name) for name in COLOUR]
    at_ends = arcs.join(colours.withColumnRenamed("vertex", "neighbour"), "neighbour")
    if test.sees_shares:
        counted = at_ends.groupBy("vertex", "relation", "degree", *COLOUR).count()
        share = fn.col("count") / fn.col("degree")
        summands = _lanes(_ARCS, salt, fn.col("relation"), *own, share)
        seen = counted
    else:
        seen = at_ends
        summands = _lanes(_ARCS, salt, *([fn.col("relation")] if test.sees_relations else []), *own)
        if test.sees_degrees and is_first:
            degrees = _lanes(_DEGREES, salt, fn.col("relation"))
            summands = [one + other for one, other in zip(summands, degrees, strict=True)]
    nothing = fn.lit(None).cast("long")
    rows = seen.select(
        "vertex",
        *(s.alias(f"sum{j}") for j, s in enumerate(summands)),
        *(nothing.alias(c) for c in COLOUR),
    ).union(
        # A vertex also contributes a row of its own, so that no second join is needed.
        colours.select("vertex", fn.lit(0).cast("long"), fn.lit(0).cast("long"), *COLOUR)
    )
    summed = rows.groupBy("vertex").agg(
        *(fn.sum(f"sum{j}").alias(f"sum{j}") for j in range(2)),
        *(fn.max(c).alias(c) for c in COLOUR),
    )
    names = _lanes(_NAMES, salt, *own, fn.col("sum0"), fn.col("sum1"))
    return summed.select(
        "vertex",
        *(hashed.alias(name) for hashed, name in zip(names, COLOUR, strict=True)),
        *(fn.col(name).alias(f"was{j}") for j, name in enumerate(COLOUR)),
    )
