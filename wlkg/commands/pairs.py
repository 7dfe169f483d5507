"""``wlkg pairs``: which vertex pairs a test separates."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import (
    AmongOption,
    DeviceOption,
    EngineOption,
    GraphArgument,
    MasterOption,
    MemoryOption,
    Outputs,
    PrefixOption,
    Reading,
    SourcesOption,
    TestOption,
    check_engine_options,
    check_tests,
    engine_in_memory,
    has_outputs,
    memory_limit,
    reads_graphs,
)
from wlkg.commands.options.completing import complete_test
from wlkg.commands.options.single import lower_case
from wlkg.shell.panels import OUTPUT


@has_outputs
@reads_graphs
def pairs(
    graph: GraphArgument,
    reading: Reading,
    outputs: Outputs,
    test: TestOption = "1-rwl",
    not_by: Annotated[
        str | None,
        typer.Option(
            "--not-by",
            metavar="TEST",
            help="Only pairs that this other test does not separate.",
            callback=lower_case,
            autocompletion=complete_test,
        ),
    ] = None,
    same: Annotated[
        bool, typer.Option("--same", help="The pairs that the tests do not separate instead.")
    ] = False,
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            metavar="N",
            min=0,
            help="List at most N pairs.",
            rich_help_panel=OUTPUT,
        ),
    ] = 20,
    among: AmongOption = None,
    sources: SourcesOption = None,
    prefix: PrefixOption = None,
    engine: EngineOption = "auto",
    device: DeviceOption = None,
    master: MasterOption = None,
    max_memory: MemoryOption = None,
) -> None:
    """List the vertex pairs that a WL test separates.

    Each pair comes with the first round that separates it. With --not-by, the list shows what a
    test sees and another one does not.

    With --same, the pairs that it does not separate; with --same --not-by, those that neither test
    separates.

    With --sources, the tests rawl2 and rawl2-all of link prediction separate two vertices if one of
    these sources gives them different colours.

    \b
    Examples:
      wlkg pairs people.ttl --same
      wlkg pairs museum.nt.xz --test 1-rwl --not-by weak-rwl
      wlkg pairs people.ttl --test 2-rlwl --not-by 1-rwl
      wlkg pairs people.ttl --test rawl2 --sources students.txt --not-by 1-rwl
      wlkg pairs people.ttl --among students.txt --limit 100 --json
    """
    from wlkg.analysis.pairs import pairs_of_tests
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.graph.prefixes import parse_prefixes
    from wlkg.readers.tables import read_vertices
    from wlkg.refinement.sources import check_sources
    from wlkg.reports.pairs import pairs_document, print_pairs
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_tests import after_pairs

    most_bytes = memory_limit(max_memory)
    check_tests(test, not_by)
    check_engine_options(engine, device, test, not_by, master=master)
    if sources is not None:
        check_sources(test)
    prefixes = parse_prefixes(prefix or [])
    loaded = reading.read(graph)
    chosen = None if among is None else read_vertices(loaded, among, prefixes)
    asking = None if sources is None else read_vertices(loaded, sources, prefixes).tolist()
    watch = Stopwatch()
    result = pairs_of_tests(
        loaded,
        test,
        not_by,
        same=same,
        among=chosen,
        sources=asking,
        limit=limit,
        max_memory=most_bytes,
        engine=engine_in_memory(engine, device, most_bytes, master),
        progress=TerminalProgress(),
    )
    seconds = watch.seconds
    outputs.present(
        "pairs",
        lambda: {"graph": graph, **pairs_document(result), "seconds": seconds},
        lambda: print_pairs(result, loaded),
        [reading.named(graph, loaded)],
        step=lambda: after_pairs(reading.asked(graph), result),
    )
