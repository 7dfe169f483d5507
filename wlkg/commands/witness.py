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
        typer.Option("--out", metavar="FILE.pt", help="Write a checkpoint.", show_default=False),
    ] = None,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Construct weights with which layer t of a model equals round t of its test.

    This runs the proofs of the paper's lower bounds: for rgcn, for compgcn with mult, scale or corr
    (1-rwl), with add, sub or concat (weak-rwl), and for k-rn (K-rlwl). The result is checked by
    running it. versus and train read the checkpoint.

    \b
    Examples:
      wlkg witness kg.nt --model rgcn --out witness.pt
      wlkg witness kg.nt --model compgcn --composition scale --activation relu
      wlkg versus kg.nt --checkpoint witness.pt
    """
    import time

    from wlkg.gnn.api import witness as run
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.witness import print_witness, witness_document

    reason = "the widths of a witness are its classes, and it is built in float64"
    model_options.refuse("--dim", "--dtype", because=reason)
    limit = memory_limit(max_memory)
    choice = model_options.choice(activation=activation)
    loaded = reading.read(graph)
    started = time.perf_counter()
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
    seconds = time.perf_counter() - started
    if json:
        print_json("witness", {"graph": graph, **witness_document(result, out), "seconds": seconds})
    else:
        print_witness(graph, result, out)
