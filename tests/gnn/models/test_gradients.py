"""Gradients of layers and models compared with difference quotients."""

from __future__ import annotations

import pytest
import torch

from tests.gnn.models.formulas import every_composition, make_products, random_rows, randomised
from tests.gnn.models.quotients import assert_gradients, small_graph
from wlkg.gnn.config import AGGREGATIONS, Aggregation, ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.composition_maps import Compose
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.plan import make_plan
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.tuple_input import tuple_inputs
from wlkg.gnn.models.vertex_model import VertexModel

vertex_models = pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp", "compgcn"])


@every_composition
def test_gradients_of_compositions_are_right(composition: str) -> None:
    compose = randomised(Compose(composition, 4), 5)
    z = random_rows(3, compose.relation_width, seed=2)
    assert_gradients(compose, (random_rows(3, 4, seed=1), z))


EDGES = torch.tensor([[0, 0, 1, 1, 2], [1, 1, 1, 0, 0]]), torch.tensor([0, 1, 0, 1, 1])


@pytest.mark.parametrize("mlp", [False, True])
@pytest.mark.parametrize("dense_up_to", [10**9, 0])
def test_gradients_of_an_rgcn_layer_are_right(
    mlp: bool, dense_up_to: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_products(monkeypatch, dense_up_to)
    layer = randomised(RGCNLayer(2, 3, 2, bias=True, mlp=mlp), 1)
    assert_gradients(layer, (random_rows(3, 2, seed=1),), *EDGES)


@every_composition
@pytest.mark.parametrize("direction", [True, False])
def test_gradients_of_a_compgcn_layer_are_right(composition: str, direction: bool) -> None:
    layer = CompGCNLayer(
        2, 3, 2, composition=composition, direction=direction, bias=True, next_relation_width=1
    )
    randomised(layer, 1)
    z = random_rows(2, layer.compose.relation_width, seed=2)
    assert_gradients(layer, (random_rows(3, 2, seed=1), z), *EDGES)


@every_composition
@pytest.mark.parametrize("k", [2, 3])
def test_gradients_of_a_k_rn_layer_are_right(composition: str, k: int) -> None:
    layer = KRNLayer(2, 2, k, composition=composition, bias=True, next_relation_width=1)
    randomised(layer, 1)
    (block,) = tuple_inputs(small_graph().induced([0, 1]).with_direction("out"), k)
    h, z = random_rows(*[2] * k, 2, seed=1), random_rows(2, layer.compose.relation_width, seed=2)
    assert_gradients(layer, (h, z), block)


@vertex_models
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("compress", [False, True])
def test_gradients_of_a_model_are_right(
    model: str, aggregation: Aggregation, compress: bool
) -> None:
    graph = small_graph()
    config = ModelConfig(
        model,
        in_width=2,
        width=2,
        out_width=2,
        relations=4,
        aggregation=aggregation,
        bias=True,
        norm=aggregation == "sum",
    )
    plan = make_plan(graph, config, [3, 0, 1, 0], compress=compress)
    x = random_rows(len(plan.start), 2, seed=1)
    assert_gradients(randomised(VertexModel(config), 4), (x,), plan)
