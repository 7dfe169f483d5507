"""A folder for the data of one run, which is gone when the run has ended, in whichever way.

It lies where the system keeps temporary files (``TMPDIR``). The run holds a lock on a file in it.
A run that was killed cannot clean up; the next run removes folders that nobody has locked.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wlkg.errors import open_error
from wlkg.writers.aside import lock, removed_at_the_end

_PREFIX = "wlkg-scratch-"
_LOCK = "lock"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder that only this run uses."""
    parent = Path(tempfile.gettempdir())
    _remove_abandoned(parent)
    try:
        folder, handle = _locked_folder(parent)
    except OSError as error:
        raise open_error(str(parent), error, "no folder can be made for temporary files") from error
    try:
        with removed_at_the_end(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


def _locked_folder(parent: Path) -> tuple[Path, int]:
    """A new folder, and a file in it that is open and locked."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        # Another run may remove it in the moment before it is locked.
        with suppress(FileNotFoundError):
            handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            if lock(handle) and os.fstat(handle).st_nlink:
                return folder, handle
            os.close(handle)


def _remove_abandoned(parent: Path) -> None:
    """Remove the folders of runs that were killed; those of other users are left alone."""
    with suppress(OSError):
        for folder in parent.glob(f"{_PREFIX}*"):
            with suppress(OSError):
                folder.rmdir()  # if it is empty, its run was killed before or after all else
                continue
            with suppress(OSError):
                handle = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
                try:
                    if lock(handle):
                        shutil.rmtree(folder, ignore_errors=True)
                finally:
                    os.close(handle)
