"""The result as Parquet: a colour for each vertex, and a line for each round.

Classes are numbered by their first vertex in the order of names, so equal graphs give equal tables.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from wlkg.errors import open_error
from wlkg.refinement.engines.spark.rounds import COLOUR
from wlkg.refinement.engines.spark.tables import VERTICES

if TYPE_CHECKING:
    from wlkg.refinement.engines.spark.work_folder import WorkFolder

VERTICES_FILE = "vertices.parquet"
ROUNDS_FILE = "rounds.parquet"
#: `monotonically_increasing_id` has the row within its partition in the lowest 33 bits.
_ROW_BITS = 33


def write_colours(place: str | Path, work: WorkFolder, colours: DataFrame) -> None:
    """Write both tables to a new folder, which appears once it is complete."""
    rounds = work.state["rounds"]
    target = Path(place).resolve()
    aside = target.with_name(f".{target.name}.{os.getpid()}.wlkg-part")
    try:
        aside.mkdir(parents=True)
        vertices = work.read(colours.sparkSession, VERTICES)
        named = vertices.join(colours, "vertex").select("name", *COLOUR)
        numbers = _numbered(named, work)
        table = named.join(numbers, list(COLOUR)).select("name", "colour")
        table.withColumnRenamed("name", "vertex").write.parquet(str(aside / VERTICES_FILE))
        columns = {
            "round": list(range(len(rounds))),
            "classes": [entry["classes"] for entry in rounds],
            "indistinguishable_pairs": [entry["pairs"] for entry in rounds],
            "seconds": [entry["seconds"] for entry in rounds],
        }
        pq.write_table(pa.table(columns), aside / ROUNDS_FILE)
        aside.rename(target)
    except OSError as error:
        raise open_error(str(place), error) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _numbered(named: DataFrame, work: WorkFolder) -> DataFrame:
    """The number of each colour: 0, 1, 2, ... by the first name of its class."""
    classes = named.groupBy(*COLOUR).agg(fn.min("name").alias("first")).sort("first")
    # Written down first: a sort that is computed again may cut its partitions elsewhere.
    placed = work.write(classes.withColumn("place", fn.monotonically_increasing_id()), "classes")
    part = fn.shiftright("place", _ROW_BITS).alias("part")
    sizes = {row["part"]: row["count"] for row in placed.groupBy(part).count().collect()}
    starts, total = [], 0
    for number in sorted(sizes):
        starts.append((number, total))
        total += sizes[number]
    offsets = named.sparkSession.createDataFrame(starts, "part long, start long")
    row = fn.col("place").bitwiseAND((1 << _ROW_BITS) - 1)
    return (
        placed.withColumn("part", part)
        .join(fn.broadcast(offsets), "part")
        .select(*COLOUR, (fn.col("start") + row).alias("colour"))
    )
