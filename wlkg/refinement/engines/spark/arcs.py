"""Vertices and arcs as numbers.

The number of a name is a 64-bit hash of it: no sort, no counter, and the same number whenever a
lost partition is computed again. That no two names share a number is checked by counting; if two
do, all are numbered again with another salt. So numbers are exact names of vertices.

==========  =====================================================  ===========================
table       columns                                                rows
==========  =====================================================  ===========================
vertices    ``vertex``, ``name``, ``label`` (null without labels)  one per vertex
arcs        ``vertex``, ``relation``, ``neighbour``, ``degree``    one per arc
==========  =====================================================  ===========================

``degree`` is the number of the vertex's arcs in that relation, for tests that see shares; else 1.
An inverse relation has the number of its relation with all bits flipped. 1-wl forgets relations:
its arcs all have relation 0, and a neighbour counts once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as fn

from wlkg.errors import InputError
from wlkg.refinement.proof import ATTEMPTS

if TYPE_CHECKING:
    from wlkg.catalogue import Direction, VertexTest


def number_of(name: str, salt: int) -> Column:
    """The number of the name in a column."""
    return fn.xxhash64(fn.lit(salt), fn.col(name))


def find_salt(triples: DataFrame) -> int:
    """A salt with which no two vertices, and no two relations or inverses, share a number."""
    ends = triples.select(fn.col("head").alias("name")).union(triples.select("tail"))
    vertices = ends.distinct()
    relations = triples.select(fn.col("relation").alias("name")).distinct().cache()
    try:
        for salt in range(ATTEMPTS):
            if _distinct(vertices, salt) and _distinct(relations, salt, both_ways=True):
                return salt
    finally:
        relations.unpersist()
    raise AssertionError("names share 64-bit numbers under every salt")


def _distinct(names: DataFrame, salt: int, *, both_ways: bool = False) -> bool:
    numbers = names.select(number_of("name", salt).alias("number"))
    if both_ways:
        numbers = numbers.union(numbers.select(fn.bitwise_not("number")))
    repeated = numbers.groupBy("number").count().filter("count > 1")
    return repeated.isEmpty()


def vertex_table(triples: DataFrame, labels: DataFrame | None, salt: int) -> DataFrame:
    """The vertices; a missing, repeated or surplus line of the labels stops the job."""
    ends = triples.select(fn.col("head").alias("name")).union(triples.select("tail"))
    vertices = ends.distinct().select(number_of("name", salt).alias("vertex"), "name")
    if labels is None:
        return vertices.withColumn("label", fn.lit(None).cast("string"))
    given = labels.groupBy("name").agg(
        fn.min("label").alias("label"), fn.max("label").alias("other"), fn.count("*").alias("lines")
    )
    joined = vertices.join(given, "name", "full")
    problem = (
        fn.when(fn.col("vertex").isNull(), fn.lit("is no vertex of the graph"))
        .when(fn.col("label").isNull(), fn.lit("has no label"))
        .when(fn.col("lines") > 1, fn.lit("has several lines"))
    )
    wrong = joined.select("name", problem.alias("problem")).filter("problem is not null").head()
    if wrong is not None:
        raise InputError(f"labels: {wrong['name']!r} {wrong['problem']}")
    return joined.select("vertex", "name", "label")


def arc_table(triples: DataFrame, test: VertexTest, direction: Direction, salt: int) -> DataFrame:
    """The arcs of a direction mode, as the test sees them."""
    numbers = triples.select(
        number_of("head", salt).alias("vertex"),
        number_of("relation", salt).alias("relation"),
        number_of("tail", salt).alias("neighbour"),
    )
    turned = numbers.select(
        fn.col("neighbour").alias("vertex"),
        (fn.bitwise_not("relation") if direction == "both" else fn.col("relation")).alias(
            "relation"
        ),
        fn.col("vertex").alias("neighbour"),
    )
    arcs = {
        "out": numbers,
        "in": turned,
        "both": numbers.union(turned),
        "undirected": numbers.union(turned),
    }[direction]
    if not test.sees_relations and not test.sees_degrees:
        arcs = arcs.withColumn("relation", fn.lit(0).cast("long"))
    return with_degrees(arcs.distinct(), test)


def with_degrees(arcs: DataFrame, test: VertexTest) -> DataFrame:
    """The arcs with the column ``degree``."""
    if not test.sees_shares:
        return arcs.withColumn("degree", fn.lit(1).cast("long"))
    return arcs.withColumn("degree", fn.count("*").over(Window.partitionBy("vertex", "relation")))
