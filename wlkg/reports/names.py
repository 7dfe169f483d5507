"""Names of vertices and relations in reports: with prefixes, and cut only where there is no room.

``--full-names`` shows names as they are in the input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.text import Text

from wlkg.graph.prefixes import ShortNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.presentation import presentation
from wlkg.reports.terminal import Terminal, UnbrokenCell, printable, shortened

#: A cell with a name asks for at least this width.
_LEAST = 12


class ReportNames:
    """The names of a graph as reports show them."""

    def __init__(self, graph: RelationalGraph | None) -> None:
        full = graph is None or presentation().full_names
        self._short = None if full or graph is None else ShortNames(graph)

    def vertex(self, name: str) -> str:
        """A vertex, by its name in the graph."""
        return name if self._short is None else self._short.with_prefixes(name)

    def relation(self, name: str) -> str:
        """A relation, by its name in the graph."""
        return name if self._short is None else self._short.prefixed_relation(name)


class Name(UnbrokenCell):
    """A cell with one name."""

    def __init__(self, text: str, style: str = "") -> None:
        self._text = printable(text)
        self._style = style

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Text]:
        shown = _fitting(self._text, options.max_width)
        yield Text(shown, style=self._style, no_wrap=True, overflow="ignore")

    def __rich_measure__(self, _: Console, __: ConsoleOptions) -> Measurement:
        wide = Text(self._text).cell_len
        return Measurement(min(_LEAST, wide), wide)


class NameList(UnbrokenCell):
    """A cell with the first names of a list, after a lead: as many as fit, and at least one."""

    def __init__(self, names: Sequence[str], total: int, lead: str = "") -> None:
        self._names = [printable(name) for name in names]
        self._total = total
        self._lead = lead

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Text]:
        text = self._first(len(self._names))
        for count in range(len(self._names) - 1, 0, -1):
            if Text(text).cell_len <= options.max_width:
                break
            text = self._first(count)
        if self._names and Text(text).cell_len > options.max_width:
            more = ", ..." if self._total > 1 else ""
            room = options.max_width - len(self._lead) - len(more)
            text = f"{self._lead}{_fitting(self._names[0], max(room, 1))}{more}"
        yield Text(text, no_wrap=True, overflow="ignore")

    def _first(self, count: int) -> str:
        more = ["..."] if self._total > count else []
        return self._lead + ", ".join([*self._names[:count], *more])

    def __rich_measure__(self, _: Console, __: ConsoleOptions) -> Measurement:
        wide = Text(self._first(len(self._names))).cell_len
        return Measurement(min(_LEAST, wide), wide)


def _fitting(text: str, width: int) -> str:
    """A name cut to a number of terminal cells; wide letters take two."""
    most = width
    while most > 1 and Text(shown := shortened(text, most)).cell_len > width:
        most -= max((Text(shown).cell_len - width) // 2, 1)
    return shortened(text, most)


def in_sentence(name: str, out: Terminal) -> str:
    """A name among words: whole, unless it would fill more than two lines of a terminal."""
    if out.is_pipe or presentation().full_names:
        return printable(name)
    return shortened(name, 2 * out.columns - 20)
