"""The command line: its commands."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from wlkg import __version__
from wlkg.commands.ceiling import ceiling
from wlkg.commands.certify import certify
from wlkg.commands.compare import compare
from wlkg.commands.convert import convert
from wlkg.commands.counterexample import counterexample
from wlkg.commands.explain import explain
from wlkg.commands.hierarchy import hierarchy
from wlkg.commands.info import info
from wlkg.commands.pairs import pairs
from wlkg.commands.predict import predict
from wlkg.commands.refine import refine
from wlkg.commands.reproduce import reproduce
from wlkg.commands.symmetry import symmetry
from wlkg.commands.train import train
from wlkg.commands.translate import translate
from wlkg.commands.verify import verify
from wlkg.commands.versus import versus
from wlkg.commands.witness import witness
from wlkg.process.signals import heed_signals
from wlkg.process.status import SetAsideError, leave, status_of
from wlkg.process.streams import open_streams


class _Commands(TyperGroup):
    """Ends every run, in the program and in tests, with the status of `wlkg.process.status`."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, EOFError, OSError) as error:
            # Typer has statuses of its own for these, among them 1.
            raise SetAsideError from error

    def main(self, *arguments: Any, **options: Any) -> Any:
        run = super().main
        sys.exit(status_of(lambda: run(*arguments, **options)))


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
app.command()(explain)
app.command()(symmetry)
app.command()(certify)
app.command()(verify)
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
    """Run the command line."""
    open_streams()
    heed_signals()
    leave(status_of(lambda: app(prog_name="wlkg")))
