"""``wlkg compare``: which tests and models separate two graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from wlkg.commands.options import (
    EngineOption,
    ExitZeroOption,
    MasterOption,
    MemoryOption,
    ModelOptions,
    OutputsWithFigure,
    PrefixOption,
    Reading,
    UnknownRelationsOption,
    check_engine_options,
    check_tests,
    engine_in_memory,
    has_outputs_with_figure,
    listed,
    memory_limit,
    reads_graphs,
    takes_model,
    tests_option,
)
from wlkg.commands.options.completing import complete_graph, one_of
from wlkg.commands.options.single import quiet_option
from wlkg.gnn.config import CLASSIFIERS, MODELS, require_classifier
from wlkg.shell.panels import MODEL

if TYPE_CHECKING:
    from wlkg.analysis.model_verdicts import PairModel
    from wlkg.engines import EngineChoice

#: What exit status 1 means.
_DIFFERENT = "a test or a model separates the graphs"

_OF_VERTICES = "two vertices are compared"


def _graph(metavar: str) -> typer.models.ArgumentInfo:
    help_text = "A file (FILE#3: its third graph), a folder, or example:NAME."
    return typer.Argument(  # type: ignore[no-any-return]
        metavar=metavar, help=help_text, show_default=False, autocompletion=complete_graph
    )


@has_outputs_with_figure
@reads_graphs
@takes_model(dim=64, dtype="float64")
def compare(
    one: Annotated[str, _graph("G")],
    two: Annotated[str, _graph("H")],
    reading: Reading,
    outputs: OutputsWithFigure,
    model_options: ModelOptions,
    test: Annotated[
        list[str] | None,
        tests_option(default="1-wl, weak-rwl, 1-rwl, 2-rlwl and 3-rlwl"),
    ] = None,
    all_tests: Annotated[
        bool,
        typer.Option("--all", help="Also run tests that are known to separate what others do."),
    ] = False,
    names: Annotated[
        bool,
        typer.Option("--names", help="Compare names of vertices too; RDF: of all but blank nodes."),
    ] = False,
    vertices: Annotated[
        tuple[str, str] | None,
        quiet_option(
            "--vertices", metavar="V W", help="Compare a vertex of G with a vertex of H instead."
        ),
    ] = None,
    prefix: PrefixOption = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help=f"Also ask a model with random weights, may be repeated: {listed(CLASSIFIERS)}.",
            show_default=False,
            rich_help_panel=MODEL,
            autocompletion=one_of(CLASSIFIERS),
        ),
    ] = None,
    checkpoint: Annotated[
        list[str] | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Also ask a model saved by train or witness, may be repeated.",
            show_default=False,
            rich_help_panel=MODEL,
        ),
    ] = None,
    module: Annotated[
        list[str] | None,
        typer.Option(
            "--module",
            metavar="FILE.py:NAME",
            help="Also ask your own model, may be repeated. This runs the code in the file.",
            show_default=False,
            rich_help_panel=MODEL,
        ),
    ] = None,
    unknown_relations: UnknownRelationsOption = "error",
    draws: Annotated[
        int,
        typer.Option(
            "--draws",
            metavar="N",
            min=1,
            help="Number of times that random weights are drawn.",
            rich_help_panel=MODEL,
        ),
    ] = 3,
    engine: EngineOption = "auto",
    master: MasterOption = None,
    max_memory: MemoryOption = None,
    isomorphism_seconds: Annotated[
        float,
        typer.Option(
            metavar="N", min=0, help="Time limit of the search for an isomorphism, in seconds."
        ),
    ] = 10.0,
    exit_zero: ExitZeroOption = False,
) -> None:
    """Show which WL tests and models separate two graphs.

    The report names the round at which each test separates them, the weakest test that does, and
    whether the graphs are isomorphic.

    By default a test is not run if a test that is proven to separate less already separates the
    graphs. What differs is shown for the weakest separating test: the colours that are not equally
    frequent, with some of their vertices. Names of vertices are not compared unless you say so.

    Models, if you name some, get rows too, with the test that bounds each of them. A model that
    separates what its test does not violates its bound.

    Exit status 0: nothing separates them, or --exit-zero is given; 1: a test or a model does.

    \b
    Examples:
      wlkg compare example:c6 example:2xc3
      wlkg compare before.ttl after.ttl --names
      wlkg compare before.ttl after.ttl --vertices :ada :ada
      wlkg compare pairs.g6#1 pairs.g6#2 --test 2-fwl --test 3-wl
      wlkg compare example:c6 example:2xc3 --model rgcn --model k-rn
    """
    from wlkg.analysis.compare import compare as run
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.reports.compare import comparison_document, print_comparison
    from wlkg.reports.compare_explanation import comparison_explanation
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_tests import after_comparison

    check_tests(*(test or ()))
    check_engine_options(engine, None, *(test or ()), master=master)
    limit = memory_limit(max_memory)
    chosen = engine_in_memory(engine, model_options.device, limit, master)
    if vertices is not None:
        _refuse_beside_vertices(model_options, engine)
        differs = _compare_vertices(
            (one, two),
            vertices,
            reading,
            outputs,
            test,
            prefix,
            limit,
            chosen,
            all_tests=all_tests,
            exit_zero=exit_zero,
        )
        raise typer.Exit(int(differs))
    model_options.refuse("--prefix", because="it is about --vertices")
    if test is not None:
        model_options.refuse("--all", because="tests that you name are all run")
    models = _models(
        model or [],
        checkpoint or [],
        module or [],
        model_options,
        engine,
        draws=draws,
        unknown_relations=unknown_relations,
        max_memory=limit,
    )
    graphs = (reading.read(one), reading.read(two))
    watch = Stopwatch()
    comparison = run(
        *graphs,
        test or None,
        names=names,
        all_tests=all_tests,
        models=models,
        max_memory=limit,
        engine=chosen,
        isomorphism_seconds=isomorphism_seconds,
        progress=TerminalProgress(),
    )
    seconds = watch.seconds
    differs = comparison.separated and not exit_zero
    outputs.present(
        "compare",
        lambda: {
            "graphs": [one, two],
            **comparison_document(comparison),
            **comparison_explanation((one, two), graphs, comparison),
            "seconds": seconds,
        },
        lambda: print_comparison((one, two), graphs, comparison, seconds),
        [reading.named(name, graph) for name, graph in zip((one, two), graphs, strict=True)],
        step=lambda: after_comparison(reading.asked(one, two), comparison),
        status=_DIFFERENT if differs else None,
    )
    if differs:
        raise typer.Exit(1)


def _refuse_beside_vertices(options: ModelOptions, engine: str) -> None:
    """Refuse options that are about graphs as a whole."""
    whole = ("--model", "--checkpoint", "--module", "--names", "--isomorphism-seconds")
    options.refuse(*whole, "--html", "--markdown", "--latex", "--figure", because=_OF_VERTICES)
    options.refuse_switches(because=_OF_VERTICES)
    options.refuse("--dtype", "--seed", "--draws", because=_OF_VERTICES)
    if engine != "torch":
        options.refuse("--device", because=_OF_VERTICES)
    options.refuse("--unknown-relations", because=_OF_VERTICES)


def _compare_vertices(
    graphs: tuple[str, str],
    vertices: tuple[str, str],
    reading: Reading,
    outputs: OutputsWithFigure,
    tests: list[str] | None,
    prefix: list[str] | None,
    max_memory: int | None,
    engine: EngineChoice,
    *,
    all_tests: bool,
    exit_zero: bool,
) -> bool:
    """Compare a vertex of each graph; whether the run ends with status 1."""
    from wlkg.analysis.compare_vertices import compare_vertices
    from wlkg.graph.prefixes import parse_prefixes
    from wlkg.reports.compare import print_vertex_comparison, vertex_comparison_document
    from wlkg.reports.progressbar import TerminalProgress

    prefixes = parse_prefixes(prefix or [])
    one, two = (reading.read(name) for name in graphs)
    verdicts = compare_vertices(
        one,
        vertices[0],
        two,
        vertices[1],
        tests or None,
        all_tests=all_tests,
        prefixes=prefixes,
        max_memory=max_memory,
        engine=engine,
        progress=TerminalProgress(),
    )
    differs = not exit_zero and any(verdict.separated for verdict in verdicts)
    outputs.present(
        "compare",
        lambda: vertex_comparison_document(graphs, vertices, one.direction, verdicts),
        lambda: print_vertex_comparison(graphs, vertices, one.direction, verdicts),
        [reading.named(name, graph) for name, graph in zip(graphs, (one, two), strict=True)],
        status="a test separates the vertices" if differs else None,
    )
    return differs


def _models(
    names: list[str],
    checkpoints: list[str],
    modules: list[str],
    options: ModelOptions,
    engine: str,
    *,
    draws: int,
    unknown_relations: str,
    max_memory: int | None,
) -> list[PairModel]:
    """The models that get a row. Only they need PyTorch."""
    from wlkg.errors import UsageError, unknown_name

    for name in names:
        if name not in MODELS:
            raise unknown_name("model", name, CLASSIFIERS)
        require_classifier(name)
    for spec in modules:
        if ":" not in spec:
            raise UsageError(f"--module needs FILE.py:NAME, found {spec!r}")
    _refuse_unused(names, checkpoints, modules, options, engine)
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
    names: list[str],
    checkpoints: list[str],
    modules: list[str],
    options: ModelOptions,
    engine: str,
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
        unused = ("--dtype",) if engine == "torch" else ("--dtype", "--device")
        options.refuse(*unused, because="no model is asked")
