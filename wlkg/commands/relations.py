"""``wlkg relations``: which relations a foundation model cannot tell apart."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.catalogue import FOUNDATION_MODELS, find_foundation_model
from wlkg.commands.options import (
    GraphArgument,
    MemoryOption,
    Outputs,
    Reading,
    has_outputs,
    memory_limit,
    reads_graphs,
)
from wlkg.commands.options.completing import one_of
from wlkg.commands.options.single import listed, quiet_option
from wlkg.shell.panels import OUTPUT


@has_outputs
@reads_graphs
def relations(
    graph: GraphArgument,
    reading: Reading,
    outputs: Outputs,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="MODEL",
            help=f"The foundation model: {listed(FOUNDATION_MODELS)}.",
            autocompletion=one_of(FOUNDATION_MODELS),
        ),
    ] = "ultra",
    query: Annotated[
        list[str] | None,
        quiet_option(
            "--query",
            metavar="NAME",
            help="A relation that queries ask for, may be repeated; NAME^-1 asks for heads. By"
            " default every relation.",
        ),
    ] = None,
    paths: Annotated[
        int | None,
        quiet_option(
            "--paths", metavar="N", help="motif: paths of up to N edges, 2 or 3; by default 3."
        ),
    ] = None,
    stars: Annotated[
        int | None,
        quiet_option("--stars", metavar="K", help="motif: also stars of up to K relations."),
    ] = None,
    rounds: Annotated[
        int | None,
        quiet_option(
            "--rounds",
            metavar="N",
            min=0,
            help="Colours after N rounds, for models whose first stage has N layers; by default the"
            " stable ones, which no number of layers exceeds.",
        ),
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            metavar="N",
            min=0,
            help="Print at most N classes, and N query relations.",
            rich_help_panel=OUTPUT,
        ),
    ] = 20,
    max_memory: MemoryOption = None,
) -> None:
    """List the relations that a foundation model cannot tell apart.

    ULTRA and MOTIF know no names of relations. They see which relations, and inverses of relations,
    share heads and tails (ULTRA), paths of three edges or stars (MOTIF), and which one the query
    asks for. Relations that look alike to them are treated alike, whatever the weights.

    The first list is without a query; then come the classes given the relation of each query.

    \b
    Examples:
      wlkg relations family.ttl
      wlkg relations WN18RR --model motif
      wlkg relations family.ttl --query :hasParent --query :hasParent^-1
      wlkg relations kg.tsv --model motif --paths 2 --stars 3 --json
    """
    from wlkg.analysis.relations.relations import relations as run
    from wlkg.analysis.relations.stage import motifs_of
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.relations import named_queries, print_relations, relations_document
    from wlkg.reports.steps_of_models import after_relations

    model = find_foundation_model(model).name
    motifs_of(model, paths, stars)
    most_bytes = memory_limit(max_memory)
    loaded = reading.read(graph)
    result = run(
        loaded,
        model,
        query=None if query is None else named_queries(loaded, query),
        paths=paths,
        stars=stars,
        rounds=rounds,
        max_memory=most_bytes,
        progress=TerminalProgress(),
    )
    outputs.present(
        "relations",
        lambda: {"graph": graph, **relations_document(result)},
        lambda: print_relations(graph, result, loaded, limit),
        [reading.named(graph, loaded)],
        step=lambda: after_relations(reading.asked(graph), result),
    )
