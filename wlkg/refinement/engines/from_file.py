"""Refine a graph that stays in its file, with the engine that was chosen."""

from __future__ import annotations

from wlkg.catalogue import Direction
from wlkg.engines import EngineChoice
from wlkg.errors import UsageError
from wlkg.progress import SILENT, Progress
from wlkg.readers.options import ReadOptions
from wlkg.readers.streaming import can_stream
from wlkg.refinement.engines.spark.formats import reads_in_place
from wlkg.refinement.engines.summary import RefinementSummary


def stays_in_file(
    engine: EngineChoice,
    path: str,
    *,
    format: str | None,  # noqa: A002
    labels: str | None,
) -> bool:
    """Whether the engine refines this graph without a graph in memory."""
    if engine.name == "spark":
        return reads_in_place(path)
    return engine.name == "duckdb" and labels is None and can_stream(path, format)


def refine_from_file(
    engine: EngineChoice,
    path: str,
    test: str,
    direction: Direction | None = None,
    rounds: int | None = None,
    *,
    format: str | None = None,  # noqa: A002
    options: ReadOptions | None = None,
    labels: str | None = None,
    colours: str | None = None,
    progress: Progress = SILENT,
) -> RefinementSummary:
    """Run a vertex test; ``colours`` names where vertices and their colours are written.

    Options that an engine does not heed are errors.
    """
    if engine.name == "spark":
        if format is not None or (options or ReadOptions()) != ReadOptions():
            raise UsageError(
                "the engine spark knows a file by its suffix and has no options for reading but"
                " --direction and --labels. Write the graph with wlkg convert first"
            )
        from wlkg.refinement.engines.spark import run as spark

        memory = {} if engine.max_memory is None else {"memory": engine.max_memory}
        return spark.refine_file(
            path,
            test,
            direction or "both",
            rounds,
            master=engine.master,
            checkpoint=engine.checkpoint,
            colours=colours,
            labels=labels,
            progress=progress,
            **memory,
        )
    from wlkg.refinement.engines.duckdb_engine.files import refine_file

    return refine_file(
        path,
        test,
        direction,
        rounds,
        format=format,
        options=options,
        colours=colours,
        max_memory=engine.max_memory,
        progress=progress,
    )
