"""Formulas evaluated on all vertices of a graph at once.

Each part of a formula is a Boolean array over the vertices, computed once, children first. A part
that looks along a relation costs one pass over the arcs of that relation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np

from wlkg.analysis.explanation.formulas import (
    ANY,
    Formula,
    Modality,
    Relation,
    label,
    loop,
    subformulas,
)
from wlkg.arrays import BoolArray, Int64Array, IntArray
from wlkg.catalogue import VertexTest
from wlkg.errors import UsageError
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.vertices.vertex_problem import VertexProblem, vertex_problem


def relations_of(graph: RelationalGraph) -> tuple[Relation, ...]:
    """What each relation of the graph's arcs, by id, is in a formula."""
    names = graph.relation_names
    along = tuple(Relation(name, inverse=False) for name in names)
    against = tuple(Relation(name, inverse=True) for name in names)
    return {"both": along + against, "in": against}.get(graph.direction, along)


def equal_runs(relation: IntArray) -> Iterator[tuple[int, int, int]]:
    """The relations of sorted arcs, each with where its arcs begin and end."""
    if not len(relation):
        return
    ends = [0, len(relation)]
    if relation[0] != relation[-1]:
        ends[1:1] = (np.flatnonzero(np.diff(relation)) + 1).tolist()
    for low, high in pairwise(ends):
        yield int(relation[low]), low, high


def evaluate(
    formulas: Iterable[Formula], value: Callable[[Formula, list[BoolArray]], BoolArray]
) -> list[BoolArray]:
    """The values of formulas, given how the value of a part follows from those of its own parts.

    The value of a part is dropped after its last use: a deep formula has very many parts.
    """
    wanted = list(formulas)
    parts = subformulas(*wanted)
    uses = Counter(arg for part in parts for arg in part.args)
    uses.update(wanted)
    values: dict[Formula, BoolArray] = {}
    for part in parts:
        values[part] = value(part, [values[arg] for arg in part.args])
        for arg in part.args:
            uses[arg] -= 1
            if not uses[arg]:
                del values[arg]
    return [values[formula] for formula in wanted]


@dataclass(frozen=True, eq=False)
class Vertices:
    """The vertices of a graph as a test sees them: what its formulas are evaluated on."""

    graph: RelationalGraph
    test: VertexTest
    #: The arcs that the test sees, and its start colours.
    problem: VertexProblem

    @classmethod
    def seen_by(cls, test: VertexTest, graph: RelationalGraph) -> Vertices:
        return cls(graph, test, vertex_problem(graph, test))

    @property
    def arcs(self) -> Arcs:
        """The arcs that the test sees; for 1-wl each neighbour once, under a single relation."""
        return self.problem.arcs

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The relation of each arc, by id, as formulas name it."""
        if self.arcs.num_relations == 1 and not (
            self.test.sees_relations or self.test.sees_degrees
        ):
            return (ANY,)
        return relations_of(self.graph)

    @cached_property
    def _label_ids(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.graph.label_names)}

    @cached_property
    def _by_relation(self) -> dict[Relation, tuple[Int64Array, IntArray]]:
        """The sources and neighbours of the arcs of each relation."""
        order = np.argsort(self.arcs.relation, kind="stable")
        source, neighbour = self.arcs.source[order], self.arcs.neighbour[order]
        ends = np.searchsorted(self.arcs.relation[order], np.arange(len(self.relations) + 1))
        pieces = {
            relation: (source[ends[i] : ends[i + 1]], neighbour[ends[i] : ends[i + 1]])
            for i, relation in enumerate(self.relations)
        }
        return {ANY: (self.arcs.source, self.arcs.neighbour), **pieces}

    # -- one vertex at a time: what `wlkg.analysis.explanation.separation` asks for ---------------

    @property
    def sees_shares(self) -> bool:
        """Whether vertices see relative frequencies instead of counts."""
        return self.test.sees_shares

    def facts(self, vertex: int) -> tuple[Formula, ...]:
        """The atoms of depth 0 that are true of a vertex: its label, and loops if they are seen."""
        graph = self.graph
        own = () if graph.labels is None else (label(graph.label_names[graph.labels[vertex]]),)
        return own + self._loops.get(vertex, ())

    @cached_property
    def _loops(self) -> dict[int, tuple[Formula, ...]]:
        loops: dict[int, tuple[Formula, ...]] = {}
        if self.test.starts_with_loops:
            for arc in np.flatnonzero(self.arcs.source == self.arcs.neighbour).tolist():
                vertex, relation = (
                    int(self.arcs.source[arc]),
                    self.relations[self.arcs.relation[arc]],
                )
                loops[vertex] = (*loops.get(vertex, ()), loop(relation))
        return loops

    def arc_counts(self, vertex: int) -> dict[Relation, int]:
        """For weak-rwl, the number of arcs that a vertex has in each of its relations."""
        if not self.test.sees_degrees:
            return {}
        _, of_relation = self._arcs_at(vertex)
        return {modality.relation: len(seen) for modality, seen in of_relation}

    def around(self, vertex: int) -> list[tuple[Modality, IntArray]]:
        """The neighbours of a vertex under each relation that the test sees."""
        everything, of_relation = self._arcs_at(vertex)
        if self.test.sees_degrees:
            return [(Modality(ANY), everything)] if len(everything) else []
        return of_relation

    def neighbours(self, vertex: int, relation: Relation) -> IntArray:
        """The neighbours of a vertex under a relation that the test sees."""
        nothing = np.zeros(0, dtype=np.int64)
        return dict(self.around(vertex)).get(Modality(relation), nothing)

    def _arcs_at(self, vertex: int) -> tuple[IntArray, list[tuple[Modality, IntArray]]]:
        """All neighbours of a vertex, one for each arc, and those under each of its relations."""
        begin, end = self.arcs.offsets[vertex : vertex + 2].tolist()
        neighbours = self.arcs.neighbour[begin:end]
        return neighbours, [
            (self._modalities[relation], neighbours[low:high])
            for relation, low, high in equal_runs(self.arcs.relation[begin:end])
        ]

    @cached_property
    def _modalities(self) -> tuple[Modality, ...]:
        return tuple(map(Modality, self.relations))

    # -- all vertices at once ---------------------------------------------------------------------

    def arcs_of(self, relation: Relation) -> tuple[Int64Array, IntArray]:
        """The sources and neighbours of the arcs of a relation; none if the graph lacks it."""
        nothing = np.zeros(0, dtype=np.int64)
        return self._by_relation.get(relation, (nothing, nothing))

    def degrees(self, relation: Relation) -> Int64Array:
        """The number of arcs of a relation that each vertex has."""
        return np.bincount(self.arcs_of(relation)[0], minlength=self.graph.num_vertices)

    def counts(self, relation: Relation, holds: BoolArray) -> Int64Array:
        """For each vertex, how many of its neighbours under a relation are marked."""
        source, neighbour = self.arcs_of(relation)
        return np.bincount(source[holds[neighbour]], minlength=self.graph.num_vertices)

    def holds(self, formula: Formula) -> BoolArray:
        """For each vertex, whether the formula is true of it."""
        return self.hold([formula])[0]

    def hold(self, formulas: Iterable[Formula]) -> list[BoolArray]:
        """For each formula and each vertex, whether the formula is true of it."""
        return evaluate(formulas, self._value)

    def _value(self, part: Formula, args: list[BoolArray]) -> BoolArray:
        if part.positions:
            raise UsageError("a formula about tuples is not true or false of a vertex")
        if part.relation is not None:
            return self._seen_along(part.relation, part, args)
        if part.op == "label":
            return self._has_label(part.value)
        if part.op == "not":
            return ~args[0]
        value = np.full(self.graph.num_vertices, part.op != "or")
        for arg in args:
            value = value & arg if part.op == "and" else value | arg
        return value

    def _seen_along(self, relation: Relation, part: Formula, args: list[BoolArray]) -> BoolArray:
        """The value of a formula about the arcs of a relation."""
        if part.op == "loop":
            source, neighbour = self.arcs_of(relation)
            value = np.zeros(self.graph.num_vertices, dtype=bool)
            value[source[source == neighbour]] = True
            return value
        counts = self.counts(relation, args[0]) if args else self.degrees(relation)
        if part.share is not None:
            return self._shares(part, counts)
        assert part.count is not None
        return np.asarray(counts >= part.count if part.op == "at_least" else counts == part.count)

    def _shares(self, part: Formula, counts: Int64Array) -> BoolArray:
        assert part.relation is not None
        assert isinstance(part.share, Fraction)
        degrees = self.degrees(part.relation)
        have, need = counts * part.share.denominator, degrees * part.share.numerator
        enough = have >= need if part.op == "share_at_least" else have == need
        return np.asarray((degrees > 0) & enough)

    def _has_label(self, value: str | None) -> BoolArray:
        labels = self.graph.labels
        if labels is None:
            # In a union of graphs, vertices of a graph without labels have the empty label.
            return np.full(self.graph.num_vertices, value == "")
        return np.asarray(labels == self._label_ids.get(value or "", -1))
