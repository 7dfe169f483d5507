"""``wlkg compare``: which tests separate two graphs."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import (
    ExitZeroOption,
    JsonOption,
    MemoryOption,
    Reading,
    check_tests,
    memory_limit,
    reads_graphs,
    tests_option,
)


def _graph(metavar: str) -> typer.models.ArgumentInfo:
    help_text = "A file, a folder, FILE#3, or example:NAME."
    return typer.Argument(metavar=metavar, help=help_text, show_default=False)  # type: ignore[no-any-return]


@reads_graphs
def compare(
    one: Annotated[str, _graph("G")],
    two: Annotated[str, _graph("H")],
    reading: Reading,
    test: Annotated[
        list[str] | None,
        tests_option(default="1-wl, weak-rwl, 1-rwl, 2-rlwl and 3-rlwl"),
    ] = None,
    max_memory: MemoryOption = None,
    isomorphism_seconds: Annotated[
        float, typer.Option(min=0, help="Time limit of the isomorphism search, in seconds.")
    ] = 10.0,
    exit_zero: ExitZeroOption = False,
    json: JsonOption = False,
) -> None:
    """Show which WL tests separate two graphs, at which round, and whether they are isomorphic.

    Exit status 0: no test separates them, or --exit-zero is given; 1: some test separates them.

    \b
    Examples:
      wlkg compare example:c6 example:2xc3
      wlkg compare before.ttl after.ttl --literals drop
      wlkg compare pairs.g6#1 pairs.g6#2 --test 2-fwl --test 3-wl
    """
    import time

    from wlkg.analysis.compare import compare as run
    from wlkg.reports.compare import comparison_document, print_comparison
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress

    check_tests(*(test or ()))
    limit = memory_limit(max_memory)
    graphs = (reading.read(one), reading.read(two))
    started = time.perf_counter()
    comparison = run(
        *graphs,
        test or None,
        max_memory=limit,
        isomorphism_seconds=isomorphism_seconds,
        progress=TerminalProgress(),
    )
    seconds = time.perf_counter() - started
    if json:
        content = {"graphs": [one, two], **comparison_document(comparison), "seconds": seconds}
        print_json("compare", content)
    else:
        print_comparison((one, two), graphs, comparison, seconds)
    if comparison.separated and not exit_zero:
        raise typer.Exit(1)
