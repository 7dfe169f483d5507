"""``wlkg refine``: the stable colouring."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import (
    GraphArgument,
    MemoryOption,
    OutputsWithFigure,
    Reading,
    TestOption,
    check_tests,
    has_outputs_with_figure,
    memory_limit,
    reads_graphs,
)
from wlkg.shell.panels import OUTPUT


@has_outputs_with_figure
@reads_graphs
def refine(
    graph: GraphArgument,
    reading: Reading,
    outputs: OutputsWithFigure,
    test: TestOption = "1-rwl",
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds", metavar="N", help="Stop after N rounds; by default, when nothing changes."
        ),
    ] = None,
    colours: Annotated[
        str | None,
        typer.Option(
            "--colours",
            "--colors",
            metavar="OUT",
            help="Write every vertex and its colour to a .csv, .json or .parquet file.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    tuples: Annotated[
        str | None,
        typer.Option(
            "--tuples",
            metavar="OUT",
            help="Tests of tuples: write every tuple and its colour to such a file.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    max_memory: MemoryOption = None,
) -> None:
    """Run a WL test on a graph, round by round.

    The report shows how many classes of vertices, or of tuples of vertices, each round leaves, how
    many pairs can never be told apart, and the largest classes.

    \b
    Examples:
      wlkg refine museum.nt.xz
      wlkg refine people.ttl --test weak-rwl --literals drop
      wlkg refine example:c6 --test 2-rlwl --json
      wlkg refine people.ttl --colours colours.csv
    """
    from wlkg.progress import phase
    from wlkg.refinement.compiled.compilation import Stopwatch
    from wlkg.refinement.refine import refine as run
    from wlkg.reports.colours import check_colours_path, write_colours, write_tuple_colours
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.refine import print_refinement, refinement_document
    from wlkg.reports.steps_of_tests import after_refinement
    from wlkg.reports.terminal import note
    from wlkg.text import counted

    check_tests(test)
    limit = memory_limit(max_memory)
    for path in (colours, tuples):
        if path is not None:
            check_colours_path(path)
    loaded = reading.read(graph)
    watch = Stopwatch()
    refinement = run(loaded, test, rounds=rounds, max_memory=limit, progress=TerminalProgress())
    seconds, compiled = watch.seconds, watch.compiled
    for path, write, items in (
        (colours, write_colours, counted(loaded.num_vertices, "vertex", "vertices")),
        (tuples, write_tuple_colours, counted(refinement.num_items, "tuple", "tuples")),
    ):
        if path is not None:
            with phase(TerminalProgress(), f"writing {path}"):
                write(loaded, refinement, path)
            note(f"wrote the colours of {items} to {path}")
    outputs.present(
        "refine",
        lambda: {"graph": graph, **refinement_document(refinement, seconds, compiled)},
        lambda: print_refinement(graph, loaded, refinement, seconds, compiled),
        [reading.named(graph, loaded)],
        step=lambda: after_refinement(reading.asked(graph), refinement),
    )
