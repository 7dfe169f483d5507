"""A progress bar on stderr for work of more than a second; silent if stderr is not a terminal."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

from wlkg.reports.details import record
from wlkg.reports.presentation import presentation

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

#: Seconds before a bar appears, and between two updates of it.
_PATIENCE = 1.0
_INTERVAL = 0.1


class TerminalProgress:
    """Draws what a `wlkg.progress.Progress` is told, once the work has taken a second.

    Reports come from several threads, and the last may arrive after the end.
    """

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty() and not presentation().quiet
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._running = False
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None
        self._what, self._total, self._unit = "", None, ""  # type: tuple[str, int | None, str]
        self._amount = 0
        self._status = ""
        self._started = self._drawn = 0.0
        #: Whether the bar will be drawn even if no other report comes.
        self._timed = False

    def start(self, what: str, total: int | None, unit: str) -> None:
        self.finish()
        # The size of a pipe is given as 0.
        self._what, self._total, self._unit = what, total or None, unit
        self._amount, self._status, self._timed = 0, "", False
        self._started = time.monotonic()
        self._running = True
        if self._is_terminal:
            # A phase that reports nothing for a while is shown all the same.
            self._timer = threading.Timer(_PATIENCE, self._draw)
            self._timer.daemon = True
            self._timer.start()

    def done(self, amount: int) -> None:
        self._amount = amount
        self._draw()

    def count(self, number: int, what: str) -> None:
        elapsed = max(time.monotonic() - self._started, 1e-9)
        self._status = f"{number:,} {what}, {number / elapsed:,.0f}/s"
        self._draw()

    def say(self, text: str) -> None:
        self._status = text
        self._draw()
        if self._is_terminal and self._bar is None and not self._timed:
            self._timed = True
            self._draw_later()

    def _draw_later(self) -> None:
        """Draw once the patience is over, in case no other report comes until then."""
        timer = threading.Timer(_PATIENCE, self._draw)
        timer.daemon = True
        timer.start()

    def finish(self) -> None:
        with self._lock:
            if self._running:
                record(self._what, time.monotonic() - self._started)
            self._running = False
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._bar is not None:
                self._bar.stop()
                self._bar = None

    def _draw(self) -> None:
        now = time.monotonic()
        if (
            not self._is_terminal
            or now - self._started < _PATIENCE
            or now - self._drawn < _INTERVAL
        ):
            return
        with self._lock:
            if not self._running:
                return
            self._drawn = now
            if self._bar is None:
                self._open()
            if self._bar is not None and self._task is not None:
                self._bar.update(self._task, completed=self._amount, status=self._status)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            MofNCompleteColumn,
            Progress,
            ProgressColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        from wlkg.reports.terminal import printable

        columns: list[ProgressColumn] = [
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
        ]
        if self._unit:
            columns.append(DownloadColumn() if self._unit == "bytes" else MofNCompleteColumn())
        else:
            columns.append(TimeElapsedColumn())
        columns.append(TextColumn("{task.fields[status]}", markup=False))
        if self._total is not None:
            columns.append(TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(
            printable(self._what), total=self._total, status=self._status
        )
        self._bar.start()
