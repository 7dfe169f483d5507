"""A disk that fails at the n-th operation: opening, reading, writing, closing, renaming, ...

Only operations on files below one folder count. Files are opened by `open`, `os.fdopen` and
`tempfile.mkstemp`, so what a library in C opens by itself is not seen.
"""

from __future__ import annotations

import errno
import io
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from wlkg.writers import aside

#: Operations that change something, and those that do not.
CHANGES = ("make", "write", "close", "fsync", "chmod", "rename", "mkdir")
LOOKS = ("open", "read")
_synchronise = aside._synchronise


class FaultyDisk:
    """Counts operations; the one with number ``fails_at`` raises an error, as do all later ones.

    A full or broken disk does not recover: cleaning up must do without it. Removing files works.
    """

    def __init__(self, kinds: tuple[str, ...], fails_at: int, code: int = errno.ENOSPC) -> None:
        self._kinds, self._fails_at, self._code = kinds, fails_at, code
        #: The operations so far.
        self.seen: list[str] = []

    @property
    def has_failed(self) -> bool:
        return len(self.seen) >= self._fails_at

    def operation(self, kind: str) -> None:
        """An operation begins."""
        if kind in self._kinds:
            self.seen.append(kind)
            if self.has_failed:
                raise OSError(self._code, os.strerror(self._code))


class _FaultyFile(io.FileIO):
    """A file on such a disk; a write takes only a part of long data, as the system may do."""

    def __init__(self, disk: FaultyDisk, *arguments: Any) -> None:
        self._disk = disk
        super().__init__(*arguments)

    def write(self, data: Any) -> int:
        self._disk.operation("write")
        return super().write(memoryview(data)[: max(len(memoryview(data)) // 2, 100)])

    def readinto(self, buffer: Any) -> int:
        self._disk.operation("read")
        return super().readinto(buffer) or 0

    def read(self, size: int | None = -1) -> bytes:
        self._disk.operation("read")
        return super().read(-1 if size is None else size)

    def readall(self) -> bytes:
        self._disk.operation("read")
        return super().readall()

    def close(self) -> None:
        fails = False
        if not self.closed and self.writable():
            try:
                self._disk.operation("close")
            except OSError:
                fails = True
        super().close()
        if fails:
            raise OSError(errno.EIO, os.strerror(errno.EIO))


@contextmanager
def faulty(disk: FaultyDisk, folder: Path) -> Iterator[FaultyDisk]:
    """Files below ``folder`` are on a faulty disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aside, "_synchronise", _synchronise)
        patch.setattr(tempfile, "mkstemp", _before(disk, "make", tempfile.mkstemp))
        patch.setattr(os, "fdopen", _opener(disk))
        patch.setattr(os, "fsync", _before(disk, "fsync", os.fsync))
        for name, kind in (("chmod", "chmod"), ("replace", "rename"), ("mkdir", "mkdir")):
            patch.setattr(Path, name, _method(disk, kind, getattr(Path, name), folder))
        patch.setattr(Path, "open", _open_method(disk, Path.open, folder))
        yield disk


def _before(disk: FaultyDisk, kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def with_fault(*arguments: Any, **options: Any) -> Any:
        disk.operation(kind)
        return function(*arguments, **options)

    return with_fault


def _opener(disk: FaultyDisk) -> Callable[[int, str], io.BufferedWriter]:
    def opened(handle: int, mode: str) -> io.BufferedWriter:
        assert mode == "wb"
        return io.BufferedWriter(_FaultyFile(disk, handle, "wb"), buffer_size=1024)

    return opened


def _method(
    disk: FaultyDisk, kind: str, method: Callable[..., Any], folder: Path
) -> Callable[..., Any]:
    def with_fault(self: Path, *arguments: Any, **options: Any) -> Any:
        if self.is_relative_to(folder) and not (kind == "mkdir" and self.is_dir()):
            disk.operation(kind)
        return method(self, *arguments, **options)

    return with_fault


def _open_method(disk: FaultyDisk, method: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    def opened(self: Path, mode: str = "r", buffering: int = -1, **options: Any) -> Any:
        if "b" not in mode or not self.is_relative_to(folder):
            return method(self, mode, buffering, **options)
        disk.operation("open")
        raw = _FaultyFile(disk, self, mode)
        if buffering == 0:
            return raw
        return io.BufferedReader(raw) if "r" in mode else io.BufferedWriter(raw)

    return opened
