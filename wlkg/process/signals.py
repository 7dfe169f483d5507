"""SIGTERM and SIGHUP stop a run as Ctrl-C does: by an exception, so that everything is cleaned up.

Python handles a signal only between two steps of the main thread. A compiled kernel may run for
long without such a moment, so a thread waits beside it: if the run has not ended a few seconds
after the signal, the thread removes unfinished files and ends the process.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from types import FrameType

from wlkg.process.status import stopped_by
from wlkg.writers.aside import remove_unfinished

#: Seconds for the run to end by itself.
_GRACE = 5.0


class Stopped(KeyboardInterrupt):
    """The run was asked to stop by a signal other than that of Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def heed_signals() -> None:
    """Stop by an exception when a signal arrives; one that is ignored, as by nohup, stays so."""
    names = ("SIGTERM", "SIGHUP")
    known = [getattr(signal, name) for name in names if hasattr(signal, name)]
    heeded = [number for number in known if signal.getsignal(number) == signal.SIG_DFL]
    if not heeded:
        return

    def stop(number: int, _frame: FrameType | None) -> None:
        for each in heeded:  # the next one must not disturb the cleaning up
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    arrivals, notify = os.pipe()
    os.set_blocking(notify, False)
    signal.set_wakeup_fd(notify, warn_on_full_buffer=False)
    for number in heeded:
        signal.signal(number, stop)
    threading.Thread(target=_wait_beside, args=(arrivals, set(heeded)), daemon=True).start()


def _wait_beside(arrivals: int, heeded: set[int]) -> None:
    """End the process if it does not end by itself after a signal."""
    while arrived := os.read(arrivals, 1):
        if arrived[0] in heeded:
            time.sleep(_GRACE)
            remove_unfinished()
            os._exit(stopped_by(arrived[0]))
