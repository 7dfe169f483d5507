"""``wlkg convert``: a graph from one format into another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wlkg.commands.options import ForceOption, GraphArgument, JsonOption, Reading, reads_graphs
from wlkg.commands.options.completing import complete_written_format


@reads_graphs
def convert(
    graph: GraphArgument,
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write; its suffix is the format.")
    ],
    reading: Reading,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="Format of OUT, as in nt or tsv; by default its suffix decides.",
            autocompletion=complete_written_format,
        ),
    ] = None,
    lossy: Annotated[
        bool,
        typer.Option("--lossy", help="Leave out what the format cannot hold, and say what."),
    ] = False,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Write a graph in another format.

    The suffix sets the format: .nt, .ttl, .trig, .n3, .rdf, .tsv, .csv, .parquet, .graphml, .json
    or .g6; add .gz to compress.

    \b
    Examples:
      wlkg convert example:family family.nt.gz
      wlkg convert family.nt.gz family.rdf
      wlkg convert example:c6 c6.graphml
    """
    from wlkg.progress import phase
    from wlkg.readers.read import input_file
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.next_steps import Asked, end_text
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.terminal import console, note, printable
    from wlkg.writers.formats import find_writer
    from wlkg.writers.overwriting import refuse_overwriting
    from wlkg.writers.write import write

    find_writer(Path(output), to)
    refuse_overwriting(output, inputs=(input_file(graph),), force=force)
    loaded = reading.read(graph)
    with phase(TerminalProgress(), f"writing {output}"):
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
    more = () if to is None else ("--format", to)
    end_text(Asked((output,)).step("info", "what was written", more=more))
