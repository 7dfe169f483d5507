"""Colour refinement with its rounds, in O((n + m) log n).

Each class has a number. The signature of a vertex is a sum over its arcs (i, u) of a random-looking
function of i and the class of u, modulo 2^64. In every round:

1. Vertices of one class had equal signatures in the round before, so their signatures are equal now
   exactly if they *changed* by the same amount. So it is enough to add new minus old to the
   neighbours of each vertex whose class changed.
2. When a class splits, its largest part keeps the number, so only the other parts changed. A vertex
   changes at most log2(n) times, and all updates together cost O(m log n). Classes are segments of
   one array of vertices, so the members of any part can be listed.
3. If few vertices changed, they update their neighbours (*push*). If many did, all signatures are
   summed from scratch instead (*pull*), on two threads. Direction-optimising breadth-first search
   switches in the same way.

For mean-rwl every summand is multiplied by the weight of its arc, which never changes: see
`wlkg.refinement.vertices.shares`.

Different sums mean different multisets, so every split is right. `equitable_check` proves
afterwards, without hashing, that no split was missed.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import IntArray
from wlkg.compiled.kernel import run
from wlkg.graph.arcs import Arcs
from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.threads import arc_ranges, on_ranges
from wlkg.refinement.vertices.run_state import (
    CLASSES,
    END,
    MARK,
    ROUND,
    START,
    Classes,
    Scratch,
    Sums,
    change_and_place,
)
from wlkg.refinement.vertices.shares import arc_weights
from wlkg.refinement.vertices.split_kernels import PAUSED, STABLE, TOO_LARGE, run_rounds
from wlkg.refinement.vertices.sum_kernels import add_degrees, pull
from wlkg.refinement.vertices.vertex_problem import VertexProblem

#: Pull if pushing would touch more than this share of the arcs of vertices in shared classes.
_PULL_SHARE = 0.2
#: Arcs pushed per call of the kernel, between two reports of progress and checks for an interrupt.
_ARCS_PER_CALL = 50_000_000
_ALL_BITS = 2**64 - 1


class Worklist:
    """The state of one run; ``mask`` weakens the signatures, for tests."""

    def __init__(self, problem: VertexProblem, seed: int, mask: int = _ALL_BITS) -> None:
        self._problem = problem
        arcs, back, test = problem.arcs, problem.reversed_arcs, problem.test
        self._arcs, self._reversed = _arrays(arcs), _arrays(back)
        if test.sees_shares:
            self._arcs = self._arcs._replace(weight=arc_weights(arcs, arcs.source))
            self._reversed = self._reversed._replace(weight=arc_weights(back, back.neighbour))
        count = arcs.num_relations + 1
        salts = np.random.default_rng(seed).integers(0, 2**64, size=count, dtype=np.uint64)
        self._degree_salts = salts
        if not test.sees_relations:
            salts = np.repeat(salts[-1:], count)
        self._classes, change = _start_classes(problem)
        self._sums = Sums(
            change=change,
            signature=np.empty(problem.num_vertices, dtype=np.uint64),
            salts=salts,
            mask=np.uint64(mask),
        )
        self._scratch = _scratch(problem.num_vertices)

    @property
    def vertices_by_class(self) -> IntArray:
        """All vertices, listed class by class."""
        vertices: IntArray = self._classes.vertices
        return vertices

    def run(self, last_round: int, progress: Progress = SILENT) -> bool:
        """Refine until nothing changes (True) or ``last_round`` is reached (False)."""
        counts = self._classes.counts
        outcome = TOO_LARGE if counts[ROUND] == 0 else PAUSED
        while outcome != STABLE and counts[ROUND] < last_round:
            if pulls := outcome == TOO_LARGE:
                self.pull_signatures()
                counts[ROUND] += 1
            outcome = self._run_rounds(last_round, split_all=pulls)
            progress.done(int(counts[ROUND]))
            progress.count(int(counts[CLASSES]), "classes")
        return outcome == STABLE

    def history(self) -> History:
        """The split tree so far."""
        count = int(self._classes.counts[CLASSES])
        parent, birth = self._classes.parent[:count].copy(), self._classes.birth[:count].copy()
        return History(
            class_of=self._classes.class_of,
            parent=parent,
            birth=birth,
            rounds=int(birth.max(initial=0)),
        )

    def _run_rounds(self, last_round: int, *, split_all: bool) -> int:
        state = (self._reversed, self._sums, self._classes, self._scratch)
        arguments = (split_all, last_round, _ARCS_PER_CALL, _PULL_SHARE, *state)
        return int(run(run_rounds, self._problem.size, *arguments))

    def pull_signatures(self) -> None:
        """Sum the signatures of all vertices in shared classes."""
        arcs, size = self._problem.arcs, self._problem.size
        ranges = arc_ranges(arcs.offsets)
        on_ranges(pull, size, ranges, self._arcs, self._sums, self._classes)
        if self._classes.counts[ROUND] == 0 and self._problem.test.sees_degrees:
            degrees = (arcs.offsets, arcs.relation, self._degree_salts)
            on_ranges(add_degrees, size, ranges, *degrees, self._sums, self._classes.place)


def _arrays(arcs: Arcs) -> ArcArrays:
    """The arrays of arcs, without their relations if there is only one."""
    arrays = ArcArrays.of(arcs)
    return arrays if arcs.num_relations > 1 else arrays._replace(relation=arcs.relation[:0])


def _start_classes(problem: VertexProblem) -> tuple[Classes, Array]:
    """The classes at the start, and the changes of the vertices, which share memory."""
    n, start = problem.num_vertices, problem.start
    vertices = np.argsort(start.colours, kind="stable").astype(np.int32)
    places = np.empty(n, dtype=np.int32)
    places[vertices] = np.arange(n, dtype=np.int32)
    places[start.sizes[start.colours] == 1] |= MARK
    change, place = change_and_place(places)
    segments = np.zeros((n, 3), dtype=np.int32)
    segments[: start.num_classes, END] = np.cumsum(start.sizes)
    segments[: start.num_classes, START] = segments[: start.num_classes, END] - start.sizes
    classes = Classes(
        class_of=start.colours.astype(np.int32),
        vertices=vertices,
        place=place,
        segments=segments,
        parent=np.arange(n, dtype=np.int32),
        birth=np.zeros(n, dtype=np.int32),
        counts=np.array([start.num_classes, 0, 0, 0], dtype=np.int64),
    )
    return classes, change


def _scratch(n: int) -> Scratch:
    return Scratch(
        table=np.empty(max(4, 1 << max(2 * n - 1, 0).bit_length()), dtype=np.int32),
        group_of=np.empty(n, dtype=np.int32),
        group_size=np.empty(n + 1, dtype=np.int32),
        group_place=np.empty(n, dtype=np.int32),
        members=np.empty(n, dtype=np.int32),
        touched=np.empty(n + 1, dtype=np.int32),  # one more, since a push writes before it counts
        touched_classes=np.empty(n, dtype=np.int32),
    )
