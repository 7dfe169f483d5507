"""Decide exactly, within a time limit, whether two graphs are isomorphic.

1-RWL colours both graphs together; if the histograms differ, the graphs are not isomorphic. Every
isomorphism preserves colours, so the search guesses a map that does: the i-th vertex of each colour
goes to the i-th vertex of that colour. If the guess fails, one vertex gets a colour of its own,
each vertex of its old colour in the other graph is tried as its image, and the colours are refined
again. The search is complete, so its answer is exact; it may take exponential time, hence the
limit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from wlkg.analysis.side_by_side import SideBySide
from wlkg.arrays import IntArray
from wlkg.catalogue import TESTS, Direction
from wlkg.graph.relational_graph import RelationalGraph
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
    """Whether some bijection preserves labels and arcs; None if this was not decided in time.

    Relations and labels are matched by name.
    """
    one, two = one.with_direction(direction), two.with_direction(direction)
    return decide_isomorphism(SideBySide((one, two)), seconds=seconds)


def decide_isomorphism(pair: SideBySide, *, seconds: float) -> bool | None:
    """Whether two graphs are isomorphic; None if this was not decided in time."""
    union = pair.union
    size, other_size = pair.sizes
    if size != other_size:
        return False
    if union.direction in ("out", "in"):
        # The isomorphisms are the same, and the colours separate more vertices.
        union = union.with_direction("both")
    problem = vertex_problem(union, TESTS["1-rwl"])
    return _Search(problem, half=size).run(time.monotonic() + seconds)


@dataclass(frozen=True)
class _Search:
    """The search on two graphs of equal size: vertices below ``half`` are the first graph's."""

    problem: VertexProblem
    half: int

    def run(self, deadline: float) -> bool | None:
        """Whether there is an isomorphism; None after the deadline."""
        open_choices = [iter([self.problem.start.colours])]
        while open_choices:
            if time.monotonic() > deadline:
                return None
            choice = next(open_choices[-1], None)
            if choice is None:
                open_choices.pop()
                continue
            colours = self._refined(choice)
            if colours is None:
                continue
            left, right = np.split(colours, 2)
            image = np.empty(self.half, dtype=np.int64)
            image[np.argsort(left, kind="stable")] = np.argsort(right, kind="stable")
            if self._is_isomorphism(image):
                return True
            if np.bincount(left).max(initial=0) > 1:
                open_choices.append(self._choices(colours))
        return False

    def _refined(self, colours: IntArray) -> IntArray | None:
        """The stable colouring that refines ``colours``; None if the histograms differ."""
        problem = replace(self.problem, start=Partition.of(colours))
        history = run_vertices(problem).history
        in_first = np.arange(len(colours)) < self.half
        if history.imbalanced_at(in_first, ~in_first) is not None:
            return None
        return history.partition().colours

    def _choices(self, colours: IntArray) -> Iterator[IntArray]:
        """Fix the image of one vertex that has a choice: a colouring for each possible image.

        The first colouring is a guess that saves much time where there are many small symmetries:
        it fixes one vertex, with its first possible image, in every independent part of the graph.
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
                vertices = [np.argmax(left == chosen), self.half + np.argmax(right == chosen)]
                marked[vertices] = len(counts) + place
            yield marked
        v = int(np.argmax(left == open_classes[0]))
        for w in np.flatnonzero(right == open_classes[0]).tolist():
            marked = colours.copy()
            marked[[v, self.half + w]] = len(counts)
            yield marked

    def _parts(self, colours: IntArray, counts: IntArray) -> IntArray:
        """For each class, the smallest class that arcs among open classes connect it to.

        A class is open if it has more than one vertex per graph. Images chosen in one part do not
        restrict another part: an arc to a vertex without a choice is already in the colour.
        """
        arcs = self.problem.arcs
        one = colours[arcs.source].astype(np.int64)
        two = colours[arcs.neighbour].astype(np.int64)
        both_open = (counts[one] > 1) & (counts[two] > 1)
        one, two = np.unique(np.stack([one[both_open], two[both_open]]), axis=1)
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
        """Whether mapping vertex v of the first graph to ``image[v]`` preserves all arcs."""
        arcs = self.problem.arcs
        in_first = arcs.source < self.half
        mapped = [image[arcs.source[in_first]], image[arcs.neighbour[in_first]]]
        expected = [arcs.source[~in_first] - self.half, arcs.neighbour[~in_first] - self.half]
        relations = [arcs.relation[in_first], arcs.relation[~in_first]]
        if len(mapped[0]) != len(expected[0]):
            return False
        orders = [
            np.lexsort([relation, *ends])
            for relation, ends in zip(relations, (mapped, expected), strict=True)
        ]
        return all(
            np.array_equal(a[orders[0]], b[orders[1]])
            for a, b in zip([relations[0], *mapped], [relations[1], *expected], strict=True)
        )
