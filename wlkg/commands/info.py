"""``wlkg info``: what was loaded."""

from __future__ import annotations

from typing import Any

from wlkg.commands.options import GraphArgument, Outputs, Reading, has_outputs, reads_graphs


@has_outputs
@reads_graphs
def info(graph: GraphArgument, reading: Reading, outputs: Outputs) -> None:
    """Show the vertices, triples and relations of a graph.

    \b
    Examples:
      wlkg info museum.nt.xz
      wlkg info WN18RR --splits train,valid,test
      wlkg info people.tsv --columns head,tail --json
    """
    import time

    from wlkg.reports.info import print_summaries, summary
    from wlkg.reports.steps_of_tests import after_info

    started = time.perf_counter()
    several = graph.endswith("#all")
    graphs = reading.read_all(graph) if several else [reading.read(graph)]
    seconds = time.perf_counter() - started
    summaries = [summary(loaded) for loaded in graphs]
    counts: dict[str, Any] = {"graphs": summaries} if several else summaries[0]
    outputs.present(
        "info",
        lambda: {"graph": graph, **counts, "seconds": seconds},
        lambda: print_summaries(graph, summaries, seconds, graphs[0]),
        [] if several else [reading.named(graph, graphs[0])],
        step=lambda: None if several else after_info(reading.asked(graph)),
    )
