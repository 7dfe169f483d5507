"""``wlkg verify``: check a certificate, independently of what wrote it."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import GraphArgument, JsonOption, Reading, reads_graphs
from wlkg.commands.options.completing import complete_graph


@reads_graphs
def verify(
    certificate: Annotated[
        str,
        typer.Argument(
            metavar="CERTIFICATE", help="A file that certify wrote.", show_default=False
        ),
    ],
    graph: GraphArgument,
    reading: Reading,
    other: Annotated[
        str | None,
        typer.Argument(
            metavar="[OTHER]",
            help="The second graph, if the certificate is about two.",
            show_default=False,
            autocompletion=complete_graph,
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check the evidence that certify wrote, independently.

    The check knows nothing of how the answer was found: it evaluates the claim directly. Read the
    graphs with the same options as for certify: labels, literals and direction matter.

    Exit status 0: the certificate holds; 1: it does not; 2: it is malformed or about other graphs.

    \b
    Examples:
      wlkg verify proof.json before.ttl after.ttl
      wlkg verify complete.json people.ttl
    """
    import time

    from wlkg.progress import phase
    from wlkg.reports.certificates import print_verification, verification_document
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.next_steps import end_text
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.verification.verify import verify as run

    one = reading.read(graph)
    two = None if other is None else reading.read(other)
    started = time.perf_counter()
    with phase(TerminalProgress(), "checking the certificate"):
        verification = run(certificate, one, two)
    seconds = time.perf_counter() - started
    if json:
        print_json("verify", {**verification_document(verification), "seconds": seconds})
    else:
        print_verification(verification, seconds)
        end_text(None, status=None if verification.valid else "the certificate does not hold")
    if not verification.valid:
        raise typer.Exit(1)
