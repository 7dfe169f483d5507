"""``wlkg fetch-data``: a data set of the paper's study from its public address."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import JsonOption
from wlkg.commands.options.completing import one_of
from wlkg.commands.options.single import quiet_option


def fetch_data(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The data set: aifb, am, mutag or bgs.",
            show_default=False,
            autocompletion=one_of(("aifb", "am", "mutag", "bgs")),
        ),
    ],
    output: Annotated[
        str | None,
        quiet_option(
            "--output", "-o", metavar="DIR", help="A new or empty folder; by default NAME."
        ),
    ] = None,
    source: Annotated[
        str | None,
        quiet_option(
            "--from", metavar="SOURCE", help="Another address, or an archive that is already here."
        ),
    ] = None,
    sha256: Annotated[
        str | None,
        quiet_option("--sha256", metavar="HEX", help="Refuse an archive with another digest."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Fetch a data set of the paper, and check its content.

    It goes into a folder, for reproduce and all other commands. No other command uses the network.

    \b
    Examples:
      wlkg fetch-data aifb
      wlkg fetch-data aifb -o data/aifb
      wlkg fetch-data aifb --from aifb.tgz
    """
    from wlkg.reports.fetch_data import fetched_document, print_fetched
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.studies.fetch import fetch

    fetched = fetch(name, output, source=source, sha256=sha256, progress=TerminalProgress())
    if json:
        print_json("fetch-data", fetched_document(fetched))
    else:
        print_fetched(fetched)
