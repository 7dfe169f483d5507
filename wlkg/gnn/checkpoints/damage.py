"""The complaint about a file that is not a checkpoint, or a damaged one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class DamagedError(Exception):
    """What is wrong with a file; its reader adds the path."""


@contextmanager
def library_at_work() -> Iterator[None]:
    """Whatever a library raises about a hostile file becomes a `DamagedError` without its words.

    The message of PyTorch would say how to run the code in a file. A file that cannot be opened and
    a lack of memory are not the file's fault and stay as they are.
    """
    try:
        yield
    except (OSError, MemoryError, DamagedError):
        raise
    except Exception as error:
        raise DamagedError from error


def shown(name: object) -> str:
    """A name from a file, cut to a length that fits a message."""
    return repr(str(name)[:60])
