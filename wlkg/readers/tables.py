"""Tables about vertices: the one reader behind labels, targets, features and ``--among``.

`read_table` splits a file into rows of equal width. `assign` looks up the name in each row and
collects the value of each entity; `assign_vertices` also refuses names that are not vertices and,
if asked to, vertices without a value.

===========  ==========================  ============  =============  ===================
table        separator                   header        unknown names  every vertex needed
===========  ==========================  ============  =============  ===================
labels       tab                         recognised    refused        yes
features     tab                         none          refused        yes
``--among``  none: the line is the name  none          refused        no
targets      comma in ``.csv``, or tab   required      left out       no
===========  ==========================  ============  =============  ===================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from wlkg.arrays import IntArray
from wlkg.errors import InputError
from wlkg.graph.bulk_lookup import find_vertices
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.lines import text_lines
from wlkg.readers.source import Source
from wlkg.readers.unknown_names import refuse_unknown
from wlkg.text import counted, first_few

Value = TypeVar("Value")

TAB = "\t"
COMMA = ","
_SPOKEN = {TAB: "tab-separated ", COMMA: "comma-separated ", None: ""}

#: Values longer than this are shortened in error messages.
_LONGEST_VALUE = 80


class Row(NamedTuple):
    """The cells of one line."""

    line: int
    cells: Sequence[str]


@dataclass(frozen=True)
class Table:
    """The rows of a file, a header included."""

    path: str
    rows: Sequence[Row]

    def below_header(self) -> Table:
        """The table without its first row."""
        return Table(self.path, self.rows[1:])


@dataclass(frozen=True, eq=False)
class Assignment(Generic[Value]):
    """What a table says: values by entity, and the rows whose names mean no entity."""

    values: dict[int, Value]
    unknown: Sequence[Row]


def separator_of(path: str) -> str:
    """A comma for ``.csv``, compressed or not; a tab for everything else."""
    return COMMA if Source(path).suffixes[0] == ".csv" else TAB


def read_table(
    path: str, *, separator: str | None = TAB, width: int | None = None, layout: str = ""
) -> Table:
    """The lines that are not blank, split at the separator; None makes each line one cell.

    Every row must have ``width`` cells, by default the width of the first row; ``layout`` completes
    the phrase "expected 3 fields ..." in the error.
    """
    lines = text_lines(Source(path, is_graph=False).read_document(), path)
    rows = [
        Row(line, [text] if separator is None else text.split(separator)) for line, text in lines
    ]
    for row in rows:
        expected = len(rows[0].cells) if width is None else width
        if len(row.cells) != expected:
            raise InputError(
                f"expected {expected} {_SPOKEN.get(separator, '')}fields {layout}, "
                f"found {len(row.cells)}",
                path=path,
                line=row.line,
            )
    return Table(path, rows)


def assign(
    table: Table,
    find: Callable[[str], int | None],
    value_of: Callable[[Row], Value],
    *,
    noun: str,
    column: int = 0,
) -> Assignment[Value]:
    """The value of each entity that ``find`` knows by the name in a column.

    An entity may be repeated with the same value, but not with a different one. ``noun`` is what
    error messages call a value.
    """
    values: dict[int, Value] = {}
    unknown = []
    for row in table.rows:
        name = row.cells[column]
        entity = find(name)
        if entity is None:
            unknown.append(row)
            continue
        value = value_of(row)
        if values.setdefault(entity, value) != value:
            raise InputError(
                f"a second {noun} for {name!r}: {_shown(values[entity])} and {_shown(value)}",
                path=table.path,
                line=row.line,
            )
    return Assignment(values, unknown)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def assign_vertices(
    graph: RelationalGraph,
    table: Table,
    value_of: Callable[[Row], Value],
    *,
    noun: str,
    every_vertex: bool = True,
    prefixes: Mapping[str, str] | None = None,
) -> dict[int, Value]:
    """The value of each vertex named in the first column, as `wlkg.graph.lookup` reads names.

    A name that is not a vertex is an error. So is a vertex without a value, unless ``every_vertex``
    is false.
    """
    found = find_vertices(graph, (row.cells[0] for row in table.rows), prefixes)
    refuse_unknown(graph, table.rows, found, path=table.path, prefixes=prefixes)
    values = assign(table, found.vertices.get, value_of, noun=noun).values
    if every_vertex and len(values) < graph.num_vertices:
        missing = [name for v, name in enumerate(graph.vertex_names) if v not in values]
        count = counted(len(missing), "vertex has", "vertices have")
        raise InputError(
            f"{count} no {noun}: {first_few(missing)}",
            path=table.path,
            remedy="Every vertex needs one",
        )
    return values


def read_vertices(
    graph: RelationalGraph, path: str, prefixes: Mapping[str, str] | None = None
) -> IntArray:
    """The vertices named in a file, one per line."""
    table = read_table(path, separator=None)
    vertices = assign_vertices(
        graph, table, lambda _: True, noun="name", every_vertex=False, prefixes=prefixes
    )
    return np.array(list(vertices), dtype=np.int64)
