"""How results show themselves: in a line or two at the prompt, as a section in notebooks.

A result inherits from `Displayed`; how it looks in a notebook is the business of `wlkg.reports`,
which lies above all results and is loaded by name when a notebook asks for it. Parts of results
inherit from `Brief`.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection
from dataclasses import fields
from typing import Any

from wlkg.text import counted, printable

#: The most characters of a representation, of a text in it, and of the items of a list in it.
_LONGEST = 160
_LONGEST_TEXT = 40
_LONGEST_LIST = 40


def _brief(result: Any) -> str:
    """The fields that fit; those that are left out are counted as ``...``."""
    text = f"{type(result).__name__}("
    for place, field in enumerate(each for each in fields(result) if each.repr):
        part = f"{', ' if place else ''}{field.name}={_value(getattr(result, field.name))}"
        if len(text) + len(part) > _LONGEST:
            return f"{text}, ...)" if place else f"{text}...)"
        text += part
    return f"{text})"


def _value(value: Any) -> str:
    if isinstance(value, str):
        short = value if len(value) <= _LONGEST_TEXT else f"{value[:_LONGEST_TEXT]}…"
        return repr(printable(short))
    if value is None or isinstance(value, bool | int):
        return repr(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Collection):
        return _items(value)
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_LIST else f"{type(value).__name__}(...)"


def _items(values: Collection[Any]) -> str:
    """A short list of simple values as it is; of any other, how many there are."""
    front, back = "()" if isinstance(values, tuple) else "[]"
    if len(values) <= 4 and isinstance(values, tuple | list):
        shown = ", ".join(_value(value) for value in values)
        comma = "," if len(values) == 1 and isinstance(values, tuple) else ""
        if len(shown) <= _LONGEST_LIST:
            return f"{front}{shown}{comma}{back}"
    return f"{front}{counted(len(values), 'item', 'items')}{back}"


class Brief:
    """A dataclass whose representation names its fields and shows the short ones.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Score(Brief):
    ...     test: str
    ...     rounds: list[int]
    >>> Score("1-rwl", list(range(1000)))
    Score(test='1-rwl', rounds=[1,000 items])
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # A class that has a representation of its own gets none from ``dataclass``.
        if "__repr__" not in cls.__dict__:
            is_plain = cls.__repr__ is object.__repr__
            cls.__repr__ = _brief if is_plain else cls.__repr__  # type: ignore[method-assign]


class Displayed(Brief):
    """A result that a notebook shows as the section of its report."""

    def _repr_html_(self) -> str:
        html: str = importlib.import_module("wlkg.reports.notebook").notebook_html(self)
        return html
