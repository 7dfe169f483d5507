"""Classes to be learned: a table of entities and labels, as benchmarks publish them.

The header tells which column is which: the label's column is called label..., class, category or
target; the entity's column is the one with the most known names. Entities are the vertices of a
graph, or graphs: whoever resolves a name to a number decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from wlkg.arrays import IntArray
from wlkg.display import Brief
from wlkg.errors import InputError, UsageError
from wlkg.graph.bulk_lookup import find_named
from wlkg.graph.names import canonical_order
from wlkg.graph.prefixes import all_prefixes
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.tables import Row, Table, assign, read_table, separator_of
from wlkg.text import first_few

#: The share of the training targets that is held out for validation unless the user says otherwise.
VALIDATION_SHARE = 0.15
_LABEL_TITLES = ("label", "class", "category", "target")


@dataclass(frozen=True, eq=False)
class Targets(Brief):
    """Vertices (or graphs, by number) with the name of their class."""

    vertices: IntArray
    labels: tuple[str, ...]
    #: Names in the table that are not entities.
    missing: tuple[str, ...] = ()

    @classmethod
    def of(cls, graph: RelationalGraph | Entities, labels: Mapping[str, str]) -> Targets:
        """Targets from labels by name; an entity counts once, even under several spellings."""
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


def held_out(count: int, share: float = VALIDATION_SHARE) -> int:
    """The number of training targets, out of ``count``, that are held out for validation.

    At least one target is left to train on.
    """
    return min(round(share * count), max(count - 1, 0))


def share_of(text: str) -> float | None:
    """A share such as ``0.2`` or ``0``; None for anything else, which names a file.

    >>> share_of("0.2"), share_of("valid.tsv")
    (0.2, None)
    """
    try:
        share = float(text)
    except ValueError:
        return None
    if not 0 <= share < 1:
        raise UsageError(f"validation must be a share from 0 to below 1, found {text}")
    return share


class Entities(Protocol):
    """What the names in a table of targets may refer to."""

    @property
    def noun(self) -> str:
        """What an entity is called in messages."""

    def find(self, name: str) -> int | None:
        """The number of the entity with this name, or None."""


@dataclass(frozen=True, eq=False)
class Vertices:
    """The vertices of a graph as entities, by their names in full or with a prefix.

    Ends of names are not looked up: a table may name entities that are not in the graph.
    """

    graph: RelationalGraph
    noun: str = "a vertex of the graph"

    @cached_property
    def _prefixes(self) -> Mapping[str, str]:
        return all_prefixes(self.graph)

    def find(self, name: str) -> int | None:
        return find_named(self.graph, name, self._prefixes)


def entities_of(graph: RelationalGraph | Entities) -> Entities:
    """The vertices of a graph; anything else already is a set of entities."""
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
    header, table = _read_stripped(path)
    label = _label_place(header, label_column, path)
    entity = _entity_place(header, entity_column, entities, table, label)
    targets = assign(
        table, entities.find, lambda row: row.cells[label], noun="label", column=entity
    )
    missing = tuple(row.cells[entity] for row in targets.unknown)
    if not targets.values:
        raise InputError(
            f"none of the {len(missing):,} entities is {entities.noun}: {_shown(missing)}",
            path=path,
            remedy="Name the column of the entities with --entity-column",
        )
    vertices = np.array(list(targets.values), dtype=np.int64)
    return Targets(vertices, tuple(targets.values.values()), missing)


def _read_stripped(path: str) -> tuple[Sequence[str], Table]:
    """The header and the rows below it, without the white space around cells."""
    table = read_table(path, separator=separator_of(path), layout="as in the header")
    if not table.rows:
        raise InputError("the file of targets is empty", path=path)
    rows = [Row(row.line, [cell.strip() for cell in row.cells]) for row in table.rows]
    if len(rows) == 1:
        raise InputError("there is no target below the header", path=path)
    return rows[0].cells, Table(path, rows).below_header()


def _place(header: Sequence[str], name: str, path: str) -> int:
    if name not in header:
        raise InputError(f"no column is called {name!r}, found {_shown(header)}", path=path)
    return list(header).index(name)


def _shown(names: Sequence[str]) -> str:
    """Names for a message; an empty one would leave nothing but its comma."""
    return first_few([name or "''" for name in names], 12)


def _label_place(header: Sequence[str], name: str | None, path: str) -> int:
    if name is not None:
        return _place(header, name, path)
    for place, title in enumerate(header):
        if title.lower().startswith(_LABEL_TITLES):
            return place
    raise InputError(
        f"no column of labels among {_shown(header)}",
        path=path,
        line=1,
        remedy="Name it with --label-column",
    )


def _entity_place(
    header: Sequence[str], name: str | None, entities: Entities, table: Table, label: int
) -> int:
    """The column of that name, else the one with the most known names."""
    if name is not None:
        return _place(header, name, table.path)
    others = [place for place in range(len(header)) if place != label]
    if not others:
        raise InputError(
            "there is no column of entities beside the labels", path=table.path, line=1
        )

    def known(place: int) -> int:
        return sum(entities.find(row.cells[place]) is not None for row in table.rows)

    return max(others, key=known)
