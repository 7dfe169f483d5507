"""``wlkg refine``: the stable colouring."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from wlkg.commands.options import (
    CheckpointOption,
    DeviceOption,
    EngineOption,
    GraphArgument,
    MasterOption,
    MemoryOption,
    OutputsWithFigure,
    PrefixOption,
    Reading,
    SourcesOption,
    TestOption,
    check_engine_options,
    check_tests,
    has_outputs_with_figure,
    memory_limit,
    reads_graphs,
)
from wlkg.engines import DEFAULT_MASTER
from wlkg.shell.panels import OUTPUT

if TYPE_CHECKING:
    from wlkg.engines import EngineChoice


#: Of graphs that Spark does not read from where they are.
_READ_FIRST = (
    "the engine spark reads Parquet, TSV, CSV and N-Triples in place, and this graph into memory"
)


@has_outputs_with_figure
@reads_graphs
def refine(
    graph: GraphArgument,
    reading: Reading,
    outputs: OutputsWithFigure,
    test: TestOption = "1-rwl",
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds", metavar="N", help="Stop after N rounds; by default, when nothing changes."
        ),
    ] = None,
    colours: Annotated[
        str | None,
        typer.Option(
            "--colours",
            "--colors",
            metavar="OUT",
            help="Write every vertex and its colour to a .csv, .json or .parquet file.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    tuples: Annotated[
        str | None,
        typer.Option(
            "--tuples",
            metavar="OUT",
            help="Tests of tuples: write every tuple and its colour to such a file.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    sources: SourcesOption = None,
    prefix: PrefixOption = None,
    engine: EngineOption = "auto",
    device: DeviceOption = None,
    master: MasterOption = None,
    checkpoint: CheckpointOption = None,
    max_memory: MemoryOption = None,
) -> None:
    """Run a WL test on a graph, round by round.

    The report shows how many classes of vertices, or of tuples of vertices, each round leaves, how
    many pairs can never be told apart, and the largest classes.

    With --sources, the tests rawl2 and rawl2-all of link prediction colour pairs of these sources
    and any vertex only, in memory that is linear in the graph. Then --colours writes source, vertex
    and colour.

    A graph in N-Triples, a table or Parquet may be larger than memory: --engine duckdb refines it
    in a database on disk, within --max-memory, and reports numbers and --colours; --engine spark
    does so on a cluster, and writes --colours as a folder.

    \b
    Examples:
      wlkg refine museum.nt.xz
      wlkg refine people.ttl --test weak-rwl --literals drop
      wlkg refine example:c6 --test 2-rlwl --json
      wlkg refine people.ttl --colours colours.csv
      wlkg refine people.ttl --test rawl2 --sources students.txt
      wlkg refine wikidata.nt.gz --engine duckdb --max-memory 8G --colours colours.parquet
    """
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.errors import UsageError
    from wlkg.graph.prefixes import parse_prefixes
    from wlkg.progress import phase
    from wlkg.readers.tables import read_vertices
    from wlkg.refinement.engines.choice import choose_engine, deserves_a_note
    from wlkg.refinement.engines.from_file import stays_in_file
    from wlkg.refinement.refine import refine as run
    from wlkg.refinement.sources import check_sources
    from wlkg.reports.colours import check_colours_path, write_colours, write_tuple_colours
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.refine import print_refinement, refinement_document
    from wlkg.reports.steps_of_tests import after_refinement
    from wlkg.reports.terminal import note
    from wlkg.text import counted

    check_tests(test)
    check_engine_options(engine, device, test, master=master, checkpoint=checkpoint)
    prefixes = parse_prefixes(prefix or [])
    if sources is not None:
        check_sources(test)
    limit = memory_limit(max_memory)
    chosen = choose_engine(
        engine,
        graph,
        test,
        format=reading.format,
        direction=reading.chosen_direction,
        options=reading.options(),
        labels=reading.labels is not None,
        device=device or "auto",
        max_memory=limit,
    )
    if deserves_a_note(chosen):
        note(f"engine {chosen.name}: {chosen.reason}")
    chosen = replace(chosen, master=master or DEFAULT_MASTER, checkpoint=checkpoint)
    stays = stays_in_file(chosen, graph, format=reading.format, labels=reading.labels)
    for path in (colours, tuples):
        if path is not None and not (stays and engine == "spark"):
            check_colours_path(path)
    if stays:
        if tuples is not None:
            raise UsageError("--tuples has no effect: vertex tests colour vertices")
        _refine_file(graph, reading, outputs, test, rounds, colours, chosen)
        return
    if engine == "spark":
        if checkpoint is not None:
            raise UsageError(f"--checkpoint has no effect: {_READ_FIRST}")
        note(_READ_FIRST)
    loaded = reading.read(graph)
    chosen_sources = None if sources is None else read_vertices(loaded, sources, prefixes).tolist()
    watch = Stopwatch()
    refinement = run(
        loaded,
        test,
        rounds=rounds,
        sources=chosen_sources,
        max_memory=limit,
        engine=chosen,
        progress=TerminalProgress(),
    )
    seconds, compiled = watch.seconds, watch.compiled
    vertices = counted(loaded.num_vertices, "vertex", "vertices")
    tuples_coloured = counted(refinement.num_items, "tuple", "tuples")
    write_vertices = write_colours if sources is None else write_tuple_colours
    for path, write, items in (
        (colours, write_vertices, vertices if sources is None else tuples_coloured),
        (tuples, write_tuple_colours, tuples_coloured),
    ):
        if path is not None:
            with phase(TerminalProgress(), f"writing {path}"):
                write(loaded, refinement, path)
            note(f"wrote the colours of {items} to {path}")
    outputs.present(
        "refine",
        lambda: {"graph": graph, **refinement_document(refinement, seconds, compiled)},
        lambda: print_refinement(graph, loaded, refinement, seconds, compiled),
        [reading.named(graph, loaded)],
        step=lambda: after_refinement(reading.asked(graph), refinement, sources),
    )


def _refine_file(
    graph: str,
    reading: Reading,
    outputs: OutputsWithFigure,
    test: str,
    rounds: int | None,
    colours: str | None,
    engine: EngineChoice,
) -> None:
    """Refine a graph that stays in its file."""
    from wlkg.refinement.engines.from_file import refine_from_file
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.refine_summary import print_refinement_summary, summary_document
    from wlkg.reports.terminal import note

    summary = refine_from_file(
        engine,
        graph,
        test,
        reading.chosen_direction,
        rounds,
        format=reading.format,
        options=reading.options(),
        labels=reading.labels,
        colours=colours,
        progress=TerminalProgress(),
    )
    for text in summary.notes:
        note(text)
    if colours is not None:
        note(f"wrote the colours of {summary.vertices:,} vertices to {colours}")
    outputs.present(
        "refine",
        lambda: {"graph": graph, **summary_document(summary), "engine_reason": engine.reason},
        lambda: print_refinement_summary(graph, summary),
    )
