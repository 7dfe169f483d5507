"""Small pieces of text for messages and reports."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, one: str, many: str) -> str:
    """A number with its noun, singular or plural."""
    return f"{count:,} {one if count == 1 else many}"


def first_few(names: Sequence[str], limit: int = 3) -> str:
    """The first names of a list, and "..." if there are more."""
    return ", ".join(names[:limit]) + (", ..." if len(names) > limit else "")


def typed(text: str) -> str:
    r"""What a user typed as text, if the command line was not decoded as UTF-8.

    Under some settings Python stands in a surrogate for each byte beyond ASCII. No name has one.

    >>> typed("\udcc3\udca9"), typed("\ud800")
    ('é', '?')
    """
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()


def printable(text: str) -> str:
    """The text with control characters escaped, so that a name cannot control the terminal."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)
