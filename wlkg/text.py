"""Small pieces of text for messages and reports."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, one: str, many: str) -> str:
    """A number with its noun, singular or plural."""
    return f"{count:,} {one if count == 1 else many}"


def first_few(names: Sequence[str], limit: int = 3) -> str:
    """The first names of a list, and "..." if there are more."""
    return ", ".join(names[:limit]) + (", ..." if len(names) > limit else "")


def printable(text: str) -> str:
    """The text with control characters escaped, so that a name cannot control the terminal."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)
