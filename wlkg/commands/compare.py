"""``wlkg compare``: which tests and models separate two graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from wlkg.commands.options import (
    ExitZeroOption,
    JsonOption,
    MemoryOption,
    ModelOptions,
    Reading,
    UnknownRelationsOption,
    check_tests,
    listed,
    memory_limit,
    reads_graphs,
    takes_model,
    tests_option,
)
from wlkg.gnn.config import MODELS

if TYPE_CHECKING:
    from wlkg.analysis.model_verdicts import PairModel


def _graph(metavar: str) -> typer.models.ArgumentInfo:
    help_text = "A file, a folder, FILE#3, or example:NAME."
    return typer.Argument(metavar=metavar, help=help_text, show_default=False)  # type: ignore[no-any-return]


@reads_graphs
@takes_model(dim=64, dtype="float64")
def compare(
    one: Annotated[str, _graph("G")],
    two: Annotated[str, _graph("H")],
    reading: Reading,
    model_options: ModelOptions,
    test: Annotated[
        list[str] | None,
        tests_option(default="1-wl, weak-rwl, 1-rwl, 2-rlwl and 3-rlwl"),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help=f"Ask a model with random weights too; may be repeated: {listed(MODELS)}.",
            show_default=False,
        ),
    ] = None,
    checkpoint: Annotated[
        list[str] | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Ask a model saved by train or witness; may be repeated.",
            show_default=False,
        ),
    ] = None,
    module: Annotated[
        list[str] | None,
        typer.Option(
            "--module",
            metavar="FILE.py:NAME",
            help="Ask your own model, which runs its code; may be repeated.",
            show_default=False,
        ),
    ] = None,
    unknown_relations: UnknownRelationsOption = "error",
    draws: Annotated[
        int, typer.Option("--draws", min=1, help="Models: number of random draws.")
    ] = 3,
    max_memory: MemoryOption = None,
    isomorphism_seconds: Annotated[
        float, typer.Option(min=0, help="Time limit of the isomorphism search, in seconds.")
    ] = 10.0,
    exit_zero: ExitZeroOption = False,
    json: JsonOption = False,
) -> None:
    """Show which WL tests separate two graphs, at which round, and whether they are isomorphic.

    Models, if you name some, get rows too, with the test that bounds each of them. A model that
    separates what its test does not violates its bound.

    Exit status 0: nothing separates them, or --exit-zero is given; 1: a test or a model does.

    \b
    Examples:
      wlkg compare example:c6 example:2xc3
      wlkg compare before.ttl after.ttl --literals drop
      wlkg compare pairs.g6#1 pairs.g6#2 --test 2-fwl --test 3-wl
      wlkg compare example:c6 example:2xc3 --model rgcn --model k-rn
    """
    import time

    from wlkg.analysis.compare import compare as run
    from wlkg.reports.compare import comparison_document, print_comparison
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress

    check_tests(*(test or ()))
    limit = memory_limit(max_memory)
    models = _models(
        model or [],
        checkpoint or [],
        module or [],
        model_options,
        draws=draws,
        unknown_relations=unknown_relations,
        max_memory=limit,
    )
    graphs = (reading.read(one), reading.read(two))
    started = time.perf_counter()
    comparison = run(
        *graphs,
        test or None,
        models=models,
        max_memory=limit,
        isomorphism_seconds=isomorphism_seconds,
        progress=TerminalProgress(),
    )
    seconds = time.perf_counter() - started
    if json:
        content = {"graphs": [one, two], **comparison_document(comparison), "seconds": seconds}
        print_json("compare", content)
    else:
        print_comparison((one, two), graphs, comparison, seconds)
    if comparison.separated and not exit_zero:
        raise typer.Exit(1)


def _models(
    names: list[str],
    checkpoints: list[str],
    modules: list[str],
    options: ModelOptions,
    *,
    draws: int,
    unknown_relations: str,
    max_memory: int | None,
) -> list[PairModel]:
    """The models that get a row. Only they need PyTorch."""
    from wlkg.errors import UsageError, unknown_name

    for name in names:
        if name not in MODELS:
            raise unknown_name("model", name, MODELS)
    for spec in modules:
        if ":" not in spec:
            raise UsageError(f"--module needs FILE.py:NAME, found {spec!r}")
    _refuse_unused(names, checkpoints, modules, options)
    choices = options.choices(*names)
    if not (names or checkpoints or modules):
        return []
    from wlkg.gnn.api import pair_model, saved_pair_model
    from wlkg.reports.progressbar import TerminalProgress

    computed: dict[str, Any] = {
        "device": options.device,
        "dtype": options.dtype,
        "max_memory": max_memory,
        "progress": TerminalProgress(),
    }
    drawn: dict[str, Any] = {"draws": draws, "seed": options.seed}
    models: list[PairModel] = [pair_model(choice, **drawn, **computed) for choice in choices]
    models += [
        saved_pair_model(path, unknown_relations=unknown_relations, **computed)
        for path in checkpoints
    ]
    models += [
        pair_model(spec, layers=options.layers, width=options.dim, **drawn, **computed)
        for spec in modules
    ]
    return models


def _refuse_unused(
    names: list[str], checkpoints: list[str], modules: list[str], options: ModelOptions
) -> None:
    """Refuse options that change nothing about the models that are asked."""
    if not names:
        kept = ("--model", *(("--layers", "--dim") if modules else ()))
        options.refuse_switches(*kept, because="it is about --model")
    if not (names or modules):
        options.refuse("--draws", "--seed", because="no weights are drawn")
    if not checkpoints:
        options.refuse("--unknown-relations", because="it is about --checkpoint")
    if not (names or checkpoints or modules):
        options.refuse("--dtype", "--device", because="no model is asked")
