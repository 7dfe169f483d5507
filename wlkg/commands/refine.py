"""``wlkg refine``: the stable colouring."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import (
    GraphArgument,
    JsonOption,
    MemoryOption,
    Reading,
    TestOption,
    check_tests,
    memory_limit,
    reads_graphs,
)


@reads_graphs
def refine(
    graph: GraphArgument,
    reading: Reading,
    test: TestOption = "1-rwl",
    rounds: Annotated[
        int | None, typer.Option("--rounds", help="Stop after this many rounds.")
    ] = None,
    colours: Annotated[
        str | None,
        typer.Option(
            "--colours",
            metavar="OUT",
            help="Write every vertex and its colour to a .csv, .json or .parquet file.",
        ),
    ] = None,
    tuples: Annotated[
        str | None,
        typer.Option(
            "--tuples", metavar="OUT", help="Tests of tuples: write every tuple and its colour."
        ),
    ] = None,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Run a WL test and show, round by round, which vertices or tuples it separates.

    \b
    Examples:
      wlkg refine museum.nt.xz
      wlkg refine people.ttl --test weak-rwl --literals drop
      wlkg refine example:c6 --test 2-rlwl --json
      wlkg refine people.ttl --colours colours.csv
    """
    import time

    from wlkg.refinement.refine import refine as run
    from wlkg.reports.colours import check_colours_path, write_colours, write_tuple_colours
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.refine import print_refinement, refinement_document

    check_tests(test)
    limit = memory_limit(max_memory)
    for path in (colours, tuples):
        if path is not None:
            check_colours_path(path)
    loaded = reading.read(graph)
    started = time.perf_counter()
    refinement = run(loaded, test, rounds=rounds, max_memory=limit, progress=TerminalProgress())
    seconds = time.perf_counter() - started
    if colours is not None:
        write_colours(loaded, refinement, colours)
    if tuples is not None:
        write_tuple_colours(loaded, refinement, tuples)
    if json:
        print_json("refine", {"graph": graph, **refinement_document(refinement, seconds)})
    else:
        print_refinement(graph, loaded, refinement, seconds)
