"""``wlkg hierarchy``: how many pairs of graphs each test separates, by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from wlkg.commands.options import (
    MemoryOption,
    OutputsWithFigure,
    Reading,
    check_tests,
    has_outputs_with_figure,
    listed,
    memory_limit,
    reads_graphs,
    tests_option,
)
from wlkg.commands.options.completing import one_of
from wlkg.commands.options.given import refuse_given
from wlkg.gnn.config import CLASSIFIERS, MODELS, require_classifier
from wlkg.shell.panels import MODEL

if TYPE_CHECKING:
    from wlkg.analysis.hierarchy.table import Model


def _number(name: str, least: int, text: str) -> Any:
    return typer.Option(name, metavar="N", min=least, help=text, rich_help_panel=MODEL)


@has_outputs_with_figure
@reads_graphs
def hierarchy(
    context: typer.Context,
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS",
            help="A folder, a file of many graphs, or a .npy array of graph6 texts.",
            show_default=False,
        ),
    ],
    reading: Reading,
    outputs: OutputsWithFigure,
    test: Annotated[
        list[str] | None,
        tests_option(default="1-wl, weak-rwl, 1-rwl, 2-rlwl and 2-fwl"),
    ] = None,
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
    pairing: Annotated[
        str | None,
        typer.Option(
            "--pairing",
            metavar="NAME",
            help="Which graphs of a group form pairs: consecutive (by default for arrays) or all.",
            show_default=False,
            autocompletion=one_of(("consecutive", "all")),
        ),
    ] = None,
    k: Annotated[int, _number("-k", 1, "k-rn: the length of tuples.")] = 2,
    draws: Annotated[
        int, _number("--draws", 1, "Number of times that random weights are drawn.")
    ] = 3,
    seed: Annotated[int, _number("--seed", 0, "Random seed.")] = 0,
    max_memory: MemoryOption = None,
) -> None:
    """Count the pairs of graphs in a corpus that tests separate.

    In a folder, each file of many graphs and each subfolder is a group; all files of one graph
    together form another group. Arrays have the format of BREC: a pair is a row, or two consecutive
    entries of a one-dimensional array.

    \b
    Examples:
      wlkg hierarchy brec --test 1-wl --test 2-rlwl --test 2-fwl
      wlkg hierarchy sr251256.g6 --test 2-fwl --test 3-rlwl
      wlkg hierarchy pairs.npy --model rgcn --model k-rn --json
    """
    from wlkg.analysis.hierarchy.table import hierarchy as run
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.corpora import read_corpus
    from wlkg.reports.hierarchy import hierarchy_document, print_hierarchy
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_tests import after_hierarchy
    from wlkg.reports.terminal import note

    check_tests(*(test or ()))
    if not model:
        refuse_given(context, "-k", "--draws", "--seed", because="it is about --model")
    elif "k-rn" not in model:
        refuse_given(context, "-k", because="it is about --model k-rn")
    limit = memory_limit(max_memory)
    models = _models(model or [], k=k, draws=draws, seed=seed, max_memory=limit)
    progress = TerminalProgress()
    loaded = read_corpus(
        corpus, pairing=pairing, progress=progress, labels=reading.labels, **reading.given()
    )
    for text in loaded.notes:
        note(text)
    watch = Stopwatch()
    result = run(loaded.groups, test or None, models=models, max_memory=limit, progress=progress)
    seconds = watch.seconds
    outputs.present(
        "hierarchy",
        lambda: {"corpus": corpus, **hierarchy_document(result), "seconds": seconds},
        lambda: print_hierarchy(corpus, result, seconds),
        step=lambda: after_hierarchy(reading.asked(corpus), result),
    )


def _models(names: list[str], **options: Any) -> dict[str, Model]:
    """The models that get a row in the table. Only they need PyTorch."""
    if not names:
        return {}
    from functools import partial

    from wlkg.errors import unknown_name
    from wlkg.gnn.api import separated_by_model

    for name in names:
        if name not in MODELS:
            raise unknown_name("model", name, CLASSIFIERS)
        require_classifier(name)
    return {
        f"{name}, random weights": partial(separated_by_model, model=name, **options)
        for name in names
    }
