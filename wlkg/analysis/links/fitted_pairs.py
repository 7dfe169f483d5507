"""Fitted scores for rawl2: how often pairs of a colour were true in training.

The fitted scores of `fitted`, for conditional models. In training, such a model is asked for a
triple that is *not in the graph*: otherwise it would see the arc and learn nothing else, and no
test pair has a colour of that kind. So each training triple is taken out of the graph while its
pair is coloured, head and tail query alike. The *rate* of a colour under a relation is the number
of training queries whose answer has that colour, divided by the number of all their candidates that
have it.

Every training triple changes the graph, so each costs as much as 1-rwl on all of it, four times. If
that is too much, there are fewer rounds and random samples, of the triples and of the test queries,
and the result says so; see `fitted_budget`. Colours are 64-bit codes. That is enough for what is an
estimate anyway: nothing else here rests on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wlkg.analysis.links.fitted import Fitted, training_triples
from wlkg.analysis.links.fitted_budget import affordable
from wlkg.analysis.links.fitted_kernels import add_places
from wlkg.analysis.links.fitted_pair_kernels import (
    KeyTable,
    NamedArcs,
    TrainingQueries,
    count_candidates,
    enter_keys,
    rank_answers,
    true_keys,
)
from wlkg.analysis.links.foundation import chosen_queries
from wlkg.analysis.links.order_kernels import order_memory
from wlkg.analysis.links.ranks import in_batches
from wlkg.arrays import IntArray, UInt64Array
from wlkg.compiled.compilation import compiling_is_said
from wlkg.compiled.kernel import SMALL, Kernel, run
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.links.queries import LinkQueries
from wlkg.links.scores import METRICS, TIES
from wlkg.progress import SILENT, Progress
from wlkg.refinement.compiled.arc_arrays import ArcArrays
from wlkg.refinement.compiled.threads import WORKERS

_SLOTS_PER_KEY = 4
_SEED = 0


@dataclass(frozen=True, eq=False)
class FittedPairs:
    """The fitted scores at rounds 1, 2, ..., and what they rest on.

    There may be fewer rounds than were asked for, if all would take too long.
    """

    fitted: Fitted
    triples: int
    all_triples: int
    #: The answers to the test queries that were ranked.
    answers: int


def fitted_pairs(
    queries: LinkQueries,
    training: RelationalGraph | None,
    rounds: int,
    *,
    progress: Progress = SILENT,
) -> FittedPairs:
    """Fit the rates on the triples of ``training``, by default the graph, and rank the queries.

    ``rounds`` are the most rounds.
    """
    graph = queries.graph
    source = graph if training is None else training.with_direction(graph.direction)
    draw = np.random.default_rng(_SEED)
    number = _Numbers(draw)
    then = _named_arcs(source, number)
    now = then if source is graph else _named_arcs(graph, number)
    triples = np.stack(training_triples(queries, source), axis=1).astype(np.int64)
    sample = affordable(queries, source, rounds, len(triples))
    chosen = np.sort(draw.choice(len(triples), size=sample.triples, replace=False))
    asked = _training_queries(queries, source, triples[chosen])
    ranked = _with_sources(queries, sample.sources, draw)
    with compiling_is_said(progress):
        table, rates = _rates(asked, then, sample.rounds, progress)
        fitted = _ranked(ranked, now, table, rates, progress)
    return FittedPairs(fitted, sample.triples, len(triples), ranked.num_answers)


def _with_sources(queries: LinkQueries, count: int, draw: np.random.Generator) -> LinkQueries:
    """The queries of ``count`` sources, drawn at random."""
    sources = queries.arrays.sources
    if count == len(sources):
        return queries
    drawn = draw.choice(sources, size=count, replace=False)
    return chosen_queries(queries, np.isin(queries.source, drawn))[0]


class _Numbers:
    """A random number for each name, the same for equal names."""

    def __init__(self, draw: np.random.Generator) -> None:
        self._draw = draw
        self._known: dict[str, np.uint64] = {}

    def of(self, names: tuple[str, ...]) -> UInt64Array:
        for name in names:
            if name not in self._known:
                self._known[name] = self._draw.integers(0, 2**64, dtype=np.uint64)
        return np.array([self._known[name] for name in names], dtype=np.uint64)


def _named_arcs(graph: RelationalGraph, number: _Numbers) -> NamedArcs:
    arcs = graph.arcs()
    known = graph.num_relations
    names = [f"relation {name}" for name in arcs.relation_names[:known]]
    names += [f"inverse {name}" for name in arcs.relation_names[known:]]
    factors = number.of(tuple(names))
    labels = np.repeat(number.of(("label ",)), graph.num_vertices)
    if graph.labels is not None:
        labels = number.of(tuple(f"label {name}" for name in graph.label_names))[graph.labels]
    return NamedArcs(ArcArrays.of(arcs), factors | np.uint64(1), labels)


def _training_queries(
    queries: LinkQueries, graph: RelationalGraph, triples: IntArray
) -> TrainingQueries:
    """Two queries for each triple: a row (head, relation, tail), with numbers of asked relations.

    The arcs of a triple are those that are missing without it.
    """
    head, relation, tail = triples.T
    place = {name: i for i, name in enumerate(graph.relation_names)}
    forth = np.array([place.get(name, -1) for name in queries.relation_names])[relation]
    back = forth + graph.num_relations if graph.direction == "both" else forth
    removed = np.full((len(triples), 2, 3), -1, dtype=np.int64)
    if graph.direction != "in":
        removed[:, 0] = np.stack([head, forth, tail], axis=1)
    if graph.direction != "out":
        removed[:, 1] = np.stack([tail, back, head], axis=1)
    if graph.direction == "undirected":
        columns = (graph.head, graph.relation, graph.tail)
        present = set(zip(*(column.tolist() for column in columns), strict=True))
        for k, (h, i, t) in enumerate(removed[:, 0].tolist()):
            if h == t:
                removed[k, 1] = -1
            elif (t, i, h) in present:
                removed[k] = -1
    return TrainingQueries(
        source=np.concatenate([head, tail]),
        answer=np.concatenate([tail, head]),
        group=np.concatenate([2 * relation, 2 * relation + 1]),
        removed=np.concatenate([removed, removed]),
    )


def _rates(
    asked: TrainingQueries, graph: NamedArcs, rounds: int, progress: Progress
) -> tuple[KeyTable, npt.NDArray[np.float64]]:
    """The keys that were true, and how often, as a share of the candidates that have them."""
    count = len(asked.source)
    keys = np.zeros((count, rounds), dtype=np.uint64)
    work = count * rounds * (len(graph.arcs.neighbour) + len(graph.labels))
    _on_batches(true_keys, work, count, (asked, graph, keys), "colouring training pairs", progress)
    slots = 1 << max(_SLOTS_PER_KEY * count, 1).bit_length()
    table = KeyTable(
        np.zeros((rounds, slots), dtype=np.uint64), np.full((rounds, slots), -1, dtype=np.int64)
    )
    times = np.zeros((rounds, max(count, 1)))
    for t in range(rounds):
        distinct, often = np.unique(keys[:, t], return_counts=True)
        times[t, : len(often)] = often
        run(enter_keys, len(distinct), distinct, t, table)
    arguments = (asked, graph, table, max(count, 1))
    parts = _on_batches(
        count_candidates, work, count, arguments, "counting training candidates", progress
    )
    candidates: IntArray = np.add.reduce(parts)
    return table, times / np.maximum(candidates, 1)


def _ranked(
    queries: LinkQueries,
    graph: NamedArcs,
    table: KeyTable,
    rates: npt.NDArray[np.float64],
    progress: Progress,
) -> Fitted:
    arrays, rounds = queries.arrays, len(table.keys)
    group = 2 * queries.relation.astype(np.int64) + np.where(queries.asks_tail, 0, 1)
    ahead, level, seen = np.zeros((3, queries.num_answers, rounds), dtype=np.int64)
    sources = len(arrays.sources)
    work = sources * rounds * (len(graph.arcs.neighbour) + len(graph.labels))
    arguments = (arrays, group, graph, table, rates, ahead, level, seen)
    _on_batches(rank_answers, work, sources, arguments, "ranking by fitted pairs", progress)
    order = order_memory(1, len(graph.labels))
    totals = np.zeros((rounds, len(TIES) * len(METRICS)))
    for t in range(rounds):
        run(add_places, len(ahead), ahead[:, t].copy(), level[:, t].copy(), order, totals[t])
    return Fitted(
        means=(totals / queries.num_answers).reshape(-1, len(TIES), len(METRICS)),
        seen=seen.mean(axis=0),
    )


def _on_batches(
    kernel: Kernel,
    size: int,
    count: int,
    arguments: tuple[object, ...],
    what: str,
    progress: Progress,
) -> list[IntArray]:
    """Call a kernel on ranges of ``0:count``, on both cores if that pays; its results in order."""
    threads = WORKERS if size >= SMALL else 1
    if threads > 1:
        kernel.compiled  # noqa: B018  before there are threads that would race to do so
    progress.start(what, count, "queries")
    try:
        work: Callable[[tuple[int, int]], IntArray] = lambda batch: run(  # noqa: E731
            kernel, size, *batch, *arguments
        )
        return in_batches(work, count, threads, progress)
    finally:
        progress.finish()
