"""``wlkg symmetry``: orbits against classes."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.catalogue import DEFAULT_TEST
from wlkg.commands.options import (
    GraphArgument,
    MemoryOption,
    Outputs,
    Reading,
    check_tests,
    has_outputs,
    memory_limit,
    reads_graphs,
    tests_option,
)
from wlkg.shell.panels import OUTPUT


@has_outputs
@reads_graphs
def symmetry(
    graph: GraphArgument,
    reading: Reading,
    outputs: Outputs,
    test: Annotated[list[str] | None, tests_option(default=DEFAULT_TEST, links=False)] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="N", min=0, help="Time limit of the search.")
    ] = 60.0,
    orbits: Annotated[
        str | None,
        typer.Option(
            "--orbits",
            metavar="OUT",
            help="Write every vertex and its orbit to a .csv, .json or .parquet file.",
            rich_help_panel=OUTPUT,
            show_default=False,
        ),
    ] = None,
    max_memory: MemoryOption = None,
) -> None:
    """Show whether any model could separate more than a WL test.

    Two vertices that a symmetry of the graph maps to each other look the same to every invariant
    model. If all vertices that the test cannot tell apart are such vertices, the test is complete
    on this graph. Otherwise the report names a pair that a stronger test could separate.

    Symmetries preserve labels, relations and directions, and each is checked arc by arc. Highly
    regular graphs need an optional part: pip install 'wlkg[symmetry]'

    \b
    Examples:
      wlkg symmetry museum.nt.xz
      wlkg symmetry people.ttl --test 1-wl --test weak-rwl --test 1-rwl
      wlkg symmetry people.ttl --orbits orbits.csv
      wlkg symmetry example:petersen --json
    """
    from wlkg.analysis.symmetry.symmetry import symmetry as run
    from wlkg.progress import phase
    from wlkg.reports.colours import check_colours_path, write_orbits
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_tests import after_symmetry
    from wlkg.reports.symmetry import print_symmetry, symmetry_document

    tests = test or [DEFAULT_TEST]
    check_tests(*tests)
    limit = memory_limit(max_memory)
    if orbits is not None:
        check_colours_path(orbits, "orbits")
    loaded = reading.read(graph)
    result = run(loaded, tests, seconds=seconds, max_memory=limit, progress=TerminalProgress())
    if orbits is not None:
        with phase(TerminalProgress(), "writing orbits"):
            write_orbits(loaded, result.orbits, orbits)
    outputs.present(
        "symmetry",
        lambda: {"graph": graph, **symmetry_document(result)},
        lambda: print_symmetry(graph, loaded, result),
        [reading.named(graph, loaded)],
        step=lambda: after_symmetry(reading.asked(graph), result),
    )
