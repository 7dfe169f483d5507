"""Files that are written completely or not at all.

A file is written under another name in the same folder, ``.NAME.XXXXXXXX.wlkg-part``, and renamed
at the end. Its writer holds a lock on it, which the system releases when the process ends in any
way. So a part without a lock was left behind by a run that was killed, and the next run that writes
the same file removes it.
"""

from __future__ import annotations

import errno
import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from wlkg.errors import open_error, write_error

if sys.platform != "win32":  # there, parts that were left behind stay
    import fcntl

_SUFFIX = ".wlkg-part"
#: Bytes of the file's name in the name of its part: a name may have 255 bytes.
_LONGEST_NAME = 200

#: The parts, and folders of temporary files, that this process is writing.
_unfinished: set[Path] = set()


@contextmanager
def written_aside(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content replaces ``path`` if the block succeeds; ``.gz`` is compressed.

    After any failure, including Ctrl-C and a full disk, ``path`` is unchanged. A symbolic link
    keeps its target. A device or pipe cannot be replaced and is written to directly.
    """
    part = None
    try:
        if path.exists() and not path.is_file():
            raw: BinaryIO = path.open("wb")
        else:
            part = _Part(path.resolve())
            raw = part.stream
    except (OSError, ValueError) as error:  # ValueError: the name has a null character
        raise open_error(str(path), error) from error
    try:
        with raw, _compressed(raw, path.suffix.lower() == ".gz") as stream:
            yield stream
        if part is not None:
            part.put_in_place()
    except OSError as error:
        raise write_error(str(path), error) from error
    finally:
        if part is not None:
            part.discard()


def made_folder(path: str | Path) -> Path:
    """A folder to write to, which is made if it is not there."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise open_error(str(path), error, "the folder cannot be made") from error
    return folder


def remove_unfinished() -> None:
    """Remove what this process is writing, before it ends without cleaning up."""
    for path in tuple(_unfinished):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            path.unlink()


@contextmanager
def removed_at_the_end(folder: Path) -> Iterator[None]:
    """A folder that does not outlive this process, even if it must end at once."""
    _unfinished.add(folder)
    try:
        yield
    finally:
        _unfinished.discard(folder)


class _Part:
    """A new file beside ``target``, locked until it is discarded."""

    def __init__(self, target: Path) -> None:
        self._target = target
        name = os.fsencode(target.name)[:_LONGEST_NAME].decode(errors="ignore")
        prefix = f".{name}."
        _remove_abandoned(target.parent, prefix)
        while True:
            handle, path = tempfile.mkstemp(prefix=prefix, suffix=_SUFFIX, dir=target.parent)
            # Another process may have removed it in the moment before it was locked.
            if lock(handle) and os.fstat(handle).st_nlink:
                break
            os.close(handle)
        self._path = Path(path)
        _unfinished.add(self._path)
        # The stream is closed before the file is renamed, because closing may fail. The lock
        # lasts until its last descriptor is closed.
        self._lock = os.dup(handle)
        self.stream: BinaryIO = os.fdopen(handle, "wb")

    def put_in_place(self) -> None:
        """Rename the complete file, with the permissions of the one that it replaces.

        Its content reaches the disk before its name does: after a power failure, too, the target is
        the old file or the whole new one.
        """
        _synchronise(self._lock)
        is_old = self._target.exists()
        mode = self._target.stat().st_mode & 0o777 if is_old else 0o666 & ~_umask()
        self._path.chmod(mode)
        self._path.replace(self._target)

    def discard(self) -> None:
        """Remove the file unless it is in place; if that fails, the next run removes it."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
        _unfinished.discard(self._path)
        with suppress(OSError):
            os.close(self._lock)


def _synchronise(handle: int) -> None:
    """Write a file to the disk, on file systems that can be asked to."""
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise


def lock(handle: int) -> bool:
    """Lock a file; False if another process has locked it."""
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            pass
    return True


def _remove_abandoned(folder: Path, prefix: str) -> None:
    """Remove parts that nobody is writing any more."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and entry.name.endswith(_SUFFIX):
                _remove_if_abandoned(Path(entry.path))


def _remove_if_abandoned(path: Path) -> None:
    """Remove a part that nobody has locked; one that cannot be locked is left alone."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        finally:
            os.close(handle)


@contextmanager
def _compressed(raw: BinaryIO, compress: bool) -> Iterator[BinaryIO]:
    if not compress:
        yield raw
        return
    # No file name and no time, so that equal graphs give equal bytes.
    with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as stream:
        yield cast(BinaryIO, stream)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
