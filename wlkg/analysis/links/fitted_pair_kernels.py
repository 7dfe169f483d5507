"""The compiled inner loops of `fitted_pairs`: codes of pairs, and how often they are true.

The code of a pair (u, v) is a 64-bit hash of its colour under rawl2, so codes mean the same for all
sources and in all graphs with these names. A *key* is a code mixed with the relation and the side
of a query.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.links.queries import QueryArrays
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.mixing import GOLDEN, ONE, SHIFT_3, scrambled


class NamedArcs(NamedTuple):
    """The arcs of a graph, with random numbers for the names of relations and labels."""

    arcs: ArcArrays
    #: For each relation an odd number.
    factors: Array
    #: For each vertex the number of its label.
    labels: Array


class TrainingQueries(NamedTuple):
    """Queries with one answer, each asked of the graph without the triple that answers it."""

    source: Array
    answer: Array
    #: A number for the relation and the side.
    group: Array
    #: Two rows (vertex, relation, neighbour) for each query: the arcs of its triple, or -1.
    removed: Array


class KeyTable(NamedTuple):
    """For each round a hash table of keys: ``entry`` is -1 in free slots."""

    keys: Array
    entry: Array


@Kernel
def row_codes(source: Any, removed: Array, graph: NamedArcs, codes: Array) -> None:
    """The codes of (source, v) for all v, a row for each round 0, 1, ..., without some arcs."""
    arcs, n = graph.arcs, codes.shape[1]
    for v in range(n):
        codes[0, v] = scrambled(graph.labels[v] + GOLDEN * graph.labels[source])
    codes[0, source] = scrambled(codes[0, source] + ONE)
    for t in range(1, len(codes)):
        before = codes[t - 1]
        for v in range(n):
            total = before[v] * GOLDEN
            for arc in range(arcs.offsets[v], arcs.offsets[v + 1]):
                total += graph.factors[arcs.relation[arc]] * before[arcs.neighbour[arc]]
            codes[t, v] = total
        for k in range(len(removed)):
            if removed[k, 0] >= 0:
                codes[t, removed[k, 0]] -= graph.factors[removed[k, 1]] * before[removed[k, 2]]
        for v in range(n):
            codes[t, v] = scrambled(codes[t, v])


@Kernel
def key_of_code(code: Any, group: Any) -> Any:
    """The key of a code for a relation and a side."""
    return scrambled(code + np.uint64(group) * GOLDEN)


@Kernel
def find_slot(key: Any, table: KeyTable, t: Any) -> Any:
    """The slot of a key in the table of a round, or the free slot where it belongs."""
    last = table.keys.shape[1] - 1
    slot = np.int64(key >> SHIFT_3) & last
    while table.entry[t, slot] >= 0 and table.keys[t, slot] != key:
        slot = (slot + 1) & last
    return slot


@Kernel
def enter_keys(keys: Array, t: int, table: KeyTable) -> None:
    """Enter distinct keys into the table of a round, numbered in their order."""
    for entry in range(len(keys)):
        slot = find_slot(keys[entry], table, t)
        table.keys[t, slot] = keys[entry]
        table.entry[t, slot] = entry


@Kernel
def true_keys(low: int, high: int, asked: TrainingQueries, graph: NamedArcs, keys: Array) -> None:
    """The keys of the answers of training queries ``low:high``, a column for each round from 1."""
    codes = np.zeros((keys.shape[1] + 1, len(graph.labels)), dtype=np.uint64)
    for q in range(low, high):
        row_codes(asked.source[q], asked.removed[q], graph, codes)
        for t in range(keys.shape[1]):
            keys[q, t] = key_of_code(codes[t + 1, asked.answer[q]], asked.group[q])


@Kernel
def count_candidates(
    low: int, high: int, asked: TrainingQueries, graph: NamedArcs, table: KeyTable, most: int
) -> Any:
    """How many candidates of the training queries ``low:high`` have each key."""
    rounds = len(table.keys)
    codes = np.zeros((rounds + 1, len(graph.labels)), dtype=np.uint64)
    counts = np.zeros((rounds, most), dtype=np.int64)
    for q in range(low, high):
        row_codes(asked.source[q], asked.removed[q], graph, codes)
        for t in range(rounds):
            for v in range(codes.shape[1]):
                key = key_of_code(codes[t + 1, v], asked.group[q])
                entry = table.entry[t, find_slot(key, table, t)]
                if entry >= 0:
                    counts[t, entry] += 1
    return counts


@Kernel
def rank_answers(
    low: int,
    high: int,
    queries: QueryArrays,
    group: Array,
    graph: NamedArcs,
    table: KeyTable,
    rates: Array,
    ahead: Array,
    level: Array,
    seen: Array,
) -> None:
    """For the answers to queries of the sources ``low:high``: the rivals ahead, and those level.

    ``rates`` has the rate of each entry of the table by round; other candidates have rate 0.
    """
    rounds = len(table.keys)
    n = len(graph.labels)
    codes = np.zeros((rounds + 1, n), dtype=np.uint64)
    rate = np.zeros(n)
    nothing = np.full((1, 3), -1, dtype=np.int64)
    for s in range(low, high):
        row_codes(queries.sources[s], nothing, graph, codes)
        for q in range(queries.query_start[s], queries.query_start[s + 1]):
            first, last = queries.answer_start[q], queries.answer_start[q + 1]
            for t in range(rounds):
                for v in range(n):
                    key = key_of_code(codes[t + 1, v], group[q])
                    entry = table.entry[t, find_slot(key, table, t)]
                    rate[v] = rates[t, entry] if entry >= 0 else 0.0
                own = rate[queries.answers[first:last]]
                for place in range(queries.known_start[q], queries.known_start[q + 1]):
                    rate[queries.known[place]] = -1.0
                for k in range(last - first):
                    higher = 0
                    same = 0
                    for v in range(n):
                        higher += rate[v] > own[k]
                        same += rate[v] == own[k]
                    ahead[first + k, t] = higher
                    level[first + k, t] = same
                    seen[first + k, t] = own[k] > 0
