"""Names of vertices and relations, and the one order in which they are numbered.

Ids are positions in the *canonical order* of the names, so they depend neither on the order of the
input lines nor on hash seeds. Decimal numbers without leading zeros come first, by value (so "10"
comes after "9"); all other names follow, by code point.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from typing import overload

#: The suffix of the inverse relations that direction mode ``both`` adds.
INVERSE_SUFFIX = "^-1"

#: The name of the only relation, for inputs that do not name relations.
DEFAULT_RELATION = "edge"

#: Numbers that sort by value; longer numbers would not fit 64 bits and sort as text.
NUMBER = r"(?:0|[1-9][0-9]{0,17})"
_is_number = re.compile(NUMBER).fullmatch


def canonical_order(names: Iterable[str]) -> list[str]:
    """The distinct names, in canonical order."""
    distinct = set(names)
    numbers = {name for name in distinct if name[:1].isdecimal() and _is_number(name)}
    if not numbers:
        return sorted(distinct)
    return sorted(numbers, key=int) + sorted(distinct - numbers)


def by_name(names: Sequence[str], items: Iterable[int]) -> list[int]:
    """The items in the canonical order of their names.

    >>> by_name(["b", "10", "9", "a"], range(4))
    [2, 1, 3, 0]
    """
    if isinstance(names, NumberNames):
        return sorted(items)
    # Ids mostly are in this order already, and sorting then takes a single pass.
    return sorted(items, key=lambda item: _canonical_key(names[item]))


def _canonical_key(name: str) -> tuple[bool, int, str]:
    if name[:1].isdecimal() and _is_number(name):
        return False, int(name), ""
    return True, 0, name


class NumberNames(Sequence[str]):
    """The names "0", "1", ..., "n-1" without storing them."""

    __slots__ = ("_count",)

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(map(str, range(*index.indices(self._count))))
        if not -self._count <= index < self._count:
            raise IndexError(index)
        return str(index % self._count)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberNames):
            return self._count == other._count
        if isinstance(other, Sequence) and not isinstance(other, str):
            return len(self) == len(other) and all(map(operator.eq, self, other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"NumberNames({self._count})"
