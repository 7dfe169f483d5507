"""How a long task reports its progress, without knowing whether anybody watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """Receives the reports of a task; the command line draws them, everybody else ignores them."""

    def start(self, what: str, total: int | None, unit: str) -> None:
        """A task begins; it has ``total`` units of work, None if that is not known."""

    def done(self, amount: int) -> None:
        """``amount`` units are done in total."""

    def count(self, number: int, what: str) -> None:
        """The task has produced ``number`` triples, classes, ... in total."""

    def say(self, text: str) -> None:
        """The current state in words."""

    def finish(self) -> None:
        """The task is over."""


class Silent:
    """Progress that nobody watches."""

    def start(self, what: str, total: int | None, unit: str) -> None: ...

    def done(self, amount: int) -> None: ...

    def count(self, number: int, what: str) -> None: ...

    def say(self, text: str) -> None: ...

    def finish(self) -> None: ...


SILENT: Progress = Silent()


@contextmanager
def phase(progress: Progress, what: str) -> Iterator[None]:
    """A task of which nothing is known but that it is going on."""
    progress.start(what, None, "")
    try:
        yield
    finally:
        progress.finish()
