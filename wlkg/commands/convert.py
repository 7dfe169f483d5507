"""``wlkg convert``: a graph from one format into another."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import GraphArgument, JsonOption, Reading, reads_graphs


@reads_graphs
def convert(
    graph: GraphArgument,
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write; its suffix sets the format.")
    ],
    reading: Reading,
    to: Annotated[
        str | None, typer.Option("--to", help="The output format, if the suffix does not show it.")
    ] = None,
    lossy: Annotated[
        bool, typer.Option("--lossy", help="Drop what the format cannot hold.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Write a graph in another format.

    The suffix sets the format: .nt, .tsv, .csv, .parquet, .graphml, .json or .g6; add .gz to
    compress.

    \b
    Examples:
      wlkg convert family.ttl family.nt.gz
      wlkg convert example:c6 c6.graphml
    """
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.terminal import console, note, printable
    from wlkg.writers.write import write

    loaded = reading.read(graph)
    losses = write(loaded, output, format=to, lossy=lossy)
    if json:
        counts = {
            "vertices": loaded.num_vertices,
            "triples": loaded.num_triples,
            "relations": loaded.num_relations,
        }
        print_json("convert", {"graph": graph, "output": output, **counts, "lost": list(losses)})
        return
    for loss in losses:
        note(f"not kept: {loss}")
    console().print(f"{printable(output)}: {loaded.counts}", soft_wrap=True)
