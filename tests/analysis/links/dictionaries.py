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
    known = queries_slowly(true_triples)
    then, learned = training
    sizes = Counter(then.values())

    def rate(relation: str, head: Hashable, tail: Hashable) -> Fraction:
        joined = sum((then[h], r, then[t]) == (head, relation, tail) for h, r, t in set(learned))
        return Fraction(joined, max(sizes[head] * sizes[tail], 1))

    totals = dict.fromkeys(itertools.product(TIES, METRICS), Fraction(0))
    count = seen = 0
    for (source, relation, asks_tail), answers in queries_slowly(test_triples).items():
        scores = {
            v: rate(relation, *((colour[source], c) if asks_tail else (c, colour[source])))
            for v, c in colour.items()
        }
        others = [scores[v] for v in colour if v not in known[source, relation, asks_tail]]
        for answer in answers:
            ahead = sum(score > scores[answer] for score in others)
            level = sum(score == scores[answer] for score in others)
            for ties, metric in totals:
                totals[ties, metric] += expected(metric, ties, ahead, level)
            count += 1
            seen += scores[answer] > 0
    return {key: abs(total / count) for key, total in totals.items()}, Fraction(seen, count)
