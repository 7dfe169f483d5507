"""The Spark engine on a graph in memory: its arcs go to Spark, the tree of splits comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

from wlkg.arrays import IntArray
from wlkg.partition import History
from wlkg.progress import Progress
from wlkg.refinement.engines.spark.classes import births, in_round
from wlkg.refinement.engines.spark.rounds import COLOUR
from wlkg.refinement.engines.spark.running import Run
from wlkg.refinement.engines.spark.tables import FromMemory
from wlkg.refinement.vertices.vertex_tests import VertexRun

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wlkg.refinement.engines.spark.work_folder import WorkFolder
    from wlkg.refinement.vertices.vertex_problem import VertexProblem


def run_problem(
    session: SparkSession,
    work: WorkFolder,
    problem: VertexProblem,
    last_round: int,
    progress: Progress,
) -> VertexRun:
    """Refine a problem, and fetch its history."""
    run = Run(session, work, FromMemory(problem), progress)
    outcome = run.complete(last_round)
    return VertexRun(
        history=_history(run, problem.num_vertices),
        stable=outcome.stable,
        exact=outcome.exact,
        proof=outcome.proof,
    )


def _history(run: Run, count: int) -> History:
    """The history of a run, from the births of its classes and the last class of each vertex."""
    classes = run.all_classes()
    born = _fetched(run.work, births(classes), "births")
    last = in_round(classes, run.rounds).select(*COLOUR, "first")
    named = run.colours_of(run.rounds).join(last, list(COLOUR)).select("vertex", "first")
    final = _fetched(run.work, named, "final")
    class_of, parent = np.arange(count), np.arange(count)
    birth = np.zeros(count, dtype=np.int64)
    class_of[final["vertex"]] = final["first"]
    parent[born["first"]] = born["parent"]
    birth[born["first"]] = born["round"]
    # Classes are named after vertices here. Numbered as usual, the largest part keeps the number.
    tree = History(class_of=class_of, parent=parent, birth=birth, rounds=run.rounds)
    everything = np.arange(count)
    return History.from_rounds([tree.class_at(everything, t) for t in range(run.rounds + 1)])


def _fetched(work: WorkFolder, table: DataFrame, name: str) -> dict[str, IntArray]:
    """The columns of a table; through files, since Spark limits what is sent to the driver."""
    work.write(table, name)
    parts = [pq.read_table(file) for file in work.files(name)]
    return {
        column: np.concatenate([np.asarray(part[column]) for part in parts]).astype(np.int64)
        for column in table.columns
    }
