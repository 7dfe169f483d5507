"""``wlkg witness``: weights that provably simulate a WL test."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import (
    ActivationOption,
    FeaturesOption,
    GraphArgument,
    JsonOption,
    MemoryOption,
    ModelOptions,
    Reading,
    memory_limit,
    reads_graphs,
    takes_model,
)
from wlkg.shell.panels import OUTPUT


@reads_graphs
@takes_model(dtype="float64")
def witness(
    graph: GraphArgument,
    reading: Reading,
    model_options: ModelOptions,
    activation: ActivationOption = "sign",
    features: FeaturesOption = None,
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
    """Construct weights with which a model equals its WL test.

    Layer t then separates what round t of the test separates. This runs the proofs of the paper's
    lower bounds: for gnn (1-wl), for rgcn and rgcn-mlp (1-rwl), for compgcn with
    mult, scale, corr, rotate, mlp or mlp2 (1-rwl) and with add, sub or concat (weak-rwl), and for
    k-rn (K-rlwl) and c-mpnn (rawl2) except with these last three. The result is checked by running
    it. versus and train read the checkpoint.

    \b
    Examples:
      wlkg witness kg.nt --model rgcn --out witness.pt
      wlkg witness kg.nt --model compgcn --composition scale --activation relu
      wlkg versus kg.nt --checkpoint witness.pt
    """
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.gnn.api import witness as run
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.next_steps import end_text
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_models import after_saving
    from wlkg.reports.witness import print_witness, witness_document

    reason = "the widths of a witness are its classes, and it is built in float64"
    model_options.refuse("--dim", "--dtype", because=reason)
    limit = memory_limit(max_memory)
    choice = model_options.choice(activation=activation)
    loaded = reading.read(graph)
    watch = Stopwatch()
    result = run(
        loaded,
        choice,
        features=features,
        device=model_options.device,
        seed=model_options.seed,
        max_memory=limit,
        out=out,
        progress=TerminalProgress(),
    )
    seconds = watch.seconds
    if json:
        print_json("witness", {"graph": graph, **witness_document(result, out), "seconds": seconds})
    else:
        print_witness(graph, result, out)
        asked = reading.asked(graph)
        end_text(None if out is None else after_saving(asked, out, features))
