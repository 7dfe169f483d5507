"""``wlkg verify``: check a certificate, independently of what wrote it."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import GraphArgument, JsonOption, Reading, reads_graphs


@reads_graphs
def verify(
    certificate: Annotated[
        str,
        typer.Argument(metavar="CERTIFICATE", help="A file of certify.", show_default=False),
    ],
    graph: GraphArgument,
    reading: Reading,
    other: Annotated[
        str | None,
        typer.Argument(metavar="[OTHER]", help="The second graph.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check a certificate of wlkg certify with a separate program that evaluates it directly.

    Read the graphs with the same options as for certify: labels, literals and direction matter.

    Exit status 0: the certificate holds; 1: it does not; 2: it is malformed or about other graphs.

    \b
    Examples:
      wlkg verify proof.json before.ttl after.ttl
      wlkg verify complete.json people.ttl
    """
    import time

    from wlkg.reports.certificates import print_verification, verification_document
    from wlkg.reports.jsondoc import print_json
    from wlkg.verification.verify import verify as run

    one = reading.read(graph)
    two = None if other is None else reading.read(other)
    started = time.perf_counter()
    verification = run(certificate, one, two)
    seconds = time.perf_counter() - started
    if json:
        print_json("verify", {**verification_document(verification), "seconds": seconds})
    else:
        print_verification(verification, seconds)
    if not verification.valid:
        raise typer.Exit(1)
