"""Classes of vertices to be learned: a table of entities and labels, as benchmarks have them.

Columns are found by their header: the label's column is called label..., class, category or target;
the entity's is the one whose values are vertices of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.errors import GraphError, InputError
from wlkg.graph import RelationalGraph
from wlkg.names import canonical_order
from wlkg.readers.lines import text_lines
from wlkg.readers.source import Source
from wlkg.triples import IntArray
from wlkg.wording import first_few

_LABEL_NAMES = ("label", "class", "category", "target")


@dataclass(frozen=True, eq=False)
class Targets:
    """Vertices with the name of their class."""

    vertices: IntArray
    labels: tuple[str, ...]
    #: Entities of the table that the graph does not have.
    missing: tuple[str, ...] = ()

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in canonical order."""
        return tuple(canonical_order(self.labels))

    def __len__(self) -> int:
        return len(self.labels)


def read_targets(
    graph: RelationalGraph,
    path: str,
    *,
    entity_column: str | None = None,
    label_column: str | None = None,
) -> Targets:
    """The targets of a TSV (or CSV, by suffix) with a header."""
    rows = _rows(path)
    header, body = rows[0][1], rows[1:]
    if not body:
        raise InputError("there is no target below the header", path=path)
    label = _label_place(header, label_column, path)
    entity = _entity_place(graph, header, body, entity_column, label, path)
    found: dict[int, str] = {}
    missing = []
    for number, row in body:
        try:
            vertex = graph.vertex(row[entity])
        except GraphError:
            missing.append(row[entity])
            continue
        if found.setdefault(vertex, row[label]) != row[label]:
            raise InputError(
                f"a second label for {row[entity]!r}: {found[vertex]!r} and {row[label]!r}",
                path=path,
                line=number,
            )
    if not found:
        raise InputError(
            f"none of the {len(missing):,} entities is a vertex of the graph: {first_few(missing)}",
            path=path,
            remedy="Name the column of the entities with --entity-column",
        )
    vertices = np.array(list(found), dtype=np.int64)
    return Targets(vertices, tuple(found.values()), tuple(missing))


def _rows(path: str) -> list[tuple[int, list[str]]]:
    separator = "," if ".csv" in path.lower() else "\t"
    lines = text_lines(Source(path).read_document(), path)
    rows = [(number, [cell.strip() for cell in line.split(separator)]) for number, line in lines]
    if not rows:
        raise InputError("the file of targets is empty", path=path)
    width = len(rows[0][1])
    for number, row in rows:
        if len(row) != width:
            raise InputError(
                f"expected {width} fields as in the header, found {len(row)}",
                path=path,
                line=number,
            )
    return rows


def _place(header: Sequence[str], name: str, path: str) -> int:
    if name not in header:
        raise InputError(f"no column is called {name!r}, found {', '.join(header)}", path=path)
    return list(header).index(name)


def _label_place(header: Sequence[str], name: str | None, path: str) -> int:
    if name is not None:
        return _place(header, name, path)
    for place, title in enumerate(header):
        if title.lower().startswith(_LABEL_NAMES):
            return place
    raise InputError(
        f"no column of labels among {', '.join(header)}",
        path=path,
        line=1,
        remedy="Name it with --label-column",
    )


def _entity_place(
    graph: RelationalGraph,
    header: Sequence[str],
    body: Sequence[tuple[int, Sequence[str]]],
    name: str | None,
    label: int,
    path: str,
) -> int:
    if name is not None:
        return _place(header, name, path)
    others = [place for place in range(len(header)) if place != label]
    if not others:
        raise InputError("there is no column of entities beside the labels", path=path, line=1)
    return max(others, key=lambda place: sum(_is_vertex(graph, row[place]) for _, row in body))


def _is_vertex(graph: RelationalGraph, name: str) -> bool:
    try:
        graph.vertex(name)
    except GraphError:
        return False
    return True
