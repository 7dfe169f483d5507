"""A `Progress` that records its reports for tests."""

from __future__ import annotations

from typing import Any

from wlkg.progress import Silent


class Watched(Silent):
    """Records every call."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def start(self, what: str, total: int | None, unit: str) -> None:
        self.seen.append((what, total, unit))

    def done(self, amount: int) -> None:
        self.seen.append(amount)

    def finish(self) -> None:
        self.seen.append("finished")
