"""Words and names that several sections use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from wlkg.graph.prefixes import ShortNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.results import Result
from wlkg.text import counted as counted  # noqa: PLC0414  for sections

#: The names of larger graphs are only shortened by prefixes: to find an ending that no other vertex
#: has is a search of all names.
_MOST_VERTICES = 50_000


def listed(texts: Sequence[str], last: str = "and") -> str:
    """Texts as a sentence lists them.

    >>> listed(["1-wl"]), listed(["1-wl", "weak-rwl", "1-rwl"])
    ('1-wl', '1-wl, weak-rwl and 1-rwl')
    """
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def sentence(text: str) -> str:
    """A text that begins with a capital letter and ends with a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def file_name(path: str) -> str:
    """The last part of a path, for titles; the whole path is in the provenance."""
    return path.rstrip("/").rpartition("/")[2] or path


def titled(graph: str, rest: str) -> str:
    """A title that begins with the name of a graph, if it has one."""
    return f"{file_name(graph)}: {rest}" if graph else rest


def percent(share: float) -> str:
    """A share in a sentence; what is not all of it never looks like 100 %.

    >>> percent(1.0), percent(0.99999), percent(0.5)
    ('100 %', '99.9 %', '50.0 %')
    """
    return (
        "100 %" if share == 1 else f"{min(100 * share, 99.9) if share < 1 else 100 * share:.1f} %"
    )


class Names:
    """Names of vertices and relations in short, where the graph that they are from is at hand."""

    def __init__(self, graph: RelationalGraph | None) -> None:
        self._graph = graph

    @classmethod
    def of(cls, result: Result) -> Names:
        """Those of the first graph of a result."""
        return cls(result.graphs[0].graph if result.graphs else None)

    @cached_property
    def _short(self) -> ShortNames | None:
        return None if self._graph is None else ShortNames(self._graph)

    def vertex(self, name: str) -> str:
        """A vertex in short; a name that the graph does not have stays as it is."""
        if self._graph is None or self._short is None:
            return name
        number = self._graph.find_vertex(name)
        if number is None:
            return name
        if self._graph.num_vertices > _MOST_VERTICES:
            return self._with_prefix(name)
        return self._short.vertex(number)

    def relation(self, name: str) -> str:
        """A relation in short."""
        return name if self._short is None else self._short.relation(name)

    def _with_prefix(self, name: str) -> str:
        pieces = None if self._short is None else self._short.prefixed(name)
        return name if pieces is None else ":".join(pieces)
