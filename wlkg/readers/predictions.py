"""Predictions of any model: a table of vertices and classes.

The file has a vertex and its predicted class in each line, separated by tabs, or by commas in a
``.csv``, where cells may be quoted. A header is recognised; it may name further columns, as in the
files that ``wlkg predict`` writes. Vertices may be missing, but every name must be a vertex.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence

import numpy as np

from wlkg.errors import InputError
from wlkg.graph.bulk_lookup import find_vertices
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.lines import text_lines
from wlkg.readers.source import Source
from wlkg.readers.tables import COMMA, Row, Table, assign, read_table, separator_of
from wlkg.readers.targets import Targets
from wlkg.readers.unknown_names import refuse_unknown
from wlkg.text import counted

_VERTEX_TITLES = ("vertex", "entity", "node", "name", "id")
_CLASS_TITLES = ("class", "predict", "label", "target", "category")


def read_predictions(
    graph: RelationalGraph, path: str, prefixes: Mapping[str, str] | None = None
) -> Targets:
    """The predicted classes in a file; names may be prefixed as on the command line."""
    is_csv = separator_of(path) == COMMA
    table = _read_csv(path) if is_csv else read_table(path, layout="as in the first line")
    if not table.rows:
        raise InputError("the file of predictions is empty", path=path)
    vertex, predicted, table = _columns(graph, table)
    found = find_vertices(graph, (row.cells[vertex] for row in table.rows), prefixes)
    refuse_unknown(graph, table.rows, found, path=path, column=vertex, prefixes=prefixes)
    values = assign(
        table, found.vertices.get, lambda row: row.cells[predicted], noun="class", column=vertex
    ).values
    if not values:
        raise InputError("there are no predictions below the header", path=path)
    vertices = sorted(values)
    return Targets(np.array(vertices, dtype=np.int64), tuple(values[v] for v in vertices))


def _read_csv(path: str) -> Table:
    """Cells may be quoted, as those of literals are in the files that ``wlkg predict`` writes."""
    rows: list[Row] = []
    for line, text in text_lines(Source(path).read_document(), path):
        cells = _cells(text, path, line)
        if rows and len(cells) != len(rows[0].cells):
            raise InputError(
                f"expected {len(rows[0].cells)} comma-separated fields as in the first line, found"
                f" {len(cells)}",
                path=path,
                line=line,
            )
        rows.append(Row(line, cells))
    return Table(path, rows)


def _cells(text: str, path: str, line: int) -> list[str]:
    """The cells of a line."""
    try:
        return next(csv.reader([text]))
    except csv.Error as error:  # a line break within a cell, or a cell of more than 128 KiB
        raise InputError(f"not a line of CSV: {error}", path=path, line=line) from error


def _columns(graph: RelationalGraph, table: Table) -> tuple[int, int, Table]:
    """The columns of vertices and of classes, and the table without its header."""
    first = table.rows[0]
    titles = [cell.strip().lower() for cell in first.cells]
    if len(titles) < 2:
        raise InputError(
            f"expected a vertex and its class, found {counted(len(titles), 'field', 'fields')}",
            path=table.path,
            line=first.line,
        )
    vertex, predicted = _titled(titles, _VERTEX_TITLES), _titled(titles, _CLASS_TITLES)
    is_header = predicted is not None and graph.find_vertex(first.cells[vertex or 0]) is None
    if predicted is None or not is_header:
        return 0, 1, table
    if vertex is None:
        vertex = 0 if predicted else 1
    return vertex, predicted, table.below_header()


def _titled(titles: Sequence[str], known: Sequence[str]) -> int | None:
    return next((i for i, title in enumerate(titles) if title.startswith(tuple(known))), None)
