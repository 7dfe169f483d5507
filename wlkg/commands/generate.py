"""``wlkg generate``: a graph of any size, like a real one or by a rule, straight to a file."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import ForceOption, JsonOption, Reading, reads_graphs
from wlkg.commands.options.completing import (
    complete_generated,
    complete_graph,
    complete_written_format,
)
from wlkg.commands.options.single import quiet_option
from wlkg.shell.panels import OUTPUT


@reads_graphs
def generate(
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write: .tsv, .nt or .parquet; add .gz to compress.",
            rich_help_panel=OUTPUT,
        ),
    ],
    reading: Reading,
    family: Annotated[
        str | None,
        typer.Argument(
            metavar="FAMILY",
            help="A rule: random, path, tree, grid or cfi.",
            show_default=False,
            autocompletion=complete_generated,
        ),
    ] = None,
    like: Annotated[
        str | None,
        quiet_option(
            "--like",
            metavar="GRAPH",
            help="Follow this graph: a file, a folder or example:NAME.",
            autocompletion=complete_graph,
        ),
    ] = None,
    vertices: Annotated[
        int | None, quiet_option("--vertices", metavar="N", help="The number of vertices.")
    ] = None,
    triples: Annotated[
        int | None,
        quiet_option("--triples", metavar="M", help="random: distinct triples, by default 4 N."),
    ] = None,
    relations: Annotated[
        int | None,
        quiet_option("--relations", metavar="R", help="random: relations, by default 1."),
    ] = None,
    branching: Annotated[
        int | None,
        quiet_option(
            "--branching",
            metavar="B",
            help="tree: the complete tree with B children per vertex; by default a parent is drawn"
            " among all earlier vertices.",
        ),
    ] = None,
    width: Annotated[
        int | None,
        quiet_option(
            "--width", metavar="W", help="grid: vertices in a row; by default a square, nearly."
        ),
    ] = None,
    k: Annotated[
        int | None,
        quiet_option("-k", metavar="K", help="cfi: the k of the paper's graph G_k."),
    ] = None,
    odd: Annotated[bool, quiet_option("--odd", help="cfi: H_k instead of G_k.")] = False,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Another seed gives another graph.")
    ] = 0,
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="Number the vertices in random order.")
    ] = False,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="Format of FILE: tsv, nt or parquet; by default its suffix decides.",
            rich_help_panel=OUTPUT,
            autocompletion=complete_written_format,
        ),
    ] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Write a graph of any size: like a real one, or by a rule.

    --like follows a real graph of n vertices: every vertex copies a real one. It begins and ends
    as many triples of each relation, so each relation keeps its degrees and has N/n times its
    triples. Who is joined to whom is random; triples that chance repeats are left out.

    Vertices are numbered. All families but random are undirected; an edge is one triple. The file
    depends on options and seed alone, and is never held in memory.

    \b
    Examples:
      wlkg generate --like museum.nt.gz --vertices 10000000 --seed 1 -o large.parquet
      wlkg generate random --vertices 1000000 --triples 4000000 --relations 10 -o random.tsv
      wlkg generate tree --vertices 1000000 --branching 2 -o tree.nt.gz
      wlkg generate cfi -k 12 -o cfi.tsv
    """
    from wlkg.generation.generate import check_output
    from wlkg.generation.generate import generate as write_graph
    from wlkg.readers.read import input_file
    from wlkg.reports.generate import generated_document, print_generated
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress

    check_output(output, to, None if like is None else input_file(like), force=force)
    generated = write_graph(
        output,
        family,
        like=None if like is None else reading.read(like),
        vertices=vertices,
        triples=triples,
        relations=relations,
        branching=branching,
        width=width,
        k=k,
        odd=odd or None,
        seed=seed,
        shuffle=shuffle,
        format=to,
        force=force,
        progress=TerminalProgress(),
    )
    if json:
        print_json("generate", generated_document(generated, like))
    else:
        print_generated(generated, to)
