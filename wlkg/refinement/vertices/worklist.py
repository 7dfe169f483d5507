"""Colour refinement with its rounds, in O((n + m) log n).

Each class has a number; a vertex's signature is the sum, modulo 2^64 and in two lanes, of a
random-looking function of (class of u, relation) over its arcs. In every round:

1. Vertices of one class that had equal signatures before have equal ones now exactly when their
   signatures *changed* equally. So it is enough to add, to the neighbours of each vertex whose
   class changed, new minus old.
2. When a class splits, its largest part keeps the number, so only the others changed. A vertex
   changes at most log2(n) times: all updates together cost O(m log n). Classes are segments of one
   array of vertices, so any part can be listed.
3. Where many vertices changed, all signatures are added up anew instead (*pull*), on two threads;
   where few did, they tell their neighbours (*push*). The switch is that of direction-optimising
   breadth-first search.

For mean-rwl every summand is multiplied by the weight of its arc, which never changes: see
`wlkg.refinement.vertices.shares`.

Different sums mean different multisets, so every split is right. That no split was missed is
proved afterwards without hashing (see `wlkg.refinement.vertices.equitable_check`).
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import IntArray
from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.refinement.compiled.arc_arrays import ArcArrays
from wlkg.refinement.compiled.kernel import run
from wlkg.refinement.compiled.threads import arc_ranges, on_ranges
from wlkg.refinement.vertices.shares import weights
from wlkg.refinement.vertices.split_kernels import (
    CLASSES,
    FRESH,
    ROUND,
    Classes,
    Scratch,
    Sums,
    add_degrees,
    pull,
    push_rounds,
    split_all,
)
from wlkg.refinement.vertices.vertex_problem import VertexProblem

#: Pull where pushing would touch more than this share of the arcs that still matter.
_PULL_SHARE = 0.2
#: Arcs pushed between two looks at the clock and the keyboard.
_BREATH = 50_000_000
_FULL = 2**64 - 1


class Worklist:
    """The state of one run."""

    def __init__(self, problem: VertexProblem, seed: int, mask: int = _FULL) -> None:
        self._problem = problem
        arcs, back = problem.arcs, problem.reversed_arcs
        self._arcs = ArcArrays(arcs.offsets, arcs.neighbour, arcs.relation)
        self._reversed = ArcArrays(back.offsets, back.neighbour, back.relation)
        if problem.sees_shares:
            self._arcs = self._arcs._replace(weight=weights(arcs, arcs.source))
            self._reversed = self._reversed._replace(weight=weights(back, back.neighbour))
        self._size = problem.num_arcs + problem.num_vertices
        self._classes = _start_classes(problem)
        self._scratch = _scratch(problem.num_vertices)
        count = arcs.num_relations + 1
        salts = np.random.default_rng(seed).integers(0, 2**64, size=(2, count), dtype=np.uint64)
        n = problem.num_vertices
        lanes = np.zeros((n, 2), dtype=np.uint64)
        self._degree_sums = Sums(lanes, salts, np.uint64(mask))
        if not problem.sees_relations:
            salts = np.repeat(salts[:, -1:], count, axis=1)
        self._sums = Sums(lanes, salts, np.uint64(mask))
        self._degrees = np.diff(arcs.offsets)

    @property
    def order(self) -> IntArray:
        """The vertices, class by class."""
        order: IntArray = self._classes.order
        return order

    def run(self, last_round: int, progress: Progress = SILENT) -> bool:
        """Refine until nothing changes (True) or ``last_round`` is reached (False)."""
        counts = self._classes.counts
        stable = False
        limit = 0
        while not stable and counts[ROUND] < last_round:
            if counts[ROUND] == 0 or self._pull_pays(limit):
                self._pull_round()
                limit = self._push_limit()
            stable = self._push(last_round, limit)
            progress.done(int(counts[ROUND]))
            progress.count(int(counts[CLASSES]), "classes")
        return stable

    def history(self) -> History:
        """The split tree up to now."""
        count = int(self._classes.counts[CLASSES])
        parent, birth = self._classes.parent[:count].copy(), self._classes.birth[:count].copy()
        return History(self._classes.class_of, parent, birth, int(birth.max(initial=0)))

    def _push(self, last_round: int, limit: int) -> bool:
        state = (self._sums, self._classes, self._scratch)
        arguments = (last_round, _BREATH, limit, self._reversed, *state)
        return bool(run(push_rounds, self._size, *arguments))

    def _push_limit(self) -> int:
        """So many arcs may a round push: a share of those of vertices that are not alone."""
        sizes = self._classes.end - self._classes.start
        shared = sizes[self._classes.class_of] > 1
        return int(self._degrees[shared].sum() * _PULL_SHARE) + 64

    def _pull_pays(self, limit: int) -> bool:
        fresh = self._classes.class_of >= self._classes.counts[FRESH]
        return bool(np.diff(self._reversed.offsets)[fresh].sum() > limit)

    def pull_signatures(self) -> None:
        """Add up the signatures of all vertices that are not alone in their class."""
        ranges = arc_ranges(self._arcs.offsets)
        if self._classes.counts[ROUND] == 0 and self._problem.sees_degrees:
            on_ranges(add_degrees, self._size, ranges, self._arcs, self._degree_sums)
        on_ranges(pull, self._size, ranges, self._arcs, self._sums, self._classes)

    def _pull_round(self) -> None:
        self.pull_signatures()
        self._classes.counts[ROUND] += 1
        run(split_all, self._size, self._sums, self._classes, self._scratch)
        self._sums.lanes.fill(0)


def _start_classes(problem: VertexProblem) -> Classes:
    n, start = problem.num_vertices, problem.start
    order = np.argsort(start.colours, kind="stable").astype(np.int32)
    place = np.empty(n, dtype=np.int32)
    place[order] = np.arange(n, dtype=np.int32)
    ends, starts = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
    ends[: start.num_classes] = np.cumsum(start.sizes)
    starts[: start.num_classes] = ends[: start.num_classes] - start.sizes
    return Classes(
        class_of=start.colours.astype(np.int32),
        order=order,
        place=place,
        start=starts,
        end=ends,
        parent=np.arange(n, dtype=np.int32),
        birth=np.zeros(n, dtype=np.int32),
        counts=np.array([start.num_classes, 0, 0], dtype=np.int64),
    )


def _scratch(n: int) -> Scratch:
    return Scratch(
        table=np.empty(max(4, 1 << max(2 * n - 1, 0).bit_length()), dtype=np.int32),
        group_of=np.empty(n, dtype=np.int32),
        group_size=np.empty(n, dtype=np.int32),
        group_head=np.empty(n, dtype=np.int32),
        members=np.empty(n, dtype=np.int32),
        touched=np.empty(n, dtype=np.int32),
        is_touched=np.zeros(n, dtype=np.bool_),
        touched_in=np.zeros(n, dtype=np.int32),
        touched_classes=np.empty(n, dtype=np.int32),
    )
