"""Runs the kernels that rank candidates: sources are shared out to threads in batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from queue import SimpleQueue
from typing import TypeVar

import numpy as np

from wlkg.analysis.links.mark_check import Witness, witness_of
from wlkg.analysis.links.mark_kernels import (
    Base,
    Marked,
    base_of,
    marked_memory,
    random_names,
)
from wlkg.analysis.links.order_kernels import TOTALS, OrderMemory, order_memory
from wlkg.analysis.links.rank_kernels import Counters, Outcome, Ranking, counters, rank_sources
from wlkg.arrays import FloatArray, IntArray
from wlkg.catalogue import TESTS
from wlkg.compiled.compilation import compiling_is_said
from wlkg.compiled.kernel import SMALL, run
from wlkg.graph.arcs import Arcs
from wlkg.links.queries import LinkQueries
from wlkg.links.scores import METRICS, TIES
from wlkg.progress import SILENT, Progress
from wlkg.refinement.compiled.arc_arrays import ArcArrays
from wlkg.refinement.compiled.threads import WORKERS, equal_ranges
from wlkg.refinement.proof import ATTEMPTS
from wlkg.refinement.vertices.vertex_problem import VertexProblem, vertex_problem

#: Batches of sources. Their sums are added in order, so the number does not depend on threads.
_BATCHES = 128
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Ranks:
    """The best values of all queries, added up."""

    #: For each round, tie rule and metric, the mean over all answers.
    means: FloatArray
    #: For each round and metric, the bound if ties are random and classes may tie.
    bound: FloatArray
    #: For each round, the number of queries for which there is only an upper bound.
    bounded: IntArray
    #: For each answer, the candidates that tie with it in the last round.
    rivals: IntArray
    #: Whether it is proved that marks missed no split.
    proved: bool = True

    @classmethod
    def of(cls, outcomes: Sequence[Outcome], *, proved: bool = True) -> Ranks:
        """The sum of the outcomes of disjoint sets of queries; they share the array of rivals."""
        totals = np.add.reduce([outcome.totals for outcome in outcomes])
        rivals = outcomes[0].rivals
        means = totals.reshape(len(totals), len(TIES) + 1, len(METRICS)) / len(rivals)
        return cls(
            means=means[:, : len(TIES)],
            bound=means[:, len(TIES)],
            bounded=np.add.reduce([outcome.bounded for outcome in outcomes]),
            rivals=rivals,
            proved=proved,
        )


def empty_outcome(rounds: int, rivals: IntArray) -> Outcome:
    """Nothing is ranked yet; ``rivals`` has a place for each answer."""
    return Outcome(np.zeros((rounds, TOTALS)), np.zeros(rounds, dtype=np.int64), rivals)


@dataclass(frozen=True, eq=False)
class Memory:
    """What each thread works with."""

    marked: Marked
    counted: Counters
    order: OrderMemory
    witness: Witness

    @classmethod
    def of(cls, queries: LinkQueries, arcs: Arcs | None = None) -> Memory:
        """For colours along these arcs, by default those of the graph."""
        n = queries.graph.num_vertices
        most = int(np.diff(queries.arrays.answer_start).max(initial=0))
        witness = witness_of(queries.graph.arcs() if arcs is None else arcs)
        return cls(marked_memory(n), counters(n), order_memory(most, n), witness)

    def ranking(
        self, queries: LinkQueries, base: Base, most_states: int, outcome: Outcome
    ) -> Ranking:
        """The input of the kernels."""
        return Ranking(
            queries.arrays, base, self.marked, self.counted, self.order, most_states, outcome
        )


def rank_candidates(
    queries: LinkQueries,
    rows: IntArray,
    *,
    marks_source: bool,
    most_states: int,
    problem: VertexProblem | None = None,
    progress: Progress = SILENT,
) -> Ranks:
    """Rank the candidates by the partitions of a vertex test.

    ``rows`` has the class of each vertex at rounds 0, 1, ... and, last, when it is stable. If
    the test ``marks_source``, these must be the partitions of 1-rwl; candidates then have the
    colours of rawl2. ``problem`` has the arcs, by default those of the graph.
    """
    base = base_of(rows)
    rivals = np.zeros(queries.num_answers, dtype=np.int64)
    problem = problem or vertex_problem(queries.graph, TESTS["1-rwl"])
    arcs_back = ArcArrays.of(problem.reversed_arcs)
    names_of = cache(partial(random_names, problem.num_vertices, problem.arcs.num_relations))
    size = len(rows) * (len(queries.arrays.known) + problem.size)
    threads = WORKERS if size >= SMALL else 1
    memories: SimpleQueue[Memory] = SimpleQueue()
    for _ in range(threads):
        memories.put(Memory.of(queries, problem.arcs))

    def work(batch: tuple[int, int]) -> tuple[Outcome, bool]:
        memory = memories.get()
        for seed in range(ATTEMPTS):
            outcome = empty_outcome(len(rows), rivals)
            ranking = memory.ranking(queries, base, most_states, outcome)
            fixed = (arcs_back, names_of(seed), memory.witness)
            proved = bool(run(rank_sources, size, *batch, marks_source, *fixed, ranking))
            if proved:
                break
        memories.put(memory)
        return outcome, proved

    with compiling_is_said(progress):
        if threads > 1:
            rank_sources.compiled  # noqa: B018  before there are threads that would race to do so
        outcomes = in_batches(work, len(queries.arrays.sources), threads, progress)
    proved = all(holds for _, holds in outcomes)
    ranks = Ranks.of([outcome for outcome, _ in outcomes], proved=proved)
    return replace(  # without round 0
        ranks, means=ranks.means[1:], bound=ranks.bound[1:], bounded=ranks.bounded[1:]
    )


def in_batches(
    work: Callable[[tuple[int, int]], Result], sources: int, threads: int, progress: Progress
) -> list[Result]:
    """The outcomes of all batches, in order."""
    batches = equal_ranges(sources, _BATCHES)
    outcomes = []
    with ThreadPoolExecutor(max_workers=threads) as pool:
        tasks = [pool.submit(work, batch) for batch in batches]
        try:
            for (_, done), task in zip(batches, tasks, strict=True):
                outcomes.append(task.result())
                progress.done(done)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return outcomes
