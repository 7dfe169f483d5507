"""``wlkg ceiling``: the best any model bounded by a WL test can do on given labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wlkg.commands.options import (
    TESTS_HELP,
    EntityColumnOption,
    GraphArgument,
    HoldoutOption,
    JsonOption,
    LabelColumnOption,
    MemoryOption,
    Reading,
    TargetsOption,
    memory_limit,
    reads_graphs,
)

if TYPE_CHECKING:
    from wlkg.analysis.ceiling.variants import Variant
    from wlkg.readers.collection import GraphCollection


@reads_graphs
def ceiling(
    graph: GraphArgument,
    reading: Reading,
    targets: TargetsOption,
    holdout: HoldoutOption = None,
    entity_column: EntityColumnOption = None,
    label_column: LabelColumnOption = None,
    test: Annotated[
        list[str] | None,
        typer.Option(
            "--test",
            metavar="TEST",
            help=f"A WL test, 1-rwl by default; may be repeated: {TESTS_HELP}.",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", help="Stop after so many rounds (layers).", show_default=False),
    ] = None,
    every_direction: Annotated[
        bool, typer.Option("--every-direction", help="Under all four direction modes.")
    ] = False,
    every_literals: Annotated[
        bool,
        typer.Option("--every-literals", help="RDF: read with shared, occurrence and drop."),
    ] = False,
    graphs: Annotated[
        bool,
        typer.Option(
            "--graphs", help="Targets are graphs: of a folder, or of a file that holds several."
        ),
    ] = False,
    trained: Annotated[
        str | None,
        typer.Option(
            "--trained",
            metavar="FILE.json",
            help="Put a model beside it: what wlkg train --json printed.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="List at most so many colliding classes.")
    ] = 20,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Tell the best that any model bounded by a WL test can do on given labels.

    Such a model predicts one label for each class of colours. Told are, round by round, the
    highest accuracy, balanced accuracy and macro-F1 of any choice of labels; what the training
    labels of the classes give on the test targets; and the targets that stand in the way.

    \b
    Examples:
      wlkg ceiling aifb.nt.gz --targets trainingSet.tsv --holdout testSet.tsv
      wlkg ceiling aifb.nt.gz --targets train.tsv --test 1-wl --test 1-rwl
      wlkg ceiling aifb.nt.gz --targets train.tsv --every-literals --json
      wlkg ceiling kg.ttl --targets train.tsv --trained run.json
      wlkg ceiling molecules --graphs --targets labels.tsv
    """
    from wlkg.analysis.ceiling.trained import compared, read_trained
    from wlkg.analysis.ceiling.variants import variants
    from wlkg.catalogue import DEFAULT_TEST, find_test
    from wlkg.errors import UsageError
    from wlkg.readers.targets import read_targets
    from wlkg.reports.ceiling import (
        ceiling_document,
        note_targets,
        print_ceiling,
        print_trained,
        print_variants,
        trained_document,
    )
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress

    tests = list(dict.fromkeys(test or [DEFAULT_TEST]))
    for name in tests:
        find_test(name)
    if graphs and trained is not None:
        raise UsageError("--trained is about vertices: wlkg train does not learn classes of graphs")
    model = None if trained is None else read_trained(trained)
    paths = [path for path in (targets, holdout) if path is not None]
    found: list[Variant] = []
    for policy in _policies(reading.literals, every_literals):
        again = replace(reading, literals=policy)
        loaded = _collection(again, graph, paths) if graphs else again.read(graph)
        found += variants(
            loaded,
            [
                read_targets(loaded, path, entity_column=entity_column, label_column=label_column)
                for path in paths
            ],
            tests,
            literals=policy,
            every_direction=every_direction,
            rounds=rounds,
            limit=limit,
            max_memory=memory_limit(max_memory),
            progress=TerminalProgress(),
        )
    reached = None if model is None else compared(found[0].ceiling, model)
    if json:
        documents = [ceiling_document(each) for each in found]
        content: dict[str, Any] = {"graph": graph, "targets": targets, "holdout": holdout}
        content |= {"of": "graphs" if graphs else "vertices", **documents[0]}
        if model is not None and reached is not None:
            content["trained"] = trained_document(model, reached)
        print_json("ceiling", {**content, "variants": documents})
        return
    note_targets(found)
    print_ceiling(graph, found[0])
    if model is not None and reached is not None:
        print_trained(model, reached, found[0].ceiling.test)
    if len(found) > 1:
        print_variants(found)


def _policies(asked: str | None, every: bool) -> list[str]:
    """How to read literals: as asked first."""
    from wlkg.catalogue import LITERAL_POLICIES

    first = LITERAL_POLICIES[0] if asked is None else asked
    return [first, *(policy for policy in LITERAL_POLICIES if every and policy != first)]


def _collection(reading: Reading, path: str, tables: list[str]) -> GraphCollection:
    """The graphs of a folder or file; the tables of targets may lie beside them."""
    from wlkg.readers.collection import read_collection

    any_suffix = reading.format is not None
    return read_collection(path, reading.read_all, skipped=tables, any_suffix=any_suffix)
