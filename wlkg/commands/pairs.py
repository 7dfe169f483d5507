"""``wlkg pairs``: which vertex pairs a test separates."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import (
    AmongOption,
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
def pairs(
    graph: GraphArgument,
    reading: Reading,
    test: TestOption = "1-rwl",
    not_by: Annotated[
        str | None,
        typer.Option(
            "--not-by", metavar="TEST", help="Only pairs that this test does not separate."
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="List at most this many pairs.")
    ] = 20,
    among: AmongOption = None,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Count and list the vertex pairs that a test separates, with the separating round.

    \b
    Examples:
      wlkg pairs museum.nt.xz --test 1-rwl --not-by weak-rwl
      wlkg pairs people.ttl --test 2-rlwl --not-by 1-rwl
      wlkg pairs people.ttl --among students.txt --limit 100 --json
    """
    import time

    from wlkg.analysis.pairs import pairs_of_tests
    from wlkg.readers.tables import read_vertices
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.pairs import pairs_document, print_pairs
    from wlkg.reports.progressbar import TerminalProgress

    most_bytes = memory_limit(max_memory)
    check_tests(test, not_by)
    loaded = reading.read(graph)
    chosen = None if among is None else read_vertices(loaded, among)
    started = time.perf_counter()
    result = pairs_of_tests(
        loaded,
        test,
        not_by,
        among=chosen,
        limit=limit,
        max_memory=most_bytes,
        progress=TerminalProgress(),
    )
    seconds = time.perf_counter() - started
    if json:
        print_json("pairs", {"graph": graph, **pairs_document(result), "seconds": seconds})
    else:
        print_pairs(result)
