"""Models asked about two graphs by `wlkg.compare`: random, own, and saved ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import wlkg
from tests.gnn.training.graph_tasks import permuted_copies
from tests.strategies import relational_graphs, switched
from wlkg.analysis.model_verdicts import ModelVerdict
from wlkg.errors import UsageError
from wlkg.gnn.api import pair_model, saved_pair_model, train, train_graphs, witness
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.graph.relational_graph import RelationalGraph

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))
C6, TRIANGLES = wlkg.read("example:c6"), wlkg.read("example:2xc3")


def verdict(
    model: Any, one: RelationalGraph = C6, two: RelationalGraph = TRIANGLES, **more: Any
) -> ModelVerdict:
    asked = model if not isinstance(model, str) and hasattr(model, "weights") else pair_model(model)
    (judged,) = wlkg.compare(one, two, ["1-wl"], models=[asked], **more).models
    return judged


def sums(x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
    """Message passing without weights."""
    out = torch.zeros_like(x).index_add(0, edge_index[1], x[edge_index[0]])
    return out * (1 + edge_type.sum())


def triangles(x: Tensor, edge_index: Tensor) -> Tensor:
    """How many triangles each vertex has: more than 1-rwl sees."""
    matrix = torch.zeros(len(x), len(x), dtype=x.dtype)
    matrix[edge_index[0], edge_index[1]] = 1
    return (matrix @ matrix @ matrix).diagonal()[:, None]


def numbers(x: Tensor, edge_index: Tensor) -> Tensor:
    """The largest number of a neighbour: depends on how vertices are numbered."""
    out = torch.zeros(len(x), dtype=x.dtype)
    return out.scatter_reduce(0, edge_index[1], edge_index[0].to(x.dtype), "amax")[:, None]


def whole(x: Tensor, edge_index: Tensor) -> Tensor:
    """Sees all vertices of its input: graphs must not be given to it together."""
    return x + edge_index.shape[1]


# -- random weights -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "separated", "bound"),
    [
        ("gnn", False, "1-wl"),
        ("rgcn", False, "1-rwl"),
        ("rgcn-mlp", False, "1-rwl"),
        ("compgcn", False, "1-rwl"),
        ("k-rn", True, "2-rlwl"),
    ],
)
def test_models_see_what_their_tests_see(model: str, separated: bool, bound: str) -> None:
    judged = verdict(model)
    assert (judged.model, judged.weights, judged.draws) == (model, "random", 3)
    assert (judged.separated, judged.bound, judged.bound_holds) == (separated, bound, True)
    assert judged.layer == (1 if separated else None)
    assert judged.separating_draws == (3 if separated else 0)


@every_model
def test_random_models_keep_their_bounds_and_do_not_separate_copies(model: str) -> None:
    most = 4 if model == "k-rn" else 6
    switches = st.fixed_dictionaries(
        {"norm": st.booleans(), "direction": st.booleans()} if model == "compgcn" else {}
    )

    @given(data=st.data(), seed=st.integers(0, 1000), switched_on=switches)
    @settings(max_examples=12)
    def check(data: st.DataObject, seed: int, switched_on: dict[str, Any]) -> None:
        one = data.draw(relational_graphs(max_vertices=most).filter(lambda g: g.num_vertices > 0))
        two = data.draw(switched(one))
        choice = ModelChoice(model, width=6, **switched_on)
        asked = pair_model(choice, draws=2, seed=seed)
        judged = verdict(asked, one, two)
        assert judged.bound_holds is True
        copy = one.permuted(np.random.default_rng(seed).permutation(one.num_vertices))
        assert verdict(asked, one, copy).separated is False

    check()


def test_a_model_that_does_not_fit_is_skipped_with_the_reason() -> None:
    asked = [pair_model(model, max_memory=2000) for model in ("rgcn", "k-rn")]
    comparison = wlkg.compare(C6, TRIANGLES, ["1-wl"], models=asked, max_memory=2000)
    for judged in comparison.models:
        assert (judged.separated, judged.bound_holds) == (None, None)
        assert "more than the 2,000 allowed" in str(judged.skipped)
    assert not comparison.separated


# -- own models -----------------------------------------------------------------------------------


def test_own_models_have_to_keep_1_rwl() -> None:
    fine = verdict(pair_model(sums))
    assert (fine.model, fine.separated, fine.bound, fine.bound_holds) == (
        "sums",
        False,
        "1-rwl",
        True,
    )
    more = verdict(pair_model(triangles))
    assert (more.separated, more.bound_holds, more.graph_only) == (True, False, True)
    path = RelationalGraph.from_triples([("a", "r", "b"), ("b", "r", "c")], direction="undirected")
    star = RelationalGraph.from_triples([("a", "edge", "b")], direction="undirected")
    both = verdict(pair_model(sums), path, star)
    assert (both.separated, both.bound_holds) == (True, True)


def test_an_own_model_sees_one_graph_at_a_time() -> None:
    edge = RelationalGraph.from_arrays([0], [0], [1], num_vertices=6, direction="undirected")
    judged = verdict(pair_model(whole), C6.with_direction("undirected"), edge)
    assert judged.separated is True
    assert verdict(pair_model(whole), C6, C6).separated is False


def test_an_own_model_that_depends_on_numbers_violates_its_bound() -> None:
    draw = np.random.default_rng(1)
    copy = C6.permuted(draw.permutation(6))
    judged = verdict(pair_model(numbers), C6, copy)
    assert (judged.bound_holds, judged.graph_only) == (False, False)


def test_an_own_model_needs_vertices() -> None:
    empty = RelationalGraph.from_arrays([], [], [], num_vertices=0, direction="undirected")
    with pytest.raises(UsageError, match="sums needs vertices"):
        verdict(pair_model(sums), C6, empty)


# -- saved models ---------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["rgcn", "k-rn"])
def test_a_model_trained_on_graphs_is_judged_by_its_scores(model: str, tmp_path: Path) -> None:
    graphs, classes = permuted_copies("c6", "2xc3", count=4)
    targets = {str(place): name for place, name in enumerate(classes, 1)}
    choice = ModelChoice(model, width=8, layers=2)
    train_graphs(graphs, targets, model=choice, readout="mlp", epochs=50, save=str(tmp_path))
    judged = verdict(saved_pair_model(str(tmp_path / "seed-0.pt")))
    assert judged.bound_holds is True
    assert judged.weights == str(tmp_path / "seed-0.pt")
    assert judged.predicted is not None
    if model == "k-rn":
        assert (judged.separated, judged.layer) == (True, 2)
        assert judged.predicted == ("c6", "2xc3")
    else:
        assert judged.separated is False
        assert len(set(judged.predicted)) == 1


@every_model
def test_a_model_trained_on_vertices_is_judged_by_its_features(model: str, tmp_path: Path) -> None:
    targets = {"0": "x", "1": "y", "2": "x"}
    choice = ModelChoice(model, width=8)
    train(C6, targets, model=choice, epochs=2, save=str(tmp_path))
    judged = verdict(saved_pair_model(str(tmp_path / "seed-0.pt")))
    assert (judged.separated, judged.bound_holds) == (model == "k-rn", True)
    assert judged.predicted is None


def test_a_witness_separates_at_the_layer_of_its_round(tmp_path: Path) -> None:
    path = RelationalGraph.from_triples(
        [("a", "r", "b"), ("b", "r", "c"), ("c", "r", "d")], direction="undirected"
    )
    star = RelationalGraph.from_triples(
        [("a", "r", "b"), ("a", "r", "c"), ("a", "r", "d")], direction="undirected"
    )
    choice = ModelChoice("rgcn", activation="sign")
    witness(wlkg.disjoint_union(path, star), choice, out=tmp_path / "witness.pt")
    judged = verdict(saved_pair_model(str(tmp_path / "witness.pt")), path, star)
    assert (judged.separated, judged.layer, judged.bound_holds) == (True, 1, True)
