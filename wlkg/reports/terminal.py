"""Text for people: 80 columns, readable without colour, safe for any names in a graph."""

from __future__ import annotations

import sys
from typing import IO

from rich.console import Console
from rich.text import Text

from wlkg.text import printable as printable  # noqa: PLC0414  for those who print

_WIDTH = 80


def shortened(text: str, width: int) -> str:
    """A name cut after its first third: the end of an IRI says most."""
    text = printable(text)
    if len(text) <= width:
        return text
    front = (width - 1) // 3
    return f"{text[:front]}…{text[len(text) - (width - 1 - front) :]}"


def console(stream: IO[str] | None = None) -> Console:
    """A console as wide as the terminal, or 80 columns; text is shown without markup."""
    target = sys.stdout if stream is None else stream
    width = None if target.isatty() else _WIDTH
    return Console(
        file=target, width=width, markup=False, emoji=False, highlight=False, soft_wrap=False
    )


def bar(share: float, width: int) -> Text:
    """A horizontal bar for a share between 0 and 1, in steps of an eighth of a cell."""
    eighths = round(share * width * 8)
    return Text("█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8], style="cyan")


def note(text: str) -> None:
    """Write a remark for the user to stderr."""
    sys.stderr.write(f"note: {printable(text)}\n")
