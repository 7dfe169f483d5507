"""CompGCN compared with its formula."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import wlkg
from tests.gnn.models.formulas import (
    Around,
    assert_close,
    assert_equals_the_formula,
    dense_compgcn,
    dense_update,
    edge_lists,
    every_composition,
    num_relations,
    random_rows,
    randomised,
    seeds,
    whole_plan,
)
from tests.strategies import relational_graphs
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.gnn.config import ModelChoice, ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import make_task
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets


@st.composite
def compgcn_configs(draw: st.DrawFn, composition: str, graph: RelationalGraph) -> ModelConfig:
    """All switches of CompGCN; widths that agree, so that relation vectors may stay, or differ."""
    width = draw(st.sampled_from([2, 4]))
    return ModelConfig(
        "compgcn",
        in_width=draw(st.sampled_from([2, 4])),
        width=width,
        out_width=draw(st.sampled_from([width, 3])),
        relations=num_relations(graph),
        layers=draw(st.integers(1, 3)),
        aggregation=draw(st.sampled_from(["sum", "mean"])),
        composition=composition,
        bias=draw(st.booleans()),
        direction=draw(st.booleans()),
        inverses=graph.direction == "both",
        norm=draw(st.booleans()),
        relation_update=draw(st.booleans()),
        own_vectors=draw(st.booleans()),
        last_activation=draw(st.booleans()),
    )


@every_composition
@given(data=st.data(), graph=relational_graphs(), seed=seeds)
@settings(max_examples=60)
def test_compgcn_equals_its_formula(
    data: st.DataObject, graph: RelationalGraph, seed: int, composition: str
) -> None:
    config = data.draw(compgcn_configs(composition, graph))
    assert_equals_the_formula(config, graph, seed)


@every_composition
@pytest.mark.parametrize("direction", [True, False])
def test_a_compgcn_layer_takes_edges_in_the_format_of_pyg(
    composition: str, direction: bool
) -> None:
    config = ModelConfig(
        "compgcn",
        in_width=2,
        width=2,
        out_width=3,
        relations=4,
        composition=composition,
        direction=direction,
        inverses=direction,
        norm=False,
    )

    @given(edges=edge_lists(relations=4), seed=seeds)
    @settings(max_examples=15)
    def check(edges: tuple[int, Tensor, Tensor], seed: int) -> None:
        vertices, edge_index, edge_type = edges
        layer = CompGCNLayer(
            *(2, 3, 4),
            outward=2,
            composition=composition,
            direction=direction,
            next_relation_width=5,
        )
        randomised(layer, seed)
        x = random_rows(vertices, 2, seed=seed)
        z = random_rows(4, layer.compose.relation_width, seed=seed + 1)
        near: Around = [[[] for _ in range(4)] for _ in range(vertices)]
        for source, target, i in zip(*edge_index.tolist(), edge_type.tolist(), strict=True):
            near[target][i].append(source)
        rows, relations = layer(x, z, edge_index, edge_type)
        assert_close(rows, dense_compgcn(layer, x, z, near, config))
        assert_close(relations, dense_update(layer, z, True))

    check()


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_inverse_relations_have_a_separate_matrix(direction: Direction) -> None:
    graph = wlkg.read("example:c6").with_direction(direction)
    targets = Targets(np.arange(6), tuple("ababab"))
    task = make_task(graph, TargetSets(targets), ModelChoice("compgcn", width=4))
    model = task.scorer.make(0)
    assert isinstance(model, VertexModel)
    for layer in model.layers:
        assert isinstance(layer, CompGCNLayer)
        assert len(layer.weight) == (2 if direction == "both" else 1)
        assert layer.loop is not None


@pytest.mark.parametrize("update", [True, False])
def test_the_relation_update_changes_only_the_second_layer(update: bool) -> None:
    graph = wlkg.read("example:c6").with_direction("both")
    config = ModelConfig(
        "compgcn", in_width=4, width=4, out_width=4, relations=2, relation_update=update
    )
    model = randomised(VertexModel(config), 1)
    plan, x = whole_plan(graph, config), random_rows(6, 4, seed=1)
    before = model.features(x, plan)
    first = model.layers[0]
    assert isinstance(first, CompGCNLayer)
    if not update:
        assert all(layer.relation_map is None for layer in model.layers)
        return
    assert first.relation_map is not None
    with torch.no_grad():
        first.relation_map.bias.add_(1)
    after = model.features(x, plan)
    assert torch.equal(before[0], after[0])
    assert not torch.allclose(before[1], after[1])
