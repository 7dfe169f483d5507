"""What the tests see, as far as certificates need it.

A vertex v sees, of a colouring C of the vertices:

=========  ====================================================  ===============================
test       its view: for each R and colour c                      and besides
=========  ====================================================  ===============================
1-rwl      how many u in N_R(v) have the colour c
weak-rwl   the same over all R together (R null)                 the size of N_R(v), for each R
1-wl       how many distinct neighbours have c (R null)
mean-rwl   the share of N_R(v) that has c
=========  ====================================================  ===============================

1-rlwl is 1-rwl, and delta-1-lwl is 1-wl, with the loops of a vertex in its start colour. In
1-rwl-all and 1-wl-all a vertex also sees the colours of all vertices of its graph. So they separate
all that 1-rwl and 1-wl separate; and where each colour is as frequent in one graph as in the other,
vertices that see the same neighbours see the same non-neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wlkg.errors import InputError
from wlkg.verification.fields import shown
from wlkg.verification.plain_graph import EVERY_RELATION, Neighbours, PlainGraph, Relation


@dataclass(frozen=True)
class VertexTest:
    """A test that colours vertices."""

    #: Whether neighbours are seen relation by relation.
    by_relation: bool
    #: Whether a neighbour is seen once, however many relations lead to it.
    distinct: bool = False
    #: Whether shares are seen, not numbers.
    shares: bool = False
    #: Whether the number of neighbours is seen relation by relation, without their colours.
    degrees: bool = False
    #: Whether loops are part of the start colour.
    loops: bool = False

    def relations(self, graph: PlainGraph) -> list[Relation]:
        """The relations of the view."""
        return graph.relations() if self.by_relation else [EVERY_RELATION]

    def neighbours(self, graph: PlainGraph, relation: Relation) -> Neighbours:
        """The neighbours that the view has under a relation."""
        return graph.distinct_neighbours() if self.distinct else graph.neighbours(relation)

    def loops_at(self, graph: PlainGraph) -> Iterator[tuple[Relation, set[int]]]:
        """Where the loops are that the start colour shows."""
        for relation in self.relations(graph) if self.loops else ():
            seen = self.neighbours(graph, relation)
            yield relation, {v for v, neighbours in seen.items() if v in neighbours}


_RELATIONAL, _PLAIN = VertexTest(by_relation=True), VertexTest(by_relation=False, distinct=True)

VERTEX_TESTS: dict[str, VertexTest] = {
    "1-rwl": _RELATIONAL,
    "1-rwl-all": _RELATIONAL,
    "1-rlwl": VertexTest(by_relation=True, loops=True),
    "weak-rwl": VertexTest(by_relation=False, degrees=True),
    "1-wl": _PLAIN,
    "1-wl-all": _PLAIN,
    "delta-1-lwl": VertexTest(by_relation=False, distinct=True, loops=True),
    "mean-rwl": VertexTest(by_relation=True, shares=True),
}


@dataclass(frozen=True)
class TupleTest:
    """A test that colours tuples of vertices: the words of its name."""

    #: rlwl, lwl, wl or fwl.
    kind: str
    arity: int


#: Longer tuples are not certified.
MOST_VERTICES_IN_A_TUPLE = 9
_tuple_test = re.compile(r"([1-9])-(rlwl|wl|fwl)|delta-([1-9])-(lwl)").fullmatch


def find_test(name: str) -> VertexTest | TupleTest:
    """The test of that name."""
    if name in VERTEX_TESTS:
        return VERTEX_TESTS[name]
    match = _tuple_test(name)
    if match is None:
        raise InputError(
            f"test: expected {', '.join(VERTEX_TESTS)}, K-rlwl, delta-K-lwl, K-wl or K-fwl with K"
            f" up to {MOST_VERTICES_IN_A_TUPLE}, found {shown(name)}"
        )
    return TupleTest(kind=match[2] or match[4], arity=int(match[1] or match[3]))
