"""Where the tables of vertices and arcs come from: a file, or a problem in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from wlkg.catalogue import Direction, VertexTest
from wlkg.progress import Progress
from wlkg.refinement.engines.spark.arcs import (
    arc_table,
    find_salt,
    vertex_table,
    with_degrees,
)
from wlkg.refinement.engines.spark.reading import read_labels, read_triples
from wlkg.refinement.engines.spark.work_folder import WorkFolder, input_size
from wlkg.refinement.vertices.vertex_problem import VertexProblem

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: The tables in the work folder.
VERTICES, ARCS = "vertices", "arcs"
_BYTES_OF_AN_ARC = 32


class Origin(Protocol):
    """Makes the two tables."""

    @property
    def test(self) -> VertexTest:
        """The test that sees the arcs."""

    @property
    def size(self) -> int:
        """The bytes to be read."""

    def make(self, session: SparkSession, work: WorkFolder, progress: Progress) -> None:
        """Write the tables."""


@dataclass(frozen=True)
class FromFile:
    """Triples of a file that Spark reads, in parts; see `wlkg.refinement.engines.spark.reading`."""

    path: str
    labels: str | None
    test: VertexTest
    direction: Direction

    @property
    def size(self) -> int:
        return input_size(self.path)

    def make(self, session: SparkSession, work: WorkFolder, progress: Progress) -> None:
        """Turn names into numbers and triples into arcs."""
        progress.start(f"reading {self.path} with Spark", None, "")
        triples = read_triples(session, self.path).persist()
        try:
            salt = find_salt(triples)
            labels = None if self.labels is None else read_labels(session, self.labels)
            work.write(vertex_table(triples, labels, salt), VERTICES)
            work.write(arc_table(triples, self.test, self.direction, salt), ARCS)
        finally:
            triples.unpersist()
            progress.finish()


@dataclass(frozen=True)
class FromMemory:
    """A problem in memory: its vertices are numbers already, its labels the start colours."""

    problem: VertexProblem

    @property
    def test(self) -> VertexTest:
        return self.problem.test

    @property
    def size(self) -> int:
        return _BYTES_OF_AN_ARC * self.problem.num_arcs

    def make(self, session: SparkSession, work: WorkFolder, progress: Progress) -> None:
        """Write the arcs as Parquet."""
        progress.say("handing the arcs to Spark")
        arcs = self.problem.arcs
        columns = {"vertex": arcs.source, "relation": arcs.relation, "neighbour": arcs.neighbour}
        plain = {name: column.astype(np.int64) for name, column in columns.items()}
        pq.write_table(pa.table(plain), work.folder("arcs-plain") / "0.parquet")
        vertices = {
            "vertex": np.arange(self.problem.num_vertices),
            "label": self.problem.start.colours.astype(np.int64),
        }
        pq.write_table(pa.table(vertices), work.folder(VERTICES) / "0.parquet")
        work.write(with_degrees(work.read(session, "arcs-plain"), self.test), ARCS)
        work.drop("arcs-plain")
