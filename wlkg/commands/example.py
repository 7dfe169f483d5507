"""``wlkg example``: the built-in graphs, listed and written to files."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import ForceOption, JsonOption
from wlkg.commands.options.completing import complete_example, complete_written_format
from wlkg.shell.panels import OUTPUT


def example(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A built-in graph, such as family or cfi-g,k=3.",
            show_default=False,
            autocompletion=complete_example,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the graph to this file; its suffix is the format.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    targets: Annotated[
        bool,
        typer.Option(
            "--targets",
            help="Also write what is to be learned: two tables beside it.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="Format of FILE, as in nt or tsv; by default its suffix decides.",
            rich_help_panel=OUTPUT,
            autocompletion=complete_written_format,
        ),
    ] = None,
    lossy: Annotated[
        bool,
        typer.Option(
            "--lossy", help="Leave out what the format cannot hold.", rich_help_panel=OUTPUT
        ),
    ] = False,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """List the built-in graphs, or write one to a file.

    Every command also takes them without a file, as example:NAME.

    \b
    Examples:
      wlkg example
      wlkg example family -o family.ttl
      wlkg example university -o university.ttl --targets
    """
    from wlkg.errors import UsageError
    from wlkg.reports.example import (
        examples_document,
        print_examples,
        print_written,
        written_document,
    )
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.next_steps import Asked, end_text
    from wlkg.writers.example_files import write_example

    if output is None:
        if targets or to or lossy or force:
            raise UsageError("nothing is written without -o FILE")
        if json:
            print_json("example", examples_document(name))
        else:
            print_examples(name)
        return
    if name is None:
        raise UsageError("which graph? wlkg example lists their names")
    files = write_example(name, output, format=to, targets=targets, lossy=lossy, force=force)
    if json:
        print_json("example", written_document(name, files))
    else:
        print_written(files)
        more = () if to is None else ("--format", to)
        end_text(Asked((output,)).step("info", "what was written", more=more))
