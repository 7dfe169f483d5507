"""``wlkg ceiling``: the best scores that any model bounded by a WL test can reach."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    MasterOption,
    MemoryOption,
    OptionalTargetsOption,
    OutputsWithFigure,
    Reading,
    check_engine_options,
    check_tests,
    engine_in_memory,
    has_outputs_with_figure,
    memory_limit,
    reads_graphs,
    target_words,
    tests_option,
)
from wlkg.commands.options.completing import one_of
from wlkg.commands.options.given import as_given, refuse_given
from wlkg.commands.options.link_training import read_folder_of_links
from wlkg.commands.options.single import quiet_option
from wlkg.errors import UsageError
from wlkg.shell.panels import OUTPUT

if TYPE_CHECKING:
    from wlkg.analysis.ceiling.study import LabelledGraph
    from wlkg.reports.results import NamedGraph

#: What only concerns labels of vertices or graphs.
_NOT_FOR_LINKS = (
    "--targets",
    "--holdout",
    "--entity-column",
    "--label-column",
    "--every-direction",
    "--every-literals",
    "--graphs",
    "--trained",
    "--engine",
    "--device",
    "--master",
)


@has_outputs_with_figure
@reads_graphs
def ceiling(
    context: typer.Context,
    graph: GraphArgument,
    reading: Reading,
    outputs: OutputsWithFigure,
    targets: OptionalTargetsOption = None,
    holdout: HoldoutOption = None,
    entity_column: EntityColumnOption = None,
    label_column: LabelColumnOption = None,
    test: Annotated[list[str] | None, tests_option(default=DEFAULT_TEST, links=True)] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            metavar="N",
            help="Stop after N rounds, for models of at most N layers; --links: show rounds 1 to N,"
            " by default 6, and the stable one.",
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
    links: Annotated[
        bool,
        typer.Option(
            "--links",
            help="Rank links instead: GRAPH is a folder with train.txt and test.txt.",
        ),
    ] = False,
    split: Annotated[
        str,
        typer.Option(
            "--split",
            metavar="NAME",
            help="--links: the triples to rank, test or valid.",
            autocompletion=one_of(("test", "valid")),
        ),
    ] = "test",
    orbits: Annotated[
        bool,
        typer.Option(
            "--orbits",
            help="--links: also the limit of every model that sees the graph alone, by symmetries.",
        ),
    ] = False,
    training: Annotated[
        str | None,
        quiet_option(
            "--train",
            metavar="FOLDER",
            help="--links: fit on the train split of this folder instead, as in an inductive set.",
        ),
    ] = None,
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
            help="List at most N classes that mix labels, or N answers that tie.",
            rich_help_panel=OUTPUT,
        ),
    ] = 20,
    engine: EngineOption = "auto",
    device: DeviceOption = None,
    master: MasterOption = None,
    max_memory: MemoryOption = None,
) -> None:
    """Show how accurate a model can be on given labels at best.

    A model bounded by a WL test predicts one label per class. For each round, the report shows the
    highest accuracy, balanced accuracy and macro-F1 of any choice of labels, and the score of the
    training labels on the test targets. Then it lists targets that share a class but not a label.

    With --links, the targets are the triples of test.txt: for each round, the report shows the
    highest MRR, Hits@k and mean rank of any model, for encoders (1-rwl) and conditional models
    (rawl2); with --test ultra, for ULTRA applied to a graph that it was not trained on. Then it
    lists the answers that no model tells from most other candidates.

    \b
    Examples:
      wlkg ceiling aifb.nt.gz --targets trainingSet.tsv --holdout testSet.tsv
      wlkg ceiling aifb.nt.gz --targets train.tsv --test 1-wl --test 1-rwl
      wlkg ceiling aifb.nt.gz --targets train.tsv --every-literals --json
      wlkg ceiling kg.ttl --targets train.tsv --trained run.json
      wlkg ceiling molecules --graphs --targets labels.tsv
      wlkg ceiling WN18RR --links --rounds 3
      wlkg ceiling WN18RR --links --test rawl2 --test ultra --test motif
    """
    if links:
        refuse_given(context, *_NOT_FOR_LINKS, because="--links ranks the triples of a folder")
        most = limit if as_given(context, "--limit") else None
        asked = _LinkOptions(test, rounds, split, orbits, training, most, memory_limit(max_memory))
        _rank_links(graph, reading, outputs, asked)
        return
    refuse_given(context, "--split", "--orbits", "--train", because="it belongs to --links")
    if targets is None:
        raise UsageError("missing option '--targets': name a table of labels, or give --links")
    from wlkg.analysis.ceiling.study import LabelledGraph, study_ceilings
    from wlkg.analysis.ceiling.trained import read_trained
    from wlkg.graph.relational_graph import RelationalGraph
    from wlkg.readers.targets import read_targets
    from wlkg.reports.ceiling import print_study, study_document
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_models import after_ceiling

    tests = list(dict.fromkeys(test or [DEFAULT_TEST]))
    check_tests(*tests)
    check_engine_options(engine, device, *tests, master=master)
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
        engine=engine_in_memory(engine, device, most_bytes, master),
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


@dataclass(frozen=True)
class _LinkOptions:
    """What the user chose about links; None stands for the default."""

    tests: list[str] | None
    rounds: int | None
    split: str
    orbits: bool
    training: str | None
    limit: int | None
    max_memory: int | None


def _rank_links(
    folder: str,
    reading: Reading,
    outputs: OutputsWithFigure,
    asked: _LinkOptions,
) -> None:
    """``--links``: the ceilings of the triples of a folder."""
    from wlkg.analysis.links.ceiling import (
        LIMIT,
        LINK_TESTS,
        ROUNDS,
        check_link_tests,
        link_ceiling,
    )
    from wlkg.analysis.links.fitted import has_fitted_scores
    from wlkg.reports.links import links_document, print_links
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_models import after_links
    from wlkg.reports.terminal import note

    tests = list(dict.fromkeys(asked.tests or LINK_TESTS))
    check_link_tests(tests)
    if asked.training is not None and not any(map(has_fitted_scores, tests)):
        raise UsageError(
            "--train has no effect: only tests of vertices and rawl2 have fitted scores, found"
            f" {' and '.join(tests)}"
        )
    split = asked.split
    triples = read_folder_of_links(folder, reading, split)
    for missing in triples.missing:
        note(f"there is no {missing} split, so none of its triples is known to be true")
    result = link_ceiling(
        triples.graph,
        triples.ranked,
        () if triples.known is None else triples.known,
        tests,
        rounds=ROUNDS if asked.rounds is None else asked.rounds,
        orbits=asked.orbits,
        training=None if asked.training is None else reading.read(asked.training),
        limit=LIMIT if asked.limit is None else asked.limit,
        max_memory=asked.max_memory,
        progress=TerminalProgress(),
    )
    outputs.present(
        "ceiling",
        lambda: {"graph": folder, "split": split, **links_document(result)},
        lambda: print_links(folder, split, result, triples.graph),
        [reading.named(folder, triples.graph)],
        step=lambda: after_links(reading.asked(folder), result),
    )
