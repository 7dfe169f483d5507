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
    from wlkg.reports.explain import Explained

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
        quiet_option(
            "--prefix", metavar="PREFIX=IRI", help="A prefix for names; may be repeated."
        ),
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
    sources = {"--checkpoint": checkpoint, "--predictions": predictions, "--targets": targets}
    question = _question(asked, {option for option, file in sources.items() if file is not None})
    for option, questions in _OPTIONS.items():
        if question not in questions:
            refuse_given(context, option, because=_BECAUSE[question])
    check_tests(test)
    prefixes, limit = parse_prefixes(prefix or []), memory_limit(max_memory)
    if question in ("pair", "class", "graphs"):
        graphs = [reading.read(graph)]
        _explain(
            graph,
            asked,
            reading,
        )


def _question(asked: tuple[str, ...], sources: set[str]) -> Question:
    """What is to be explained, or an error that says how to ask."""
    from wlkg.readers.read import names_a_graph

    if len(sources) + bool(asked) != 1 or len(asked) > 2:
        raise UsageError(
            "name one vertex, two vertices or a second graph, or give one of --checkpoint,"
            " --predictions and --targets"
        )
    for option in sources:
        return cast("Question", option.removeprefix("--"))
    if len(asked) == 2:
        return "pair"
    return "graphs" if names_a_graph(asked[0]) else "class"
