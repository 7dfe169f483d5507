"""R-GCN and R-GCN + MLP compared with their formulas and with PyG."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import wlkg
from tests.gnn.models.formulas import (
    around,
    assert_close,
    assert_equals_the_formula,
    edge_lists,
    make_products,
    num_relations,
    random_rows,
    randomised,
    seeds,
    two_maps,
    whole_plan,
)
from tests.strategies import relational_graphs
from wlkg.gnn.config import AGGREGATIONS, Aggregation, ModelConfig
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.step import Step
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph

#: PyG triggers this warning when it is imported.
pyg_warns = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")


@pytest.mark.parametrize("dense_up_to", [10**9, 0])
@pytest.mark.parametrize("model", ["gnn", "rgcn", "rgcn-mlp"])
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@given(
    graph=relational_graphs(), bias=st.booleans(), last=st.booleans(), layers=st.integers(1, 3),
    seed=seeds,
)  # fmt: skip
@settings(max_examples=40)
def test_an_rgcn_equals_its_formula(
    graph: RelationalGraph, bias: bool, last: bool, layers: int, seed: int,
    aggregation: Aggregation, model: str, dense_up_to: int,
) -> None:  # fmt: skip
    config = ModelConfig(
        model,
        in_width=3,
        width=2,
        out_width=4,
        relations=1 if model == "gnn" else num_relations(graph),
        layers=layers,
        aggregation=aggregation,
        bias=bias,
        last_activation=last,
    )
    with pytest.MonkeyPatch.context() as patch:
        make_products(patch, dense_up_to)
        assert_equals_the_formula(config, graph, seed)


@pytest.mark.parametrize("mlp", [False, True])
@given(graph=relational_graphs(), width=st.integers(1, 3), block=st.integers(1, 12), seed=seeds)
@settings(max_examples=60)
def test_sums_in_blocks_are_the_sums_computed_at_once(
    graph: RelationalGraph, width: int, block: int, seed: int, mlp: bool
) -> None:
    config = ModelConfig("rgcn-mlp" if mlp else "rgcn", 2, width, 3, num_relations(graph), layers=2)
    model = randomised(VertexModel(config), seed)
    x, plan = random_rows(graph.num_vertices, 2, seed=seed), whole_plan(graph, config)
    with pytest.MonkeyPatch.context() as patch, torch.no_grad():
        make_products(patch, 0)
        at_once = model.features(x, plan)
        patch.setattr("wlkg.gnn.models.rgcn.BLOCKED", 0)
        patch.setattr("wlkg.gnn.models.rgcn._BLOCK", block)
        patch.setattr(Step, "sum_sources", None)
        for rows, expected in zip(model.features(x, plan), at_once, strict=True):
            assert_close(rows, expected)


def test_the_mlp_is_applied_to_relations_without_neighbours() -> None:
    layer = randomised(RGCNLayer(2, 3, 5, mlp=True), 1)
    x = random_rows(2, 2, seed=1)
    nothing = torch.zeros((2, 0), dtype=torch.int64)
    expected = x @ layer.root + 5 * two_maps(layer.mlp, torch.zeros(3, dtype=torch.float64))
    assert_close(layer(x, nothing, nothing[0]), expected)
    one = torch.tensor([[1], [0]])
    message = two_maps(layer.mlp, x[1] @ layer.weight[2])
    idle = two_maps(layer.mlp, torch.zeros(3, dtype=torch.float64))
    rows = layer(x, one, torch.tensor([2]))
    assert_close(rows[0], x[0] @ layer.root + message + 4 * idle)
    assert_close(rows[1], x[1] @ layer.root + 5 * idle)


def test_matrices_of_relations_are_drawn_one_by_one_in_the_range_of_xavier() -> None:
    layer = seeded(1, RGCNLayer, 3, 5, 40)
    limit = math.sqrt(6 / (3 + 5))
    for matrix in (layer.root, *layer.weight):
        assert matrix.abs().max() <= limit
    assert layer.weight.abs().max() > 0.95 * limit


@pytest.fixture(params=["RGCNConv", "FastRGCNConv"])
def peer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A layer of PyG without its shortcut for sorted edges, which takes other means."""
    import torch_geometric
    from torch_geometric.nn import conv

    monkeypatch.setattr(torch_geometric.backend, "use_segment_matmul", False)
    return getattr(conv, request.param)


def copied(peer: Any, layer: RGCNLayer, aggregation: str) -> Any:
    """A layer of PyG with the same weights."""
    relations, *widths = layer.weight.shape
    twin = peer(*widths, relations, aggr=aggregation, root_weight=True, bias=False).double()
    with torch.no_grad():
        twin.weight.copy_(layer.weight)
        twin.root.copy_(layer.root)
    return twin


@pyg_warns
@pytest.mark.parametrize("dense_up_to", [10**9, 0])
def test_an_rgcn_layer_equals_that_of_pyg_on_any_list_of_edges(peer: Any, dense_up_to: int) -> None:
    @given(edges=edge_lists(), seed=seeds)
    @settings(max_examples=40)
    def check(edges: tuple[int, Tensor, Tensor], seed: int) -> None:
        vertices, edge_index, edge_type = edges
        layer = randomised(RGCNLayer(3, 2, 3), seed)
        x = random_rows(vertices, 3, seed=seed)
        with pytest.MonkeyPatch.context() as patch:
            make_products(patch, dense_up_to)
            rows = layer(x, edge_index, edge_type)
        assert_close(rows, copied(peer, layer, "sum")(x, edge_index, edge_type))

    check()


@pyg_warns
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_an_rgcn_on_a_graph_equals_that_of_pyg(peer: Any, aggregation: Aggregation) -> None:
    @given(graph=relational_graphs().filter(lambda graph: graph.num_relations > 0), seed=seeds)
    @settings(max_examples=40)
    def check(graph: RelationalGraph, seed: int) -> None:
        config = ModelConfig(
            "rgcn",
            in_width=3,
            width=3,
            out_width=2,
            relations=num_relations(graph),
            layers=1,
            aggregation=aggregation,
        )
        model = randomised(VertexModel(config), seed)
        (layer,) = model.layers
        assert isinstance(layer, RGCNLayer)
        x = random_rows(graph.num_vertices, 3, seed=seed)
        arcs = [
            (w, v, i)
            for v, by_relation in enumerate(around(graph))
            for i, around_v in enumerate(by_relation)
            for w in around_v
        ]
        edges = torch.tensor(arcs, dtype=torch.int64).reshape(-1, 3).T
        twin = copied(peer, layer, aggregation)
        assert_close(model(x, whole_plan(graph, config)), twin(x, edges[:2], edges[2]))

    check()


def test_signs_are_a_non_linearity() -> None:
    graph = wlkg.read("example:c6")
    config = ModelConfig(
        "rgcn",
        in_width=4,
        width=4,
        out_width=4,
        relations=1,
        activation="sign",
        last_activation=True,
    )
    model = randomised(VertexModel(config), 1)
    for rows in model.features(random_rows(6, 4, seed=1), whole_plan(graph, config)):
        assert set(rows.flatten().tolist()) == {-1.0, 1.0}
