"""``refine_file``: a vertex test on the triples of a file, in Spark.

Each round is a join, an aggregation and a table of colours on disk (`rounds`, `work_folder`), so a
run needs disk for the graph and memory for a few partitions of it. Per arc and round, some 50 bytes
are read and at most some 40 are shuffled. Unlike the local engine, every round costs as much as the
first: graphs that need thousands of rounds, such as long paths, are not for this engine.
"""

from __future__ import annotations

from pathlib import Path

from wlkg.catalogue import DEFAULT_TEST, Direction, VertexTest, check_direction, find_test
from wlkg.errors import UsageError
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines.spark.session import (
    failures_translated,
    require_pyspark,
    spark_session,
    without_pandas_warning,
)
from wlkg.refinement.engines.spark.work_folder import (
    WorkFolder,
    check_place,
    input_size,
)
from wlkg.refinement.engines.summary import RefinementSummary
from wlkg.writers.scratch import scratch_folder

TESTS = ("1-wl", "weak-rwl", "1-rwl", "mean-rwl")
_GIBIBYTE = 1 << 30
#: Inputs with fewer bytes than this take minutes at most.
_SHORT = 256 << 20


def refine_file(
    path: str | Path,
    test: str = DEFAULT_TEST,
    direction: Direction = "both",
    rounds: int | None = None,
    *,
    master: str = "local[*]",
    checkpoint: str | Path | None = None,
    colours: str | Path | None = None,
    labels: str | Path | None = None,
    memory: int = 2 * _GIBIBYTE,
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
    about = {
        "path": str(path),
        "labels": None if labels is None else str(labels),
        "test": chosen.name,
        "direction": direction,
    }
    require_pyspark()
    from wlkg.refinement.engines.spark.running import Run

    with scratch_folder() as scratch, without_pandas_warning():
        work = WorkFolder(scratch / "work" if checkpoint is None else Path(checkpoint), about)
        short = master.startswith("local") and input_size(str(path)) < _SHORT
        with (
            spark_session(master, memory, scratch, short=short) as session,
            failures_translated(master),
        ):
            run = Run(session, work, chosen, direction, progress)
            summary = run.complete(str(path), None if labels is None else str(labels), rounds)
            if colours is not None:
                run.write(colours)
            work.clear()
    return summary


def _check(test: str, direction: str, rounds: int | None) -> VertexTest:
    chosen = find_test(test)
    if not isinstance(chosen, VertexTest) or chosen.name not in TESTS:
        raise UsageError(f"the Spark engine runs {', '.join(TESTS)}, not {test}")
    check_direction(direction)
    if rounds is not None and rounds < 0:
        raise UsageError(f"the number of rounds must not be negative, found {rounds}")
    return chosen
