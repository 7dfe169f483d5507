"""The classes of large graphs, ranked by size, for tables, charts and pictures of them.

Class 1 is the largest; of classes of equal size the one whose first vertex comes first has the
smaller number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.analysis.side_by_side import SideBySide
from wlkg.arrays import IntArray
from wlkg.catalogue import TupleTest, find_test
from wlkg.graph.prefixes import ShortNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.refine import run_test
from wlkg.refinement.results import Refinement


def refined(graphs: Sequence[RelationalGraph], test: str, rounds: int | None) -> Refinement:
    """A test on one graph, or on several together."""
    if len(graphs) == 1:
        return run_test(graphs[0], test, rounds)
    return SideBySide(tuple(graphs)).refine(test, rounds)


def affordable(graphs: Sequence[RelationalGraph], test: str, most_tuples: int) -> bool:
    """Whether a test is quickly run again for a picture."""
    chosen = find_test(test)
    if not isinstance(chosen, TupleTest):
        return True
    return sum(float(graph.num_vertices) ** chosen.arity for graph in graphs) <= most_tuples


@dataclass(frozen=True, eq=False)
class WholeClasses:
    """The classes of the vertices of all graphs in the last round of a test."""

    graphs: tuple[RelationalGraph, ...]
    test: str
    partition: Partition

    @cached_property
    def _ranks(self) -> IntArray:
        """The number of each colour of the partition, from 1."""
        ranks = np.empty(self.partition.num_classes, dtype=np.int64)
        # Colours are numbered by first occurrence, and a stable sort keeps that order.
        ranks[np.argsort(-self.partition.sizes, kind="stable")] = np.arange(1, len(ranks) + 1)
        return ranks

    @cached_property
    def number(self) -> IntArray:
        """The number of the class of each vertex, of all graphs one after the other."""
        return self._ranks[self.partition.colours]

    @cached_property
    def sizes(self) -> IntArray:
        """The sizes of classes 1, 2, ..., descending."""
        return np.sort(self.partition.sizes)[::-1]

    @cached_property
    def _colours(self) -> IntArray:
        """The colour of classes 1, 2, ... in the partition."""
        return np.argsort(self._ranks)

    def members(self, number: int) -> IntArray:
        """The vertices of a class, as positions among those of all graphs."""
        return self.partition.members(int(self._colours[number - 1]))

    @cached_property
    def _starts(self) -> IntArray:
        return np.cumsum([0, *(graph.num_vertices for graph in self.graphs)])

    def place(self, item: int) -> tuple[int, int]:
        """The graph and the vertex at a position."""
        graph = int(np.searchsorted(self._starts, item, side="right")) - 1
        return graph, item - int(self._starts[graph])

    @cached_property
    def _short(self) -> list[ShortNames]:
        return [ShortNames(graph) for graph in self.graphs]

    def name(self, item: int) -> str:
        """The name of a vertex with its prefix, if one fits."""
        graph, vertex = self.place(item)
        full = self.graphs[graph].vertex_names[vertex]
        pieces = self._short[graph].prefixed(full)
        return full if pieces is None else ":".join(pieces)
