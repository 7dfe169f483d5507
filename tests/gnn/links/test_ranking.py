"""Ranks and scores against dictionaries; measured scores against their ceilings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from tests.analysis.links.dictionaries import METRICS, TIES, expected, queries_slowly
from tests.analysis.links.problems import Problem, extended, link_problems
from tests.gnn.links.small_sets import MODELS_OF_LINKS, name_of
from wlkg.analysis.links.ceiling import link_ceiling
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.links.link_scorer import LinkScorer
from wlkg.gnn.links.link_task import Ranked
from wlkg.gnn.links.questions import Questions
from wlkg.gnn.links.ranking import rank_answers, scores_of
from wlkg.gnn.links.train_links import train_links
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.links.queries import link_queries

#: What rounding may add to a score.
_ROUNDING = 1e-9

every_model = pytest.mark.parametrize("model", MODELS_OF_LINKS, ids=name_of)


class TableScorer(LinkScorer):
    """Scores from a table: by source and query, a score for each group of candidates."""

    def __init__(self, table: Tensor, group_of: list[int]) -> None:
        self._table, self.device = table, torch.device("cpu")
        self.group_of = np.array(group_of, dtype=np.int64)
        self.sizes = np.bincount(self.group_of, minlength=table.shape[2]).astype(np.int64)
        self.numbers_given = 1

    def make(self, seed: int) -> nn.Module:
        raise AssertionError(seed)

    @property
    def numbers_per_query(self) -> int:
        return self.numbers_given

    def scores(self, *given: Any, **_: Any) -> Tensor:
        _, _, source, number = given
        return self._table[torch.from_numpy(source), number].clone()


@given(link_problems(), st.data())
def test_ranks_are_filtered_and_ties_are_decided_by_every_rule(
    problem: Problem, data: st.DataObject
) -> None:
    graph, test, known = problem
    queries = link_queries(graph, test, known)
    names, relations = list(queries.graph.vertex_names), list(queries.relation_names)
    has = len(graph.relation_names)
    group_of = [data.draw(st.integers(0, 2)) for _ in names]
    table = torch.randint(0, 3, (len(names), 2 * max(has, 1), 3)).double()
    scorer = TableScorer(table, group_of)
    scorer.numbers_given = data.draw(st.sampled_from([1, 2_000_000]))
    questions = Questions.of(queries, has)
    found = scores_of(nn.Module(), scorer, questions)

    true = queries_slowly([*test, *known, *graph.named_triples()])
    totals = {(tie, metric): 0.0 for tie in TIES for metric in METRICS}
    count = 0
    for (source, relation, asks_tail), answers in queries_slowly(test).items():
        number = relations.index(relation) + (0 if asks_tail else has)
        is_new = relations.index(relation) >= has
        row = torch.zeros(3) if is_new else table[names.index(source), number]
        score = {name: row[group_of[v]].item() for v, name in enumerate(names)}
        others = [score[v] for v in names if v not in true[source, relation, asks_tail]]
        for answer in answers:
            ahead = sum(s > score[answer] for s in others)
            level = sum(s == score[answer] for s in others)
            for tie, metric in totals:
                totals[tie, metric] += float(expected(metric, tie, ahead, level))
            count += 1
    for (tie, metric), total in totals.items():
        assert getattr(found[tie], metric) == pytest.approx(abs(total / count))


def test_batches_do_not_change_ranks() -> None:
    training = train_links(
        extended_town(), [("a", "r", "c"), ("b", "r", "c")], epochs=0, dtype="float64"
    )
    ranked = training.task.test
    assert ranked is not None
    (result,) = training.results
    one = rank_answers(result.model, ranked.scorer, ranked.questions)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wlkg.gnn.links.ranking._NUMBERS", 1)
        other = rank_answers(result.model, ranked.scorer, ranked.questions)
    assert [x.tolist() for x in one] == [x.tolist() for x in other]


def extended_town() -> RelationalGraph:
    return RelationalGraph.from_triples([("a", "r", "b"), ("b", "r", "d"), ("c", "s", "d")])


def check_below_ceiling(
    problem: Problem, choice: ModelChoice, decoder: str | None, **options: Any
) -> None:
    """Train a model on a problem, and hold all of its scores against the ceiling."""
    graph, test, known = problem
    if not graph.num_triples:
        return
    training = train_links(
        graph, test, model=choice, decoder=decoder, known=known, dtype="float64", **options
    )
    bound = bound_of(training.task.config, graph.direction)
    rounds = training.task.config.layers + bound.later
    test_name = "rawl2" if training.task.config.conditional else bound.test
    (ceiling,) = link_ceiling(graph, test, known, [test_name], bound.direction, rounds=rounds).tests
    best = ceiling.rounds[rounds - 1]
    for result in training.results:
        assert result.last.ties is not None
        for metric in ("mrr", "hits_at_1", "hits_at_3", "hits_at_10"):
            reached = {tie: getattr(result.last.ties[tie], metric) for tie in TIES}
            assert reached["pessimistic"] <= reached["random"] + _ROUNDING
            assert reached["random"] <= reached["optimistic"] + _ROUNDING
            limit = getattr(best.ties["pessimistic"], metric)
            assert reached["pessimistic"] <= limit + _ROUNDING
            assert reached["random"] <= getattr(best.bound, metric) + _ROUNDING


@every_model
@given(problem=link_problems(), epochs=st.sampled_from([0, 0, 2]))
def test_no_model_exceeds_the_ceiling_of_its_test(
    model: tuple[ModelChoice, str | None], problem: Problem, epochs: int
) -> None:
    choice, decoder = model
    check_below_ceiling(problem, choice, decoder, epochs=epochs, remove_batch=_no_removal(choice))


@every_model
@given(problem=link_problems(max_vertices=5))
def test_nor_with_labels_as_features(
    model: tuple[ModelChoice, str | None], problem: Problem
) -> None:
    choice, decoder = model
    graph, test, known = problem
    if graph.labels is None:
        return
    check_below_ceiling(
        (graph, test, known),
        choice,
        decoder,
        epochs=1,
        features="labels",
        remove_batch=_no_removal(choice),
    )


def _no_removal(choice: ModelChoice) -> bool | None:
    """Tiny graphs may have a single triple, which cannot be left out."""
    return False if choice.model == "c-mpnn" else None


@every_model
def test_what_a_test_cannot_separate_ties_in_spite_of_rounding(
    model: tuple[ModelChoice, str | None],
) -> None:
    # Ten copies of a graph, numbered at random: the order of their sums makes scores differ.
    choice, decoder = model
    draw = np.random.default_rng(0)
    copies = [(int(h), int(r), int(t)) for h, r, t in draw.integers(0, (7, 3, 7), (25, 3))]
    order = draw.permutation(70)
    triples = [
        (f"v{order[7 * c + h]:02}", f"r{r}", f"v{order[7 * c + t]:02}")
        for c in range(10)
        for h, r, t in copies
    ]
    triples += [
        ("hub", f"to{p % 3}", f"v{order[7 * c + p]:02}") for p in range(7) for c in range(10)
    ]
    graph = RelationalGraph.from_triples(sorted(triples))
    test = [("hub", "r0", f"v{vertex:02}") for vertex in range(70)]
    training = train_links(
        graph, test, model=choice, decoder=decoder, epochs=1, seeds=3, compress=False
    )
    ranked = training.task.test
    assert ranked is not None
    for result in training.results:
        scores = _scores_of_candidates(result.model, ranked)
        assert all(len({scores[v] for v in order[place::7]}) == 1 for place in range(7))


def _scores_of_candidates(model: nn.Module, ranked: Ranked) -> list[float]:
    """The scores of all candidates for (hub, r0, ?)."""
    with torch.no_grad():
        scorer, hub = ranked.scorer, ranked.graph.vertex("hub")
        prepared = scorer.prepare(model)
        asked = (np.array([hub]), torch.tensor([0]))
        (row,) = scorer.tied_scores(model, prepared, *asked).tolist()
    names = [ranked.graph.vertex(f"v{vertex:02}") for vertex in range(70)]
    return [row[scorer.group_of[v]] for v in names]


def test_the_extended_graph_is_that_of_the_dictionaries() -> None:
    graph = extended_town()
    training = train_links(graph, [("x", "r", "y")], epochs=0)
    ranked = training.task.test
    assert ranked is not None
    assert ranked.graph.vertex_names == extended(graph, [("x", "r", "y")]).vertex_names
