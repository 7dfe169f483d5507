"""``wlkg hierarchy``: how many pairs of graphs each test separates, by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from wlkg.commands.options import (
    JsonOption,
    MemoryOption,
    Reading,
    check_tests,
    listed,
    memory_limit,
    reads_graphs,
    tests_option,
)
from wlkg.commands.options.given import refuse_given
from wlkg.gnn.config import MODELS

if TYPE_CHECKING:
    from wlkg.analysis.hierarchy.table import Model


@reads_graphs
def hierarchy(
    context: typer.Context,
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS",
            help="A folder, a file of many graphs, or a .npy array of graph6.",
            show_default=False,
        ),
    ],
    reading: Reading,
    test: Annotated[
        list[str] | None,
        tests_option(default="1-wl, weak-rwl, 1-rwl, 2-rlwl and 2-fwl"),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help=f"Add a model with random weights; may be repeated: {listed(MODELS)}.",
            show_default=False,
        ),
    ] = None,
    pairing: Annotated[
        str | None,
        typer.Option(
            "--pairing",
            help="Which pairs of a group: consecutive (default for arrays) or all.",
            show_default=False,
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="k-rn: the length of the tuples.")] = 2,
    draws: Annotated[
        int, typer.Option("--draws", min=1, help="Models: number of random draws.")
    ] = 3,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Models: the random seed.")] = 0,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Count the pairs of graphs that tests and models separate, in every group of a corpus.

    In a folder, each file of many graphs and each subfolder is a group; all files of one graph
    together form another group. Arrays have the format of BREC: a pair is a row, or two consecutive
    entries of a one-dimensional array.

    \b
    Examples:
      wlkg hierarchy brec --test 1-wl --test 2-rlwl --test 2-fwl
      wlkg hierarchy sr251256.g6 --test 2-fwl --test 3-rlwl
      wlkg hierarchy pairs.npy --model rgcn --model k-rn --json
    """
    import time

    from wlkg.analysis.hierarchy.table import hierarchy as run
    from wlkg.corpora import read_corpus
    from wlkg.reports.hierarchy import hierarchy_document, print_hierarchy
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress
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
    started = time.perf_counter()
    result = run(loaded.groups, test or None, models=models, max_memory=limit, progress=progress)
    seconds = time.perf_counter() - started
    if json:
        content = {"corpus": corpus, **hierarchy_document(result), "seconds": seconds}
        print_json("hierarchy", content)
    else:
        print_hierarchy(corpus, result, seconds)


def _models(names: list[str], **options: Any) -> dict[str, Model]:
    """The models that get a row in the table. Only they need PyTorch."""
    if not names:
        return {}
    from functools import partial

    from wlkg.errors import unknown_name
    from wlkg.gnn.api import separated_by_model

    for name in names:
        if name not in MODELS:
            raise unknown_name("model", name, MODELS)
    return {
        f"{name}, random weights": partial(separated_by_model, model=name, **options)
        for name in names
    }
