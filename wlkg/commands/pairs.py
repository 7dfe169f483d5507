"""``wlkg pairs``: which vertex pairs a test separates."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import (
    GraphArgument,
    JsonOption,
    MemoryOption,
    Reading,
    TestOption,
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
        typer.Option("--not-by", metavar="TEST", help="Only pairs that this test leaves together."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="List at most so many pairs.")] = 20,
    among: Annotated[
        str | None,
        typer.Option("--among", metavar="FILE", help="Only these vertices, one name per line."),
    ] = None,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Count and list the vertex pairs that a test separates, with the round.

    \b
    Examples:
      wlkg pairs museum.nt.xz --test 1-rwl --not-by weak-rwl
      wlkg pairs people.ttl --test 2-rlwl --not-by 1-rwl
      wlkg pairs people.ttl --among students.txt --limit 100 --json
    """
    import time

    from wlkg.analysis.pairs import separated_pairs
    from wlkg.catalogue import find_test
    from wlkg.readers.tables import read_vertices
    from wlkg.refinement.refine import refine as run
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.pairs import print_pairs
    from wlkg.reports.progressbar import TerminalProgress

    limit_of_memory = memory_limit(max_memory)
    for name in (test, not_by):
        if name is not None:
            find_test(name)
    loaded = reading.read(graph)
    chosen = None if among is None else read_vertices(loaded, among)
    started = time.perf_counter()
    fine, coarse = (
        None
        if name is None
        else run(loaded, name, max_memory=limit_of_memory, progress=TerminalProgress())
        for name in (test, not_by)
    )
    assert fine is not None
    found = separated_pairs(fine, coarse, among=chosen, limit=limit)
    seconds = time.perf_counter() - started
    named = [[loaded.vertex_names[v], loaded.vertex_names[w], t] for v, w, t in found.pairs]
    if not json:
        print_pairs(test, not_by, found.count, named)
        return
    exact = fine.exact and (coarse is None or coarse.exact)
    tests = {"test": test, "not_by": not_by, "direction": fine.direction, "exact": exact}
    print_json(
        "pairs", {"graph": graph, **tests, "count": found.count, "pairs": named, "seconds": seconds}
    )
