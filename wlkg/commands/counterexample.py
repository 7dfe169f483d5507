"""``wlkg counterexample``: show, check and write the built-in counterexamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from wlkg.commands.options import (
    MemoryOption,
    Outputs,
    Reading,
    has_outputs,
    memory_limit,
    reads_graphs,
)
from wlkg.commands.options.completing import (
    complete_family,
    complete_graph,
    complete_written_format,
)
from wlkg.shell.panels import OUTPUT

if TYPE_CHECKING:
    from wlkg.analysis.counterexample import Counterexample
    from wlkg.reports.next_steps import NextStep


def _number(name: str, meaning: str) -> typer.models.OptionInfo:
    return typer.Option(name, metavar="N", help=meaning, show_default=False)  # type: ignore[no-any-return]


@has_outputs
@reads_graphs
def counterexample(
    reading: Reading,
    outputs: Outputs,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A family, such as cfi or cfi,k=3,r=2; or lift, for a graph of your own.",
            show_default=False,
            autocompletion=complete_family,
        ),
    ] = None,
    k: Annotated[int | None, _number("-k", "The size k of a family such as cfi.")] = None,
    n: Annotated[int | None, _number("-n", "The size n of a family such as cycles.")] = None,
    r: Annotated[int | None, _number("-r", "The number of relations of a family.")] = None,
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="GRAPH",
            help="lift: the graph that becomes a counterexample.",
            show_default=False,
            autocompletion=complete_graph,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="lift: random seed.")] = 0,
    piece: Annotated[
        int | None,
        typer.Option(
            "--piece",
            min=1,
            metavar="N",
            help="lift: take only N vertices around a cycle of the graph.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Run the tests and check every claim.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write the graphs into this folder.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    format: Annotated[  # noqa: A002
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="Format of the files that --out writes.",
            rich_help_panel=OUTPUT,
            autocompletion=complete_written_format,
        ),
    ] = "nt",
    lossy: Annotated[
        bool,
        typer.Option(
            "--lossy",
            help="--out: leave out what the format cannot hold.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    max_memory: MemoryOption = None,
) -> None:
    """Show graphs that tests cannot tell apart, and check claims.

    Without NAME, list all families. lift turns any graph into two graphs that no R-GCN can tell
    apart, and looks for a test that can.

    Exit status 1: a claim does not hold.

    \b
    Examples:
      wlkg counterexample
      wlkg counterexample cfi -k 3 --check
      wlkg counterexample cycles -n 5 --out graphs --format graphml
      wlkg counterexample lift --of family.ttl
      wlkg counterexample lift --of museum.nt.xz --piece 200
    """
    from wlkg.analysis.counterexample import examine, write_graphs
    from wlkg.errors import UsageError
    from wlkg.reports.counterexample import (
        counterexample_document,
        families_document,
        graphs_of,
        print_counterexample,
        print_families,
    )
    from wlkg.reports.next_steps import Asked
    from wlkg.reports.progressbar import TerminalProgress

    limit = memory_limit(max_memory)
    given = {key: value for key, value in (("k", k), ("n", n), ("r", r)) if value is not None}
    if name is None:
        if given or check or of or out:
            raise UsageError("which counterexample? wlkg counterexample lists their names")
        outputs.present(
            "counterexample",
            families_document,
            print_families,
            step=lambda: Asked(("cfi",)).step("counterexample", "the paper's", more=("--check",)),
        )
        return
    example = _build(name, given, reading, of=of, seed=seed, piece=piece)
    written = () if out is None else write_graphs(example, out, format, lossy=lossy)
    findings = None
    if check or of is not None:
        findings = examine(example, max_memory=limit, progress=TerminalProgress())
    fails = findings is not None and not findings.hold
    words = [word for key, value in given.items() for word in (f"-{key}", str(value))]

    def step() -> NextStep | None:
        if of is not None or written:
            return None
        asked = Asked((name,), tuple(words))
        if findings is None:
            return asked.step("counterexample", "checks the claims", more=("--check",))
        return asked.step("counterexample", "writes the graphs", more=("--out", "graphs"))

    outputs.present(
        "counterexample",
        lambda: counterexample_document(example, findings, written),
        lambda: print_counterexample(example, findings, written),
        graphs_of(example),
        step=step,
        status="a claim does not hold" if fails else None,
    )
    if fails:
        raise typer.Exit(1)


def _build(
    name: str,
    given: dict[str, int],
    reading: Reading,
    *,
    of: str | None,
    seed: int,
    piece: int | None,
) -> Counterexample:
    """The counterexample of a family, or the lift of a graph."""
    from wlkg.analysis.counterexample import LIFT, build, lift
    from wlkg.errors import UsageError

    if (name == LIFT) != (of is not None):
        raise UsageError(
            "lift turns a graph into a counterexample: wlkg counterexample lift --of GRAPH"
        )
    if of is None:
        return build(name, given)
    if given:
        raise UsageError("-k, -n and -r are for families; lift takes --of, --seed and --piece")
    return lift(reading.read(of), of, seed, piece)
