"""The progress of a study: a bar on a terminal, else a line in the log now and then."""

from __future__ import annotations

import sys
import time

from wlkg.reports.progressbar import TerminalProgress
from wlkg.reports.terminal import note
from wlkg.text import counted

#: Seconds between two lines.
_INTERVAL = 60.0


class StudyProgress(TerminalProgress):
    """A study takes hours and often runs where nobody watches, so a log says how far it is."""

    def __init__(self) -> None:
        super().__init__()
        self._noted = time.monotonic()

    def start(self, what: str, total: int | None, unit: str) -> None:
        super().start(what, total, unit)
        self._noted = self._started

    def done(self, amount: int) -> None:
        super().done(amount)
        now = time.monotonic()
        if sys.stderr.isatty() or now - self._noted < _INTERVAL or not (self._total and amount):
            return
        self._noted = now
        elapsed = now - self._started
        minutes = round(max(elapsed * (self._total - amount) / amount / 60, 0))
        left = counted(minutes, "minute", "minutes")
        note(f"{self._what}: {self._status}; about {left} left")
