"""``wlkg versus``: compare a model with the WL test that bounds it."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.catalogue import TEST_CHOICES
from wlkg.commands.options import (
    ActivationOption,
    ExitZeroOption,
    FeaturesOption,
    GraphArgument,
    MemoryOption,
    ModelOptions,
    OutputsWithFigure,
    Reading,
    UnknownRelationsOption,
    has_outputs_with_figure,
    memory_limit,
    reads_graphs,
    takes_model,
)
from wlkg.commands.options.completing import complete_test, one_of
from wlkg.commands.options.single import lower_case


@has_outputs_with_figure
@reads_graphs
@takes_model(dim=64, dtype="float64")
def versus(
    graph: GraphArgument,
    reading: Reading,
    outputs: OutputsWithFigure,
    model_options: ModelOptions,
    draws: Annotated[
        int,
        typer.Option(
            "--draws", metavar="N", min=1, help="Number of times that random weights are drawn."
        ),
    ] = 3,
    weights: Annotated[
        str,
        typer.Option(
            "--weights",
            metavar="NAME",
            help="random, or witness: constructed so that nothing is lost.",
            autocompletion=one_of(("random", "witness")),
        ),
    ] = "random",
    activation: ActivationOption = "sign",
    checkpoint: Annotated[
        str | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="A model saved by train, witness or translate.",
            show_default=False,
        ),
    ] = None,
    module: Annotated[
        str | None,
        typer.Option(
            "--module",
            metavar="FILE.py:NAME",
            help="Your own model, a class or function. This runs the code in the file.",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(
            "--test",
            metavar="TEST",
            help=f"--module: a test to compare with, may be repeated: {TEST_CHOICES}.",
            callback=lower_case,
            show_default=False,
            autocompletion=complete_test,
        ),
    ] = None,
    sources: Annotated[
        str | None,
        typer.Option(
            "--sources",
            metavar="FILE",
            help="Models of pairs: only these sources, a file with one vertex per line.",
            show_default=False,
        ),
    ] = None,
    features: FeaturesOption = None,
    unknown_relations: UnknownRelationsOption = "error",
    max_memory: MemoryOption = None,
    exit_zero: ExitZeroOption = False,
) -> None:
    """Compare a model with the WL test that bounds it.

    A layer is equal to its round, coarser (something is lost), finer (the bound is violated: exit
    status 1), incomparable, or undecided. What is too close for floating point is decided in exact
    arithmetic, unless that is too much work; your own model has nothing but its numbers. By default
    there is one layer for each round of the test, up to 8. Your own model may return the features
    of its last layer only: --layers then says how many it has, or it is measured. Features are
    one-hot labels if the graph has labels, and otherwise the same for all vertices. A c-mpnn is
    compared on all pairs of vertices, with one query for all, or on the pairs of --sources.

    \b
    Examples:
      wlkg versus kg.nt --model rgcn
      wlkg versus kg.nt --model compgcn --composition add --no-norm --no-direction
      wlkg versus kg.nt --model compgcn --composition scale --weights witness
      wlkg versus kg.nt --model c-mpnn --bias --sources people.txt
      wlkg versus kg.nt --checkpoint runs/seed-0.pt
      wlkg versus kg.nt --module mymodel.py:Net
    """
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.errors import UsageError
    from wlkg.gnn.api import versus as run
    from wlkg.readers.tables import read_vertices
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_models import after_versus
    from wlkg.reports.versus import print_versus
    from wlkg.reports.versus_document import versus_document

    if module is not None and (checkpoint is not None or weights != "random"):
        raise UsageError("--module brings its own weights: leave out --checkpoint and --weights")
    if checkpoint is not None and weights != "random":
        raise UsageError("give either --checkpoint or --weights: both set the weights")
    if module is not None and ":" not in module:
        raise UsageError(f"--module needs FILE.py:NAME, found {module!r}")
    if module is not None:
        model_options.refuse_switches("--dim", "--layers", because="--module brings its own model")
    if checkpoint is not None:
        reason = "--checkpoint brings its own model"
        model_options.refuse_switches(because=reason)
        model_options.refuse("--draws", "--seed", because=reason)
    else:
        model_options.refuse("--unknown-relations", because="it is about --checkpoint")
    if weights == "witness":
        reason = "the widths of a witness are its classes, and it is built once"
        model_options.refuse("--dim", "--draws", because=reason)
    if weights == "random":
        model_options.refuse("--activation", because="it is for --weights witness")
    limit = memory_limit(max_memory)
    choice = model_options.choice(activation=activation if weights == "witness" else "relu")
    loaded = reading.read(graph)
    watch = Stopwatch()
    result = run(
        loaded,
        choice if module is None else module,
        weights=weights,
        checkpoint=checkpoint,
        tests=tuple(test or ()),
        layers=choice.layers,
        width=choice.width,
        features=features,
        direction=reading.chosen_direction,
        unknown_relations=unknown_relations,
        draws=draws,
        seed=model_options.seed,
        sources=None if sources is None else read_vertices(loaded, sources).tolist(),
        device=model_options.device,
        dtype=model_options.dtype,
        max_memory=limit,
        progress=TerminalProgress(),
    )
    seconds = watch.seconds
    name = module or checkpoint or f"{weights} {model_options.model}"
    about = {
        "graph": graph,
        "model": name,
        "dtype": model_options.dtype,
        "seed": model_options.seed,
    }
    violated = result.bound_holds is False and not exit_zero
    outputs.present(
        "versus",
        lambda: {**about, **versus_document(result, loaded), "seconds": seconds},
        lambda: print_versus(f"{graph}: {name}", result, loaded),
        [reading.named(graph, loaded)],
        step=lambda: after_versus(reading.asked(graph), result, loaded),
        status="the bound is violated" if violated else None,
    )
    if violated:
        raise typer.Exit(1)
