"""Some vertices of a large graph with their triples, for a search that opens what is around them.

First members of the largest classes, vertices with the most triples, then further members, until
the bytes that a page may take are used up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

from wlkg.graph.prefixes import ShortNames
from wlkg.reports.blocks import Neighbourhoods
from wlkg.reports.pictures.whole_classes import WholeClasses

#: The most vertices that can be searched, and the most triples of each.
_MOST_VERTICES = 2000
_MOST_TRIPLES = 24
#: The most bytes for all names and triples together.
_MOST_BYTES = 900_000
_HUBS = 300
_LONGEST_NAME = 140


def neighbourhoods_of(classes: WholeClasses, marked: Sequence[int] = ()) -> Neighbourhoods:
    """The vertices that are worth a look; ``marked`` come first."""
    graph = classes.graphs[0]
    collected = _Collected(classes)
    for vertex in dict.fromkeys([*marked, *_candidates(classes)]):
        if len(collected.searchable) >= _MOST_VERTICES or collected.bytes > _MOST_BYTES:
            break
        collected.add(vertex)
    short = ShortNames(graph)
    found = len(collected.searchable)
    left = graph.num_vertices - found
    return Neighbourhoods(
        title="Entities and what is around them",
        vertices=tuple(collected.names()),
        searchable=found,
        classes=tuple(classes.number[collected.order()].tolist()),
        sizes=tuple(classes.sizes[classes.number[collected.order()] - 1].tolist()),
        relations=tuple(short.relation(name) for name in graph.relation_names),
        triples=tuple(collected.renumbered()),
        degrees=tuple(collected.degrees),
        note=f"The page holds {found:,} of {graph.num_vertices:,} vertices, from as many classes as"
        f" possible and with at most {_MOST_TRIPLES} triples each; {left:,} are left out."
        if left
        else "",
    )


def _candidates(classes: WholeClasses) -> Iterable[int]:
    """Vertices in the order in which they are taken."""
    rest = range(1, min(len(classes.sizes), _MOST_VERTICES) + 1)
    yield from (int(classes.members(number)[0]) for number in islice(rest, _MOST_VERTICES // 2))
    offsets = classes.graphs[0].arcs().offsets
    yield from np.argsort(-np.diff(offsets), kind="stable")[:_HUBS].tolist()
    yield from (int(classes.members(number)[0]) for number in rest)
    for number in rest:
        yield from classes.members(number)[1:4].tolist()


class _Collected:
    """Vertices and triples that go into the page, and about how many bytes they take."""

    def __init__(self, classes: WholeClasses) -> None:
        self._classes = classes
        self._graph = classes.graphs[0]
        self._arcs = self._graph.arcs()
        self._name: dict[int, str] = {}
        self.searchable: list[int] = []
        self.degrees: list[int] = []
        self._triples: dict[tuple[int, int, int], None] = {}
        self.bytes = 0

    def add(self, vertex: int) -> None:
        """A vertex with its first triples and the names of its neighbours."""
        start, end = (int(place) for place in self._arcs.offsets[vertex : vertex + 2])
        self.searchable.append(vertex)
        self.degrees.append(end - start)
        self._know(vertex)
        for arc in range(start, min(end, start + _MOST_TRIPLES)):
            self._triples[self._triple(vertex, arc)] = None
            self.bytes += 16
            self._know(int(self._arcs.neighbour[arc]))

    def _know(self, vertex: int) -> None:
        if vertex not in self._name:
            name = self._classes.name(vertex)
            cut = (
                name if len(name) <= _LONGEST_NAME else f"{name[:40]}…{name[-_LONGEST_NAME + 41 :]}"
            )
            self._name[vertex] = cut
            self.bytes += len(cut.encode("utf-8", "replace")) + 14

    def _triple(self, vertex: int, arc: int) -> tuple[int, int, int]:
        relation, other = int(self._arcs.relation[arc]), int(self._arcs.neighbour[arc])
        count = self._graph.num_relations
        if relation >= count or self._graph.direction == "in":
            return other, relation % count, vertex
        return vertex, relation, other

    def order(self) -> list[int]:
        """The vertices as the page numbers them: those that can be searched first."""
        known = set(self.searchable)
        return [*self.searchable, *(v for v in self._name if v not in known)]

    def names(self) -> list[str]:
        return [self._name[v] for v in self.order()]

    def renumbered(self) -> list[tuple[int, int, int]]:
        """The triples by the page's numbers."""
        number = {v: i for i, v in enumerate(self.order())}
        return [(number[head], relation, number[tail]) for head, relation, tail in self._triples]
