"""Ceilings of ULTRA and MOTIF against dictionaries, and what must hold of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.links.dictionaries import (
    METRICS,
    TIES,
    Triple,
    best_of_all_orders,
    classes_of_query,
    queries_slowly,
)
from tests.analysis.links.problems import Problem, extended, link_problems
from tests.analysis.relations.dictionaries import (
    entity_rounds_slowly,
    inverse_of,
    relation_rounds_slowly,
    relations_of,
)
from wlkg.analysis.links.ceiling import LinksOfTest, link_ceiling
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.proof import EVERY_ROUND

MODELS = ("ultra", "motif")


def states_slowly(
    graph: RelationalGraph, model: str
) -> Mapping[tuple[str, bool] | None, Mapping[tuple[str, bool], Hashable]]:
    """The stable colours of relations for every query relation, and for a new one (None)."""
    return {
        q: relation_rounds_slowly(graph, q, paths=model == "motif")[-1]
        for q in [None, *relations_of(graph)]
    }


def ceilings_slowly(
    graph: RelationalGraph,
    model: str,
    test: Sequence[Triple],
    known: Sequence[Triple],
    round: int | None,  # noqa: A002
) -> dict[tuple[str, str], Fraction]:
    """The best means over all answers, query by query, in dictionaries."""
    whole = extended(graph, test)
    states = states_slowly(whole, model)
    true = queries_slowly([*graph.named_triples(), *test, *known])
    totals = {(ties, metric): Fraction(0) for ties in TIES for metric in METRICS}
    count = 0
    for query, answers in queries_slowly(test).items():
        source, name, asks_tail = query
        asked = (name, False) if asks_tail else inverse_of((name, False), graph.direction)
        given_query = states[asked if name in graph.relation_names else None]
        rounds = entity_rounds_slowly(whole, source, given_query)
        now = rounds[-1 if round is None else min(round, len(rounds) - 1)]
        classes = classes_of_query(now, answers, true[query])
        for ties, metric in totals:
            totals[ties, metric] += best_of_all_orders(classes, metric, ties)
        count += len(answers)
    return {key: abs(total / count) for key, total in totals.items()}


def assert_as_by_dictionaries(problem: Problem, model: str) -> None:
    graph, test, known = problem
    (result,) = link_ceiling(graph, test, known, [model], rounds=2).tests
    assert [each.round for each in result.rounds] == [1, 2, None]
    for found in result.rounds:
        slowly = ceilings_slowly(graph, model, test, known, found.round)
        for (ties, metric), value in slowly.items():
            assert getattr(found.ties[ties], metric) == pytest.approx(float(value), abs=1e-12)


def twin_problem(seed: int, direction: Direction | None = None) -> Problem:
    """Small pieces with several relations, so that relations and vertices look alike."""
    draw = random.Random(seed)
    n, names = draw.randint(2, 7), "rstu"[: draw.randint(1, 4)]

    def triples(count: int, relations: str = names) -> list[Triple]:
        return [
            (str(draw.randrange(n)), draw.choice(relations), str(draw.randrange(n)))
            for _ in range(count)
        ]

    chosen: Direction = draw.choice(("both", *DIRECTIONS)) if direction is None else direction
    rows = triples(draw.randint(1, 7))
    graph = RelationalGraph.from_triples(rows, vertices=map(str, range(n)), direction=chosen)
    return graph, triples(draw.randint(1, 5), f"{names}x"), triples(draw.randint(0, 4))


@pytest.mark.parametrize("model", MODELS)
def test_ceilings_of_many_small_graphs_are_those_of_dictionaries(model: str) -> None:
    for seed in range(60):
        assert_as_by_dictionaries(twin_problem(seed), model)


@given(problem=link_problems(max_vertices=6), model=st.sampled_from(MODELS))
@settings(max_examples=25)
def test_ceilings_of_any_graph_are_those_of_dictionaries(problem: Problem, model: str) -> None:
    assert_as_by_dictionaries(problem, model)


def pessimistic(result: LinksOfTest) -> list[float]:
    return [each.ties["pessimistic"].mrr for each in result.rounds]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_ultra_never_exceeds_motif_nor_motif_a_model_that_knows_the_names(seed: int) -> None:
    """Coarser classes never have a better order if ties count against the model."""
    graph, test, known = twin_problem(seed)
    result = link_ceiling(graph, test, known, ["ultra", "motif", "rawl2"], rounds=3)
    rows = [pessimistic(each) for each in result.tests]
    for coarse, fine in itertools.pairwise(rows):
        assert all(a <= b + 1e-12 for a, b in zip(coarse, fine, strict=True))


@given(seed=st.integers(0, 10**6), model=st.sampled_from(MODELS))
@settings(max_examples=20)
def test_names_of_relations_do_not_matter(seed: int, model: str) -> None:
    graph, test, known = twin_problem(seed)
    other = dict(zip("rstux", random.Random(seed).sample("rstux", 5), strict=True))

    def renamed(triples: Sequence[Triple]) -> list[Triple]:
        return [(h, other[r], t) for h, r, t in triples]

    twin = RelationalGraph.from_triples(
        renamed(list(graph.named_triples())),
        vertices=graph.vertex_names,
        direction=graph.direction,
    )
    one = link_ceiling(graph, test, known, [model], rounds=2).tests[0]
    two = link_ceiling(twin, renamed(test), renamed(known), [model], rounds=2).tests[0]
    assert one.tied == two.tied
    for a, b in zip(one.rounds, two.rounds, strict=True):
        for ties in TIES:
            assert a.ties[ties].mrr == pytest.approx(b.ties[ties].mrr, abs=1e-12)


def test_heads_and_inverses_change_roles_together() -> None:
    """Turning every triple round exchanges heads and tails, and leaves the ceiling as it is."""
    for seed in range(25):
        graph, test, known = twin_problem(seed, "both")

        def turned(triples: Sequence[Triple]) -> list[Triple]:
            return [(t, r, h) for h, r, t in triples]

        twin = RelationalGraph.from_triples(
            turned(list(graph.named_triples())), vertices=graph.vertex_names
        )
        one = link_ceiling(graph, test, known, ["ultra"], rounds=2).tests[0]
        two = link_ceiling(twin, turned(test), turned(known), ["ultra"], rounds=2).tests[0]
        assert np.allclose(pessimistic(one), pessimistic(two))


def test_relations_of_one_colour_between_the_same_vertices_count_twice() -> None:
    """a reaches b by r and s, and c by r only; the relations look alike, but two are not one."""
    triples = [("a", "r", "b"), ("a", "s", "b"), ("a", "r", "c"), ("d", "s", "e"), ("d", "r", "f")]
    graph = RelationalGraph.from_triples([*triples, ("d", "s", "f")])
    (result,) = link_ceiling(graph, [("a", "q", "b")], tests=["ultra"], rounds=1).tests
    query = next(each for each in result.worst if each.asked == "tail") if result.worst else None
    assert query is None, "b and c must differ"


def test_what_names_cost_is_found() -> None:
    """r and s are twins, so without their names the leaves of the hub tie for a new relation."""
    graph = RelationalGraph.from_triples([("hub", "r", "x"), ("hub", "s", "y")])
    result = link_ceiling(graph, [("hub", "q", "x")], tests=["ultra", "motif", "rawl2"])
    ultra, motif, rawl2 = (each.last.ties["pessimistic"].hits_at_1 for each in result.tests)
    assert (ultra, motif, rawl2) == (0.5, 0.5, 1.0)
    again = link_ceiling(graph, [("hub", "r", "y")], tests=["ultra"])
    assert again.tests[0].last.ties["pessimistic"].hits_at_1 == 1.0


def test_relations_may_be_alike_whose_inverses_are_not() -> None:
    """A message carries the colour of the edge that it takes, not of the edge's reverse."""
    triples = [("a3", "t", "a5"), ("a5", "r", "a4"), ("a3", "t", "a0")]
    triples += [("b3", "r", "b5"), ("b5", "t", "b4")]
    test = [("b3", "t", "a5"), ("a5", "r", "a4"), ("a4", "r", "b4")]
    problem: Problem = (RelationalGraph.from_triples(triples), test, [])
    assert_as_by_dictionaries(problem, "ultra")
    (result,) = link_ceiling(*problem, tests=["ultra"]).tests
    assert result.last.ties["random"].mrr == pytest.approx(11 / 12)


@pytest.mark.parametrize("model", MODELS)
def test_ceilings_of_small_graphs_are_proved_exact(model: str) -> None:
    """The check of marks looks at colours of relations as well, or it fails where twins differ."""
    for seed in range(40):
        (result,) = link_ceiling(*twin_problem(seed), tests=[model], rounds=2).tests
        assert result.proof == EVERY_ROUND
        assert all(each.exact for each in result.rounds)
