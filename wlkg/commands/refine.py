"""``wlkg refine``: the stable colouring."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import GraphArgument, JsonOption, Reading, TestOption, reads_graphs


@reads_graphs
def refine(
    graph: GraphArgument,
    reading: Reading,
    test: TestOption = "1-rwl",
    rounds: Annotated[
        int | None, typer.Option("--rounds", help="Stop after so many rounds.")
    ] = None,
    colours: Annotated[
        str | None,
        typer.Option(
            "--colours",
            metavar="OUT",
            help="Write vertex and colour to a .csv, .json or .parquet file.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Run a WL test and tell, round by round, which vertices it separates.

    \b
    Examples:
      wlkg refine museum.nt.xz
      wlkg refine people.ttl --test weak-rwl --literals drop
      wlkg refine example:c6 --json
      wlkg refine people.ttl --colours colours.csv
    """
    import time

    from wlkg.refinement import find_test
    from wlkg.refinement import refine as run
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.refinement import (
        check_colours_path,
        print_refinement,
        refinement_document,
        write_colours,
    )

    find_test(test)
    if colours is not None:
        check_colours_path(colours)
    loaded = reading.read(graph)
    started = time.perf_counter()
    result = run(loaded, test, rounds=rounds, progress=TerminalProgress())
    seconds = time.perf_counter() - started
    if colours is not None:
        write_colours(loaded, result, colours)
    if json:
        print_json("refine", {"graph": graph, **refinement_document(result, seconds)})
    else:
        print_refinement(graph, loaded, result, seconds)
