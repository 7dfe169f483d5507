"""One table of colours: what is good, bad, open or left out looks the same in every report."""

from __future__ import annotations

from rich.text import Text

_GOOD, _PLAIN, _LESS, _OPEN, _BAD = "bold green", "", "yellow", "magenta", "bold red"
_REMARK = "dim"

STYLES: dict[str, str] = {
    # what a test or a model says of two graphs, vertices or tuples
    "separated": _GOOD,
    "same": _PLAIN,
    "skipped": _LESS,
    "not run": _REMARK,
    "undecided": _OPEN,
    # a bound, a claim, a certificate
    "holds": _GOOD,
    "violated": _BAD,
    "does not hold": _BAD,
    "open": _OPEN,
    "valid": _GOOD,
    "yes": _GOOD,
    "no": _BAD,
    # a layer of a model beside a round of its test
    "equal": _GOOD,
    "coarser": _LESS,
    "finer": _BAD,
    "incomparable": _BAD,
    # a test beside the symmetries of a graph
    "complete": _GOOD,
    "not complete": _LESS,
}


def verdict(word: str, text: str | None = None) -> Text:
    """A verdict in its colour; ``text`` is what is written instead of the word."""
    return Text(word if text is None else text, style=STYLES.get(word, ""))


def heading(text: str) -> Text:
    """The title of a report or of a part of it."""
    return Text(text, style="bold")


def remark(text: str) -> Text:
    """What is beside the point: how it was found, and how long that took."""
    return Text(text, style=_REMARK)
