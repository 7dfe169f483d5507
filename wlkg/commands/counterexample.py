"""``wlkg counterexample``: show, check and write the built-in counterexamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from wlkg.commands.options import JsonOption, MemoryOption, Reading, memory_limit, reads_graphs

if TYPE_CHECKING:
    from wlkg.analysis.counterexample import Counterexample


def _number(name: str, meaning: str) -> typer.models.OptionInfo:
    return typer.Option(name, help=meaning, show_default=False)  # type: ignore[no-any-return]


@reads_graphs
def counterexample(
    reading: Reading,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A family, such as cfi or cfi,k=3,r=2; or lift.",
            show_default=False,
        ),
    ] = None,
    k: Annotated[int | None, _number("-k", "The parameter k of a family.")] = None,
    n: Annotated[int | None, _number("-n", "The parameter n of a family.")] = None,
    r: Annotated[int | None, _number("-r", "The parameter r: the number of relations.")] = None,
    of: Annotated[
        str | None,
        typer.Option("--of", metavar="GRAPH", help="lift: the graph to lift.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="lift: the random seed.")] = 0,
    piece: Annotated[
        int | None,
        typer.Option(
            "--piece",
            min=1,
            metavar="N",
            help="lift: lift only N vertices around a cycle.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Check every claim.")] = False,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="DIR", help="Write the graphs into this folder.", show_default=False
        ),
    ] = None,
    format: Annotated[  # noqa: A002
        str, typer.Option("--format", help="The format of the files that --out writes.")
    ] = "nt",
    lossy: Annotated[
        bool, typer.Option("--lossy", help="--out: drop what the format cannot hold.")
    ] = False,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Show graphs that tests cannot tell apart, check the claims about them, and write them.

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
        print_counterexample,
        print_families,
    )
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress

    limit = memory_limit(max_memory)
    given = {key: value for key, value in (("k", k), ("n", n), ("r", r)) if value is not None}
    if name is None:
        if given or check or of or out:
            raise UsageError("which counterexample? wlkg counterexample lists their names")
        if json:
            print_json("counterexample", families_document())
        else:
            print_families()
        return
    example = _build(name, given, reading, of=of, seed=seed, piece=piece)
    written = () if out is None else write_graphs(example, out, format, lossy=lossy)
    findings = None
    if check or of is not None:
        findings = examine(example, max_memory=limit, progress=TerminalProgress())
    if json:
        print_json("counterexample", counterexample_document(example, findings, written))
    else:
        print_counterexample(example, findings, written)
    if findings is not None and not findings.hold:
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
