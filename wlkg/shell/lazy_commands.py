"""Commands that are imported when they are used, so that the program starts at once."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, MutableMapping
from typing import Any

import typer

from wlkg.shell.everywhere import with_these
from wlkg.shell.groups import COMMANDS
from wlkg.shell.help_page import Command


class LazyCommands(MutableMapping[str, Any]):
    """The commands by name; each is built when it is asked for."""

    def __init__(self) -> None:
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            if name not in COMMANDS:
                raise KeyError(name)
            self._built[name] = _build(name)
        return self._built[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._built[name] = command

    def __delitem__(self, name: str) -> None:
        del self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS | self._built)

    def __len__(self) -> int:
        return len(COMMANDS | self._built)

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS or name in self._built


def _build(name: str) -> Any:
    """The command of a module of its own, made by an app that has no other."""
    function = name.replace("-", "_")
    module = importlib.import_module(f"wlkg.commands.{function}")
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=Command)(with_these(getattr(module, function)))
    return typer.main.get_command(app)
