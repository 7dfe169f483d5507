"""The tuple tests: K-RLWL, the local delta-K-LWL, the oblivious K-WL and the folklore K-FWL.

A K-tuple t = (v_1, ..., v_K) starts with its atomic type. In every round its next colour is made of
its own colour C(t) and of

===========  =======================================================================================
K-rlwl       for each position j, {{ (i, C(t[j := w])) : i in [r], w in N_i(v_j) }}
delta-K-lwl  the same with relations forgotten, in the atomic type too
K-wl         for each position j, {{ C(t[j := w]) : w in V }}
K-fwl        {{ (C(t[1 := w]), ..., C(t[K := w])) : w in V }}
rawl2        {{ (i, C(u, w)) : i in [r], w in N_i(v) }} for the pair (u, v), as K-rlwl for j = 2
rawl2-all    as rawl2, and {{ C(u, w) : w in V }}
rwl2         as rawl2 for both positions, as 2-rlwl
===========  =======================================================================================

where {{ }} is a multiset, and t[j := w] is the tuple t with v_j replaced by w. The last three, the
tests of link prediction, start with labels and [u = v] instead of the atomic type.

===========================  =======================================================================
in the paper                 here
===========================  =======================================================================
atp_r(v)                     the pair types of all pairs in a tuple (`tuple_problem`)
C_{k,r}^(t)                  an array of n^K codes of 64 bits (`tuple_codes`), never renumbered
M_r^(t)(v)                   sums of codes times random odd numbers (`look_kernels`)
theta_j(v, w)                the place of the tuple plus (w - v_j) n^(K - j)
===========================  =======================================================================

Cost, with n vertices and m arcs: a round takes O(n^(K-1) K m) additions for the local tests,
O(K n^K) for K-wl and O(K n^(K+1)) for K-fwl, and a sort of n^K codes (of half of them for K = 2,
see `mirrored_pairs`). Memory is 36 bytes per tuple;
`bytes_needed` computes it before anything is allocated.

Differences from the paper: atomic types see vertex labels too, and the tuples of graphs that are
compared never mix. For K = 1, K-rlwl and delta-K-lwl run in the faster engine for vertices (see
`wlkg.catalogue.SINGLE_VERTEX_TESTS`). They are 1-rwl and 1-wl on graphs without loops: a vertex
test starts with labels only, an atomic type also sees the loops at a vertex.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.arrays import UInt64Array
from wlkg.catalogue import TupleTest
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.proof import ATTEMPTS, EVERY_ROUND, STABLE_TUPLES, UNCHECKED_TUPLES
from wlkg.refinement.tuples.code_check import CodeCheck, rows_alike
from wlkg.refinement.tuples.mirrored_pairs import is_mirrored, without_mirror_images
from wlkg.refinement.tuples.sorting import ClassCount, count_classes, sort_into
from wlkg.refinement.tuples.tuple_codes import TupleCodes
from wlkg.refinement.tuples.tuple_problem import TupleProblem

#: Every round is checked if a round sees at most this many colours.
_CHEAP = 5_000_000
#: Check whether the codes are stable once a round gains at most one class in 50. The check costs
#: about as much as a round; if it holds, it saves the round that would only confirm it.
_SLOW_GROWTH = 50


def bytes_needed(test: TupleTest, sizes: Sequence[int]) -> int:
    """The memory that a test takes on blocks with these numbers of vertices."""
    tuples: int = sum(size**test.arity for size in sizes)
    pairs = sum(size**2 for size in sizes) if test.arity > 1 else 0
    # Per tuple: two codes, a sorted copy, and the groups of the check.
    # Pair types, which the check copies into one array if there are several blocks.
    per_pair = 12 if len(sizes) > 1 else 4
    return 36 * tuples + per_pair * pairs


@dataclass(frozen=True, eq=False)
class TupleRun:
    """The outcome of a run of a tuple test."""

    classes_per_round: tuple[int, ...]
    #: For each round, the number of pairs of tuples that share a class.
    indistinguishable_per_round: tuple[int, ...]
    stable: bool
    exact: bool
    proof: str
    #: The history of the vertices (see `wlkg.refinement.results.TupleRefinement`).
    vertices: History
    #: The first round at which the blocks have different histograms.
    differs_at: int | None
    #: The last codes, and the seed that they were computed with.
    codes: UInt64Array
    seed: int


def run_tuples(
    problem: TupleProblem, last_round: int | None, progress: Progress = SILENT
) -> TupleRun:
    """Refine until nothing changes or the last round is reached.

    A collision of codes that the check finds repeats the run with new randomness.
    """
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
    """One run, or None if a check found a collision of codes."""
    codes = TupleCodes(problem, seed)
    every_round = check and problem.steps <= _CHEAP
    proof = EVERY_ROUND if every_round else UNCHECKED_TUPLES
    counts: list[ClassCount] = []
    vertices: list[Partition] = []
    differs_at: int | None = None
    stable = False
    while not stable:
        t = len(counts)
        vertices.append(codes.vertex_partition())
        if every_round and not _round_holds(problem, codes, vertices[t], t):
            return None
        parts = _sorted_blocks(problem, codes)
        if differs_at is None and not all(np.array_equal(parts[0], part) for part in parts[1:]):
            differs_at = t
        sorted_codes = codes.spare[: sum(map(len, parts))]
        if len(parts) > 1:
            sorted_codes.sort()
        counts.append(count_classes(sorted_codes, mirrored=is_mirrored(problem)))
        classes = counts[t].classes
        progress.done(t)
        progress.count(classes, "classes")
        gained = classes - counts[t - 1].classes if t else classes
        stable = t > 0 and gained == 0
        is_discrete = classes == problem.num_tuples
        if check and not every_round and (is_discrete or gained * _SLOW_GROWTH <= classes):
            # If all codes are different, there is nothing to check.
            if is_discrete or _stable_holds(problem, codes, sorted_codes, vertices[t]):
                stable, proof = True, STABLE_TUPLES
            elif stable:
                return None
        if t == last_round:
            break
        if not stable:
            codes.advance()
    # A last round without a new class only shows that the round before it was stable.
    kept = len(counts) - (len(counts) > 1 and counts[-1].classes == counts[-2].classes)
    return TupleRun(
        classes_per_round=tuple(count.classes for count in counts[:kept]),
        indistinguishable_per_round=tuple(c.indistinguishable_pairs for c in counts[:kept]),
        stable=stable,
        exact=proof != UNCHECKED_TUPLES,
        proof=proof,
        vertices=History.from_rounds([partition.colours for partition in vertices[:kept]]),
        differs_at=differs_at,
        codes=codes.current,
        seed=seed,
    )


def _sorted_blocks(problem: TupleProblem, codes: TupleCodes) -> list[UInt64Array]:
    """The codes of each block, sorted, one after the other in the spare array.

    Those of mirror images are left out (see `mirrored_pairs`).
    """
    parts: list[UInt64Array] = []
    place = 0
    for block in problem.blocks:
        free = codes.spare[place : place + block.count]
        parts.append(sort_into(codes.current[block.tuples], free, mirrored=is_mirrored(problem)))
        place += len(parts[-1])
    return parts


def _round_holds(problem: TupleProblem, codes: TupleCodes, vertices: Partition, t: int) -> bool:
    """Whether the codes of round t hide no difference, given that those of t - 1 hide none.

    The codes of round t - 1 are still in the spare array.
    """
    codes_now = codes.current
    kept = without_mirror_images(codes_now) if is_mirrored(problem) else codes_now
    check = CodeCheck(problem, codes_now, np.sort(kept))
    holds = check.have_same_types() if t == 0 else check.see_alike(codes.spare, with_own=True)
    return holds and rows_alike(problem, codes.current, vertices)


def _stable_holds(
    problem: TupleProblem, codes: TupleCodes, sorted_codes: UInt64Array, vertices: Partition
) -> bool:
    """Whether the codes are stable and hide no difference; ``sorted_codes`` is overwritten."""
    check = CodeCheck(problem, codes.current, sorted_codes)
    return (
        check.have_same_types()
        and check.see_alike(codes.current)
        and rows_alike(problem, codes.current, vertices)
    )


def codes_per_round(problem: TupleProblem, run: TupleRun) -> Iterator[UInt64Array]:
    """The codes of rounds 0, 1, ... of a run, which is repeated; the next round overwrites them."""
    codes = TupleCodes(problem, run.seed)
    yield codes.current
    for _ in run.classes_per_round[1:]:
        codes.advance()
        yield codes.current


def tuple_history(problem: TupleProblem, run: TupleRun) -> History:
    """The history of the tuples: repeats the run and keeps the partition of every round."""
    return History.from_rounds(
        [Partition.of(codes).colours for codes in codes_per_round(problem, run)]
    )
