"""What a library says about a document, turned into the project's own input error.

Libraries raise whatever their code runs into: networkx alone raises ten different types on
malformed documents. So a block that only calls a library catches everything, except

* our own errors, from streams that the library reads,
* Ctrl-C, exits and a lack of memory, which say nothing about the document, and
* any other exception from our own functions that the library calls back: that is a bug.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.parsers import expat

from wlkg.errors import InputError, WlkgError

_NOT_ABOUT_THE_DOCUMENT: tuple[type[BaseException], ...] = (
    WlkgError,
    KeyboardInterrupt,
    SystemExit,
    GeneratorExit,
    MemoryError,
)
#: What Python says of a library that raises "the exception that is being handled", and none is.
_BARE_RAISE = "No active exception to reraise"


@contextmanager
def complaints(
    what: str,
    path: str | Path,
    *,
    remedy: str | None = None,
    handled: tuple[type[BaseException], ...] = (),
) -> Iterator[None]:
    """Turn whatever a library raises in this block into an input error that begins with ``what``.

    The block should call the library and do nothing else. Exceptions of the types ``handled`` are
    left to the caller.
    """
    try:
        yield
    except BaseException as error:  # a panic in a Rust library is not an Exception
        if isinstance(error, _NOT_ABOUT_THE_DOCUMENT + handled) or _is_our_own(error):
            raise
        line, column = _position(error)
        raise InputError(
            f"{what}: {_reason(error)}", path=path, line=line, column=column, remedy=remedy
        ) from error


def _is_our_own(error: BaseException) -> bool:
    """Whether our code raised it, in a function that the library called back."""
    frames = list(traceback.walk_tb(error.__traceback__))
    # The first frame is the context manager's, the second belongs to the block. If there is no
    # other, the library is not written in Python.
    if len(frames) <= 2:
        return False
    return str(frames[-1][0].f_globals.get("__name__", "")).split(".")[0] == "wlkg"


def _position(error: BaseException) -> tuple[int | None, int | None]:
    """Line and column, where the parsers of JSON and XML report them."""
    if isinstance(error, json.JSONDecodeError):
        return error.lineno, error.colno
    if isinstance(error, expat.ExpatError):
        return error.lineno, error.offset + 1
    line, offset = getattr(error, "position", (None, None))  # xml.etree.ElementTree.ParseError
    return line, None if offset is None else offset + 1


def _reason(error: BaseException) -> str:
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    if isinstance(error, expat.ExpatError):
        return expat.ErrorString(error.code)
    text = str(error)
    if text == _BARE_RAISE:
        return "it holds something that the library which reads it does not know"
    if isinstance(error, KeyError) or not text:
        return f"{type(error).__name__}: {text}".removesuffix(": ")
    return text
