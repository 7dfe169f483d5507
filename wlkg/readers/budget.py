"""How much an input may grow to when it is read: a few kilobytes can hold gigabytes.

What counts is the size once decompressed, with XML entities expanded, and with a fixed size for
every graph and every vertex that a few bytes declare. The limit is what the user allows or, by
default, 250 times the stored size, but at least 16 MiB (a table about vertices: 4 MiB, because its
rows are Python objects) and at most 1 TiB. Real graphs shrink to a tenth, seldom to a fiftieth.
"""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.errors import TooLargeError

#: What is always allowed for a graph, and for a table about vertices.
_FLOOR = 16 << 20
_TABLE_FLOOR = 4 << 20
#: How many times its stored size an input may grow to.
_FACTOR = 250
#: What is never allowed unless the user says so.
_CEILING = 1 << 40


@dataclass
class Budget:
    """Counts the stored bytes that were read, and what they have grown to."""

    path: str
    #: The limit that the user gave.
    limit: int | None = None
    #: Whether the user can give a limit.
    is_adjustable: bool = True
    stored: int = 0
    used: int = 0

    @property
    def allowed(self) -> int:
        """The size that the input may have grown to by now."""
        if self.limit is not None:
            return self.limit
        floor = _FLOOR if self.is_adjustable else _TABLE_FLOOR
        return min(max(floor, _FACTOR * self.stored), _CEILING)

    def spend(self, size: int, what: str | None = None) -> None:
        """Count bytes that the input has grown by, for example by ``what``; refuse too many."""
        self.used += size
        if self.used > self.allowed:
            detail = f" ({what})" if what else ""
            remedy = f"allow more with --max-input, for example --max-input {_suggested(self.used)}"
            raise TooLargeError(
                f"{self.path}: {self.stored:,} bytes of input grow to more than the "
                f"{self.allowed:,} bytes allowed{detail}. If you trust it, "
                f"{remedy if self.is_adjustable else 'decompress it first'}"
            )


def _suggested(size: int) -> str:
    """A round limit well above a size."""
    for power, unit in ((2**30, "G"), (2**20, "M")):
        if size >= power:
            return f"{-(-10 * size // power)}{unit}"
    return "1M"
