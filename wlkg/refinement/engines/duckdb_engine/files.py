"""Refine a graph from its file to a summary and a file of colours; no graph is in memory."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import cast

from wlkg.catalogue import DEFAULT_TEST, Direction, VertexTest, check_direction, find_test
from wlkg.engines import check_rounds
from wlkg.errors import InputError, OutputError, TooLargeError
from wlkg.progress import SILENT, Progress, phase
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import Source
from wlkg.readers.streaming import stream_triples
from wlkg.refinement.engines.duckdb_engine.database import Database, opened_database
from wlkg.refinement.engines.duckdb_engine.loading import DatabaseTriples, make_arcs, number_names
from wlkg.refinement.engines.duckdb_engine.rounds import DatabaseRounds, MissedSplitError
from wlkg.refinement.engines.summary import RefinementSummary
from wlkg.refinement.proof import ATTEMPTS, EVERY_ROUND
from wlkg.writers.aside import written_aside

#: How the colours can be written.
_COPY = {".parquet": "FORMAT parquet, COMPRESSION zstd", ".csv": "FORMAT csv, HEADER"}
#: Bytes of a block of input: readers work on several blocks, each of which they keep several times.
_BLOCK = 4 << 20
#: The most vertices: their numbers have 32 bits.
_MOST_VERTICES = 2**31 - 1


def refine_file(
    path: str,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    rounds: int | None = None,
    *,
    format: str | None = None,  # noqa: A002
    options: ReadOptions | None = None,
    colours: str | None = None,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> RefinementSummary:
    """Run a vertex test on the graph in a file, in a database with limited memory.

    ``colours`` names a .parquet or .csv file for vertices and their colours.
    """
    chosen = cast("VertexTest", find_test(test))
    mode = check_direction(direction or "both")
    check_rounds(rounds)
    check_colours(colours)
    started = time.perf_counter()
    with opened_database(max_memory) as database:
        triples = DatabaseTriples(database, progress)
        reading = options or ReadOptions()
        source = Source(path, progress, reading.max_input, most_at_once=_BLOCK)
        notes = stream_triples(source, format, reading, triples)
        if not len(triples):
            raise InputError("the file holds no triple", path=path)
        with phase(progress, "numbering the names"):
            number_names(database)
        vertices = database.value("SELECT count(*) FROM vertices")
        if vertices > _MOST_VERTICES:
            raise TooLargeError(f"{path} has {vertices:,} vertices, more than {_MOST_VERTICES:,}")
        with phase(progress, "building arcs"):
            relations = make_arcs(database, chosen, mode)
        last_round = vertices + 1 if rounds is None else rounds
        run, stable = _run(database, chosen, relations, last_round, progress)
        last = f"colour_{run.rounds}"
        summary = RefinementSummary(
            test=chosen.name,
            direction=mode,
            vertices=vertices,
            arcs=database.value("SELECT count(*) FROM all_arcs"),
            classes_per_round=tuple(run.classes_per_round),
            stable=stable,
            exact=True,
            proof=EVERY_ROUND,
            indistinguishable_pairs=database.value(
                f"SELECT sum(n * (n - 1) // 2) FROM (SELECT count(*)::HUGEINT AS n FROM {last}"
                " GROUP BY c)"
            ),
            engine="duckdb",
            seconds=time.perf_counter() - started,
            notes=notes,
        )
        if colours is not None:
            with phase(progress, f"writing {colours}"):
                _write_colours(database, last, Path(colours))
    return summary


def check_colours(path: str | None) -> None:
    """Refuse a file of colours that this engine cannot write, before any work is done."""
    if path is None:
        return
    if Path(path).suffix.lower() not in _COPY:
        raise OutputError(
            f"{path}: the engine duckdb writes colours as {' or '.join(_COPY)}, by suffix"
        )
    if not Path(path).resolve().parent.is_dir():
        raise OutputError(f"{path}: there is no such folder")


def _run(
    database: Database, test: VertexTest, relations: int, last_round: int, progress: Progress
) -> tuple[DatabaseRounds, bool]:
    """A run that passed the check of every round, and whether it became stable."""
    progress.start(f"refining by {test.name}", None, "rounds")
    try:
        for seed in range(ATTEMPTS):
            database.run(
                "CREATE OR REPLACE TABLE colour_0 AS"
                " SELECT rowid::INTEGER AS v, 0::INTEGER AS c FROM vertices"
            )
            rounds = DatabaseRounds(database, test, relations, seed)
            try:
                return rounds, rounds.run(last_round, progress)
            except MissedSplitError:
                continue
    finally:
        progress.finish()
    raise AssertionError("every attempt failed the check, which is less likely than a broken disk")


def _write_colours(database: Database, last: str, path: Path) -> None:
    """Write vertices and colours in order; colours are numbered by first occurrence."""
    copy = database.folder / f"colours{path.suffix.lower()}"
    database.run_in_order(
        f"CREATE OR REPLACE TABLE classes AS SELECT DISTINCT c FROM {last} ORDER BY c"
    )
    database.run_in_order(
        f"COPY (SELECT vertices.name AS vertex, classes.rowid::BIGINT AS colour"
        f" FROM vertices JOIN {last} k ON vertices.rowid = k.v JOIN classes ON k.c = classes.c"
        f" ORDER BY vertices.rowid) TO '{_quoted(copy)}' ({_COPY[path.suffix.lower()]})"
    )
    with written_aside(path) as stream, copy.open("rb") as written:
        shutil.copyfileobj(written, stream)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
