"""``wlkg estimate``: what each engine would need for a graph."""

from __future__ import annotations

from wlkg.commands.options import GraphArgument, Outputs, Reading, has_outputs, reads_graphs


@has_outputs
@reads_graphs
def estimate(graph: GraphArgument, reading: Reading, outputs: Outputs) -> None:
    """Estimate the memory and time that a WL test would need.

    The size of the file and its first triples tell how large the graph is. For each engine, the
    report shows the memory, the space on disk and the time that a vertex test would take, as orders
    of magnitude. Files in N-Triples, tables and Parquet are not read as a whole; others are.

    \b
    Examples:
      wlkg estimate wikidata.nt.gz
      wlkg estimate triples.parquet --direction out --json
    """
    import time

    from wlkg.refinement.engines.estimate import estimate as run
    from wlkg.reports.estimate import estimate_document, print_estimate
    from wlkg.reports.progressbar import TerminalProgress

    started = time.perf_counter()
    result = run(
        graph,
        format=reading.format,
        direction=reading.chosen_direction,
        options=reading.options(),
        progress=TerminalProgress(),
    )
    seconds = time.perf_counter() - started
    outputs.present(
        "estimate",
        lambda: {"graph": graph, **estimate_document(result), "seconds": seconds},
        lambda: print_estimate(graph, result),
    )
