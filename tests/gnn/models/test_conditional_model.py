"""C-MPNN compared with its formula, and what it must not depend on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.gnn.models.conditional_formulas import (
    aggregations,
    compositions,
    conditional_config,
    dense_conditional,
    features_of,
)
from tests.gnn.models.formulas import around, assert_close, every_composition, randomised, seeds
from tests.gnn.models.quotients import assert_gradients, small_graph
from tests.strategies import relational_graphs
from wlkg.compiled import kernel
from wlkg.gnn.config import PAIR_AGGREGATIONS
from wlkg.gnn.models import message_statistics, message_sums
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.conditional_layer import ConditionalLayer
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.graph.relational_graph import RelationalGraph

switches = st.fixed_dictionaries(
    {
        "composition": compositions,
        "aggregation": aggregations,
        "bias": st.booleans(),
        "query_message": st.booleans(),
        "global_readout": st.booleans(),
        "vertex_features": st.booleans(),
        "last_activation": st.booleans(),
        "layers": st.integers(1, 3),
    }
)


def batch(graph: RelationalGraph, queries: int, seed: int) -> tuple[Tensor, Tensor]:
    """Sources and queries, repeated ones included."""
    draw = np.random.default_rng(seed)
    size = int(draw.integers(1, 5))
    return (
        torch.from_numpy(draw.integers(0, graph.num_vertices, size)),
        torch.from_numpy(draw.integers(0, queries, size)),
    )


@given(graph=relational_graphs(labels=False), chosen=switches, seed=seeds)
@settings(max_examples=400)
def test_a_c_mpnn_equals_its_formula(
    graph: RelationalGraph, chosen: dict[str, Any], seed: int
) -> None:
    if not graph.num_vertices:
        return
    config = conditional_config(graph, **chosen)
    model = randomised(ConditionalModel(config), seed)
    sources, queries = batch(graph, config.num_queries, seed)
    x = features_of(graph, config, seed)
    seen = ConditionalGraph.of(graph.arcs())
    with torch.no_grad():
        near = around(graph)
        expected = dense_conditional(model, near, sources.tolist(), queries.tolist(), x)
        features = list(model.each_layer(seen, sources, queries, x))
        last = model(seen, sources, queries, x)
    assert len(features) == config.layers
    for rows, of_sources in zip(features, expected, strict=True):
        assert_close(rows.transpose(0, 1), torch.stack([torch.stack(each) for each in of_sources]))
    assert_close(last, features[-1].transpose(0, 1))
    assert last.shape == (len(sources), graph.num_vertices, config.width)


@every_composition
@pytest.mark.parametrize("query_message", [False, True])
@pytest.mark.parametrize("aggregation", ["sum", "pna"])
def test_compiled_loops_and_pytorch_agree(
    composition: str, query_message: bool, aggregation: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = small_graph()
    config = conditional_config(
        graph, composition=composition, query_message=query_message, aggregation=aggregation
    )
    model = randomised(ConditionalModel(config), 3)
    seen = ConditionalGraph.of(graph.arcs())
    given_batch = torch.tensor([0, 2, 0]), torch.tensor([1, 0, 3])

    def outcome() -> list[Tensor]:
        out = model(seen, *given_batch)
        return [out, *torch.autograd.grad(out.square().sum(), list(model.parameters()))]

    plain = outcome()
    monkeypatch.setattr(kernel, "SMALL", 0)
    compiled = outcome()
    for module in (message_sums, message_statistics):
        monkeypatch.setattr(module, "COMPILED_ON", ())
    by_torch = outcome()
    for one, two, three in zip(plain, compiled, by_torch, strict=True):
        assert_close(one, two)
        assert_close(one, three)


@every_composition
@pytest.mark.parametrize("aggregation", PAIR_AGGREGATIONS)
@pytest.mark.parametrize("query_message", [False, True])
def test_gradients_of_a_layer_are_right(
    composition: str, aggregation: Any, query_message: bool
) -> None:
    layer = ConditionalLayer(
        2,
        3,
        4,
        query_width=2 if query_message else None,
        composition=composition,
        aggregation=aggregation,
        global_readout=True,
        bias=True,
    )
    seen = ConditionalGraph.of(small_graph().with_direction("both").arcs())
    rows = torch.randn(4, 2, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    queries = torch.tensor([[0.3, -1.2], [0.7, 0.4]], dtype=torch.float64)
    assert_gradients(randomised(layer, 4), (rows, queries), seen)


@given(graph=relational_graphs(labels=False), chosen=switches, seed=seeds)
@settings(max_examples=100)
def test_features_do_not_depend_on_the_numbers_of_vertices_or_the_order_of_arcs(
    graph: RelationalGraph, chosen: dict[str, Any], seed: int
) -> None:
    if not graph.num_vertices:
        return
    config = conditional_config(graph, **chosen)
    model = randomised(ConditionalModel(config), seed)
    sources, queries = batch(graph, config.num_queries, seed)
    x = features_of(graph, config, seed)
    place = torch.from_numpy(np.random.default_rng(seed).permutation(graph.num_vertices))
    seen = ConditionalGraph.of(graph.arcs())
    other = ConditionalGraph.sorted(
        graph.num_vertices,
        seen.num_relations,
        place[seen.vertex.flip(0)],
        place[seen.neighbour.flip(0)],
        seen.relation.flip(0),
    )
    with torch.no_grad():
        rows = model(seen, sources, queries, x)
        again = model(other, place[sources], queries, None if x is None else x[place.argsort()])
    assert_close(rows, again[:, place])


def test_arcs_that_are_left_out_make_no_difference() -> None:
    graph = small_graph()
    config = conditional_config(graph, aggregation="pna")
    model = randomised(ConditionalModel(config), 1)
    seen = ConditionalGraph.of(graph.arcs())
    left_out = (seen.vertex == 0) & (seen.neighbour == 1)
    assert 0 < int(left_out.sum()) < len(seen)
    fewer = seen.without(left_out)
    assert len(fewer) == len(seen) - int(left_out.sum())
    sources, queries = torch.tensor([1]), torch.tensor([0])
    with torch.no_grad():
        out = model(fewer, sources, queries)
        near = around(graph)
        near[0] = [[w for w in ws if w != 1] for ws in near[0]]
        expected = dense_conditional(model, near, [1], [0], None)[-1]
        whole = model(seen, sources, queries)
    assert_close(out[0], torch.stack(expected[0]))
    assert not torch.allclose(out, whole)
