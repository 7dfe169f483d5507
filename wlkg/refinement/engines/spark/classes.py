"""The classes of each round, and from which class of the round before each was split off.

A class is named after its smallest vertex. The part of a split class that has this vertex keeps the
name; every other part is *born* in that round, and has the class that it left as its parent. The
births of all rounds and the last class of each vertex are the split tree of the run.

=========  ==================================================  ===============================
table      columns                                             rows
=========  ==================================================  ===============================
classes    ``colour1``, ``colour2``, ``first``, ``size``,      one for each class of the round
           ``was0``, ``was1`` (the colour before)
births     ``first``, ``parent``, ``round``                    one for each class that was born
=========  ==================================================  ===============================
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from wlkg.refinement.engines.spark.rounds import COLOUR

#: The columns that hold the colour of the round before.
BEFORE = ("was0", "was1")
CLASS_SCHEMA = "colour1 long, colour2 long, first long, size long, was0 long, was1 long, round int"


@dataclass(frozen=True)
class ClassCount:
    """The classes of a round."""

    classes: int
    #: Pairs of vertices with the same colour.
    pairs: int
    #: Whether no class holds vertices of several earlier classes, or of several labels.
    refines: bool


def class_table(colours: DataFrame) -> DataFrame:
    """The classes of a round; ``mixed`` if vertices of several classes, or labels, were joined."""
    is_start = "label" in colours.columns
    before = ("label",) if is_start else BEFORE
    mixed = fn.lit(False)
    for name in before:
        mixed |= fn.coalesce(fn.min(name) != fn.max(name), fn.lit(False))
    nothing = fn.lit(None).cast("long")
    return colours.groupBy(*COLOUR).agg(
        fn.min("vertex").alias("first"),
        fn.count("*").alias("size"),
        *((nothing if is_start else fn.min(name)).alias(name) for name in BEFORE),
        mixed.alias("mixed"),
    )


def count_classes(classes: DataFrame) -> ClassCount:
    """Count the classes, and see whether any is mixed."""
    row = classes.agg(
        fn.count("*").alias("classes"),
        fn.sum(fn.expr("size * (size - 1) div 2")).alias("pairs"),
        fn.max("mixed").alias("mixed"),
    ).first()
    assert row is not None
    return ClassCount(row["classes"], row["pairs"] or 0, not row["mixed"])


def births(classes: DataFrame) -> DataFrame:
    """The classes that were born, given the classes of all rounds."""
    parents = classes.select(
        (fn.col("round") + 1).alias("round"),
        *(fn.col(now).alias(was) for now, was in zip(COLOUR, BEFORE, strict=True)),
        fn.col("first").alias("parent"),
    )
    joined = classes.join(parents, ["round", *BEFORE])
    return joined.filter("first != parent").select("first", "parent", "round")


def in_round(classes: DataFrame, number: int) -> DataFrame:
    """The classes of one round."""
    return classes.filter(_is_round(number)).drop("round")


def _is_round(number: int) -> Column:
    return fn.col("round") == number
