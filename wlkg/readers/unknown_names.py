"""The errors for names in a table that mean no vertex, or several."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from wlkg.errors import InputError
from wlkg.graph.bulk_lookup import FoundVertices
from wlkg.graph.lookup import advice
from wlkg.graph.prefixes import ShortNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.text import counted, first_few

#: The most vertices that are shown where a name fits several.
_SHOWN = 5


def refuse_unknown(
    graph: RelationalGraph,
    rows: Sequence[tuple[int, Sequence[str]]],
    found: FoundVertices,
    *,
    path: str,
    column: int = 0,
    prefixes: Mapping[str, str] | None = None,
) -> None:
    """Refuse a table whose rows, lines with their cells, name what is not exactly one vertex."""
    short = ShortNames(graph, prefixes)

    def first_line(names: Container[str]) -> int:
        return next(line for line, cells in rows if cells[column] in names)

    if found.unknown:
        count = counted(len(found.unknown), "name is not a vertex", "names are not vertices")
        raise InputError(
            f"{count} of the graph: {first_few(found.unknown)}",
            path=path,
            line=first_line(found.unknown),
            remedy=advice(graph, found.unknown[0], prefixes),
        )
    for name, fits in found.ambiguous.items():
        names = first_few([short.vertex(v) for v in fits[: _SHOWN + 1]], _SHOWN)
        raise InputError(
            f"{name!r} fits {len(fits):,} vertices: {names}",
            path=path,
            line=first_line([name]),
            remedy="Write one in full",
        )
