"""``wlkg translate``: a model as another model with equal outputs."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import JsonOption, memory_limit


def translate(
    checkpoint: Annotated[
        str,
        typer.Argument(
            metavar="CHECKPOINT", help="Weights of train or witness.", show_default=False
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
    max_memory: Annotated[
        str | None,
        typer.Option(
            "--max-memory",
            metavar="SIZE",
            help="Refuse to take more, as in 4G; half of what is free by default.",
            show_default=False,
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Turn a model into one of another kind with equal outputs on every graph.

    CompGCN with mult, scale, corr or rotate becomes an R-GCN of the same depth; R-GCN becomes
    CompGCN with mult of twice the depth; add, sub and concat become each other. The outcome is
    checked on random graphs.

    \b
    Examples:
      wlkg translate runs/seed-0.pt --to rgcn --out rgcn.pt
      wlkg translate rgcn.pt --to mult --json
    """
    from dataclasses import replace
    from pathlib import Path

    from wlkg.gnn.checkpoints.saved_model import load_model, save_model
    from wlkg.gnn.theorems.checked_translation import translate_checked
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.witness import print_translated, translated_document

    limit = memory_limit(max_memory)
    saved = load_model(checkpoint)
    # What R-GCN becomes is a CompGCN with mult.
    found = translate_checked(saved, "mult" if to == "compgcn" else to, max_memory=limit)
    if out is not None:
        weights = found.after.state_dict()
        save_model(Path(out), replace(saved, config=found.after.config, weights=weights))
    if json:
        print_json("translate", {"checkpoint": checkpoint, **translated_document(found, out)})
    else:
        print_translated(found, out)
