"""The tuple tests: K-RLWL, the local delta-K-LWL, the oblivious K-WL and the folklore K-FWL.

A K-tuple starts with its atomic type. In every round its next colour is its own one and

=============  =====================================================================================
K-rlwl         for each position j the multiset of (i, colour of t[j := w]) over w in N_i(v_j)
delta-K-lwl    the same with relations forgotten, in the atomic type too
K-wl           for each position j the multiset of the colours of t[j := w] over all w
K-fwl          the multiset over all w of the vector of the colours of t[1 := w], ..., t[K := w]
=============  =====================================================================================

where t[j := w] is the tuple t = (v_1, ..., v_K) with v_j replaced by w.

======================  ============================================================================
in the paper            here
======================  ============================================================================
atp_r(v)                codes of pairs of vertices (`problem`)
C^(t)                   an array of n^K names of 64 bits, renamed by nobody (`kernels`)
theta_j(v, w)           a tuple's place plus (w - v_j) times n^(K - j)
======================  ============================================================================

Cost: a round of the local tests takes O(n^(K-1) K m) additions, of K-wl O(K n^K), of K-fwl
O(K n^(K+1)), and a sort of n^K names on top; 36 bytes per tuple, 52 for K-wl. Whether it fits is
known before anything is allocated (`bytes_needed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.arrays import UInt64Array
from wlkg.catalogue import TupleTest
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.compiled.kernel import Kernel
from wlkg.refinement.compiled.threads import equal_ranges, on_ranges
from wlkg.refinement.proof import ATTEMPTS, EVERY_ROUND
from wlkg.refinement.tuples.code_check import Check, rows_alike
from wlkg.refinement.tuples.look_kernels import (
    look_at_vectors,
    look_everywhere,
    look_local,
    name_types,
)
from wlkg.refinement.tuples.sorting import Count, count, sort_into
from wlkg.refinement.tuples.tuple_problem import PER_STEP, Block, TupleProblem

STABLE_PARTITION = "the stable colours were checked without hashing; rounds rest on 64-bit names"
NOT_CHECKED = "colours rest on 64-bit names"

_FULL = 2**64 - 1
#: Every round is checked if a round looks at no more colours than this.
_CHEAP = 5_000_000
#: The next round is expected to be the same if this one has gained at most one class in so many.
_SLOW = 50
#: Blocks of rows, more than there are cores since some rows have more to look at.
_RANGES = 16


def bytes_needed(sizes: Sequence[int], test: TupleTest) -> tuple[int, int]:
    """How many tuples there are in blocks of so many vertices, and the memory that they take."""
    tuples = sum(size**test.arity for size in sizes)
    pairs = sum(size**2 for size in sizes) if test.arity > 1 else 0
    # Two arrays of names, a sorted copy, what the check groups by, and codes of pairs, which are
    # laid out once more for several blocks; sorted lines for K-wl.
    each = 52 if test.looks == "everywhere" else 36
    return tuples, each * tuples + (12 if len(sizes) > 1 else 4) * pairs


@dataclass(frozen=True, eq=False)
class TupleRun:
    """What a run of a tuple test gives back."""

    classes_per_round: tuple[int, ...]
    #: For each round, how many pairs of tuples share a class.
    alike_per_round: tuple[int, ...]
    stable: bool
    exact: bool
    proof: str
    #: The history of the vertices (see `wlkg.refinement.TupleRefinement`).
    vertices: History
    #: The first round at which the blocks have different histograms.
    differs_at: int | None
    #: The last names, and what they were made of.
    names: UInt64Array
    seed: int


class Naming:
    """The names of all tuples, round by round."""

    def __init__(self, problem: TupleProblem, seed: int, mask: int = _FULL) -> None:
        """``mask`` weakens the names, for tests."""
        self._problem = problem
        self._mask = np.uint64(mask)
        draw = np.random.default_rng(seed)
        shape = (problem.arity, problem.arcs.num_relations + 1)
        self._salts = draw.integers(0, 2**63, size=shape, dtype=np.uint64) * np.uint64(2)
        self._salts += np.uint64(1)
        self._start = draw.integers(0, 2**64, dtype=np.uint64)
        self.now = np.empty(problem.num_tuples, dtype=np.uint64)
        #: Room for the names of the next round, or for anything else until then.
        self.room = np.empty_like(self.now)
        for block in problem.blocks:
            arguments = (problem.arity, block.types, self._start, self.now[block.tuples])
            self._on_rows(name_types, block, problem.num_tuples * problem.arity, *arguments)
        self._weaken(self.now)

    def advance(self) -> None:
        """Go on to the next round; the names of this one are in ``room`` then."""
        for block in filter(lambda block: block.count, self._problem.blocks):
            names, out = self.now[block.tuples], self.room[block.tuples]
            common = (self._problem.arity, block.num_vertices)
            tail = (self._salts, names, out)
            steps = self._problem.steps
            if self._problem.test.looks == "local":
                self._on_rows(look_local, block, steps, *common, block.arcs, *tail)
            elif self._problem.test.looks == "everywhere":
                lines = _line_sums(names, block.num_vertices, self._problem.arity)
                self._on_rows(look_everywhere, block, steps, *common, lines, *tail)
            else:
                self._on_rows(look_at_vectors, block, steps, *common, *tail)
        self._weaken(self.room)
        self.now, self.room = self.room, self.now

    def _weaken(self, names: UInt64Array) -> None:
        if self._mask != _FULL:
            names &= self._mask

    @staticmethod
    def _on_rows(kernel: Kernel, block: Block, steps: int, *arguments: object) -> None:
        rows = block.count // max(block.num_vertices, 1)
        on_ranges(kernel, steps // PER_STEP, equal_ranges(rows, _RANGES), *arguments)

    def vertex_partition(self) -> Partition:
        """Vertices alike: the same name of (v, ..., v), the same names of tuples that begin so."""
        diagonal, totals = [], []
        for block in self._problem.blocks:
            n = block.num_vertices
            step = sum(n**j for j in range(self._problem.arity))
            names = self.now[block.tuples]
            diagonal.append(names[: n * step : max(step, 1)][:n])
            totals.append(names.reshape(n, -1).sum(axis=1, dtype=np.uint64) if n else names)
        return Partition.of(np.concatenate(diagonal)).meet(Partition.of(np.concatenate(totals)))


def _line_sums(names: UInt64Array, n: int, arity: int) -> UInt64Array:
    """For each position, the sums of names along it, as a row."""
    cubes = [names.reshape(n**j, n, n ** (arity - 1 - j)) for j in range(arity)]
    return np.stack([cube.sum(axis=1, dtype=np.uint64).reshape(-1) for cube in cubes])


def run_tuples(
    problem: TupleProblem, last_round: int | None, progress: Progress = SILENT
) -> TupleRun:
    """Refine until nothing changes or the last round; check, and start again on a collision."""
    for seed in range(ATTEMPTS):
        run = attempt(problem, last_round, seed, progress)
        if run is not None:
            return run
    run = attempt(problem, last_round, ATTEMPTS, progress, check=False)
    assert run is not None
    return run


def attempt(
    problem: TupleProblem,
    last_round: int | None,
    seed: int,
    progress: Progress = SILENT,
    *,
    check: bool = True,
) -> TupleRun | None:
    """One run, or None if a check found a collision of names."""
    naming = Naming(problem, seed)
    every_round = check and problem.steps <= _CHEAP
    counts: list[Count] = []
    vertices: list[Partition] = []
    differs_at: int | None = None
    proof = EVERY_ROUND if every_round else NOT_CHECKED
    stable = False
    while not stable:
        vertices.append(naming.vertex_partition())
        if every_round and not _round_holds(problem, naming, vertices[-1], len(counts)):
            return None
        if _histograms_differ(problem, naming) and differs_at is None:
            differs_at = len(counts)
        counts.append(count(naming.room))
        progress.done(len(counts) - 1)
        progress.count(counts[-1].classes, "classes")
        gain = counts[-1].classes - counts[-2].classes if len(counts) > 1 else counts[-1].classes
        stable = len(counts) > 1 and gain == 0
        is_discrete = counts[-1].classes == problem.num_tuples
        if check and not every_round and (is_discrete or gain * _SLOW <= counts[-1].classes):
            # A check costs about as much as a round, and proves that there will be no more. Where
            # all names are different there is nothing to check.
            if is_discrete or _stable_holds(problem, naming, vertices[-1]):
                stable, proof = True, STABLE_PARTITION
            elif stable:
                return None
        if len(counts) - 1 == last_round:
            break
        if not stable:
            naming.advance()
    rounds = len(counts) - (len(counts) > 1 and counts[-1].classes == counts[-2].classes)
    return TupleRun(
        tuple(c.classes for c in counts[:rounds]),
        tuple(c.alike for c in counts[:rounds]),
        stable,
        proof != NOT_CHECKED,
        proof,
        History.from_rounds([p.colours for p in vertices[:rounds]]),
        differs_at,
        naming.now,
        seed,
    )


def _histograms_differ(problem: TupleProblem, naming: Naming) -> bool:
    """Sort all names into the room; tell whether some block has others than the first one."""
    now, room = naming.now, naming.room
    if len(problem.blocks) == 1:
        sort_into(now, room)
        return False
    for block in problem.blocks:
        sort_into(now[block.tuples], room[block.tuples])
    first = room[problem.blocks[0].tuples]
    differ = not all(np.array_equal(first, room[block.tuples]) for block in problem.blocks)
    room.sort()
    return differ


def _round_holds(problem: TupleProblem, naming: Naming, vertices: Partition, t: int) -> bool:
    """Whether round t hides no difference, given that the round before it hid none."""
    check = Check(problem, naming.now, np.sort(naming.now))
    holds = check.same_types() if t == 0 else check.sees_alike(naming.room, with_own=True)
    return holds and rows_alike(problem, naming.now, vertices)


def _stable_holds(problem: TupleProblem, naming: Naming, vertices: Partition) -> bool:
    """Whether the last names, which are sorted in the room, hide no difference."""
    check = Check(problem, naming.now, naming.room)
    return (
        check.same_types()
        and check.sees_alike(naming.now)
        and rows_alike(problem, naming.now, vertices)
    )


def tuple_history(problem: TupleProblem, run: TupleRun) -> History:
    """The history of the tuples: the run is repeated, and this time all its rounds are kept."""
    naming = Naming(problem, run.seed)
    rounds = [Partition.of(naming.now).colours]
    for _ in run.classes_per_round[1:]:
        naming.advance()
        rounds.append(Partition.of(naming.now).colours)
    return History.from_rounds(rounds)
