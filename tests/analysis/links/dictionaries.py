"""Ceilings of link prediction in dictionaries, straight from the definitions.

A query has a source u, a relation and a side: (u, r, ?) or (?, r, u). Every vertex is a candidate.
A model bounded by a test gives candidates of one class the same score, so it ranks classes. Ranks
are filtered: other true answers are no rivals of an answer.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from tests.oracles import refine_slowly, refine_tuples_slowly
from wlkg.catalogue import TESTS
from wlkg.graph.relational_graph import RelationalGraph

Triple = tuple[str, str, str]
#: Source, relation, and whether the tail is asked for.
Query = tuple[str, str, bool]
#: The class of each candidate of a query.
ClassOf = Mapping[str, Hashable]

TIES = ("random", "pessimistic", "optimistic")
METRICS: dict[str, Callable[[int], Fraction]] = {
    "mrr": lambda rank: Fraction(1, rank),
    "hits_at_1": lambda rank: Fraction(rank <= 1),
    "hits_at_3": lambda rank: Fraction(rank <= 3),
    "hits_at_10": lambda rank: Fraction(rank <= 10),
    "mean_rank": lambda rank: Fraction(-rank),  # larger is better
}


def queries_slowly(triples: Iterable[Triple]) -> dict[Query, set[str]]:
    """The answers to every query that a triple answers."""
    answers: dict[Query, set[str]] = {}
    for h, r, t in triples:
        answers.setdefault((h, r, True), set()).add(t)
        answers.setdefault((t, r, False), set()).add(h)
    return answers


def expected(metric: str, ties: str, ahead: int, rivals: int) -> Fraction:
    """The metric of an answer behind ``ahead`` candidates, which ties with ``rivals`` others."""
    value = METRICS[metric]
    ranks = range(ahead + 1, ahead + rivals + 2)
    if ties == "random":
        return sum(map(value, ranks), Fraction(0)) / len(ranks)
    return value(ranks[-1] if ties == "pessimistic" else ranks[0])


def value_of_order(order: Sequence[tuple[int, int]], metric: str, ties: str) -> Fraction:
    """The sum over the answers of classes (answers, rivals) that are ranked in this order."""
    total, ahead = Fraction(0), 0
    for answers, rivals in order:
        total += answers * expected(metric, ties, ahead, rivals)
        ahead += rivals
    return total


@cache
def best_of_all_orders(classes: tuple[tuple[int, int], ...], metric: str, ties: str) -> Fraction:
    """The best value of any order of the classes."""
    return max(value_of_order(o, metric, ties) for o in itertools.permutations(classes))


def classes_of_query(
    class_of: ClassOf, answers: Iterable[str], known: Iterable[str]
) -> tuple[tuple[int, int], ...]:
    """For each class with answers, their number and the number of candidates that are not known."""
    held = Counter(class_of[answer] for answer in answers)
    true = set(known)
    rivals = Counter(c for name, c in class_of.items() if name not in true)
    return tuple(sorted((count, rivals[c]) for c, count in held.items()))


def classes_by_source(
    graph: RelationalGraph, test: str
) -> list[Callable[[str], dict[str, Hashable]]]:
    """For each round from 0 to the stable one: from a source to the classes of its candidates."""
    names = list(graph.vertex_names)
    if test in TESTS:
        return [
            lambda _, now=now: dict(zip(names, now, strict=True))  # type: ignore[misc]
            for now in refine_slowly(graph, test, graph.direction)
        ]

    def row(source: str, now: Sequence[Hashable]) -> dict[str, Hashable]:
        begin = names.index(source) * len(names)
        return dict(zip(names, now[begin : begin + len(names)], strict=True))

    return [
        lambda source, now=now: row(source, now)  # type: ignore[misc]
        for now in refine_tuples_slowly([graph], test, graph.direction)
    ]


def ceiling_slowly(
    class_of: Callable[[str], ClassOf],
    test_triples: Sequence[Triple],
    true_triples: Sequence[Triple],
    metric: str,
    ties: str,
) -> Fraction:
    """The best mean over all answers of both sides; ``true_triples`` are all that are known."""
    known = queries_slowly(true_triples)
    total, count = Fraction(0), 0
    for query, answers in queries_slowly(test_triples).items():
        classes = classes_of_query(class_of(query[0]), answers, known[query])
        total += best_of_all_orders(classes, metric, ties)
        count += len(answers)
    return abs(total / count)


def fitted_slowly(
    colour: Mapping[str, Hashable],
    training: tuple[Mapping[str, Hashable], Sequence[Triple]],
    test_triples: Sequence[Triple],
    true_triples: Sequence[Triple],
) -> tuple[dict[tuple[str, str], Fraction], Fraction]:
    """The means of scores by how often colours were true in training, and the share of seen.

    ``training`` has the colours and the triples of the graph of training.
    """
    then, learned = training
    sizes = Counter(then.values())

    def rate(relation: str, head: Hashable, tail: Hashable) -> Fraction:
        joined = sum((then[h], r, then[t]) == (head, relation, tail) for h, r, t in set(learned))
        return Fraction(joined, max(sizes[head] * sizes[tail], 1))

    def score(query: Query, v: str) -> Fraction:
        source, relation, asks_tail = query
        ends = (source, v) if asks_tail else (v, source)
        return rate(relation, *(colour[end] for end in ends))

    return means_of_scores(score, list(colour), test_triples, true_triples)


def fitted_pairs_slowly(
    graph: RelationalGraph,
    training: RelationalGraph,
    number: int,
    test_triples: Sequence[Triple],
    true_triples: Sequence[Triple],
) -> tuple[dict[tuple[str, str], Fraction], Fraction]:
    """The same for rawl2 at a round; each training triple is taken out of its graph in turn."""
    learned = sorted(set(training.named_triples()))
    without = [_without(training, triple) for triple in learned]
    rounds = refine_tuples_slowly([graph, *without], "rawl2", graph.direction)
    now = rounds[min(number, len(rounds) - 1)]
    n, m = graph.num_vertices, training.num_vertices

    def colours(which: int, source: str) -> dict[str, Hashable]:
        """The colours of the pairs of a source, in the graph (0) or without triple which - 1."""
        names = list((graph if which == 0 else training).vertex_names)
        begin = 0 if which == 0 else n * n + (which - 1) * m * m
        begin += names.index(source) * len(names)
        return dict(zip(names, now[begin : begin + len(names)], strict=True))

    true: Counter[Hashable] = Counter()
    candidates: Counter[Hashable] = Counter()
    for which, (h, relation, t) in enumerate(learned, 1):
        for source, answer, asks_tail in ((h, t, True), (t, h, False)):
            row = colours(which, source)
            true[row[answer], relation, asks_tail] += 1
            candidates.update((colour, relation, asks_tail) for colour in row.values())

    def score(query: Query, v: str) -> Fraction:
        source, relation, asks_tail = query
        key = colours(0, source)[v], relation, asks_tail
        return Fraction(true[key], max(candidates[key], 1))

    return means_of_scores(score, list(graph.vertex_names), test_triples, true_triples)


def _without(graph: RelationalGraph, triple: Triple) -> RelationalGraph:
    labels: dict[str, Any] = {}
    if graph.labels is not None:
        labels = {"labels": graph.labels, "label_names": graph.label_names}
    rows = [row for row in graph.named_triples() if row != triple]
    vertex = {name: v for v, name in enumerate(graph.vertex_names)}
    relation = {name: i for i, name in enumerate(graph.relation_names)}
    return RelationalGraph.from_arrays(
        [vertex[h] for h, _, _ in rows],
        [relation[r] for _, r, _ in rows],
        [vertex[t] for _, _, t in rows],
        vertex_names=graph.vertex_names,
        relation_names=graph.relation_names,
        direction=graph.direction,
        **labels,
    )


def means_of_scores(
    score: Callable[[Query, str], Fraction],
    candidates: Sequence[str],
    test_triples: Sequence[Triple],
    true_triples: Sequence[Triple],
) -> tuple[dict[tuple[str, str], Fraction], Fraction]:
    """The means of scores of candidates, and the share of answers with a score above 0."""
    known = queries_slowly(true_triples)
    totals = dict.fromkeys(itertools.product(TIES, METRICS), Fraction(0))
    count = seen = 0
    for query, answers in queries_slowly(test_triples).items():
        scores = {v: score(query, v) for v in candidates}
        others = [scores[v] for v in candidates if v not in known[query]]
        for answer in answers:
            ahead = sum(score > scores[answer] for score in others)
            level = sum(score == scores[answer] for score in others)
            for ties, metric in totals:
                totals[ties, metric] += expected(metric, ties, ahead, level)
            count += 1
            seen += scores[answer] > 0
    return {key: abs(total / count) for key, total in totals.items()}, Fraction(seen, count)
