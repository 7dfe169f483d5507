"""The command line: its commands, and how a run ends."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from wlkg import __version__
from wlkg.commands.ceiling import ceiling
from wlkg.commands.compare import compare
from wlkg.commands.convert import convert
from wlkg.commands.counterexample import counterexample
from wlkg.commands.hierarchy import hierarchy
from wlkg.commands.info import info
from wlkg.commands.pairs import pairs
from wlkg.commands.predict import predict
from wlkg.commands.refine import refine
from wlkg.commands.reproduce import reproduce
from wlkg.commands.train import train
from wlkg.commands.translate import translate
from wlkg.commands.versus import versus
from wlkg.commands.witness import witness
from wlkg.errors import WlkgError

INTERRUPTED = 130


class _Commands(TyperGroup):
    """Turns every failure that a user can cause into one message and its documented exit status."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except WlkgError as error:
            _complain(str(error))
            raise typer.Exit(error.exit_code) from error
        except (MemoryError, RuntimeError) as error:
            from wlkg.memory import is_out_of_memory

            if not is_out_of_memory(error):
                raise
            _complain("not enough memory")
            raise typer.Exit(3) from error
        except KeyboardInterrupt as error:
            _complain("interrupted")
            raise typer.Exit(INTERRUPTED) from error


def _complain(message: str) -> None:
    from wlkg.reports.terminal import printable

    # A line break before indented text belongs to the message; one within a name is escaped.
    text = "\n  ".join(printable(part) for part in message.split("\n  "))
    sys.stderr.write(f"error: {text}\n")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wlkg {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="wlkg",
    cls=_Commands,
    no_args_is_help=True,
    # Plain help: typer's rich help imports a Markdown parser, which takes longer than all the rest.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Weisfeiler-Leman expressivity of knowledge graphs."""


app.command()(info)
app.command()(convert)
app.command()(refine)
app.command()(pairs)
app.command()(compare)
app.command()(counterexample)
app.command()(hierarchy)
app.command()(train)
app.command()(predict)
app.command()(versus)
app.command()(witness)
app.command()(translate)
app.command()(ceiling)
app.command()(reproduce)


def main() -> None:
    """Run the command line; characters that the terminal cannot encode are escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="wlkg")
    except SystemExit as end:
        if end.code == INTERRUPTED:
            # A thread may still be waiting for input, and a normal exit would wait for it.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        raise
