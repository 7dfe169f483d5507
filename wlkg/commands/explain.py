"""``wlkg explain``: why vertices or graphs are separated, and what a model has learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from wlkg.commands.options import (
    EntityColumnOption,
    FeaturesOption,
    GraphArgument,
    HoldoutOption,
    JsonOption,
    LabelColumnOption,
    MemoryOption,
    Reading,
    TestOption,
    UnknownRelationsOption,
    check_tests,
    memory_limit,
    reads_graphs,
)
from wlkg.commands.options.given import refuse_given
from wlkg.commands.options.single import quiet_option
from wlkg.errors import UsageError

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph

Question = Literal["pair", "class", "graphs", "checkpoint", "predictions", "targets"]

#: The options that only some questions use.
_OPTIONS: dict[str, set[Question]] = {
    "--test": {"pair", "class", "graphs", "predictions", "targets"},
    "--round": {"class", "predictions", "targets"},
    "--svg": {"pair"},
    "--holdout": {"checkpoint", "predictions", "targets"},
    "--entity-column": {"checkpoint", "predictions", "targets"},
    "--label-column": {"checkpoint", "predictions", "targets"},
    "--fidelity": {"checkpoint", "predictions", "targets"},
    "--features": {"checkpoint"},
    "--unknown-relations": {"checkpoint"},
}
_BECAUSE: dict[Question, str] = {
    "pair": "two vertices are explained",
    "class": "the class of one vertex is explained",
    "graphs": "two graphs are explained",
    "checkpoint": "a model is explained, whose test is known",
    "predictions": "predictions are explained",
    "targets": "labels are explained",
}


@reads_graphs
def explain(
    context: typer.Context,
    graph: GraphArgument,
    reading: Reading,
    about: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[V [W]] | [GRAPH]",
            help="One vertex, two vertices, or another graph (a file, folder or example).",
            show_default=False,
        ),
    ] = None,
    test: TestOption = "1-rwl",
    round: Annotated[  # noqa: A002
        int | None,
        quiet_option(
            "--round", min=0, help="One vertex, predictions: the round; by default the last."
        ),
    ] = None,
    checkpoint: Annotated[
        str | None,
        quiet_option(
            "--checkpoint", metavar="FILE", help="Explain what a trained model has learned."
        ),
    ] = None,
    predictions: Annotated[
        str | None,
        quiet_option(
            "--predictions", metavar="FILE", help="TSV of vertices and predicted classes."
        ),
    ] = None,
    targets: Annotated[
        str | None,
        quiet_option("--targets", metavar="FILE", help="TSV of entities and their labels."),
    ] = None,
    holdout: HoldoutOption = None,
    entity_column: EntityColumnOption = None,
    label_column: LabelColumnOption = None,
    fidelity: Annotated[
        float,
        typer.Option(
            "--fidelity",
            min=0.0,
            max=1.0,
            help="Show the shortest formulas that agree on this share of the vertices.",
        ),
    ] = 1.0,
    features: FeaturesOption = None,
    unknown_relations: UnknownRelationsOption = "error",
    prefix: Annotated[
        list[str] | None,
        quiet_option("--prefix", metavar="PREFIX=IRI", help="A prefix for names; may be repeated."),
    ] = None,
    svg: Annotated[
        str | None,
        quiet_option("--svg", metavar="FILE", help="Two vertices: draw the trees where they part."),
    ] = None,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Explain why a test separates two vertices or two graphs, or what selects a vertex.

    The answer is a formula of graded modal logic, as deep as the separating round: in English, as
    logic, as an OWL class and as a SPARQL query. With --checkpoint, --predictions or --targets, it
    is one formula for each class that a model predicts, or that the labels name.

    \b
    Examples:
      wlkg explain family.ttl :dana :finn
      wlkg explain family.ttl :dana --round 1
      wlkg explain example:decalin example:bicyclopentyl --test 2-rlwl
      wlkg explain aifb.nt.gz --checkpoint runs/seed-0.pt
      wlkg explain kg.nt --predictions predicted.tsv --test 1-rwl --round 2 --fidelity 0.95
    """
    from wlkg.graph.prefixes import parse_prefixes

    asked = tuple(about or ())
    question = _question(asked, checkpoint=checkpoint, predictions=predictions, targets=targets)
    for option, questions in _OPTIONS.items():
        if question not in questions:
            refuse_given(context, option, because=_BECAUSE[question])
    check_tests(test)
    prefixes, limit = parse_prefixes(prefix or []), memory_limit(max_memory)
    loaded = reading.read(graph)
    if question in ("pair", "class", "graphs"):
        subject = (reading.read(asked[0]),) if question == "graphs" else asked
        _explain_vertices_or_graphs(
            (graph, *asked),
            loaded,
            subject,
            test=test,
            round=round,
            prefixes=prefixes,
            svg=svg,
            max_memory=limit,
            json=json,
        )


def _explain_vertices_or_graphs(
    names: tuple[str, ...],
    graph: RelationalGraph,
    about: tuple[str | RelationalGraph, ...],
    *,
    test: str,
    round: int | None,  # noqa: A002
    prefixes: dict[str, str],
    svg: str | None,
    max_memory: int | None,
    json: bool,
) -> None:
    import time

    from wlkg.analysis.explanation.explain import explain as run
    from wlkg.reports.explain import print_explanation
    from wlkg.reports.explain_document import explanation_document
    from wlkg.reports.explain_words import Explained
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress

    started = time.perf_counter()
    explanation = run(
        graph,
        *about,
        test=test,
        round=round,
        prefixes=prefixes,
        max_memory=max_memory,
        progress=TerminalProgress(),
    )
    seconds = time.perf_counter() - started
    explained = Explained(graph, test, prefixes)
    if json:
        document = explanation_document(explanation, explained, names)
        print_json("explain", {"graph": names[0], **document, "seconds": seconds})
    else:
        print_explanation(explanation, explained, names)


def _question(
    asked: tuple[str, ...],
    *,
    checkpoint: str | None,
    predictions: str | None,
    targets: str | None,
) -> Question:
    """What is to be explained, or an error that says how to ask."""
    from wlkg.readers.read import names_a_graph

    models = [checkpoint, predictions]
    if asked and not (checkpoint or predictions or targets) and len(asked) <= 2:
        if len(asked) == 2:
            return "pair"
        return "graphs" if names_a_graph(asked[0]) else "class"
    if asked or None not in models or not (checkpoint or predictions or targets):
        raise UsageError(
            "name one vertex, two vertices or a second graph, or give one of --checkpoint,"
            " --predictions and --targets"
        )
    # Beside a model, targets are where its formulas are tried out.
    return "checkpoint" if checkpoint else "predictions" if predictions else "targets"
