"""``wlkg classes``: which vertices cannot be told apart."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import (
    AmongOption,
    GraphArgument,
    MemoryOption,
    Outputs,
    PrefixOption,
    Reading,
    TestOption,
    check_tests,
    has_outputs,
    memory_limit,
    reads_graphs,
)
from wlkg.commands.options.single import quiet_option
from wlkg.shell.panels import OUTPUT


@has_outputs
@reads_graphs
def classes(
    graph: GraphArgument,
    reading: Reading,
    outputs: Outputs,
    test: TestOption = "1-rwl",
    round: Annotated[  # noqa: A002
        int | None,
        quiet_option(
            "--round", metavar="N", min=0, help="The classes of round N; by default the last."
        ),
    ] = None,
    type: Annotated[  # noqa: A002
        str | None,
        quiet_option("--type", metavar="IRI", help="Only vertices of this rdf:type."),
    ] = None,
    among: AmongOption = None,
    prefix: PrefixOption = None,
    min_size: Annotated[
        int,
        typer.Option("--min-size", metavar="N", min=1, help="List classes of at least N vertices."),
    ] = 2,
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            metavar="N",
            min=0,
            help="List at most N classes.",
            rich_help_panel=OUTPUT,
        ),
    ] = 20,
    members: Annotated[
        int,
        typer.Option(
            "--members",
            metavar="N",
            min=0,
            help="Name at most N vertices of each class.",
            rich_help_panel=OUTPUT,
        ),
    ] = 3,
    max_memory: MemoryOption = None,
) -> None:
    """List groups of vertices that a WL test cannot tell apart.

    The largest come first. Each group is shown with its size, its first members by name, and the
    round since which the test separates it from all others.

    \b
    Examples:
      wlkg classes museum.nt.xz
      wlkg classes people.ttl --type foaf:Person --min-size 10
      wlkg classes people.ttl --among students.txt --round 2
      wlkg classes people.ttl --test weak-rwl --limit 100 --members 1000 --json
    """
    from wlkg.analysis.classes import classes as run
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.graph.prefixes import parse_prefixes
    from wlkg.readers.tables import read_vertices
    from wlkg.reports.classes import classes_document, print_classes
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_tests import after_classes

    check_tests(test)
    most_bytes = memory_limit(max_memory)
    prefixes = parse_prefixes(prefix or [])
    loaded = reading.read(graph)
    watch = Stopwatch()
    result = run(
        loaded,
        test,
        round=round,
        type=type,
        among=None if among is None else read_vertices(loaded, among, prefixes),
        min_size=min_size,
        limit=limit,
        members=members,
        prefixes=prefixes,
        max_memory=most_bytes,
        progress=TerminalProgress(),
    )
    seconds = watch.seconds
    outputs.present(
        "classes",
        lambda: {"graph": graph, **classes_document(result), "seconds": seconds},
        lambda: print_classes(graph, result, loaded),
        [reading.named(graph, loaded)],
        step=lambda: after_classes(reading.asked(graph), result),
    )
