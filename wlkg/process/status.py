"""How a run ends: its exit status and its last message.

======  ============================================================================================
0, 1    it is fine, or the answer is "different", "violated" or "does not hold"
2 .. 4  the statuses of `wlkg.errors`; 3 also if memory runs out
70      a bug in wlkg: a traceback, to be reported
74      the output cannot be written
128+n   signal n has stopped it: 130 for Ctrl-C, 129 for SIGHUP, 143 for SIGTERM, and 141 if nobody
        reads the output any more
======  ============================================================================================
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

from wlkg.errors import TooLargeError, UsageError, WlkgError, WriteError
from wlkg.memory import is_out_of_memory
from wlkg.text import printable

#: The statuses of a run that has given its answer.
_ANSWERS = (0, 1)
_BUG = 70


class SetAsideError(Exception):
    """An exception, its cause, on the way to `status_of` through a library that would handle it."""


def status_of(run: Callable[[], object]) -> int:
    """Call a function and say how the process should end, after a message if that is needed.

    Whatever happens, the result is only 0 or 1 if all output has been written.
    """
    status = _status_of(run)
    try:
        sys.stdout.flush()
    except WriteError as error:
        if status in _ANSWERS:
            return _failed(error)
    return status


def _status_of(run: Callable[[], object]) -> int:
    try:
        run()
    except SystemExit as end:
        return _status(end.code)
    except SetAsideError as error:
        return _failed(error.__cause__ or error)
    except BaseException as error:  # noqa: BLE001  a run must not end in any other way
        return _failed(error)
    return 0


def _status(code: object) -> int:
    if code is None:
        return 0
    return code if isinstance(code, int) else UsageError.exit_code


def _failed(error: BaseException) -> int:
    """Tell the user about an exception; its exit status."""
    if isinstance(error, WlkgError):
        if not error.quiet:
            complain(str(error))
        return error.exit_code
    if is_out_of_memory(error):
        complain("not enough memory")
        return TooLargeError.exit_code
    if isinstance(error, KeyboardInterrupt):
        number = getattr(error, "number", signal.SIGINT)
        by = "" if number == signal.SIGINT else f" by {signal.Signals(number).name}"
        complain(f"interrupted{by}")
        return stopped_by(number)
    traceback.print_exception(error)
    complain("this is a bug in wlkg. Please report it with the lines above")
    return _BUG


def stopped_by(number: int) -> int:
    """The status of a process that a signal has stopped."""
    return 128 + number


def complain(message: str) -> None:
    """Write an error message to stderr."""
    # A line break before indented text belongs to the message; one within a name is escaped.
    text = "\n  ".join(printable(part) for part in message.split("\n  "))
    sys.stderr.write(f"error: {text}\n")


def leave(status: int) -> NoReturn:
    """End the process."""
    if status in _ANSWERS:
        sys.exit(status)
    # Without waiting for threads: one may still be waiting for input.
    sys.stderr.flush()
    os._exit(status)
