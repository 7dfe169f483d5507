"""An isomorphism of two cores without a library: guess, refine, go back.

Every isomorphism preserves colours, so the search guesses a map that does: the i-th vertex of each
colour goes to the i-th vertex of that colour. If the guess fails, one vertex gets a colour of its
own, each vertex of its old colour in the other core is tried as its image, and the colours are
refined again. Splits are always right, so colours need no check: the search tries all images that
they leave, and accepts a map only if it preserves all arcs. So its answer is exact; it may take
exponential time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from wlkg.analysis.symmetry.arc_check import maps_arcs
from wlkg.analysis.symmetry.coloured_graph import ColouredGraph
from wlkg.analysis.symmetry.colouring import unchecked_history
from wlkg.analysis.symmetry.deadline import Deadline
from wlkg.arrays import IntArray
from wlkg.catalogue import TESTS
from wlkg.graph.arcs import Arcs
from wlkg.partition import Partition
from wlkg.refinement.vertices.vertex_problem import VertexProblem


def search_isomorphism(
    one: ColouredGraph, two: ColouredGraph, deadline: Deadline
) -> IntArray | None:
    """A map from the vertices of one core to those of another of the same shape, or None."""
    half = one.num_vertices
    problem = _problem(
        np.concatenate([one.colours, two.colours]),
        np.concatenate([one.source, two.source + half]),
        np.concatenate([one.neighbour, two.neighbour + half]),
        np.concatenate([one.kind, two.kind]),
    )
    return _Search(problem, half).run(deadline)


def _problem(
    colours: IntArray, source: IntArray, neighbour: IntArray, kind: IntArray
) -> VertexProblem:
    """1-RWL from these colours on, over arcs with these kinds as relations."""
    return VertexProblem(
        test=TESTS["1-rwl"],
        start=Partition.of(colours),
        arcs=_arcs(len(colours), source, kind, neighbour),
        reversed_arcs=_arcs(len(colours), neighbour, kind, source),
    )


def _arcs(num_vertices: int, source: IntArray, kind: IntArray, neighbour: IntArray) -> Arcs:
    order = np.lexsort([neighbour, kind, source])
    counts = np.bincount(source, minlength=num_vertices)
    return Arcs(
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        relation=kind[order],
        neighbour=neighbour[order],
        relation_names=tuple(map(str, range(int(kind.max(initial=0)) + 1))),
    )


@dataclass(frozen=True)
class _Search:
    """The search on two cores of equal size: vertices below ``half`` are the first one's."""

    problem: VertexProblem
    half: int

    def run(self, deadline: Deadline) -> IntArray | None:
        open_choices = [iter([self.problem.start.colours])]
        while open_choices:
            deadline.seconds_left()
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
            if maps_arcs(self.problem.arcs, image):
                return image
            if np.bincount(left).max(initial=0) > 1:
                open_choices.append(self._choices(colours))
        return None

    def _refined(self, colours: IntArray) -> IntArray | None:
        """The stable colouring that refines ``colours``; None if the histograms differ."""
        problem = replace(self.problem, start=Partition.of(colours))
        history = unchecked_history(problem)
        in_first = np.arange(len(colours)) < self.half
        if history.imbalanced_at(in_first, ~in_first) is not None:
            return None
        return history.partition().colours

    def _choices(self, colours: IntArray) -> Iterator[IntArray]:
        """Fix the image of one vertex that has a choice: a colouring for each possible image."""
        left, right = np.split(colours, 2)
        counts = np.bincount(left)
        smallest = int(np.argmin(np.where(counts > 1, counts, len(colours))))
        v = int(np.argmax(left == smallest))
        for w in np.flatnonzero(right == smallest).tolist():
            marked = colours.copy()
            marked[[v, self.half + w]] = len(counts)
            yield marked
