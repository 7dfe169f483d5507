"""Classes to be learned: a table of entities and labels, as benchmarks have them.

Columns are found by their header: the label's column is called label..., class, category or target;
the entity's is the one whose values are known names. Entities are the vertices of a graph, or
graphs; whoever resolves a name to a number decides which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from wlkg.arrays import IntArray
from wlkg.errors import GraphError, InputError
from wlkg.graph.names import canonical_order
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.lines import text_lines
from wlkg.readers.source import Source
from wlkg.text import first_few

#: The share of the training targets that is held out to choose an epoch.
_VALIDATION = 0.15
_LABEL_NAMES = ("label", "class", "category", "target")


@dataclass(frozen=True, eq=False)
class Targets:
    """Vertices (or graphs, by number) with the name of their class."""

    vertices: IntArray
    labels: tuple[str, ...]
    #: Entities of the table that the graph does not have.
    missing: tuple[str, ...] = ()

    @classmethod
    def of(cls, graph: RelationalGraph | Entities, labels: Mapping[str, str]) -> Targets:
        """Targets from labels by name; a name counts once, however it is spelled."""
        entities = entities_of(graph)
        places = {name: entities.find(name) for name in labels}
        known = {place: labels[name] for name, place in places.items() if place is not None}
        missing = tuple(name for name, place in places.items() if place is None)
        return cls(np.array(list(known), dtype=np.int64), tuple(known.values()), missing)

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in canonical order."""
        return tuple(canonical_order(self.labels))

    def __len__(self) -> int:
        return len(self.labels)


def held_out(count: int) -> int:
    """How many of so many training targets are held out to choose an epoch."""
    return round(_VALIDATION * count) if count > 1 else 0


class Entities(Protocol):
    """What the targets of a table may be."""

    @property
    def noun(self) -> str:
        """What an entity is, for messages."""

    def find(self, name: str) -> int | None:
        """The number of the entity of that name, None if there is none."""


@dataclass(frozen=True, eq=False)
class Vertices:
    """The vertices of a graph as entities."""

    graph: RelationalGraph
    noun: str = "a vertex of the graph"

    def find(self, name: str) -> int | None:
        try:
            return self.graph.vertex(name)
        except GraphError:
            return None


def entities_of(graph: RelationalGraph | Entities) -> Entities:
    """The vertices, if it is a graph."""
    return Vertices(graph) if isinstance(graph, RelationalGraph) else graph


def read_targets(
    graph: RelationalGraph | Entities,
    path: str,
    *,
    entity_column: str | None = None,
    label_column: str | None = None,
) -> Targets:
    """The targets of a TSV (or CSV, by suffix) with a header."""
    entities = entities_of(graph)
    rows = _rows(path)
    header, body = rows[0][1], rows[1:]
    if not body:
        raise InputError("there is no target below the header", path=path)
    label = _label_place(header, label_column, path)
    entity = _entity_place(entities, header, body, entity_column, label, path)
    found: dict[int, str] = {}
    missing = []
    for number, row in body:
        place = entities.find(row[entity])
        if place is None:
            missing.append(row[entity])
        elif found.setdefault(place, row[label]) != row[label]:
            raise InputError(
                f"a second label for {row[entity]!r}: {found[place]!r} and {row[label]!r}",
                path=path,
                line=number,
            )
    if not found:
        raise InputError(
            f"none of the {len(missing):,} entities is {entities.noun}: {first_few(missing)}",
            path=path,
            remedy="Name the column of the entities with --entity-column",
        )
    places = np.array(list(found), dtype=np.int64)
    return Targets(places, tuple(found.values()), tuple(missing))


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
    entities: Entities,
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

    def known(place: int) -> int:
        return sum(entities.find(row[place]) is not None for _, row in body)

    return max(others, key=known)
