"""Which graphs a k-RN separates, and that it does not depend on the order of vertices."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import wlkg
from tests.gnn.models.formulas import (
    assert_close,
    joined,
    num_relations,
    num_types,
    random_rows,
    randomised,
    seeds,
    whole_plan,
)
from tests.strategies import relational_graphs
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.tuple_input import TupleInput, tuple_inputs
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph


def fingerprint(h: Tensor) -> Tensor:
    """Numbers that agree for two graphs if they have the same features with the same frequency."""
    rows = h.reshape(-1, h.shape[-1])
    numbers = rows @ random_rows(rows.shape[1], seed=11)
    return numbers.sort().values


def tuple_sum(model: TupleModel, block: TupleInput) -> Tensor:
    """A vector for a graph: the sum of the last features over all its tuples."""
    last = model.features(block)[-1]
    return last.reshape(-1, last.shape[-1]).sum(dim=0)


def same(one: Tensor, two: Tensor) -> bool:
    scale = max(float(one.abs().max()), 1.0)
    return bool((one - two).abs().max() <= 1e-11 * scale)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_a_2_rn_separates_a_hexagon_from_two_triangles_and_an_rgcn_does_not(
    seed: int, layers: int
) -> None:
    graphs = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    inputs = tuple_inputs(wlkg.disjoint_union(*graphs), 2, blocks=(6, 6))
    config = ModelConfig("k-rn", in_width=8, width=8, out_width=8, relations=1, layers=layers)
    model = seeded(seed, TupleModel, config, num_types(inputs)).double()
    with torch.no_grad():
        one, two = [tuple_sum(model, block) for block in inputs]
    assert float((one - two).abs().max()) > 1e-3 * float(one.abs().max())
    config = ModelConfig("rgcn", in_width=8, width=8, out_width=8, relations=1, layers=layers)
    plain = seeded(seed, VertexModel, config).double()
    x = random_rows(1, 8, seed=seed).expand(6, 8)
    with torch.no_grad():
        one, two = [plain(x, whole_plan(graph, config)).sum(dim=0) for graph in graphs]
    assert float(one.abs().max()) > 0
    assert same(one, two)


@pytest.fixture(scope="module")
def cfi() -> tuple[RelationalGraph, RelationalGraph]:
    return wlkg.read("example:cfi-g,k=3"), wlkg.read("example:cfi-h,k=3")


@pytest.mark.parametrize("seed", range(3))
def test_a_2_rn_does_not_separate_the_third_cfi_graphs(
    cfi: tuple[RelationalGraph, RelationalGraph], seed: int
) -> None:
    inputs = joined(*cfi, k=2)
    config = ModelConfig("k-rn", in_width=8, width=8, out_width=8, relations=1, layers=4)
    model = seeded(seed, TupleModel, config, num_types(inputs)).double()
    with torch.no_grad():
        one, two = [tuple_sum(model, block) for block in inputs]
        assert len(set(one.tolist())) > 1
        assert same(one, two)
        for rows in zip(*(model.features(block) for block in inputs), strict=True):
            assert same(*map(fingerprint, rows))


@pytest.mark.parametrize("seed", range(3))
def test_a_3_rn_separates_the_third_cfi_graphs_at_round_two(
    cfi: tuple[RelationalGraph, RelationalGraph], seed: int
) -> None:
    inputs = joined(*cfi, k=3)
    config = ModelConfig("k-rn", in_width=16, width=16, out_width=8, relations=1, layers=3, k=3)
    model = seeded(seed, TupleModel, config, num_types(inputs)).double()
    with torch.no_grad():
        one, two = [model.features(block) for block in inputs]
        alike = [same(fingerprint(a), fingerprint(b)) for a, b in zip(one, two, strict=True)]
        assert alike == [True, False, False]
        # Only the last ReLU keeps the sum over all tuples from being a linear function of the sum
        # one layer earlier, so the sums may differ a layer later than the features.
        assert not same(*(tuple_sum(model, block) for block in inputs))


@pytest.mark.parametrize("k", [2, 3])
@given(data=st.data(), seed=seeds)
@settings(max_examples=25)
def test_permuting_the_vertices_permutes_the_output_of_a_k_rn(
    data: st.DataObject, seed: int, k: int
) -> None:
    graph = data.draw(relational_graphs(max_vertices=6 - k))
    order = data.draw(st.permutations(range(graph.num_vertices)))
    one, two = inputs = joined(graph, graph.permuted(order), k=k)
    composition = data.draw(st.sampled_from(sorted(COMPOSITIONS)))
    config = ModelConfig(
        "k-rn",
        in_width=4,
        width=4,
        out_width=3,
        relations=num_relations(graph),
        composition=composition,
        k=k,
    )
    model = randomised(TupleModel(config, num_types(inputs)), seed)
    moved = torch.tensor(order, dtype=torch.int64)
    with torch.no_grad():
        assert_close(model(two), model(one)[moved])
        expected, permuted = tuple_sum(model, one), tuple_sum(model, two)
    torch.testing.assert_close(permuted, expected, rtol=1e-9, atol=1e-9 * graph_scale(expected))


def graph_scale(vector: Tensor) -> float:
    return max(1.0, float(vector.abs().max()))
