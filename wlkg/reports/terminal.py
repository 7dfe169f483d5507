"""Text for people: readable without colour, in any width, safe for any names in a graph.

===========  =======================================================================================
a terminal   is as wide as it is; names in tables are cut if there is no room, numbers never
a pipe       sentences are broken at 80 columns, and no name is cut or broken, however long it is
===========  =======================================================================================
"""

from __future__ import annotations

import sys
from typing import IO, Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from wlkg.reports.presentation import presentation
from wlkg.text import printable as printable  # noqa: PLC0414  for those who print

_PIPE_WIDTH = 80
#: Wide enough for any name.
_ENDLESS = 1_000_000
#: Below this width, columns of tables stand closer together.
_NARROW = 72


def shortened(text: str, width: int) -> str:
    """A name cut after its first third: the end of an IRI says most."""
    text = printable(text)
    if len(text) <= width:
        return text
    front = max(width - 1, 0) // 3
    return f"{text[:front]}…{text[len(text) - (width - 1 - front) :]}"


class Terminal(Console):
    """Where results are printed: a terminal, or a pipe, which may have colours all the same."""

    def __init__(self, stream: IO[str]) -> None:
        self.is_pipe = not stream.isatty()
        width = _ENDLESS if self.is_pipe else None
        super().__init__(file=stream, width=width, markup=False, emoji=False, highlight=False)

    @property
    def columns(self) -> int:
        """The columns to fill: those of the terminal, or 80."""
        return _PIPE_WIDTH if self.is_pipe else self.width

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does; in a pipe, break no name, and leave no spaces at the ends."""
        if not self.is_pipe:
            super().print(*objects, **options)
            return
        if objects and not options.get("soft_wrap"):
            options["width"] = max(_PIPE_WIDTH, *map(self._needed, objects))
        with self.capture() as printed:
            super().print(*objects, **options)
        lines = printed.get().split("\n")
        self.file.write("\n".join(line.rstrip(" ") for line in lines))

    def _needed(self, shown: Any) -> int:
        """The width at which no word is broken, and in tables no cell but sentences."""
        if not isinstance(shown, Table):
            text = Text(shown) if isinstance(shown, str) else shown
            return Measurement.get(self, self.options, text).minimum
        widths = []
        for column in shown.columns:
            cells = [column.header, *column.cells]
            sizes = [Measurement.get(self, self.options, cell) for cell in cells if cell]
            breaks = not column.no_wrap and not any(isinstance(c, UnbrokenCell) for c in cells)
            wanted = (size.minimum if breaks else size.maximum for size in sizes)
            widths.append(max(wanted, default=0))
        return sum(widths) + 2 * max(len(widths) - 1, 0)


class UnbrokenCell:
    """A cell that is never broken, and cut only by a terminal that is too narrow."""


def console(stream: IO[str] | None = None) -> Terminal:
    """A console for results; text is shown without markup."""
    return Terminal(sys.stdout if stream is None else stream)


def new_table(out: Terminal) -> Table:
    """A table without lines, its columns closer together where there is little room."""
    return Table(box=None, pad_edge=False, collapse_padding=out.columns < _NARROW)


def bar(share: float, width: int) -> Text:
    """A horizontal bar for a share between 0 and 1, in steps of an eighth of a cell."""
    eighths = round(share * width * 8)
    text = "█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8]
    return Text(text, style="cyan", no_wrap=True, overflow="crop")


def note(text: str) -> None:
    """Write a remark for the user to stderr."""
    if not presentation().quiet:
        sys.stderr.write(f"note: {printable(text)}\n")
