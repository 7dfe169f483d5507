"""Whether two graphs are isomorphic, decided exactly, within a time limit.

1-RWL colours both graphs together; where the histograms differ, the graphs are not isomorphic. Any
isomorphism keeps colours, so a guess is made that does: the i-th vertex of each colour goes to the
i-th of that colour. If it is none, a vertex of one graph is given a colour of its own, each vertex
of its colour in the other graph is tried as its image, and the colours are refined again. The
search is complete, so its answer is exact; it may take exponential time, so it has a limit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from wlkg.arrays import IntArray
from wlkg.catalogue import TESTS, Direction
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.refinement.vertices.vertex_problem import VertexProblem, vertex_problem
from wlkg.refinement.vertices.vertex_tests import run_vertices


def isomorphic(
    one: RelationalGraph,
    two: RelationalGraph,
    direction: Direction | None = None,
    *,
    seconds: float = 10.0,
) -> bool | None:
    """Whether some one-to-one map keeps labels and arcs; None if it could not be decided in time.

    Relations and labels are matched by name.
    """
    if direction is not None:
        one, two = one.with_direction(direction), two.with_direction(direction)
    union = disjoint_union(one, two)
    if one.num_vertices != two.num_vertices:
        return False
    if union.direction in ("out", "in"):
        union = union.with_direction("both")  # the same maps keep the arcs, and colours see more
    problem = vertex_problem(union, TESTS["1-rwl"])
    return _Search(problem, one.num_vertices).run(time.monotonic() + seconds)


@dataclass(frozen=True)
class _Search:
    """Two graphs of equal size side by side."""

    problem: VertexProblem
    half: int

    def run(self, deadline: float) -> bool | None:
        """Whether there is an isomorphism; None after the deadline."""
        waiting = [iter([self.problem.start.colours])]
        while waiting:
            if time.monotonic() > deadline:
                return None
            following = next(waiting[-1], None)
            if following is None:
                waiting.pop()
                continue
            colours = self._coloured(following)
            if colours is None:
                continue
            left, right = np.split(colours, 2)
            image = np.empty(self.half, dtype=np.int64)
            image[np.argsort(left, kind="stable")] = np.argsort(right, kind="stable")
            if self._is_isomorphism(image):
                return True
            if np.bincount(left).max(initial=0) > 1:
                waiting.append(self._choices(colours))
        return False

    def _coloured(self, colours: IntArray) -> IntArray | None:
        """The stable colours that these lead to; None if the graphs differ in them."""
        problem = replace(self.problem, start=Partition.of(colours))
        history = run_vertices(problem).history
        in_first = np.arange(len(colours)) < self.half
        if history.imbalanced_at(in_first, ~in_first) is not None:
            return None
        return history.partition().colours

    def _choices(self, colours: IntArray) -> Iterator[IntArray]:
        """A vertex that has a choice of images, with each of them in turn.

        First one such vertex in each independent part of the graph at once, with its first image:
        a guess that saves much time where there are many small symmetries.
        """
        left, right = np.split(colours, 2)
        counts = np.bincount(left)
        order = np.argsort(counts, kind="stable")
        open_classes = order[counts[order] > 1]
        part = self._parts(colours, counts)
        _, first = np.unique(part[open_classes], return_index=True)
        if len(first) > 1:
            marked = colours.copy()
            for place, chosen in enumerate(open_classes[first].tolist()):
                images = [np.argmax(left == chosen), self.half + np.argmax(right == chosen)]
                marked[images] = len(counts) + place
            yield marked
        v = int(np.argmax(left == open_classes[0]))
        for w in np.flatnonzero(right == open_classes[0]).tolist():
            marked = colours.copy()
            marked[[v, self.half + w]] = len(counts)
            yield marked

    def _parts(self, colours: IntArray, counts: IntArray) -> IntArray:
        """For each class the smallest class it is joined with by arcs among open classes.

        What goes where in one part says nothing about another: an arc to a vertex that has no
        choice is part of the colour.
        """
        arcs = self.problem.arcs
        one = colours[arcs.source].astype(np.int64)
        two = colours[arcs.neighbour].astype(np.int64)
        both = (counts[one] > 1) & (counts[two] > 1)
        one, two = np.unique(np.stack([one[both], two[both]]), axis=1)
        part = np.arange(len(counts))
        while True:
            lower = part.copy()
            np.minimum.at(lower, one, part[two])
            np.minimum.at(lower, two, part[one])
            lower = lower[lower]
            if np.array_equal(lower, part):
                return part
            part = lower

    def _is_isomorphism(self, image: IntArray) -> bool:
        """Whether vertex v of the first graph may go to ``image[v]`` of the second."""
        arcs = self.problem.arcs
        in_first = arcs.source < self.half
        moved = [image[arcs.source[in_first]], image[arcs.neighbour[in_first]]]
        there = [arcs.source[~in_first] - self.half, arcs.neighbour[~in_first] - self.half]
        relations = [arcs.relation[in_first], arcs.relation[~in_first]]
        if len(moved[0]) != len(there[0]):
            return False
        orders = [np.lexsort([i, *ends]) for i, ends in zip(relations, (moved, there), strict=True)]
        return all(
            np.array_equal(a[orders[0]], b[orders[1]])
            for a, b in zip([relations[0], *moved], [relations[1], *there], strict=True)
        )
