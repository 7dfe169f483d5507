"""How deep a JSON document may be nested before pyoxigraph reads it as JSON-LD.

Its parser keeps every event inside an object, and keeps it again for each object around that one:
the punctuation of a document, each counted as often as objects are open around it, says how much is
kept, at 100 bytes each. It also follows nested objects by recursion: 4,000 end the process.
"""

from __future__ import annotations

import numpy as np

from wlkg.errors import InputError
from wlkg.readers.source import Readable

_DEEPEST = 500
#: The most events that are kept for a document of any size, and per event of a large one.
_KEPT = 2_000_000
_KEPT_PER_EVENT = 12

_PUNCTUATION = b"{}[],:"
_OTHER_BYTES = bytes(set(range(256)) - set(_PUNCTUATION))
#: Signed bytes: how a byte of punctuation changes the number of open objects, and of open lists.
_OBJECTS = bytes.maketrans(_PUNCTUATION, b"\x01\xff\x00\x00\x00\x00")
_LISTS = bytes.maketrans(_PUNCTUATION, b"\x00\x00\x01\xff\x00\x00")


class CheckedJson:
    """The rest of a JSON-LD document after ``start``, checked on its way to the parser."""

    def __init__(self, start: bytes, rest: Readable, path: str) -> None:
        self._rest = rest
        self._path = path
        self._open_objects = self._open_lists = 0
        self._events = self._kept = 0
        self._in_string = False
        #: A backslash at the end of a piece, which belongs to the first byte of the next.
        self._cut = b""
        self._check(start)

    def read(self, size: int = -1) -> bytes:
        data = self._rest.read(size)
        self._check(data)
        return data

    def _check(self, data: bytes) -> None:
        events = self._outside_strings(self._cut + data).translate(None, delete=_OTHER_BYTES)
        if not events:
            return
        objects = self._open_objects + _running_sum(events.translate(_OBJECTS))
        lists = self._open_lists + _running_sum(events.translate(_LISTS))
        self._open_objects, self._open_lists = int(objects[-1]), int(lists[-1])
        self._events += len(events)
        self._kept += int(objects.sum())
        if (objects + lists).max() > _DEEPEST:
            raise self._refused(f"objects and lists are nested more than {_DEEPEST} deep")
        if self._kept > max(_KEPT, _KEPT_PER_EVENT * self._events):
            raise self._refused(
                f"values are nested in more than {_KEPT_PER_EVENT} objects on average"
            )

    def _outside_strings(self, text: bytes) -> bytes:
        self._cut = b"\\" * ((len(text) - len(text.rstrip(b"\\"))) % 2)
        text = text.removesuffix(self._cut)
        # Without escaped backslashes, every backslash before a quotation mark escapes it.
        parts = text.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
        outside = b"".join(parts[self._in_string :: 2])
        self._in_string ^= len(parts) % 2 == 0
        return outside

    def _refused(self, message: str) -> InputError:
        remedy = "Convert the file to Turtle or N-Triples with another tool"
        return InputError(message, path=self._path, remedy=remedy)


def _running_sum(steps: bytes) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.frombuffer(steps, dtype=np.int8).cumsum(dtype=np.int64)
