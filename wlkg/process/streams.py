"""Standard streams that are always there and fail in one way only.

===============  ===================================================================================
standard input   if it is closed, readers refuse ``-``
standard output  a failed write raises `WriteError` or `ClosedPipeError`. Libraries that print for
                 us have statuses of their own for an ``OSError``, and status 1 means "different"
standard error   what cannot be written is dropped: messages never change how a run ends
===============  ===================================================================================

The descriptor of a closed stream is given to the null device. Otherwise the next file that is
opened would get it, and receive whatever is printed.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import sys
from typing import TYPE_CHECKING, TextIO

from wlkg.errors import WriteError, write_error

if TYPE_CHECKING:
    from typing_extensions import Buffer

_STDIN, _STDOUT, _STDERR = 0, 1, 2


def open_streams() -> None:
    """Replace standard output and standard error by streams that fail in a known way."""
    _fill_gaps()
    # Streams that somebody else has put there, a test for example, are left alone.
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(_Output(None if sys.stdout is None else _STDOUT), sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(_Errors(None if sys.stderr is None else _STDERR), sys.stderr)


def _fill_gaps() -> None:
    for descriptor in (_STDIN, _STDOUT, _STDERR):
        try:
            os.fstat(descriptor)
        except OSError:
            # It gets the lowest free descriptor, which is this one.
            os.open(os.devnull, os.O_WRONLY if descriptor == _STDIN else os.O_RDONLY)


def _text(raw: _Output, like: TextIO | None) -> TextIO:
    """A text stream with the encoding and the buffering of another one."""
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(like, "encoding", None) or "utf-8",
        errors="backslashreplace",
        line_buffering=getattr(like, "line_buffering", False),
        write_through=getattr(like, "write_through", False),
    )


class _Output(io.RawIOBase):
    """A descriptor to write to; None if it was closed before the run began."""

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        if self._descriptor is None:
            raise io.UnsupportedOperation("the stream is closed")
        return self._descriptor

    def isatty(self) -> bool:
        return self._descriptor is not None and os.isatty(self._descriptor)

    def write(self, data: Buffer, /) -> int:
        try:
            return _write(-1 if self._descriptor is None else self._descriptor, data)
        except OSError as error:
            raise write_error("standard output", error) from error


class _Errors(_Output):
    def write(self, data: Buffer, /) -> int:
        with contextlib.suppress(WriteError):
            return super().write(data)
        return memoryview(data).nbytes


def _write(descriptor: int, data: Buffer) -> int:
    while True:
        try:
            return os.write(descriptor, data)
        except BlockingIOError:  # somebody has made it non-blocking
            select.select([], [descriptor], [])
