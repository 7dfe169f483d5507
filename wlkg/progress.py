"""How long work reports on itself, without knowing whether anybody watches."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Receives what a long task has done; the command line draws it, everybody else ignores it."""

    def start(self, what: str, total: int | None, unit: str) -> None:
        """A task begins: ``total`` units in all, None if that is not known."""

    def done(self, amount: int) -> None:
        """``amount`` units in all are done now."""

    def found(self, count: int, what: str) -> None:
        """So many triples, classes, ... in all have come of it until now."""

    def say(self, text: str) -> None:
        """How it stands, in words."""

    def finish(self) -> None:
        """The task is over."""


class Silent:
    """Progress that nobody watches."""

    def start(self, what: str, total: int | None, unit: str) -> None: ...

    def done(self, amount: int) -> None: ...

    def found(self, count: int, what: str) -> None: ...

    def say(self, text: str) -> None: ...

    def finish(self) -> None: ...


SILENT: Progress = Silent()
