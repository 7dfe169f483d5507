"""Ceilings of link prediction, against dictionaries, all orders of classes, and random scores."""

from __future__ import annotations

import itertools
import random
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import wlkg
from tests.analysis.links.dictionaries import (
    METRICS,
    TIES,
    Triple,
    best_of_all_orders,
    ceiling_slowly,
    classes_by_source,
    expected,
    queries_slowly,
)
from tests.analysis.links.problems import ENCODERS, Problem, extended, link_problems
from wlkg.analysis.links import ceiling
from wlkg.analysis.links.ceiling import LinkCeiling, RoundLinks, link_ceiling
from wlkg.analysis.links.order_kernels import MOST_STATES, TOTALS, add_best_order, order_memory
from wlkg.errors import TooLargeError, UsageError
from wlkg.graph.relational_graph import RelationalGraph

PAIRWISE = ("rawl2", "rawl2-all", "rwl2", "2-rlwl", "2-wl")


def assert_as_by_dictionaries(
    result: LinkCeiling,
    graph: RelationalGraph,
    test: list[Triple],
    known: list[Triple],
    names: Sequence[str],
) -> None:
    whole = extended(graph, test)
    true = [*graph.named_triples(), *test, *known]
    for each, name in zip(result.tests, names, strict=True):
        by_round = classes_by_source(whole, name)
        assert [each_round.round for each_round in each.rounds] == [1, 2, 3, None]
        for found in each.rounds:
            last = len(by_round) - 1
            now = by_round[last if found.round is None else min(found.round, last)]
            assert found.exact
            for ties in TIES:
                for metric in METRICS:
                    value = float(ceiling_slowly(now, test, true, metric, ties))
                    assert getattr(found.ties[ties], metric) == pytest.approx(value, abs=1e-12)


@given(problem=link_problems())
@settings(max_examples=60)
def test_ceilings_are_those_of_dictionaries_and_all_orders(
    problem: Problem,
) -> None:
    graph, test, known = problem
    names = (*ENCODERS, "rawl2")
    result = link_ceiling(graph, test, known, names, rounds=3)
    assert_as_by_dictionaries(result, graph, test, known, names)
    assert result.answers == 2 * len(set(test))


@given(problem=link_problems(max_vertices=4))
@settings(max_examples=40)
def test_ceilings_of_pair_tests_are_those_of_dictionaries(
    problem: Problem,
) -> None:
    graph, test, known = problem
    result = link_ceiling(graph, test, known, PAIRWISE, rounds=3)
    assert_as_by_dictionaries(result, graph, test, known, PAIRWISE)


def test_marked_sources_agree_with_all_pairs_on_many_small_graphs() -> None:
    """rawl2 by marking against the engine that colours n^2 pairs, on larger graphs, compiled."""
    draw = random.Random(0)
    for number in range(150):
        graph, test, known = _random_problem(draw, most=14)
        compare = [
            link_ceiling(graph, test, known, ["rawl2"], rounds=5).tests[0].rounds,
            _by_all_pairs(graph, test, known),
        ]
        for one, two in zip(*compare, strict=True):
            for ties in TIES:
                for metric in METRICS:
                    values = [getattr(each.ties[ties], metric) for each in (one, two)]
                    assert values[0] == pytest.approx(values[1], abs=1e-12), number


def _random_problem(draw: random.Random, most: int) -> Problem:
    """Sparse graphs made of few pieces, so that many vertices look alike."""
    n = draw.randint(1, most)

    def triples(count: int) -> list[Triple]:
        return [
            (str(draw.randrange(n)), draw.choice("rs"), str(draw.randrange(n)))
            for _ in range(count)
        ]

    graph = RelationalGraph.from_triples(
        triples(draw.randint(0, n + 2)),
        vertices=map(str, range(n)),
        direction=draw.choice(["both", "in", "out", "undirected"]),
    )
    return graph, triples(draw.randint(1, 6)), triples(draw.randint(0, 6))


def _by_all_pairs(
    graph: RelationalGraph, test: list[Triple], known: list[Triple]
) -> tuple[RoundLinks, ...]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ceiling, "MARKED", "no such test")
        return link_ceiling(graph, test, known, ["rawl2"], rounds=5).tests[0].rounds


# -- the best order of classes --------------------------------------------------------------------

#: Answers and rivals of a few classes.
some_classes = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 9)), min_size=1, max_size=4)


def best_values(
    classes: Sequence[tuple[int, int]], most_states: int = MOST_STATES
) -> tuple[dict[tuple[str, str], float], bool]:
    """The sums over all answers by tie rule and metric, and whether they are reached."""
    memory = order_memory(len(classes), sum(rivals for _, rivals in classes))
    for c, (held, rivals) in enumerate(classes):
        memory.held[c], memory.rivals[c] = held, rivals
    totals = np.zeros(TOTALS)
    reached = add_best_order(len(classes), memory, totals, most_states)
    keys = itertools.product((*TIES, "bound"), METRICS)
    return dict(zip(keys, totals.tolist(), strict=True)), bool(reached)


@given(classes=some_classes)
@example(classes=[(1, 5), (2, 9), (3, 15), (1, 2), (2, 6), (4, 30)])
@settings(max_examples=150)
def test_the_best_order_is_the_best_of_all_orders(classes: list[tuple[int, int]]) -> None:
    values, reached = best_values(classes)
    assert reached
    for ties, metric in itertools.product(TIES, METRICS):
        value = values[ties, metric]
        exact = abs(best_of_all_orders(tuple(sorted(classes)), metric, ties))
        assert value == pytest.approx(float(exact), abs=1e-12)


@given(classes=some_classes, most_states=st.integers(1, 12))
@settings(max_examples=200)
def test_if_there_are_too_many_orders_the_value_is_a_bound(
    classes: list[tuple[int, int]], most_states: int
) -> None:
    values, reached = best_values(classes)
    bounds, bound_reached = best_values(classes, most_states)
    assert reached
    for key, value in values.items():
        if key[1] == "mean_rank" or bound_reached:
            assert bounds[key] == pytest.approx(value, abs=1e-12)
        else:
            assert bounds[key] >= value - 1e-12


def test_a_bound_says_that_it_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves of two hubs: one query has a class with one answer and a class with two."""
    graph = RelationalGraph.from_triples(
        [("p", "r", f"a{i}") for i in range(4)] + [("q", "s", f"b{i}") for i in range(4)]
    )
    test = [("p", "t", "a0"), ("p", "t", "b0"), ("p", "t", "b1")]
    exact = link_ceiling(graph, test, tests=["1-rwl", "rwl2"])
    assert all(each.exact for result in exact.tests for each in result.rounds)
    monkeypatch.setattr(ceiling, "MOST_STATES", 1)
    bound = link_ceiling(graph, test, tests=["1-rwl", "rwl2"])
    for one, two in zip(exact.tests, bound.tests, strict=True):
        assert not two.last.exact
        assert two.last.ties["random"].mrr > one.last.ties["random"].mrr
        assert two.last.ties["random"].mean_rank == one.last.ties["random"].mean_rank


# -- what a ceiling means -------------------------------------------------------------------------


@given(problem=link_problems(), data=st.data(), name=st.sampled_from(["1-rwl", "rawl2"]))
@settings(max_examples=60)
def test_no_scores_that_are_constant_on_classes_exceed_the_ceiling(
    problem: Problem, data: st.DataObject, name: str
) -> None:
    """If classes may tie, pessimistic ceilings hold, and the bound for random ties."""
    graph, test, known = problem
    may_tie = data.draw(st.booleans())
    draw = random.Random(data.draw(st.integers(0, 2**32)))
    result = link_ceiling(graph, test, known, [name], rounds=1).tests[0]
    by_round = classes_by_source(extended(graph, test), name)
    true = queries_slowly([*graph.named_triples(), *test, *known])
    first = by_round[min(1, len(by_round) - 1)]
    for found, now in ((result.rounds[0], first), (result.last, by_round[-1])):
        rules = ("pessimistic", "random") if may_tie else TIES
        totals = dict.fromkeys(itertools.product(rules, METRICS), Fraction(0))
        for query, answers in queries_slowly(test).items():
            class_of = now(query[0])
            scores: dict[Hashable, float] = {
                c: draw.choice([0.1, 0.9]) if may_tie else draw.random() for c in class_of.values()
            }
            others = [scores[c] for v, c in class_of.items() if v not in true[query]]
            for own in (scores[class_of[answer]] for answer in answers):
                ahead, rivals = sum(s > own for s in others), sum(s == own for s in others)
                for ties, metric in totals:
                    totals[ties, metric] += expected(metric, ties, ahead, rivals)
        for (ties, metric), total in totals.items():
            limit = found.bound if may_tie and ties == "random" else found.ties[ties]
            best = getattr(limit, metric) * (-1 if metric == "mean_rank" else 1)
            assert float(total) / (2 * len(set(test))) <= best + 1e-9


def test_only_pessimistic_ceilings_hold_for_models_that_tie_classes() -> None:
    """Two answers in two classes: one score for all is best if ties count for the model."""
    graph = RelationalGraph.from_triples([("x", "r", "y"), ("x2", "r", "y2")])
    result = link_ceiling(graph, [("x", "q", "x2"), ("x", "q", "y2")], tests=["1-rwl"]).tests[0]
    assert result.last.ties["optimistic"].mrr < 1
    assert result.last.bound.mrr > result.last.ties["random"].mrr


def test_leaves_tie_until_one_of_them_is_the_source() -> None:
    star = RelationalGraph.from_triples([("hub", "to", leaf) for leaf in "abc"])
    result = link_ceiling(star, [("a", "likes", "b")])
    encoder, conditional = result.tests
    assert encoder.last.ties["pessimistic"].mrr == pytest.approx(1 / 3)
    assert conditional.last.ties["pessimistic"].mrr == pytest.approx(1 / 2)
    assert encoder.last.ties["optimistic"].mrr == conditional.last.ties["optimistic"].mrr == 1
    assert (encoder.tied, conditional.tied) == (2, 2)
    worst = [(w.head, w.relation, w.tail, w.asked, w.rivals) for w in conditional.worst]
    assert worst == [("a", "likes", "b", "tail", 1), ("a", "likes", "b", "head", 1)]
    assert result.new_relations == ("likes",)


def test_the_order_of_triples_and_repeated_triples_change_nothing() -> None:
    draw = random.Random(5)
    graph, test, known = _random_problem(draw, most=12)
    one = link_ceiling(graph, test, known)
    two = link_ceiling(graph, [*test[::-1], *test], known[::-1])
    assert [each.rounds for each in one.tests] == [each.rounds for each in two.tests]
    assert one.answers == two.answers


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"test": []}, "no test triple"),
        ({"tests": ["3-rlwl"]}, "3-tuples"),
        ({"tests": ["0-wl"]}, "unknown test"),
        ({"tests": []}, "no test"),
        ({"rounds": 0}, "at least 1"),
    ],
)
def test_what_cannot_be_ranked_is_refused(options: dict[str, Any], words: str) -> None:
    star = RelationalGraph.from_triples([("hub", "to", leaf) for leaf in "abc"])
    with pytest.raises(UsageError, match=words):
        link_ceiling(star, **{"test": [("a", "to", "b")], **options})


def test_all_pairs_that_do_not_fit_are_refused_but_marked_sources_fit() -> None:
    graph = RelationalGraph.from_triples([(str(i), "r", str(i + 1)) for i in range(3000)])
    with pytest.raises(TooLargeError, match="rwl2"):
        link_ceiling(graph, [("0", "r", "5")], tests=["rwl2"], max_memory=10**6)
    result = link_ceiling(graph, [("0", "r", "5")], tests=["rawl2"], max_memory=10**6)
    assert result.tests[0].last.ties["random"].mrr == 1


# -- symmetries -----------------------------------------------------------------------------------


@given(problem=link_problems(max_vertices=5))
@settings(max_examples=60)
def test_orbits_of_stabilisers_are_found_by_trying_all_permutations(problem: Problem) -> None:
    graph, test, known = problem
    result = link_ceiling(graph, test, known, ["rawl2"], rounds=1, orbits=True)
    whole = extended(graph, test)
    symmetries = [
        image
        for image in itertools.permutations(range(whole.num_vertices))
        if _is_symmetry(whole, image)
    ]
    names = list(whole.vertex_names)

    def orbits_of(source: str) -> dict[str, Hashable]:
        fixing = [image for image in symmetries if names[image[names.index(source)]] == source]
        return {name: frozenset(image[v] for image in fixing) for v, name in enumerate(names)}

    true = [*graph.named_triples(), *test, *known]
    (found,) = result.tests[-1].rounds
    assert (result.tests[-1].test, found.round, found.exact) == ("orbits", None, True)
    for ties, metric in itertools.product(TIES, METRICS):
        value = float(ceiling_slowly(orbits_of, test, true, metric, ties))
        assert getattr(found.ties[ties], metric) == pytest.approx(value, abs=1e-12)
    # No test of pairs sees more than symmetries allow.
    assert found.ties["pessimistic"].mrr >= result.tests[0].last.ties["pessimistic"].mrr - 1e-9


def _is_symmetry(graph: RelationalGraph, image: Sequence[int]) -> bool:
    rows = list(zip(*(c.tolist() for c in (graph.head, graph.relation, graph.tail)), strict=True))
    arcs = {(h, r, t) for h, r, t in rows}
    if graph.direction == "undirected":
        arcs |= {(t, r, h) for h, r, t in rows}
    labels = [0] * graph.num_vertices if graph.labels is None else graph.labels.tolist()
    return {(image[h], r, image[t]) for h, r, t in arcs} == arcs and labels == [
        labels[v] for v in image
    ]


# -- checked numbers ------------------------------------------------------------------------------

#: MRR, Hits@1, Hits@3 and Hits@10 with ties at random, then pessimistic.
CHECKED = """
WN18RR_v1_ind 1-rwl 1 .495409 .372987 .546792 .741842 .374487 .265957 .404255 .545213
WN18RR_v1_ind 1-rwl 2 .969930 .951268 .986784 .999386 .951268 .925532 .973404 .997340
WN18RR_v1_ind 1-rwl 3 .985157 .976241 .992553 1 .976241 .965426 .981383 1
WN18RR_v1_ind 1-rwl stable .985157 .976241 .992553 1 .976241 .965426 .981383 1
WN18RR_v1_ind rawl2 1 .777815 .736260 .789898 .861953 .736304 .702128 .747340 .779255
WN18RR_v1_ind rawl2 2 .975988 .962793 .986784 .999386 .962793 .946809 .973404 .997340
WN18RR_v1_ind rawl2 3 .985157 .976241 .992553 1 .976241 .965426 .981383 1
fb237_v1_ind 1-rwl 1 .899708 .851987 .935926 .984072 .854346 .792683 .907317 .958537
fb237_v1_ind 1-rwl 2 .979449 .965020 .992622 1 .965020 .943902 .975610 1
fb237_v1_ind rawl2 1 .916755 .880679 .941515 .984178 .883038 .839024 .917073 .958537
fb237_v1_ind rawl2 2 .984835 .974776 .993841 1 .974776 .960976 .980488 1
WN18RR_v3_ind 1-rwl 1 .371621 .292233 .398467 .521372 .293238 .227273 .310744 .416529
WN18RR_v3_ind 1-rwl 3 .876448 .831474 .908372 .957557 .833391 .781818 .870248 .932231
WN18RR_v3_ind 1-rwl 6 .893402 .855895 .919888 .959905 .857241 .814050 .887603 .933884
WN18RR_v3_ind rawl2 1 .540476 .489661 .558910 .633881 .490291 .447107 .506612 .571074
"""
ANSWERS = {"WN18RR_v1_ind": 376, "fb237_v1_ind": 410, "WN18RR_v3_ind": 1210}


@cache
def _ceiling_of(folder: Path) -> LinkCeiling:
    train, valid, test = (wlkg.read(folder, splits=split) for split in ("train", "valid", "test"))
    return link_ceiling(train, test, valid)


@pytest.mark.parametrize("line", CHECKED.strip().splitlines())
def test_checked_numbers_of_public_data(data_dir: Path, line: str) -> None:
    name, test, number, *values = line.split()
    result = _ceiling_of(data_dir / "kg" / "grail" / name)
    assert result.answers == ANSWERS[name]
    of_test = next(each for each in result.tests if each.test == test)
    found = of_test.last if number == "stable" else of_test.rounds[int(number) - 1]
    assert found.exact
    for ties, expected_values in (("random", values[:4]), ("pessimistic", values[4:])):
        scores = found.ties[ties]
        measured = [scores.mrr, scores.hits_at_1, scores.hits_at_3, scores.hits_at_10]
        assert measured == pytest.approx([float(value) for value in expected_values], abs=6e-7)
