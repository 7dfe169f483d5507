"""One error tree: every message says where, what was found, what was expected, and what to do.

Each class carries the exit status that the command line documents for it, so no command has to
decide how a failure ends the process.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path

#: What code that takes the content of a document for granted may raise on any other document: a
#: key that is missing, a text in place of a number, a number that is too large, deep nesting.
MALFORMED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


#: The most characters of a message; the middle of a longer one is left out.
_LONGEST_MESSAGE = 4000


class WlkgError(Exception):
    """Anything that wlkg refuses to do, with a message for the user."""

    exit_code = 2
    #: Whether the command line ends without showing the message.
    quiet = False

    def __str__(self) -> str:
        """The message; names from a hostile input can make it megabytes long, so it is cut."""
        text = super().__str__()
        if len(text) <= _LONGEST_MESSAGE:
            return text
        return f"{text[: _LONGEST_MESSAGE // 2]} [...] {text[-_LONGEST_MESSAGE // 4 :]}"


class UsageError(WlkgError):
    """An option, a name or an argument that does not exist or does not fit."""


class GraphError(WlkgError):
    """Arrays or names that do not form a relational graph."""


class InputError(WlkgError):
    """A file that cannot be read as what it claims to be, and where reading stopped."""

    def __init__(
        self,
        message: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        column: int | None = None,
        remedy: str | None = None,
    ) -> None:
        self.message = message
        self.path = None if path is None else str(path)
        self.line = line
        self.column = column
        self.remedy = remedy
        super().__init__(self._text())

    def _text(self) -> str:
        place = [] if self.path is None else [self.path]
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        text = ": ".join(filter(None, [", ".join(place), self.message]))
        if self.remedy is None:
            return text
        # A list that is cut short ends in "...", which already ends the sentence.
        ended = text if text.endswith("...") else f"{text.rstrip('.')}."
        return f"{ended} {self.remedy}"


class OutputError(WlkgError):
    """A result that cannot be written to the requested place or in the requested format."""


class WriteError(OutputError):
    """Output that broke off: the disk is full, the device has failed, or the stream is closed."""

    exit_code = 74


class ClosedPipeError(WriteError):
    """Output that nobody reads any more, as after ``| head``."""

    exit_code = 141
    quiet = True


class TooLargeError(WlkgError):
    """Work refused before it starts because it would not fit."""

    exit_code = 3


class NoEvidenceError(WlkgError):
    """An answer for which there is no evidence that could be checked."""

    exit_code = 1


class MissingExtraError(WlkgError):
    """An optional part that is not installed."""

    exit_code = 4

    def __init__(self, what: str, extra: str = "", *, package: str = "") -> None:
        """``extra`` is an extra of this project, ``package`` a project of its own."""
        install = package or f"'wlkg[{extra}]'"
        super().__init__(f"{what} needs an optional part. Install it with: pip install {install}")


#: Errors that say that the place is wrong. All others say that writing has failed.
_WRONG_PLACE = {
    errno.EACCES,
    errno.EEXIST,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
}


def open_error(
    place: str, error: OSError | ValueError, what: str = "cannot be written"
) -> OutputError:
    """The error for a file or folder that cannot be made; ``ValueError``: not a possible name."""
    if not isinstance(error, OSError):
        return OutputError(f"{place}: {what}: {error}")
    kind = OutputError if error.errno in _WRONG_PLACE else WriteError
    return kind(f"{place}: {what}: {error.strerror or error}")


def write_error(place: str, error: OSError) -> WriteError:
    """The error for a write to a file or stream that failed."""
    if error.errno == errno.EPIPE:
        return ClosedPipeError(f"{place}: nobody reads it any more")
    return WriteError(f"{place}: cannot be written: {error.strerror or error}")


def unknown_name(kind: str, given: str, known: Iterable[str]) -> UsageError:
    """The error for a name that is not in one of the project's tables; it lists the known names."""
    return UsageError(f"unknown {kind} {given!r}. Known: {', '.join(known)}")
