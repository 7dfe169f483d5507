"""``wlkg explain``: why vertices or graphs are separated, and what a model has learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

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
from wlkg.commands.options.single import quiet_option
from wlkg.errors import UsageError

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph


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
