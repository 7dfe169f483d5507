"""``wlkg translate``: turn a model into another kind of model with equal outputs."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import JsonOption, MemoryOption, memory_limit
from wlkg.commands.options.completing import one_of
from wlkg.shell.panels import OUTPUT


def translate(
    checkpoint: Annotated[
        str,
        typer.Argument(
            metavar="CHECKPOINT", help="A model saved by train or witness.", show_default=False
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="KIND",
            help="What it becomes: rgcn, or compgcn with the composition mult, add, sub or concat.",
            show_default=False,
            autocompletion=one_of(("rgcn", "mult", "add", "sub", "concat")),
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FILE.pt",
            help="Save the model to this file.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Turn a model into one of another kind with equal outputs.

    CompGCN with mult, scale, corr or rotate becomes an R-GCN of the same depth. R-GCN becomes
    CompGCN with mult of twice the depth. CompGCN with add, sub or concat becomes CompGCN with
    another of these three. The result is checked on random graphs.

    \b
    Examples:
      wlkg translate runs/seed-0.pt --to rgcn --out rgcn.pt
      wlkg translate rgcn.pt --to mult --json
    """
    from wlkg.gnn.api import translate as run
    from wlkg.progress import phase
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.witness import print_translated, translated_document

    with phase(TerminalProgress(), "translating"):
        result = run(checkpoint, to, max_memory=memory_limit(max_memory), out=out)
    if json:
        print_json("translate", {"checkpoint": checkpoint, **translated_document(result, out)})
    else:
        print_translated(result, out)
