"""``wlkg certify``: evidence for an answer, as a file."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.catalogue import TEST_CHOICES
from wlkg.commands.options import (
    GraphArgument,
    JsonOption,
    MemoryOption,
    Reading,
    check_tests,
    memory_limit,
    reads_graphs,
)
from wlkg.commands.options.single import quiet_option


@reads_graphs
def certify(
    graph: GraphArgument,
    reading: Reading,
    output: Annotated[
        str, quiet_option("--output", "-o", metavar="FILE", help="Where the certificate goes.")
    ],
    other: Annotated[
        str | None,
        typer.Argument(metavar="[OTHER]", help="A second graph.", show_default=False),
    ] = None,
    test: Annotated[
        str | None,
        quiet_option(
            "--test",
            metavar="TEST",
            help=f"The WL test: {TEST_CHOICES}. By default 1-rwl; with --isomorphic the first of"
            " 1-rwl, 2-rlwl and 3-rlwl that separates.",
        ),
    ] = None,
    isomorphic: Annotated[
        bool, typer.Option("--isomorphic", help="Certify whether two graphs are isomorphic.")
    ] = False,
    fractional: Annotated[
        bool,
        typer.Option(
            "--fractional", help="If a test does not separate, add the fractional isomorphism."
        ),
    ] = False,
    seconds: Annotated[
        float, typer.Option(min=0, help="Time limit for finding symmetries or a map, in seconds.")
    ] = 60.0,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Decide what is true and write evidence for it, which wlkg verify checks independently.

    Of two graphs: whether a test separates them, or whether they are isomorphic. Of one graph: that
    a test is complete, so that no model of any kind separates more of its vertices.

    Exit status 0: the certificate is written; 1: the answer has no evidence that can be checked.

    \b
    Examples:
      wlkg certify before.ttl after.ttl -o proof.json
      wlkg certify example:c6 example:2xc3 --fractional -o same.json
      wlkg certify example:c6 example:2xc3 --isomorphic -o different.json
      wlkg certify people.ttl -o complete.json
    """
    import time

    from wlkg.analysis.certificates.certify import certify as run
    from wlkg.reports.certificates import certificate_document, print_certificate
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress

    check_tests(test)
    limit = memory_limit(max_memory)
    one = reading.read(graph)
    two = None if other is None else reading.read(other)
    started = time.perf_counter()
    found = run(
        one,
        two,
        test,
        isomorphic=isomorphic,
        fractional=fractional,
        seconds=seconds,
        max_memory=limit,
        progress=TerminalProgress(),
    ).made_with(reading.that_matters())
    found.write(output)
    took = time.perf_counter() - started
    if json:
        content = certificate_document(found)
        print_json("certify", {**content, "file": output, "seconds": took})
    else:
        print_certificate(found, output, took)
