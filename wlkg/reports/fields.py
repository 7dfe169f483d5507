"""A JSON object whose values are checked as they are taken out.

Sections are made from documents that may come from a file, so nothing about them is certain: a key
may be missing, or hold something else. Every such case is an `InputError` that names the place.
Keys that nobody asks for are harmless.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from wlkg.errors import InputError
from wlkg.text import printable

T = TypeVar("T")

#: Larger numbers are in no document, and cannot be drawn.
_LARGEST = 10**300
_SHOWN = 60


@dataclass(frozen=True)
class _Kind:
    """What a value may be: its name for messages, and how it is known."""

    name: str
    fits: Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    """Whether it is a number; true and false are none."""
    return type(value) is float or _is_whole(value)


def _is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) < _LARGEST


_TEXT = _Kind("a text", lambda value: isinstance(value, str))
_WHOLE = _Kind("a whole number", _is_whole)
_NUMBER = _Kind("a number", _is_number)
_NUMBER_OR_NULL = _Kind("a number or null", lambda value: value is None or _is_number(value))
_TRUTH = _Kind("true or false", lambda value: isinstance(value, bool))
_PLAIN = _Kind(
    "a text, a number, true, false or null",
    lambda value: value is None or isinstance(value, str | bool) or _is_number(value),
)
_OBJECT = _Kind("an object", lambda value: isinstance(value, Mapping))
_LIST = _Kind("a list", lambda value: isinstance(value, list | tuple))


@dataclass(frozen=True)
class Fields:
    """An object of a document: ``where`` is its place, ``file`` the file it was read from."""

    content: Mapping[str, Any]
    where: str = ""
    file: str | None = None

    def has(self, key: str) -> bool:
        """Whether there is a value other than null."""
        return self.content.get(key) is not None

    def maybe(self, take: Callable[[str], T], key: str) -> T | None:
        """What ``take`` takes, as in ``fields.maybe(fields.text, "reason")``, or None."""
        return take(key) if self.has(key) else None

    def text(self, key: str) -> str:
        return str(self._taken(key, _TEXT))

    def texts(self, key: str) -> list[str]:
        return self._listed(key, _TEXT)

    def pair(self, key: str) -> tuple[str, str]:
        """A list of two texts."""
        texts = self.texts(key)
        if len(texts) != 2:
            raise self.wrong(key, "a list of two texts", self.content[key])
        return texts[0], texts[1]

    def whole(self, key: str) -> int:
        return int(self._taken(key, _WHOLE))

    def wholes(self, key: str) -> list[int]:
        return self._listed(key, _WHOLE)

    def number(self, key: str) -> float | None:
        """A number; None if it is infinite or not a number, which JSON of Python may hold."""
        return _finite(self._taken(key, _NUMBER))

    def numbers(self, key: str) -> list[float | None]:
        """Numbers; null, infinity and what is not a number are None."""
        return [_finite(number) for number in self._listed(key, _NUMBER_OR_NULL)]

    def counts(self, key: str) -> dict[str, int]:
        """An object whose values are whole numbers."""
        counted = self.one(key)
        return {name: counted.whole(name) for name in counted.content}

    def truth(self, key: str) -> bool:
        return bool(self._taken(key, _TRUTH))

    def parts(self, key: str) -> list[str | float | None]:
        """Texts and numbers, of a list or alone; what is missing or infinite is None."""
        value = self.content.get(key)
        several = Fields({key: value if _LIST.fits(value) else [value]}, self.where, self.file)
        parts = several._listed(key, _PLAIN)
        return [part if isinstance(part, str | bool) else _finite(part) for part in parts]

    def one(self, key: str) -> Fields:
        """The object under a key."""
        return Fields(self._taken(key, _OBJECT), self._place(key), self.file)

    def many(self, key: str) -> list[Fields]:
        """The objects in the list under a key."""
        place = self._place(key)
        return [
            Fields(each, f"{place}[{i}]", self.file)
            for i, each in enumerate(self._listed(key, _OBJECT))
        ]

    def named(self, key: str) -> dict[str, Fields]:
        """The objects in the object under a key, by their keys."""
        objects = self.one(key)
        return {name: objects.one(name) for name in objects.content}

    def lists(self, key: str) -> list[list[Any]]:
        """The lists in the list under a key; their entries are not checked."""
        return self._listed(key, _LIST)

    def wrong(self, key: str, expected: str, found: object) -> InputError:
        """The error for a value that is not what a section needs."""
        return self.error(f"{self._place(key)}: expected {expected}, found {_shown(found)}")

    def error(self, message: str) -> InputError:
        """An error about this document."""
        remedy = "Write the result again with --json"
        return InputError(message, path=self.file, remedy=remedy)

    def _taken(self, key: str, kind: _Kind) -> Any:
        if key not in self.content:
            place = f" in {self.where}" if self.where else ""
            raise self.error(f"the key {printable(key)!r} is missing{place}")
        value = self.content[key]
        if not kind.fits(value):
            raise self.wrong(key, kind.name, value)
        return value

    def _listed(self, key: str, kind: _Kind) -> list[Any]:
        entries = list(self._taken(key, _LIST))
        for place, entry in enumerate(entries):
            if not kind.fits(entry):
                raise self.wrong(f"{key}[{place}]", kind.name, entry)
        return entries

    def _place(self, key: str) -> str:
        key = printable(key)
        return f"{self.where}.{key}" if self.where else key


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None


def _shown(found: object) -> str:
    """A value that is not as expected, for a message."""
    names = {list: "a list", tuple: "a list", type(None): "null", bool: "true or false"}
    if isinstance(found, Mapping):
        return "an object"
    if isinstance(found, str):
        return repr(found) if len(found) <= _SHOWN else f"{found[:_SHOWN]!r}..."
    if type(found) is int:
        return f"{found}" if abs(found) < 10**18 else "a huge number"
    return names.get(type(found), f"{found}")
