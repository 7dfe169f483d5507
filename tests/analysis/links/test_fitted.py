"""Fitted scores of link prediction: against dictionaries, and below the ceilings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.links.dictionaries import (
    METRICS,
    Triple,
    fitted_pairs_slowly,
    fitted_slowly,
)
from tests.analysis.links.problems import ENCODERS, Problem, extended, link_problems
from tests.oracles import Colours, refine_slowly
from tests.strategies import relational_graphs
from wlkg.analysis.links import fitted_budget
from wlkg.analysis.links.ceiling import LinksOfTest, link_ceiling
from wlkg.analysis.links.fitted_budget import Sample, affordable
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.links.queries import link_queries


def assert_as_by_dictionaries(
    result: LinksOfTest,
    rounds: list[Colours],
    graphs: tuple[RelationalGraph, RelationalGraph],
    triples: tuple[list[Triple], list[Triple]],
) -> None:
    """``rounds`` has the colours of the training graph, then those of the graph."""
    training, graph = graphs
    assert result.fitted is not None
    assert [each.round for each in result.fitted] == [1, 2, None]
    for each in result.fitted:
        now = rounds[-1] if each.round is None else rounds[min(each.round, len(rounds) - 1)]
        first = len(now) - graph.num_vertices
        own = dict(zip(graph.vertex_names, now[first:], strict=True))
        then = dict(zip(training.vertex_names, now[: training.num_vertices], strict=True))
        learned = list(training.named_triples())
        means, seen = fitted_slowly(own, (then, learned), *triples)
        assert each.seen == pytest.approx(float(seen))
        for (ties, metric), mean in means.items():
            assert getattr(each.ties[ties], metric) == pytest.approx(float(mean))


@given(problem=link_problems(), test=st.sampled_from(ENCODERS))
@settings(max_examples=60)
def test_fitted_scores_are_those_of_dictionaries(problem: Problem, test: str) -> None:
    graph, asked, known = problem
    result = link_ceiling(graph, asked, known, [test], rounds=2).tests[0]
    whole = extended(graph, asked)
    true = [*graph.named_triples(), *asked, *known]
    rounds = refine_slowly(whole, test, graph.direction)
    assert_as_by_dictionaries(result, rounds, (whole, whole), (asked, true))


@given(problem=link_problems(max_vertices=5), data=st.data())
@settings(max_examples=60)
def test_an_inductive_set_is_fitted_on_another_graph(problem: Problem, data: st.DataObject) -> None:
    graph, asked, known = problem
    training = data.draw(relational_graphs(max_vertices=5, directions=(graph.direction,)))
    result = link_ceiling(graph, asked, known, ["1-rwl"], rounds=2, training=training).tests[0]
    whole = extended(graph, asked)
    both = disjoint_union(training, _with_label_names(whole, graph))
    rounds = refine_slowly(both, "1-rwl", graph.direction)
    true = [*graph.named_triples(), *asked, *known]
    assert_as_by_dictionaries(result, rounds, (training, whole), (asked, true))


def _with_label_names(whole: RelationalGraph, graph: RelationalGraph) -> RelationalGraph:
    """Labels with the names that they have in the graph; new vertices have one of their own."""
    if graph.labels is None or whole.labels is None:
        return whole
    return whole.with_label_ids(whole.labels, [*graph.label_names, "(not in the graph)"])


@given(problem=link_problems(), test=st.sampled_from(ENCODERS))
@settings(max_examples=60)
def test_what_is_fitted_never_exceeds_the_ceiling(problem: Problem, test: str) -> None:
    """Rates may tie classes, so this is about pessimistic ties."""
    graph, asked, known = problem
    result = link_ceiling(graph, asked, known, [test], rounds=2).tests[0]
    assert result.fitted is not None
    for ceiling, fitted in zip(result.rounds, result.fitted, strict=True):
        best, own = ceiling.ties["pessimistic"], fitted.ties["pessimistic"]
        assert best.mean_rank <= own.mean_rank + 1e-9
        for metric in list(METRICS)[:-1]:
            assert getattr(best, metric) >= getattr(own, metric) - 1e-9


def test_twins_of_training_links_are_seen() -> None:
    """Every leaf but one has a page, so pages of leaves are what training shows."""
    rows = [("hub", "to", leaf) for leaf in "abc"]
    rows += [(leaf, "page", f"p{leaf}") for leaf in "ab"]
    graph = RelationalGraph.from_triples(rows, vertices=["pc"])
    result = link_ceiling(graph, [("c", "page", "pc")], tests=["1-rwl"], rounds=1).tests[0]
    assert result.fitted is not None
    assert result.fitted[0].seen == 0
    other = link_ceiling(graph, [("a", "page", "pb")], tests=["1-rwl"], rounds=1).tests[0]
    assert other.fitted is not None
    assert other.fitted[0].seen == 1
    assert other.fitted[0].ties["random"].mrr == 1


# -- pairs ----------------------------------------------------------------------------------------


def assert_pairs_as_by_dictionaries(
    result: LinksOfTest,
    graphs: tuple[RelationalGraph, RelationalGraph],
    triples: tuple[list[Triple], list[Triple]],
) -> None:
    training, graph = graphs
    assert result.fitted is not None
    assert [each.round for each in result.fitted] == [1, 2]
    learned = [row for row in set(training.named_triples()) if row[1] in _relations(graph, triples)]
    assert result.fitted_on == (len(learned), len(learned))
    for each in result.fitted:
        assert each.round is not None
        means, seen = fitted_pairs_slowly(graph, training, each.round, *triples)
        assert each.seen == pytest.approx(float(seen))
        for (ties, metric), mean in means.items():
            assert getattr(each.ties[ties], metric) == pytest.approx(float(mean))


def _relations(graph: RelationalGraph, triples: tuple[list[Triple], list[Triple]]) -> set[str]:
    return {*graph.relation_names, *(relation for _, relation, _ in triples[0])}


@given(problem=link_problems(max_vertices=5))
@settings(max_examples=60)
def test_fitted_pairs_are_those_of_dictionaries(problem: Problem) -> None:
    graph, asked, known = problem
    result = link_ceiling(graph, asked, known, ["rawl2"], rounds=2).tests[0]
    whole = extended(graph, asked)
    true = [*graph.named_triples(), *asked, *known]
    assert_pairs_as_by_dictionaries(result, (whole, whole), (asked, true))


@given(problem=link_problems(max_vertices=4), data=st.data())
@settings(max_examples=40)
def test_pairs_of_an_inductive_set_are_fitted_on_another_graph(
    problem: Problem, data: st.DataObject
) -> None:
    graph, asked, known = problem
    training = data.draw(relational_graphs(max_vertices=4, directions=(graph.direction,)))
    result = link_ceiling(graph, asked, known, ["rawl2"], rounds=2, training=training).tests[0]
    whole = _with_label_names(extended(graph, asked), graph)
    true = [*graph.named_triples(), *asked, *known]
    assert_pairs_as_by_dictionaries(result, (training, whole), (asked, true))


def test_a_rule_that_training_shows_is_fitted() -> None:
    """Whoever has a twin likes what the twin likes: the arc itself is not there to be seen."""
    rows = [(f"{twin}{k}", "twin", f"{other}{k}") for k in range(6) for twin, other in ("ab", "ba")]
    rows += [(f"{who}{k}", "likes", f"x{k}") for k in range(5) for who in "ab"]
    graph = RelationalGraph.from_triples([*rows, ("a5", "likes", "x5")])
    result = link_ceiling(graph, [("b5", "likes", "x5")], tests=["rawl2"], rounds=3).tests[0]
    assert result.fitted is not None
    assert (result.fitted[-1].seen, result.fitted[-1].ties["pessimistic"].mrr) == (1, 1)
    encoder = link_ceiling(graph, [("b5", "likes", "x5")], tests=["1-rwl"], rounds=3).tests[0]
    assert encoder.fitted is not None
    assert encoder.fitted[-2].ties["pessimistic"].mrr < 1


def test_fitting_pairs_takes_samples_if_all_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """151 arcs and vertices, both ways; 100 test queries at 51 sources."""
    rows = [(f"a{k}", "r", f"a{k + 1}") for k in range(50)]
    graph = RelationalGraph.from_triples(rows)
    asked = [(f"a{k}", "s", f"a{k + 1}") for k in range(50)]
    monkeypatch.setattr(fitted_budget, "MOST_STEPS", 30_000)
    monkeypatch.setattr(fitted_budget, "LEAST", 10)
    one, two = (link_ceiling(graph, asked, tests=["rawl2"], rounds=5).tests[0] for _ in range(2))
    assert one.fitted == two.fitted
    assert one.fitted is not None
    assert one.fitted_on is not None
    assert one.fitted_ranked is not None
    assert [each.round for each in one.fitted] == [1, 2]
    assert one.fitted_on == (12, 50)
    assert (one.fitted_ranked[0] < 25, one.fitted_ranked[1]) == (True, 100)


def test_the_budget_of_fitted_pairs_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = RelationalGraph.from_triples([(f"a{k}", "r", f"a{k + 1}") for k in range(50)])
    queries = link_queries(graph, [(f"a{k}", "s", f"a{k + 1}") for k in range(50)])
    whole = Sample(5, 50, 51)
    for budget in (10**6, 10**5, 10**4, 1):
        monkeypatch.setattr(fitted_budget, "MOST_STEPS", budget)
        sample = affordable(queries, graph, 5, 50)
        steps = sample.rounds * (sample.triples * 4 * 151 + sample.sources * 151)
        assert steps <= budget or sample == Sample(1, 1, 1)
        assert (sample == whole) == (budget == 10**6)
