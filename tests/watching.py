"""A progress that tests can read afterwards."""

from __future__ import annotations

from typing import Any

from wlkg.progress import Silent


class Watched(Silent):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def start(self, what: str, total: int | None, unit: str) -> None:
        self.seen.append((what, total, unit))

    def done(self, amount: int) -> None:
        self.seen.append(amount)

    def finish(self) -> None:
        self.seen.append("finished")
