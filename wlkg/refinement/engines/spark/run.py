"""``refine_file`` and ``run_spark``: a vertex test in Spark, of a file or of a graph in memory.

Each round is a join, an aggregation and a table of colours on disk (`rounds`, `work_folder`), so a
run needs disk for the graph and memory for a few partitions of it. Per arc and round, some 50 bytes
are read and at most some 40 are shuffled. Unlike the local engine, every round costs as much as the
first: graphs that need thousands of rounds, such as long paths, are not for this engine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wlkg.catalogue import DEFAULT_TEST, Direction, VertexTest, check_direction, find_test
from wlkg.engines import DEFAULT_MASTER, ENGINES, check_rounds
from wlkg.errors import UsageError
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines.spark.session import (
    failures_translated,
    require_pyspark,
    spark_session,
    without_pandas_warning,
)
from wlkg.refinement.engines.spark.work_folder import WorkFolder, check_place
from wlkg.refinement.engines.summary import RefinementSummary
from wlkg.writers.scratch import scratch_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wlkg.refinement.vertices.vertex_problem import VertexProblem
    from wlkg.refinement.vertices.vertex_tests import VertexRun

TESTS = ENGINES["spark"].tests
#: Bytes for each JVM.
DEFAULT_MEMORY = 2 << 30
#: Inputs with fewer bytes than this take minutes at most.
_SHORT = 256 << 20


def refine_file(
    path: str | Path,
    test: str = DEFAULT_TEST,
    direction: Direction = "both",
    rounds: int | None = None,
    *,
    master: str = DEFAULT_MASTER,
    checkpoint: str | Path | None = None,
    colours: str | Path | None = None,
    labels: str | Path | None = None,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = SILENT,
) -> RefinementSummary:
    """Refine the graph in a Parquet, TSV, CSV or N-Triples file until its colours are stable.

    ``master`` is any master URL of Spark; ``memory`` bytes go to each of its JVMs. ``checkpoint``
    is a folder from which a run that was cut off goes on. ``colours`` is a new folder for the
    tables ``vertices.parquet`` and ``rounds.parquet``. ``labels`` is a TSV of vertices and labels.
    """
    chosen = _check(test, direction, rounds)
    if colours is not None:
        check_place(colours)
    about: dict[str, Any] = {
        "path": str(path),
        "labels": None if labels is None else str(labels),
        "test": chosen.name,
        "direction": direction,
    }
    require_pyspark()
    from wlkg.refinement.engines.spark.output import write_colours
    from wlkg.refinement.engines.spark.running import Run
    from wlkg.refinement.engines.spark.tables import FromFile

    started = time.monotonic()
    origin = FromFile(str(path), about["labels"], chosen, direction)
    short = _is_short(master, origin.size)
    with spark_work(master, memory, about, checkpoint, short=short) as (session, work):
        run = Run(session, work, origin, progress)
        outcome = run.complete(rounds)
        entries = work.state["rounds"]
        summary = RefinementSummary(
            test=chosen.name,
            direction=direction,
            vertices=work.state["vertices"],
            arcs=work.state["arcs"],
            classes_per_round=tuple(entry["classes"] for entry in entries),
            stable=outcome.stable,
            exact=outcome.exact,
            proof=outcome.proof,
            indistinguishable_pairs=entries[-1]["pairs"],
            engine="spark",
            seconds=time.monotonic() - started,
        )
        if colours is not None:
            write_colours(colours, work, run.colours_of(run.rounds))
    return summary


def run_spark(
    problem: VertexProblem,
    last_round: int,
    progress: Progress,
    *,
    master: str = DEFAULT_MASTER,
    memory: int = DEFAULT_MEMORY,
) -> VertexRun:
    """Refine a graph that is in memory."""
    require_pyspark()
    from wlkg.refinement.engines.spark.in_memory import run_problem
    from wlkg.refinement.engines.spark.tables import FromMemory

    short = _is_short(master, FromMemory(problem).size)
    with spark_work(master, memory, {}, None, short=short) as (session, work):
        return run_problem(session, work, problem, last_round, progress)


@contextmanager
def spark_work(
    master: str,
    memory: int,
    about: dict[str, Any],
    checkpoint: str | Path | None,
    *,
    short: bool,
) -> Iterator[tuple[SparkSession, WorkFolder]]:
    """A session, and a work folder that is cleared if the run succeeds."""
    with scratch_folder() as scratch, without_pandas_warning():
        work = WorkFolder(scratch / "work" if checkpoint is None else Path(checkpoint), about)
        with (
            spark_session(master, memory, scratch, short=short) as session,
            failures_translated(master),
        ):
            yield session, work
            work.clear()


@contextmanager
def kept_session(master: str, memory: int = DEFAULT_MEMORY) -> Iterator[None]:
    """One session for all runs in the block: starting Spark takes seconds."""
    require_pyspark()
    with (
        scratch_folder() as scratch,
        without_pandas_warning(),
        spark_session(master, memory, scratch, short=_is_short(master, 0)),
    ):
        yield


def _is_short(master: str, size: int) -> bool:
    """Whether a run will be over before compiled code pays."""
    return master.startswith("local") and size < _SHORT


def _check(test: str, direction: str, rounds: int | None) -> VertexTest:
    chosen = find_test(test)
    if not isinstance(chosen, VertexTest) or chosen.name not in TESTS:
        raise UsageError(f"the Spark engine runs {', '.join(TESTS)}, not {test}")
    check_direction(direction)
    check_rounds(rounds)
    return chosen
