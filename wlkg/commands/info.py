"""``wlkg info``: what was loaded."""

from __future__ import annotations

from wlkg.commands.options import GraphArgument, JsonOption, Reading, reads_graphs


@reads_graphs
def info(graph: GraphArgument, reading: Reading, json: JsonOption = False) -> None:
    """Show what a graph contains: vertices, triples, relations and how often each occurs.

    \b
    Examples:
      wlkg info museum.nt.xz
      wlkg info WN18RR --splits train,valid,test
      wlkg info people.tsv --columns head,tail --json
    """
    import time

    from wlkg.reports.info import print_summaries, summary
    from wlkg.reports.jsondoc import print_json

    started = time.perf_counter()
    several = graph.endswith("#all")
    graphs = reading.read_all(graph) if several else [reading.read(graph)]
    seconds = time.perf_counter() - started
    summaries = [summary(loaded) for loaded in graphs]
    if not json:
        print_summaries(graph, summaries, seconds)
    elif several:
        print_json("info", {"graph": graph, "graphs": summaries, "seconds": seconds})
    else:
        print_json("info", {"graph": graph, **summaries[0], "seconds": seconds})
