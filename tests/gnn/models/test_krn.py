"""k-RN compared with its formula, and its inputs with atomic types."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import wlkg
from tests.gnn.models.formulas import (
    around,
    assert_close,
    dense_krn,
    every_composition,
    joined,
    linear,
    num_relations,
    num_types,
    random_rows,
    randomised,
    seeds,
)
from tests.oracles import refine_tuples_slowly
from tests.strategies import relational_graphs
from wlkg.catalogue import Direction
from wlkg.errors import UsageError
from wlkg.gnn.config import AGGREGATIONS, UPDATES, ModelConfig
from wlkg.gnn.models.krn import vertex_features, vertex_width
from wlkg.gnn.models.tuple_input import tuple_inputs
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition


@every_composition
@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_k_rn_equals_its_formula(k: int, composition: str) -> None:
    @given(
        graph=relational_graphs(max_vertices=5 - k, max_relations=2),
        bias=st.booleans(), relation_update=st.booleans(), own_vectors=st.booleans(),
        layers=st.integers(1, 2), seed=seeds, update=st.sampled_from(UPDATES),
        aggregation=st.sampled_from(AGGREGATIONS),
    )  # fmt: skip
    @settings(max_examples=15)
    def check(graph: RelationalGraph, layers: int, seed: int, **switches: Any) -> None:
        config = ModelConfig(
            "k-rn", in_width=1, width=4, out_width=3, relations=num_relations(graph), layers=layers,
            composition=composition, k=k, **switches,
        )  # fmt: skip
        (block,) = tuple_inputs(graph, k)
        model = randomised(TupleModel(config, num_types([block])), seed)
        with torch.no_grad():
            expected = dense_krn(model, block, around(graph))
            features, vertices = model.features(block), model(block)
            assert len(features) == layers
            for rows, by_tuple in zip(features, expected, strict=True):
                assert rows.shape == (*[graph.num_vertices] * k, 4)
                for v, row in by_tuple.items():
                    assert_close(rows[v], row)
            last = expected[-1]
            assert vertices.shape == (graph.num_vertices, 3)
            for first, row in enumerate(vertices):
                beginning = sum_of(last[v] for v in last if v[0] == first)
                parts = [last[(first,) * k], beginning][: min(k, 2)]
                assert_close(row, linear(model.vertex_head, torch.cat(parts)))

    check()


def sum_of(rows: Any, width: int = 4) -> Tensor:
    total = torch.zeros(width, dtype=torch.float64)
    for row in rows:
        total = total + row
    return total


@pytest.mark.parametrize("k", [2, 3])
def test_a_vertex_has_its_own_tuple_and_the_sum_of_tuples_that_begin_with_it(k: int) -> None:
    h = random_rows(*[4] * k, 3, seed=k)
    expected = []
    for v in range(4):
        beginning = sum_of((h[v, *more] for more in itertools.product(range(4), repeat=k - 1)), 3)
        expected.append(torch.cat([h[(v,) * k], beginning]))
    assert_close(vertex_features(h), torch.stack(expected))


@pytest.mark.parametrize("k", [2, 3])
def test_a_graph_without_vertices_has_no_vertex_features(k: int) -> None:
    assert vertex_features(torch.zeros((*[0] * k, 5))).shape == (0, 10)


@pytest.mark.parametrize("k", [1, 2, 3])
@given(
    one=relational_graphs(max_vertices=4, directions=("both",)),
    two=relational_graphs(max_vertices=4, directions=("both",)),
    direction=st.sampled_from(["both", "undirected", "out", "in"]),
)
@settings(max_examples=30)
def test_features_of_tuples_start_with_the_atomic_types(
    one: RelationalGraph, two: RelationalGraph, direction: Direction, k: int
) -> None:
    graphs = [one.with_direction(direction), two.with_direction(direction)]
    types = torch.cat([block.types.reshape(-1) for block in joined(*graphs, k=k)])
    # In a union, vertices without a label share the empty label.
    labelled = [graph if graph.labels is not None else unlabelled(graph) for graph in graphs]
    expected = refine_tuples_slowly(labelled, f"{k}-rlwl", direction)[0]
    assert types.tolist() == Partition.of(np.array(expected, dtype=np.int64)).colours.tolist()


def unlabelled(graph: RelationalGraph) -> RelationalGraph:
    return graph.with_labels([""] * graph.num_vertices)


@given(graph=relational_graphs(max_vertices=5), mode=st.sampled_from(["undirected", "out", "in"]))
@settings(max_examples=30)
def test_the_arcs_of_tuple_inputs_are_those_of_each_block(
    graph: RelationalGraph, mode: Direction
) -> None:
    union, n = wlkg.disjoint_union(graph, graph).with_direction(mode), graph.num_vertices
    expected = [
        (v, i, w)
        for v, by_relation in enumerate(around(graph.with_direction(mode)))
        for i, around_v in enumerate(by_relation)
        for w in around_v
    ]
    for block in tuple_inputs(union, 2, blocks=(n, n)):
        columns = (block.source, block.relation, block.neighbour)
        assert sorted(zip(*(c.tolist() for c in columns), strict=True)) == sorted(expected)


def test_tuples_of_no_vertex_are_refused() -> None:
    with pytest.raises(UsageError, match=r"at least 1 vertex, found k = 0") as error:
        tuple_inputs(wlkg.read("example:c6"), 0)
    assert error.value.exit_code == 2


def test_all_tensors_of_a_tuple_input_move_to_a_device() -> None:
    (block,) = joined(wlkg.read("example:c6"), k=2)
    moved = block.to(torch.device("meta"))
    for name in ("types", "source", "neighbour", "relation"):
        assert getattr(moved, name).device.type == "meta"
        assert getattr(moved, name).shape == getattr(block, name).shape


def test_the_vertex_features_of_single_vertices_are_their_own() -> None:
    h = random_rows(4, 3, seed=1)
    assert torch.equal(vertex_features(h), h)
    assert vertex_width(3, 1) == 3
    assert vertex_width(3, 2) == vertex_features(random_rows(4, 4, 3, seed=1)).shape[1]
