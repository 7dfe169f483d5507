"""What training can tell about test triples: scores by how often a colour was true in training.

A ceiling orders the classes as if the answers were known. A model must learn the order from
training triples, and all that it can learn about a candidate v of the query (u, r, ?) is how often
pairs of vertices with the colours of u and v are joined by r in training: its *rate*, the number of
such training triples divided by the number of such pairs. Here candidates are ranked by their
rates, head queries in the same way. *Seen* is the share of test triples whose colours occur in some
training triple of their relation at all; for the others, nothing has been learned.

This is for tests of vertices. The graph of training is the graph itself or, in an inductive set,
another one: then both are refined together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.analysis.links.fitted_kernels import FittedMemory, Rates, rank_fitted
from wlkg.analysis.links.order_kernels import order_memory
from wlkg.arrays import FloatArray, IntArray
from wlkg.catalogue import FOUNDATION_MODELS, VertexTest, find_test
from wlkg.compiled.compilation import compiling_is_said
from wlkg.compiled.kernel import run
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.links.queries import LinkQueries
from wlkg.links.scores import METRICS, TIES
from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.refinement.refine import refine

#: The test of pairs that has fitted scores; see `fitted_pairs`.
FITTED_PAIRS = "rawl2"


def has_fitted_scores(name: str) -> bool:
    """Whether a test or model is also fitted on training triples."""
    return name.lower() == FITTED_PAIRS or colours_vertices(name)


def colours_vertices(name: str) -> bool:
    """Whether this is a test of vertices; foundation models colour pairs."""
    return name.lower() not in FOUNDATION_MODELS and isinstance(find_test(name), VertexTest)


@dataclass(frozen=True, eq=False)
class Fitted:
    """The fitted scores at rounds 1, 2, ..., and when stable."""

    #: For each round, tie rule and metric, the mean over all answers.
    means: FloatArray
    #: For each round, the share of answers whose colours occur in training.
    seen: FloatArray


def fitted_ranks(
    queries: LinkQueries,
    training: RelationalGraph | None,
    test: str,
    rounds: int,
    progress: Progress = SILENT,
) -> Fitted:
    """Fit the rates on the triples of ``training``, by default the graph, and rank the queries."""
    graph = queries.graph
    if training is None:
        history, shift, source = refine(graph, test, progress=progress).history, 0, graph
    else:
        source = training.with_direction(graph.direction)
        union = disjoint_union(source, graph)
        history = refine(union, test, blocks=_sizes(source, graph), progress=progress).history
        shift = source.num_vertices
    triples = training_triples(queries, source)
    with compiling_is_said(progress):
        rows = [
            _rank_round(queries, triples, _classes(history, number), shift)
            for number in (*range(1, rounds + 1), None)
        ]
    return Fitted(
        means=np.array([means for means, _ in rows]).reshape(-1, len(TIES), len(METRICS)),
        seen=np.array([seen for _, seen in rows]),
    )


def _sizes(*graphs: RelationalGraph) -> tuple[int, ...]:
    return tuple(graph.num_vertices for graph in graphs)


def _classes(history: History, number: int | None) -> IntArray:
    if number is None:
        return history.class_of.astype(np.int64)
    return history.class_at(np.arange(history.num_items), number)


def training_triples(
    queries: LinkQueries, training: RelationalGraph
) -> tuple[IntArray, IntArray, IntArray]:
    """The training triples whose relations are asked for; heads and tails by number there."""
    place = {name: i for i, name in enumerate(queries.relation_names)}
    numbers = [place.get(name, -1) for name in training.relation_names]
    relation = np.array(numbers, dtype=np.int64)[training.relation]
    usable = relation >= 0
    return training.head[usable], relation[usable], training.tail[usable]


def _rank_round(
    queries: LinkQueries,
    triples: tuple[IntArray, IntArray, IntArray],
    classes: IntArray,
    shift: int,
) -> tuple[FloatArray, float]:
    """The means at one round, and the share of answers that are seen.

    The vertices of the training graph come first in ``classes``, those of the graph from ``shift``
    on; if both are one, ``shift`` is 0.
    """
    own, in_training = classes[shift:], classes[: shift or len(classes)]
    count = int(classes.max(initial=0)) + 1
    size = np.bincount(own, minlength=count)
    rates = _rates(queries, triples, own, in_training, count)
    arrays = queries.arrays
    longest = int((rates.end - rates.start).max(initial=0)) + 1
    memory = FittedMemory(
        *(np.zeros(length, dtype=np.int64) for length in (count,) * 2 + (longest,) * 2)
    )
    totals = np.zeros(len(TIES) * len(METRICS))
    work = int((rates.end - rates.start).sum()) + len(arrays.known)
    order = order_memory(1, len(own))
    arguments = (arrays, own, size, rates, memory, order, totals)
    seen = run(rank_fitted, work, 0, queries.num_queries, *arguments)
    return totals / queries.num_answers, seen / queries.num_answers


def _rates(
    queries: LinkQueries,
    triples: tuple[IntArray, IntArray, IntArray],
    own: IntArray,
    in_training: IntArray,
    count: int,
) -> Rates:
    """For each query, the classes that answered queries like it in training, by falling rate.

    All queries with the same relation, side and class of the source share their entries. The class
    of the source divides all rates of a query alike, so only the size of the class of the answer
    counts.
    """
    head, relation, tail = triples
    ends = in_training[head], in_training[tail]
    group = np.concatenate([(relation * 2) * count + ends[0], (relation * 2 + 1) * count + ends[1]])
    keys, times = np.unique(group * count + np.concatenate(ends[::-1]), return_counts=True)
    of_entry, answer = keys // count, keys % count
    rate = times / np.bincount(in_training, minlength=count)[answer]
    order = np.lexsort([-rate, of_entry])
    of_entry, answer, rate = of_entry[order], answer[order], rate[order]
    side = np.where(queries.asks_tail, 0, 1)
    wanted = (queries.relation.astype(np.int64) * 2 + side) * count + own[queries.source]
    return Rates(
        start=np.searchsorted(of_entry, wanted),
        end=np.searchsorted(of_entry, wanted, side="right"),
        class_of_entry=answer,
        rate=rate,
    )
