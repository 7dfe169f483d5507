"""Proof in Spark, without hashing, that no split was missed in any round.

Colours are names of classes here, nothing more. In every round, `classes` has seen that all
vertices of a new class had the same colour before, or the same label: so no two classes were ever
merged, and each partition refines the one before. Splits are right by themselves (`rounds`). It is
left to show that none came too late, or never. `wlkg.refinement.engines.torch_engine.check` has the
argument why two kinds of comparisons are enough:

1. all members of a last class see the same under the colours of the last round (or of the round
   before, if the run was stopped there);
2. for every class born at a round b > 1, it and its parent, each seen through the vertex that it is
   named after, see the same under the colours of round b - 2.

All comparisons are made together, in one join. A *view* is a vertex that looks at a round; the
views of one group must see each relation and colour equally often, or for mean-rwl with the same
share. Spark groups rows by a hash of their keys too, but it compares the keys themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from wlkg.refinement.engines.spark.classes import births, in_round
from wlkg.refinement.engines.spark.rounds import COLOUR

if TYPE_CHECKING:
    from wlkg.catalogue import VertexTest

#: Quotients of smaller whole numbers differ as doubles if they differ at all.
_LARGEST_DEGREE = 1 << 25
_GROUP = ("first", "round")


def can_prove(arcs: DataFrame, test: VertexTest) -> bool:
    """Whether the check decides: shares of larger degrees could look equal without being so."""
    return not test.sees_shares or arcs.filter(f"degree >= {_LARGEST_DEGREE}").isEmpty()


def missed_no_split(
    arcs: DataFrame,
    colours: DataFrame,
    classes: DataFrame,
    test: VertexTest,
    last: int,
    *,
    stable: bool,
) -> bool:
    """Whether no split was missed until the ``last`` round, nor after it if that is ``stable``.

    ``colours`` and ``classes`` are those of all rounds.
    """
    compared = _newborns(classes)
    if stable or last > 0:  # round 0 is given
        seen_at = last if stable else last - 1
        compared = compared.union(_members(colours, classes, last, seen_at))
    seen = arcs.join(compared, "vertex").join(
        colours.withColumnRenamed("vertex", "neighbour"), ["neighbour", "round"]
    )
    looks: list[tuple[str, ...]] = [COLOUR]
    if test.sees_relations:
        looks = [("relation", *COLOUR)]
    elif test.sees_degrees:
        looks = [COLOUR, ("relation",)]
    return all(_counts_agree(seen, look) for look in looks)


def _members(colours: DataFrame, classes: DataFrame, last: int, seen_at: int) -> DataFrame:
    """The views of all vertices that share their last class."""
    shared = in_round(classes, last).filter("size > 1").select(*COLOUR, "first", "size")
    members = in_round(colours, last).join(shared, list(COLOUR))
    return members.select("first", fn.lit(seen_at).alias("round"), "vertex", "size")


def _newborns(classes: DataFrame) -> DataFrame:
    """The views of each class that was born after round 1, and of its parent."""
    born = births(classes).filter("round > 1")
    return born.select(
        "first",
        (fn.col("round") - 2).alias("round"),
        fn.explode(fn.array("first", "parent")).alias("vertex"),
        fn.lit(2).cast("long").alias("size"),
    )


def _counts_agree(seen: DataFrame, look: tuple[str, ...]) -> bool:
    """Whether all views of a group have as many arcs of each kind, or the same share of them."""
    counted = seen.groupBy("vertex", *_GROUP, *look).agg(
        (fn.count("*") / fn.max("degree")).alias("amount"), fn.first("size").alias("size")
    )
    kinds = counted.groupBy(*_GROUP, *look).agg(
        fn.min("amount").alias("least"),
        fn.max("amount").alias("most"),
        fn.count("*").alias("views"),
        fn.first("size").alias("size"),
    )
    return kinds.filter(
        (fn.col("least") != fn.col("most")) | (fn.col("views") != fn.col("size"))
    ).isEmpty()
