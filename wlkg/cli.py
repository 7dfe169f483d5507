"""The command line: the program, whose commands `wlkg.shell.groups` lists."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from wlkg.process.signals import heed_signals
from wlkg.process.status import SetAsideError, leave, status_of
from wlkg.process.streams import open_streams
from wlkg.shell.bash_words import asks_for_completion, complete
from wlkg.shell.everywhere import (
    FullNamesOption,
    QuietOption,
    VerboseOption,
    begin,
    choose,
    show_details,
)
from wlkg.shell.help_page import help_page
from wlkg.shell.lazy_commands import LazyCommands
from wlkg.version import __version__


class _Commands(TyperGroup):
    """Ends every run, in the program and in tests, with the status of `wlkg.process.status`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = LazyCommands()

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  the signature is Typer's
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, EOFError, OSError) as error:
            # Typer has statuses of its own for these, among them 1.
            raise SetAsideError from error
        finally:
            show_details()

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(help_page(self, ctx))

    def main(self, *arguments: Any, **options: Any) -> Any:
        run = partial(super().main, *arguments, **options)
        sys.exit(status_of(partial(complete, run) if asks_for_completion() else run))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wlkg {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="wlkg",
    cls=_Commands,
    no_args_is_help=True,
    # Help and errors without Typer's formatter: it imports a Markdown parser, which takes longer
    # than all the rest. `wlkg.shell.help_page` lays out the help instead.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _root(
    version: Annotated[  # noqa: ARG001  its callback does the work
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    full_names: FullNamesOption = False,
) -> None:
    """Weisfeiler-Leman expressivity of knowledge graphs.

    What can R-GCN, CompGCN and their like tell apart, and what not? A GRAPH is a file (.nt, .ttl,
    .tsv, .graphml, ...), a folder, or a built-in graph such as example:c6.

    \b
    Examples:
      wlkg compare example:c6 example:2xc3
      wlkg refine family.ttl
      wlkg COMMAND --help
    """  # noqa: D301  the backspace keeps the lines of the examples
    begin()
    choose(quiet=quiet, verbose=verbose, full_names=full_names)


def main() -> None:
    """Run the command line."""
    open_streams()
    heed_signals()
    leave(status_of(lambda: app(prog_name="wlkg")))
