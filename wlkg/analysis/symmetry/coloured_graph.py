"""A core as libraries take it: a simple undirected graph with coloured vertices.

Arcs of the kinds that join two classes are a *bundle*. A library only knows whether two vertices
are joined, so for each pair of classes the largest bundle becomes plain edges, and each edge of
another bundle gets a vertex in its middle, coloured by the bundle. Within a class, a kind that
differs from its reverse needs two vertices in the middle, to tell the ends apart. Between two
classes the colours of the ends tell the direction. The vertices in the middle follow those at the
ends, so symmetries and isomorphisms are the same.

`Shape` has everything about a core that does not depend on how its vertices are numbered: cores of
different shapes are not isomorphic, and those of equal shapes have comparable colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from wlkg.arrays import BoolArray, IntArray

Shape: TypeAlias = tuple[bytes, bytes, bytes]


@dataclass(frozen=True, eq=False)
class PlainGraph:
    """A simple undirected graph with coloured vertices."""

    colours: IntArray
    #: An array of rows (smaller end, larger end).
    edges: IntArray

    @property
    def num_vertices(self) -> int:
        return len(self.colours)

    @property
    def size(self) -> int:
        return len(self.colours) + len(self.edges)

    def joined_with(self, other: PlainGraph) -> PlainGraph:
        """Two connected graphs side by side."""
        return PlainGraph(
            colours=np.concatenate([self.colours, other.colours]),
            edges=np.concatenate([self.edges, other.edges + self.num_vertices]),
        )


@dataclass(frozen=True, eq=False)
class ColouredGraph:
    """A core: vertex v has ``colours[v]``; every arc is there in both directions."""

    colours: IntArray
    source: IntArray
    neighbour: IntArray
    kind: IntArray

    @property
    def num_vertices(self) -> int:
        return len(self.colours)

    @cached_property
    def _classes(self) -> tuple[IntArray, IntArray, IntArray]:
        """The distinct colours, the class of each vertex, and how many vertices it has."""
        names, cls, counts = np.unique(self.colours, return_inverse=True, return_counts=True)
        return names, cls, counts

    @cached_property
    def _bundles(self) -> tuple[IntArray, IntArray, IntArray]:
        """The distinct bundles as columns (class, class, kind), the one of each arc, and sizes."""
        _, cls, _ = self._classes
        columns = np.stack([cls[self.source], cls[self.neighbour], self.kind])
        bundles, bundle, counts = np.unique(
            columns, axis=1, return_inverse=True, return_counts=True
        )
        return bundles, bundle.reshape(-1), counts

    @cached_property
    def shape(self) -> Shape:
        """Colours with their numbers of vertices, and bundles with their numbers of arcs."""
        names, _, counts = self._classes
        bundles, _, sizes = self._bundles
        histogram = np.stack([names, counts]).astype(np.int64).tobytes()
        return histogram, bundles.astype(np.int64).tobytes(), sizes.astype(np.int64).tobytes()

    @cached_property
    def plain(self) -> PlainGraph:
        """The simple graph; its first vertices are those of the core."""
        (one, two, _), bundle, sizes = self._bundles
        is_plain, reverse = self._plain_bundles(one, two, sizes), self._reverse()
        # Each edge once: from the lower class, in the lower direction, from the lower vertex.
        number = np.arange(len(one))
        once = (one < two) | ((one == two) & (number < reverse))
        is_loose = (one == two) & (number == reverse)
        chosen = once[bundle] | (is_loose[bundle] & (self.source < self.neighbour))
        source, neighbour, bundle = self.source[chosen], self.neighbour[chosen], bundle[chosen]
        direct = is_plain[bundle]
        edges = [np.stack([source[direct], neighbour[direct]])]
        source, neighbour, bundle = source[~direct], neighbour[~direct], bundle[~direct]
        middle = self.num_vertices + np.arange(len(bundle))
        is_directed = (one == two)[bundle] & (reverse != number)[bundle]
        second = middle.copy()
        second[is_directed] = self.num_vertices + len(bundle) + np.arange(is_directed.sum())
        edges += [np.stack([source, middle]), np.stack([second, neighbour])]
        edges += [np.stack([middle, second])[:, is_directed]]
        _, cls, counts = self._classes
        colours = [cls, len(counts) + bundle, len(counts) + len(one) + bundle[is_directed]]
        rows = np.sort(np.concatenate(edges, axis=1).astype(np.int64).T, axis=1)
        return PlainGraph(colours=np.concatenate(colours).astype(np.int64), edges=rows)

    def _plain_bundles(self, one: IntArray, two: IntArray, sizes: IntArray) -> BoolArray:
        """Whether a bundle is the largest of its classes, and looks the same from both ends."""
        reverse = self._reverse()
        number = np.arange(len(one))
        usable = (one != two) | (reverse == number)
        order = np.lexsort([number, -sizes, ~usable, two, one])
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = (one[order[1:]] != one[order[:-1]]) | (two[order[1:]] != two[order[:-1]])
        result = np.zeros(len(order), dtype=bool)
        result[order[is_first]] = True
        return np.asarray(result & usable)

    def _reverse(self) -> IntArray:
        """For each bundle, that of the reversed arcs."""
        _, bundle, sizes = self._bundles
        forth = np.lexsort([self.neighbour, self.source])
        back = np.lexsort([self.source, self.neighbour])
        reverse = np.empty(len(sizes), dtype=np.int64)
        reverse[bundle[forth]] = bundle[back]
        return reverse
