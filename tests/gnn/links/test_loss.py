"""The loss: over all candidates, over groups of them, and over negative samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.links.dictionaries import queries_slowly
from tests.analysis.links.problems import Problem, link_problems
from tests.gnn.links.small_sets import train_small
from wlkg.gnn.links.loss import softmax_loss
from wlkg.gnn.links.negatives import draw_negatives
from wlkg.gnn.links.questions import Questions
from wlkg.gnn.links.training_graph import Examples
from wlkg.links.queries import link_queries


def test_the_loss_is_the_negative_logarithm_of_the_share_of_the_answer() -> None:
    answer, others = torch.tensor([1.0, 2.0]), torch.tensor([[0.5, 3.0], [2.0, -1.0]])
    weight = torch.tensor([[2.0, 0.0], [1.0, 3.0]])
    shares = [
        math.exp(1) / (math.exp(1) + 2 * math.exp(0.5)),
        math.exp(2) / (math.exp(2) + math.exp(2) + 3 * math.exp(-1)),
    ]
    expected = -sum(map(math.log, shares)) / 2
    assert softmax_loss(answer, others, weight).item() == pytest.approx(expected)


def test_where_all_others_are_known_there_is_nothing_to_learn() -> None:
    answer = torch.tensor([1.0], requires_grad=True)
    loss = softmax_loss(answer, torch.tensor([[5.0]]), torch.zeros(1, 1))
    torch.autograd.backward(loss)
    assert loss.item() == 0
    assert answer.grad is not None
    assert answer.grad.item() == 0


@given(link_problems())
def test_examples_are_all_triples_asked_both_ways(problem: Problem) -> None:
    graph, _, _ = problem
    if not graph.num_triples:
        return
    examples = Examples.of(graph)
    queries = examples.questions.queries
    names = graph.vertex_names
    found = [
        (
            names[queries.source[q]],
            queries.relation_names[queries.relation[q]],
            names[answer],
            bool(queries.asks_tail[q]),
        )
        for q, answer in zip(examples.query.tolist(), examples.answer.tolist(), strict=True)
    ]
    triples = list(graph.named_triples())
    assert found == [*((*t, True) for t in triples), *((t, r, h, False) for h, r, t in triples)]
    true = queries_slowly(triples)
    for q in range(len(examples.questions)):
        key = (
            names[queries.source[q]],
            queries.relation_names[queries.relation[q]],
            bool(queries.asks_tail[q]),
        )
        assert {names[v] for v in examples.questions.known(q).tolist()} == true[key]


@given(link_problems(), st.integers(0, 5))
def test_negatives_are_never_known_to_be_true_and_any_other_candidate_may_be(
    problem: Problem, seed: int
) -> None:
    graph, test, known = problem
    questions = Questions.of(link_queries(graph, test, known), len(graph.relation_names))
    asked = np.arange(len(questions))
    sampled, usable = draw_negatives(questions, asked, 200, np.random.default_rng(seed))
    everyone = set(range(questions.queries.graph.num_vertices))
    for query in asked.tolist():
        unknown = everyone - set(questions.known(query).tolist())
        assert usable[query].all() == bool(unknown)
        if unknown:
            assert set(sampled[query].tolist()) == unknown


def test_free_candidates_are_counted_by_groups() -> None:
    training = train_small(epochs=0)
    ranked = training.task.test
    assert ranked is not None
    scorer, questions = ranked.scorer, ranked.questions
    free = questions.free(np.arange(len(questions)), scorer.group_of, scorer.sizes)
    for query in range(len(questions)):
        known = set(questions.known(query).tolist())
        for group in range(len(scorer.sizes)):
            members = np.flatnonzero(scorer.group_of == group).tolist()
            assert free[query, group] == len(set(members) - known)


def test_compression_changes_neither_loss_nor_weights() -> None:
    one, other = (train_small(compress=compress) for compress in (True, False))
    assert len(one.task.scorer.sizes) < one.task.examples.questions.queries.graph.num_vertices
    for a, b in zip(
        one.results[0].model.parameters(), other.results[0].model.parameters(), strict=True
    ):
        torch.testing.assert_close(a, b)
    torch.testing.assert_close(one.results[0].curves, other.results[0].curves, equal_nan=True)
