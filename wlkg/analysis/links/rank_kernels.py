"""The best values of all queries of some sources, round by round."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.analysis.links.mark_check import Witness
from wlkg.analysis.links.mark_kernels import (
    Base,
    Marked,
    Names,
    class_size,
    key_of,
    mark,
    next_round,
    unmark,
)
from wlkg.analysis.links.order_kernels import OrderMemory, add_best_order
from wlkg.analysis.links.stable_marks import to_stable
from wlkg.compiled.kernel import Kernel
from wlkg.links.queries import QueryArrays
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array


class Outcome(NamedTuple):
    """What the queries of a range of sources add up to."""

    #: For each round, the sums over all answers: five metrics for each tie rule.
    totals: Array
    #: For each round, the number of queries whose value is only an upper bound.
    bounded: Array
    #: For each answer, the rivals that tie with it in the last round.
    rivals: Array


class Counters(NamedTuple):
    """For each colour, how many answers and how many known vertices of a query have it."""

    answers: Array
    known: Array


def counters(n: int) -> Counters:
    """Counters for the classes of a base with n vertices, and for the colours of members."""
    return Counters(np.zeros(3 * n + 2, dtype=np.int64), np.zeros(3 * n + 2, dtype=np.int64))


class Ranking(NamedTuple):
    """All that ranking candidates needs."""

    queries: QueryArrays
    base: Base
    marked: Marked
    counted: Counters
    memory: OrderMemory
    #: See `wlkg.analysis.links.order_kernels`.
    most_states: int
    outcome: Outcome


@Kernel
def rank_query(q: Any, row: Any, ranking: Ranking) -> None:
    """Add the best values of a query to the totals of a row."""
    queries, base, marked = ranking.queries, ranking.base, ranking.marked
    counted, memory, outcome = ranking.counted, ranking.memory, ranking.outcome
    low, high = queries.answer_start[q], queries.answer_start[q + 1]
    count: Any = 0
    for place in range(low, high):
        key = key_of(queries.answers[place], row, base, marked)
        if counted.answers[key] == 0:
            memory.keys[count] = key
            count += 1
        counted.answers[key] += 1
    for place in range(queries.known_start[q], queries.known_start[q + 1]):
        key = key_of(queries.known[place], row, base, marked)
        if counted.answers[key] > 0:
            counted.known[key] += 1
    for c in range(count):
        key = memory.keys[c]
        memory.held[c] = counted.answers[key]
        memory.rivals[c] = class_size(key, row, base, marked) - counted.known[key]
    if row == len(outcome.totals) - 1:
        for place in range(low, high):
            key = key_of(queries.answers[place], row, base, marked)
            outcome.rivals[place] = class_size(key, row, base, marked) - counted.known[key]
    for c in range(count):
        counted.answers[memory.keys[c]] = 0
        counted.known[memory.keys[c]] = 0
    if not add_best_order(count, memory, outcome.totals[row], ranking.most_states):
        outcome.bounded[row] += 1


@Kernel
def rank_source(s: int, row: int, ranking: Ranking) -> None:
    """Rank the candidates of all queries of a source."""
    start = ranking.queries.query_start
    for q in range(start[s], start[s + 1]):
        rank_query(q, row, ranking)


@Kernel
def rank_sources(
    low: int,
    high: int,
    is_marked: bool,
    arcs_back: ArcArrays,
    names: Names,
    witness: Witness,
    ranking: Ranking,
) -> bool:
    """Rank the candidates of the sources ``low:high`` in rounds 1, 2, ... and when stable.

    If the source ``is_marked``, candidates have the colours of rawl2, else those of the base.
    Returns whether it is proved that marks missed no split.
    """
    holds = True
    base, marked = ranking.base, ranking.marked
    last = len(base.class_of) - 1
    for s in range(low, high):
        source = ranking.queries.sources[s]
        if is_marked:
            mark(source, 0, base, marked)
        for row in range(1, last + 1):
            if is_marked and row < last:
                holds = next_round(row, base, arcs_back, names, witness, marked) and holds
            elif is_marked:
                unmark(row - 1, base, marked)
                proved = to_stable(source, row, base, arcs_back, names, witness, marked)
                holds = proved and holds
            rank_source(s, row, ranking)
        unmark(last, base, marked)
    return holds
