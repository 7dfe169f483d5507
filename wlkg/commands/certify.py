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
from wlkg.commands.options.completing import complete_graph, complete_test
from wlkg.commands.options.single import lower_case, quiet_option
from wlkg.shell.panels import OUTPUT


@reads_graphs
def certify(
    graph: GraphArgument,
    reading: Reading,
    output: Annotated[
        str,
        quiet_option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the certificate to this file.",
            rich_help_panel=OUTPUT,
        ),
    ],
    other: Annotated[
        str | None,
        typer.Argument(
            metavar="[OTHER]",
            help="A second graph, to compare with the first.",
            show_default=False,
            autocompletion=complete_graph,
        ),
    ] = None,
    test: Annotated[
        str | None,
        quiet_option(
            "--test",
            metavar="TEST",
            help=f"The WL test: {TEST_CHOICES}. By default 1-rwl; with --isomorphic the first of"
            " 1-rwl, 2-rlwl and 3-rlwl that separates.",
            callback=lower_case,
            autocompletion=complete_test,
        ),
    ] = None,
    isomorphic: Annotated[
        bool, typer.Option("--isomorphic", help="Certify whether two graphs are isomorphic.")
    ] = False,
    fractional: Annotated[
        bool,
        typer.Option(
            "--fractional",
            help="If the test does not separate, add a fractional isomorphism as evidence.",
        ),
    ] = False,
    seconds: Annotated[
        float,
        typer.Option(
            metavar="N", min=0, help="Time limit of the search for symmetries or an isomorphism."
        ),
    ] = 60.0,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Write evidence for an answer, which verify can check.

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
    from wlkg.analysis.certificates.certify import certify as run
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.progress import phase
    from wlkg.reports.certificates import certificate_document, print_certificate
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.next_steps import end_text
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_tests import after_certificate

    check_tests(test)
    limit = memory_limit(max_memory)
    one = reading.read(graph)
    two = None if other is None else reading.read(other)
    watch = Stopwatch()
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
    with phase(TerminalProgress(), "writing the certificate"):
        found.write(output)
    took = watch.seconds
    if json:
        content = certificate_document(found)
        print_json("certify", {**content, "file": output, "seconds": took})
    else:
        print_certificate(found, output, took)
        names = [name for name in (graph, other) if name is not None]
        end_text(after_certificate(reading.asked(*names), output))
