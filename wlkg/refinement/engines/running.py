"""Runs a vertex problem with a named engine; engines are loaded when they are first chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from wlkg.engines import DEFAULT_ENGINE, LOCAL, EngineChoice
from wlkg.progress import SILENT, Progress
from wlkg.refinement.vertices.vertex_problem import VertexProblem
from wlkg.refinement.vertices.vertex_tests import (
    VertexRun,
    last_round_of,
    run_textbook,
    run_worklist,
)

Engine = Callable[[VertexProblem, int, Progress], VertexRun]

#: The obvious slow engine, for tests and as the last resort; the command line does not offer it.
TEXTBOOK = "textbook"


def run_with_engine(
    problem: VertexProblem,
    last_round: int | None = None,
    *,
    engine: EngineChoice = DEFAULT_ENGINE,
    progress: Progress = SILENT,
) -> VertexRun:
    """Refine until nothing changes or the last round is reached."""
    run = LOADERS[engine.name](engine)
    return run(problem, last_round_of(problem, last_round), progress)


def _load_torch(engine: EngineChoice) -> Engine:
    from wlkg.refinement.engines.torch_engine.run import run_torch

    return partial(run_torch, device=engine.device)


def _load_duckdb(engine: EngineChoice) -> Engine:
    from wlkg.refinement.engines.duckdb_engine.run import run_duckdb

    return partial(run_duckdb, max_memory=engine.max_memory)


def _load_spark(engine: EngineChoice) -> Engine:
    from wlkg.refinement.engines.spark.run import run_spark

    return partial(run_spark, **_spark_settings(engine))


def _spark_settings(engine: EngineChoice) -> dict[str, Any]:
    memory = {} if engine.max_memory is None else {"memory": engine.max_memory}
    return {"master": engine.master, **memory}


@contextmanager
def engine_kept_open(engine: EngineChoice) -> Iterator[None]:
    """For several runs with one engine: Spark, which takes seconds to start, starts once."""
    if engine.name != "spark":
        yield
        return
    from wlkg.refinement.engines.spark.run import kept_session

    with kept_session(**_spark_settings(engine)):
        yield


LOADERS: dict[str, Callable[[EngineChoice], Engine]] = {
    LOCAL: lambda _: run_worklist,
    TEXTBOOK: lambda _: run_textbook,
    "torch": _load_torch,
    "duckdb": _load_duckdb,
    "spark": _load_spark,
}
