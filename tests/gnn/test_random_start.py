"""Features ``glorot``: one random vector for all vertices, which belongs to the model."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.gnn.models.formulas import assert_close
from wlkg.errors import UsageError
from wlkg.gnn import api
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.gnn.features import GLOROT, make_features
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph

vertex_models = pytest.mark.parametrize("model", sorted(set(CLASSIFIERS) - {"k-rn"}))

GRAPH = RelationalGraph.from_triples(
    [("a", "r", "b"), ("b", "r", "c"), ("a", "s", "c"), ("d", "s", "a"), ("d", "r", "d")]
)
TARGETS = {"a": "x", "b": "y", "c": "x", "d": "y"}


def trained(model: str, folder: Path, seeds: int = 1) -> api.Training:
    return api.train(
        GRAPH, TARGETS, model=model, epochs=3, features="glorot", save=str(folder), seeds=seeds
    )


@vertex_models
def test_the_vector_is_drawn_with_the_seed_and_not_learned(model: str, tmp_path: Path) -> None:
    training = trained(model, tmp_path, seeds=2)
    again = trained(model, tmp_path / "again")
    starts = []
    for result in (*training.results, *again.results):
        assert isinstance(result.model, VertexModel)
        assert result.model.start is not None
        assert "start" not in dict(result.model.named_parameters())
        starts.append(result.model.start)
    assert torch.equal(starts[0], starts[2])
    assert not torch.equal(starts[0], starts[1])
    constant = api.train(GRAPH, TARGETS, model=model, epochs=0)
    assert training.results[0].parameters == count_parameters(constant.results[0].model)


@vertex_models
def test_a_saved_model_keeps_its_vector_on_other_graphs(model: str, tmp_path: Path) -> None:
    trained(model, tmp_path)
    path = str(tmp_path / "seed-0.pt")
    saved = load_model(path)
    assert saved.about.features == GLOROT
    larger = RelationalGraph.from_triples([("v", "s", "w"), ("w", "r", "u"), ("u", "r", "v")])
    versus = api.versus(larger, checkpoint=path)
    assert versus.bound_holds is True
    one, two = saved.build(), load_model(path).build()
    assert isinstance(one, VertexModel)
    assert isinstance(two, VertexModel)
    assert one.start is not None
    assert two.start is not None
    assert torch.equal(one.start, two.start)


@vertex_models
def test_random_starts_keep_to_the_bound(model: str) -> None:
    choice = ModelChoice(model, width=8, layers=2)
    versus = api.versus(GRAPH, choice, features="glorot")
    assert versus.bound_holds is True


def test_exact_arithmetic_starts_with_the_vector_too() -> None:
    versus = api.versus(GRAPH, ModelChoice("rgcn", width=1, layers=3), features="glorot")
    assert isinstance(versus, api.Versus)
    merged = [layer for draw in versus.draws for layer in draw.layers if layer.merged is not None]
    assert merged, "a width of 1 loses something"
    assert "undecided" not in {layer.relation for draw in versus.draws for layer in draw.layers}


def test_every_vertex_starts_with_the_vector() -> None:
    training = api.train(GRAPH, TARGETS, epochs=0, features="glorot", dtype="float64")
    model = training.results[0].model
    assert isinstance(model, VertexModel)
    assert model.start is not None
    (other,) = (r.model for r in api.train(GRAPH, TARGETS, epochs=0, dtype="float64").results)
    assert isinstance(other, VertexModel)
    plan = training.task.scorer._plan  # type: ignore[attr-defined]
    rows = len(plan.start)
    other.load_state_dict({k: v for k, v in model.state_dict().items() if k != "start"})
    given = model.start.expand(rows, -1).clone()
    assert_close(model(torch.full((rows, 4), torch.nan).double(), plan), other(given, plan))


def test_what_takes_no_random_start_refuses_it() -> None:
    with pytest.raises(UsageError, match="glorot has no effect on k-rn"):
        api.train(GRAPH, TARGETS, model="k-rn", features="glorot")
    with pytest.raises(UsageError, match="a witness needs one-hot features"):
        api.witness(GRAPH, ModelChoice("rgcn", activation="sign"), features="glorot")
    with pytest.raises(UsageError, match="--features glorot is part of our models"):
        api.versus(GRAPH, lambda x, *_: x, features="glorot")
    assert make_features(GRAPH, "glorot", 3).start.num_classes == 1


def test_a_translation_keeps_the_vector(tmp_path: Path) -> None:
    trained("rgcn", tmp_path)
    translated = api.translate(str(tmp_path / "seed-0.pt"), "mult")
    assert translated.before.start is not None
    assert translated.after.start is not None
    assert torch.equal(translated.before.start, translated.after.start)
