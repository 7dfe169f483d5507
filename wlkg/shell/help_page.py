"""The help of the program and of each command."""

from __future__ import annotations

import inspect
from typing import Any

from typer.core import TyperCommand

from wlkg.shell.groups import COMMANDS, GROUPS
from wlkg.shell.layout import Layout, page_width, wants_colour
from wlkg.shell.parameters import panels, row_of, usage


class Command(TyperCommand):
    """A command whose help is laid out here."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(help_page(self, ctx))


def help_page(command: Any, ctx: Any) -> str:
    """The help of a command, or of the program with its commands."""
    colour = wants_colour()
    if colour:
        ctx.color = True
    page = Layout(page_width(), colour=colour)
    is_program = ctx.parent is None
    parameters = command.get_params(ctx)
    page.usage(ctx.command_path, usage(parameters) + (" COMMAND ..." if is_program else ""))
    page.paragraphs(inspect.cleandoc(command.help or ""))
    if is_program:
        _list_commands(page)
    for title, members in panels(parameters).items():
        page.heading(title)
        page.columns(map(row_of, members))
    return page.text()


def _list_commands(page: Layout) -> None:
    longest = max(map(len, COMMANDS))
    for title, members in GROUPS.items():
        page.heading(title)
        page.columns(((name, text, "") for name, text in members.items()), least=longest)
