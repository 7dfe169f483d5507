"""``wlkg ceiling``: the best scores that any model bounded by a WL test can reach."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from wlkg.catalogue import DEFAULT_TEST, LITERAL_POLICIES
from wlkg.commands.options import (
    DeviceOption,
    EngineOption,
    EntityColumnOption,
    GraphArgument,
    HoldoutOption,
    LabelColumnOption,
    MemoryOption,
    OutputsWithFigure,
    Reading,
    TargetsOption,
    check_engine_options,
    check_tests,
    engine_in_memory,
    has_outputs_with_figure,
    memory_limit,
    reads_graphs,
    target_words,
    tests_option,
)
from wlkg.shell.panels import OUTPUT

if TYPE_CHECKING:
    from wlkg.analysis.ceiling.study import LabelledGraph
    from wlkg.reports.results import NamedGraph


@has_outputs_with_figure
@reads_graphs
def ceiling(
    graph: GraphArgument,
    reading: Reading,
    outputs: OutputsWithFigure,
    targets: TargetsOption,
    holdout: HoldoutOption = None,
    entity_column: EntityColumnOption = None,
    label_column: LabelColumnOption = None,
    test: Annotated[list[str] | None, tests_option(default=DEFAULT_TEST)] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            metavar="N",
            help="Stop after N rounds, for models of at most N layers.",
            show_default=False,
        ),
    ] = None,
    every_direction: Annotated[
        bool, typer.Option("--every-direction", help="Run under all four direction modes.")
    ] = False,
    every_literals: Annotated[
        bool,
        typer.Option("--every-literals", help="RDF: run under all three policies of --literals."),
    ] = False,
    graphs: Annotated[
        bool,
        typer.Option(
            "--graphs",
            help="The targets are whole graphs: GRAPH is a folder or a file of several graphs.",
        ),
    ] = False,
    trained: Annotated[
        str | None,
        typer.Option(
            "--trained",
            metavar="FILE.json",
            help="Compare with a trained model: a file with the output of wlkg train --json.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            metavar="N",
            min=0,
            help="List at most N classes that mix labels.",
            rich_help_panel=OUTPUT,
        ),
    ] = 20,
    engine: EngineOption = "auto",
    device: DeviceOption = None,
    max_memory: MemoryOption = None,
) -> None:
    """Show how accurate a model can be on given labels at best.

    A model bounded by a WL test predicts one label per class. For each round, the report shows the
    highest accuracy, balanced accuracy and macro-F1 of any choice of labels, and the score of the
    training labels on the test targets. Then it lists targets that share a class but not a label.

    \b
    Examples:
      wlkg ceiling aifb.nt.gz --targets trainingSet.tsv --holdout testSet.tsv
      wlkg ceiling aifb.nt.gz --targets train.tsv --test 1-wl --test 1-rwl
      wlkg ceiling aifb.nt.gz --targets train.tsv --every-literals --json
      wlkg ceiling kg.ttl --targets train.tsv --trained run.json
      wlkg ceiling molecules --graphs --targets labels.tsv
    """
    from wlkg.analysis.ceiling.study import LabelledGraph, study_ceilings
    from wlkg.analysis.ceiling.trained import read_trained
    from wlkg.graph.relational_graph import RelationalGraph
    from wlkg.readers.targets import read_targets
    from wlkg.reports.ceiling import print_study, study_document
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_models import after_ceiling

    tests = list(dict.fromkeys(test or [DEFAULT_TEST]))
    check_tests(*tests)
    check_engine_options(engine, device, *tests)
    most_bytes = memory_limit(max_memory)
    tables = [path for path in (targets, holdout) if path is not None]
    policy = reading.literals
    first: list[NamedGraph] = []

    def load(literals: str) -> LabelledGraph:
        read = replace(reading, literals=literals)
        subject = read.read_collection(graph, tables) if graphs else read.read(graph)
        if isinstance(subject, RelationalGraph) and not first:
            first.append(read.named(graph, subject))
        columns = {"entity_column": entity_column, "label_column": label_column}
        return LabelledGraph(subject, *(read_targets(subject, path, **columns) for path in tables))

    study = study_ceilings(
        load,
        tests,
        literals=LITERAL_POLICIES[0] if policy is None else policy,
        every_literals=every_literals,
        every_direction=every_direction,
        trained=None if trained is None else read_trained(trained, graphs=graphs),
        rounds=rounds,
        limit=limit,
        max_memory=most_bytes,
        engine=engine_in_memory(engine, device, most_bytes),
        progress=TerminalProgress(),
    )
    labels = target_words(targets, holdout, entity_column, label_column)
    arguments = {"graph": graph, "targets": targets, "holdout": holdout}
    outputs.present(
        "ceiling",
        lambda: {**arguments, **study_document(study)},
        lambda: print_study(graph, study, first[0].graph if first else None),
        first,
        step=lambda: after_ceiling(reading.asked(graph), study, labels, graphs=graphs),
    )
