"""How long kernels were compiled, which happens once after installation and is not refining.

numba reports the beginning and the end of each compilation, but not kernels that it finds in its
cache on disk. Compilations are nested where a kernel calls another: only the outermost count. numba
holds a lock meanwhile, so no two run at the same time. Garbage is not collected until one is over:
the compiler makes many objects that live on, and looking through them is a sixth of its time.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from wlkg.progress import SILENT, Progress

COMPILING = "compiling (once)"


class _Clock:
    """Adds up the outermost compilations, and tells whoever watches."""

    def __init__(self) -> None:
        self.total = 0.0
        self.watcher: Progress = SILENT
        self._depth = 0
        self._collects = True
        self._started = 0.0

    def begin(self) -> None:
        self._depth += 1
        if self._depth == 1:
            self._started = time.perf_counter()
            self.watcher.say(COMPILING)
            self._collects = gc.isenabled()
            gc.disable()

    def end(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            if self._collects:
                gc.enable()
            self.total += time.perf_counter() - self._started
            self.watcher.say("")


_clock = _Clock()


def compile_seconds() -> float:
    """The seconds that this process has spent on compiling kernels so far."""
    return _clock.total


@contextmanager
def compiling_is_said(progress: Progress) -> Iterator[None]:
    """Within the block, tell ``progress`` when kernels are being compiled."""
    before, _clock.watcher = _clock.watcher, progress
    try:
        yield
    finally:
        _clock.watcher = before


@cache
def listen() -> None:
    """Hear of all compilations from now on; called once numba has been imported."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:  # noqa: ARG002
            _clock.begin()

        def on_end(self, event: Any) -> None:  # noqa: ARG002
            _clock.end()

    event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]


class Stopwatch:
    """Measures work from its creation on, without the time for compiling."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._compiled = compile_seconds()

    @property
    def compiled(self) -> float:
        """The seconds of compiling since the start."""
        return compile_seconds() - self._compiled

    @property
    def seconds(self) -> float:
        """The seconds of everything else since the start."""
        return max(time.perf_counter() - self._started - self.compiled, 0.0)
