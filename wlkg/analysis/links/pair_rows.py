"""Ranks by a test that colours all n^2 pairs: row u of the colours has the candidates of source u.

The memory is that of the test, which `wlkg.refinement.refine` refuses if it does not fit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wlkg.analysis.links.mark_kernels import base_of
from wlkg.analysis.links.rank_kernels import rank_source
from wlkg.analysis.links.ranks import Memory, Ranks, empty_outcome
from wlkg.arrays import IntArray, UInt64Array
from wlkg.compiled.kernel import run
from wlkg.links.queries import LinkQueries
from wlkg.progress import SILENT, Progress
from wlkg.refinement.refine import refine
from wlkg.refinement.results import TupleRefinement


def rank_pairs(
    queries: LinkQueries,
    test: str,
    rounds: int,
    *,
    most_states: int,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> tuple[Ranks, bool, str]:
    """The ranks at rounds 1 to ``rounds`` and when stable, and the proof of the colours, if any."""
    refinement = refine(queries.graph, test, max_memory=max_memory, progress=progress)
    assert isinstance(refinement, TupleRefinement)
    last = refinement.rounds
    wanted = {*range(1, rounds + 1), last}
    by_round: dict[int, Ranks] = {}
    memory = Memory.of(queries)
    progress.start(f"ranking by {test}", last, "rounds")
    try:
        for number, codes in enumerate(refinement.codes_per_round()):
            if number in wanted:
                rows = codes.reshape(-1, queries.graph.num_vertices)
                by_round[number] = rank_rows(
                    queries, rows.__getitem__, most_states=most_states, memory=memory
                )
            progress.done(number)
    finally:
        progress.finish()
    ranks = [by_round[min(number, last)] for number in (*range(1, rounds + 1), last)]
    combined = Ranks(
        means=np.concatenate([each.means for each in ranks]),
        bound=np.concatenate([each.bound for each in ranks]),
        bounded=np.concatenate([each.bounded for each in ranks]),
        rivals=ranks[-1].rivals,
    )
    return combined, refinement.exact, refinement.proof


def rank_rows(
    queries: LinkQueries,
    row_of: Callable[[int], IntArray | UInt64Array],
    *,
    most_states: int,
    memory: Memory | None = None,
) -> Ranks:
    """Rank all queries in a single round, by the colours that ``row_of`` gives for each source.

    Every vertex then has a colour of its own, so the partition that would stand behind the colours
    is never looked at.
    """
    arrays, memory = queries.arrays, memory or Memory.of(queries)
    no_base = base_of(np.zeros((1, queries.graph.num_vertices), dtype=np.int64))
    outcome = empty_outcome(1, np.zeros(queries.num_answers, dtype=np.int64))
    size = len(arrays.known) + len(arrays.answers)
    for s, source in enumerate(arrays.sources.tolist()):
        _, colour, count = np.unique(row_of(source), return_inverse=True, return_counts=True)
        memory.marked.colour[:] = colour
        memory.marked.colour_size[: len(count)] = count
        run(rank_source, size, s, 0, memory.ranking(queries, no_base, most_states, outcome))
    return Ranks.of([outcome])
