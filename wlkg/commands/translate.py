"""``wlkg translate``: turn a model into another kind of model with equal outputs."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import JsonOption, MemoryOption, memory_limit


def translate(
    checkpoint: Annotated[
        str,
        typer.Argument(
            metavar="CHECKPOINT", help="Weights saved by train or witness.", show_default=False
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="KIND",
            help="rgcn, or the composition of a compgcn: mult (or compgcn), add, sub, concat.",
            show_default=False,
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE.pt", help="Write a checkpoint.", show_default=False),
    ] = None,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Turn a model into a model of another kind with equal outputs on every graph.

    CompGCN with mult, scale, corr or rotate becomes an R-GCN of the same depth. R-GCN becomes
    CompGCN with mult of twice the depth. CompGCN with add, sub or concat becomes CompGCN with
    another of these three. The result is checked on random graphs.

    \b
    Examples:
      wlkg translate runs/seed-0.pt --to rgcn --out rgcn.pt
      wlkg translate rgcn.pt --to mult --json
    """
    from wlkg.gnn.api import translate as run
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.witness import print_translated, translated_document

    result = run(checkpoint, to, max_memory=memory_limit(max_memory), out=out)
    if json:
        print_json("translate", {"checkpoint": checkpoint, **translated_document(result, out)})
    else:
        print_translated(result, out)
