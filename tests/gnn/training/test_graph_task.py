"""Scores of whole graphs: the formula, batches, copies, memory, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from tests.gnn.models.formulas import (
    around,
    assert_close,
    dense_features,
    dense_krn,
    dense_readout,
    joined,
    randomised,
)
from tests.gnn.training.graph_tasks import graph_task, random_graphs
from tests.gnn.training.tasks import weights_of
from wlkg.errors import TooLargeError, UsageError
from wlkg.gnn.api import train_graphs
from wlkg.gnn.config import CLASSIFIERS, READOUTS, ModelChoice
from wlkg.gnn.models.graph_model import GraphModel
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.training.task import Task
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))
every_readout = pytest.mark.parametrize("readout", READOUTS)


def made(task: Task, seed: int = 0) -> GraphModel:
    model = randomised(task.scorer.make(seed), seed)
    assert isinstance(model, GraphModel)
    return model


def scores_by_the_formula(
    model: GraphModel, graphs: list[RelationalGraph], features: torch.Tensor
) -> torch.Tensor:
    """Loops over graphs, vertices or tuples, relations and neighbours."""
    union = disjoint_union(*graphs)
    near = around(union, sees_relations=model.config.sees_relations)
    ends = np.cumsum([graph.num_vertices for graph in graphs]).tolist()
    starts = [0, *ends[:-1]]
    blocks: list[list[torch.Tensor]] = []
    if isinstance(model.body, VertexModel):
        rows = dense_features(model.body, features, near)[-1]
        blocks = [list(rows[a:b]) for a, b in zip(starts, ends, strict=True)]
    else:
        inputs = joined(*graphs, k=model.config.k)
        for block, a, b in zip(inputs, starts, ends, strict=True):
            here = [[[w - a for w in ws] for ws in by_relation] for by_relation in near[a:b]]
            blocks.append(list(dense_krn(model.body, block, here)[-1].values()))
    return dense_readout(model.readout, model.config.readout, blocks)


@every_readout
@every_model
@pytest.mark.parametrize("compress", [True, False])
def test_scores_equal_the_formula_and_those_of_each_graph_alone(
    model: str, readout: str, compress: bool
) -> None:
    for seed in range(3):
        graphs = random_graphs(6, seed, vertices=3 if model == "k-rn" else 5)
        graphs[seed] = graphs[seed].induced([])  # without any vertex
        task = graph_task(graphs, model, readout=readout, dtype="float64", compress=compress)
        network = made(task, seed)
        with torch.no_grad():
            scores = task.scorer.scores(network)
            alone = [network(task.scorer.batch(np.array([place]))) for place in range(6)]
            reverse = network(task.scorer.batch(np.arange(6)[::-1]))
            x = task.scorer._input.features.of(np.arange(sum(g.num_vertices for g in graphs)))
            expected = scores_by_the_formula(network, graphs, x)
        assert_close(scores, expected)
        assert_close(torch.cat(alone), scores)
        assert_close(reverse, scores.flip(0))


@every_model
def test_copies_in_another_order_have_the_same_scores(model: str) -> None:
    draw = np.random.default_rng(0)
    graphs = random_graphs(4)
    copies = [graph.permuted(draw.permutation(graph.num_vertices)) for graph in graphs]
    task = graph_task(graphs + copies, model, readout="mlp", dtype="float64")
    with torch.no_grad():
        scores = task.scorer.scores(made(task))
    assert_close(scores[:4], scores[4:])


def test_a_k_rn_of_graphs_has_no_weights_that_nothing_uses() -> None:
    task = graph_task(random_graphs(6), "k-rn")
    network = task.scorer.make(0)
    assert isinstance(network, GraphModel)
    assert isinstance(network.body, TupleModel)
    assert not list(network.body.vertex_head.parameters())
    torch.autograd.backward(task.scorer.scores(network).square().sum())
    # The last layer transforms relation vectors for a next layer that there is not.
    unused = {name for name, weight in network.named_parameters() if weight.grad is None}
    assert all(".1.relation_map." in name for name in unused)


# -- memory ---------------------------------------------------------------------------------------


@every_model
def test_what_does_not_fit_is_refused_before_it_is_allocated(model: str) -> None:
    with pytest.raises(TooLargeError, match="more than the 1,000 allowed"):
        graph_task(random_graphs(6), model, max_memory=1000)


def test_tuples_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "wlkg.gnn.training.graph_scorer.tuple_inputs", lambda *_, **__: pytest.fail("allocated")
    )
    with pytest.raises(
        TooLargeError, match=r"k-rn with 3 layers on .* more than the 10,000 allowed"
    ):
        graph_task(random_graphs(6), ModelChoice("k-rn", width=4, k=3), max_memory=10_000)


# -- what is refused ------------------------------------------------------------------------------

CLASSES = {"1": "x", "2": "y", "3": "x", "4": "y"}


@pytest.mark.parametrize(
    ("count", "targets", "options", "message"),
    [
        (4, {**CLASSES, "#33": "x"}, {}, "1 targets are not graphs of the corpus: #33"),
        (4, {**CLASSES, "#33": "x"}, {}, "Nearest to '#33': #3"),
        (4, {"1": "x", "2": "x"}, {}, "all targets have the same class"),
        (4, {}, {}, "there is no target to train on"),
        (1, {"1": "x"}, {}, "there is only one graph to learn from"),
        (0, {}, {}, "there is no graph to learn from"),
        (4, CLASSES, {"holdout": {"4": "y"}}, "1 graphs are both targets and held out: #4"),
        (4, CLASSES, {"readout": "max"}, "unknown readout 'max'"),
        (4, CLASSES, {"batch": 0}, "batch must be at least 1, found 0"),
        (
            4,
            CLASSES,
            {"features": "file.tsv"},
            "features of whole graphs are constant, glorot or labels",
        ),
    ],
)
def test_what_cannot_be_learned_is_refused(
    count: int, targets: dict[str, str], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        train_graphs(random_graphs(count), targets, epochs=1, **options)
    assert message in str(caught.value)


def test_graphs_in_different_direction_modes_are_refused() -> None:
    graphs = random_graphs(4)
    graphs[2] = graphs[2].with_direction("out")
    with pytest.raises(UsageError, match="different direction modes: both and out"):
        train_graphs(graphs, CLASSES)


def test_graphs_without_a_class_take_no_part() -> None:
    graphs = random_graphs(6)
    few = train_graphs(graphs[:4], CLASSES, epochs=2)
    many = train_graphs(graphs, CLASSES, epochs=2)
    assert weights_of(few.results[0].model) == weights_of(many.results[0].model)
