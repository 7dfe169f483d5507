"""Help as text: headings, paragraphs and two columns, with colour where the terminal has it.

Written by hand because the help must appear at once: the formatter that comes with Typer loads a
Markdown parser, which takes longer than all the rest of the program.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence

#: Lines of help are at most this long, however wide the terminal is.
_WIDEST = 100
_NARROWEST = 40
#: The first column takes at most this share of a line; what is longer gets a line of its own.
_FIRST_COLUMN = 0.36
_INDENT = "  "

_CODES = {"heading": "1", "name": "36", "remark": "2"}


def wants_colour() -> bool:
    """Whether standard output takes colours, by the usual variables and by what it is."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def page_width() -> int:
    """The columns of the terminal, within reason; 80 in a pipe."""
    return max(min(shutil.get_terminal_size((80, 24)).columns, _WIDEST), _NARROWEST)


class Layout:
    """Collects the lines of a page."""

    def __init__(self, width: int, *, colour: bool) -> None:
        self._width = width
        self._colour = colour
        self._lines: list[str] = []

    def text(self) -> str:
        return "\n".join(self._lines).strip("\n")

    def styled(self, text: str, style: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self._colour and text else text

    def heading(self, title: str) -> None:
        """A title, after an empty line."""
        self._lines += ["", self.styled(f"{title}:", "heading")]

    def usage(self, program: str, pieces: str) -> None:
        lead = f"Usage: {program} "
        lines = self._wrapped(f"{lead}{pieces}", self._width, indent=" " * min(len(lead), 12))
        lines[0] = lines[0].replace("Usage:", self.styled("Usage:", "heading"), 1)
        self._lines += lines

    def paragraphs(self, text: str) -> None:
        """Paragraphs are filled; those after a line with a backspace keep their lines."""
        for paragraph in text.split("\n\n"):
            self._lines.append("")
            lines = paragraph.strip("\n").splitlines()
            if lines and lines[0].strip() == "\b":
                self._kept(lines[1:])
            else:
                words = " ".join(line.strip() for line in lines)
                self._lines += self._wrapped(_INDENT + words, self._width, indent=_INDENT)

    def _kept(self, lines: Sequence[str]) -> None:
        """Lines as they are; the first one is a title such as ``Examples:``."""
        for number, line in enumerate(lines):
            is_title = number == 0 and line.endswith(":")
            self._lines.append(_INDENT + (self.styled(line, "heading") if is_title else line))

    def columns(self, rows: Iterable[tuple[str, str, str]], *, least: int = 0) -> None:
        """Rows of a name, a text, and a remark such as the default at the end of the text."""
        rows = list(rows)
        most = int(self._width * _FIRST_COLUMN)
        fitting = [len(name) for name, _, _ in rows if len(name) <= most]
        first = max([least, *fitting]) if fitting else min(least or most, most)
        gap = len(_INDENT) + first + 2
        for name, text, remark in rows:
            self._row(name, text, remark, gap)

    def _row(self, name: str, text: str, remark: str, gap: int) -> None:
        # Unbreakable spaces keep the remark on one line, where it can be styled.
        kept = remark.replace(" ", "\xa0")
        lines = self._wrapped(f"{text} {kept}".strip(), self._width - gap, indent="")
        lines = [line.replace(kept, self.styled(remark, "remark")) for line in lines]
        lead = f"{_INDENT}{self.styled(name, 'name')}"
        if len(name) + len(_INDENT) + 2 > gap:
            self._lines.append(lead)
            self._lines += [" " * gap + line for line in lines]
            return
        blank = " " * (gap - len(_INDENT) - len(name))
        first, *others = lines or [""]
        self._lines.append(f"{lead}{blank}{first}".rstrip())
        self._lines += [" " * gap + line for line in others]

    @staticmethod
    def _wrapped(text: str, width: int, *, indent: str) -> list[str]:
        return textwrap.wrap(
            text, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
        )
