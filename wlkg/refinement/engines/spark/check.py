"""Proof in Spark, without hashing, that the stable partition is the coarsest equitable one.

Colours are names of classes here, nothing more. Three things are checked by grouping and counting:

1. at round 0, there are as many colours as labels;
2. in every round, all vertices of a new colour had the same colour before (`count_classes`): so no
   two classes were ever merged by a collision, and each partition refines the one before;
3. at the end, vertices of one class have equally many arcs to each colour under each relation
   (`sees_alike`), or the same share for mean-rwl.

1 and 2 say that the last partition refines the labels, 3 that it is equitable. Splits are right by
themselves (`rounds`), so it is no finer than the coarsest such partition: it is that partition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from wlkg.refinement.engines.spark.rounds import COLOUR

if TYPE_CHECKING:
    from wlkg.catalogue import VertexTest

#: Quotients of smaller whole numbers differ as doubles if they differ at all.
_LARGEST_DEGREE = 1 << 25


@dataclass(frozen=True)
class ClassCount:
    """The classes of a round."""

    classes: int
    #: Pairs of vertices with the same colour.
    pairs: int
    #: Whether no class holds vertices of several earlier classes.
    refines: bool


def count_classes(colours: DataFrame, before: tuple[str, ...]) -> ClassCount:
    """Count the classes, and check that each has one value in each of the columns ``before``."""
    classes = colours.groupBy(*COLOUR).agg(
        fn.count("*").alias("size"),
        *(fn.min(name).alias(f"min_{name}") for name in before),
        *(fn.max(name).alias(f"max_{name}") for name in before),
    )
    mixed = fn.lit(False)
    for name in before:
        mixed |= fn.col(f"min_{name}") != fn.col(f"max_{name}")
    size = fn.col("size")
    row = classes.agg(
        fn.count("*").alias("classes"),
        fn.sum(fn.expr("size * (size - 1) div 2")).alias("pairs"),
        fn.max(mixed & (size > 1)).alias("mixed"),
    ).first()
    assert row is not None
    return ClassCount(row["classes"], row["pairs"] or 0, not row["mixed"])


def can_prove(arcs: DataFrame, test: VertexTest) -> bool:
    """Whether the check decides: shares of larger degrees could look equal without being so."""
    return not test.sees_shares or arcs.filter(f"degree >= {_LARGEST_DEGREE}").isEmpty()


def sees_alike(arcs: DataFrame, colours: DataFrame, test: VertexTest) -> bool:
    """Whether vertices of one class see the same colours."""
    classes = colours.groupBy(*COLOUR).agg(fn.count("*").alias("size")).filter("size > 1")
    own = ("own1", "own2")
    shared = colours.join(classes, list(COLOUR)).select(
        "vertex", *(fn.col(c).alias(o) for c, o in zip(COLOUR, own, strict=True)), "size"
    )
    seen = arcs.join(shared, "vertex").join(
        colours.withColumnRenamed("vertex", "neighbour"), "neighbour"
    )
    looks: list[tuple[str, ...]] = [COLOUR]
    if test.sees_relations:
        looks = [("relation", *COLOUR)]
    elif test.sees_degrees:
        looks = [COLOUR, ("relation",)]
    return all(_counts_agree(seen, own, look) for look in looks)


def _counts_agree(seen: DataFrame, own: tuple[str, str], look: tuple[str, ...]) -> bool:
    """Whether all members of a class have as many arcs of each kind, or the same share of them."""
    counted = seen.groupBy("vertex", *own, *look).agg(
        (fn.count("*") / fn.max("degree")).alias("amount"), fn.first("size").alias("size")
    )
    kinds = counted.groupBy(*own, *look).agg(
        fn.min("amount").alias("least"),
        fn.max("amount").alias("most"),
        fn.count("*").alias("members"),
        fn.first("size").alias("size"),
    )
    return kinds.filter(
        (fn.col("least") != fn.col("most")) | (fn.col("members") != fn.col("size"))
    ).isEmpty()
