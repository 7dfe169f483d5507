"""``wlkg report``: saved results on one page."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options.single import quiet_option


def report(
    results: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULT.json...",
            help="What commands have printed with --json.",
            show_default=False,
        ),
    ],
    out: Annotated[
        str,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="The report: .html, .md or .tex.",
            show_default=False,
        ),
    ],
    title: Annotated[
        str | None, quiet_option("--title", metavar="TITLE", help="The title of the report.")
    ] = None,
) -> None:
    """Put saved results together on one page.

    The page may also be a Markdown or LaTeX file. The graphs are read again to be drawn. Where a
    graph has changed or is gone, the report says so and shows what the result alone can show.

    \b
    Examples:
      wlkg report refine.json ceiling.json -o page.html
      wlkg report *.json -o tables.tex
      wlkg report compare.json -o compare.md --title "Before and after"
    """
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.report import report as write
    from wlkg.reports.terminal import note

    write(results, out, title, progress=TerminalProgress())
    note(f"wrote {out}")
