"""READOUT of whole graphs: the formulas, and rows given once with how often they occur."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.gnn.models.formulas import dense_readout
from wlkg.gnn.config import READOUTS
from wlkg.gnn.models.graph_readout import GraphReadout, GraphRows

every_readout = pytest.mark.parametrize("kind", READOUTS)


@every_readout
def test_a_readout_equals_its_formula_however_rows_are_shared_and_ordered(kind: str) -> None:
    @given(data=st.data(), seed=st.integers(0, 1000))
    def check(data: st.DataObject, seed: int) -> None:
        draw = np.random.default_rng(seed)
        sizes = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
        distinct = torch.from_numpy(draw.normal(size=(4, 3)))
        graph_of = draw.permutation(np.repeat(np.arange(len(sizes)), sizes))
        row_of = draw.integers(0, 4, len(graph_of))
        readout = GraphReadout(kind, 3, 2).double()
        rows = GraphRows.of(graph_of, row_of, len(sizes), 4)
        graphs = [distinct[row_of[graph_of == g]] for g in range(len(sizes))]
        expected = dense_readout(readout, kind, graphs)
        torch.testing.assert_close(readout(distinct, rows), expected)
        each = GraphRows.of(graph_of, np.arange(len(graph_of)), len(sizes), len(graph_of))
        torch.testing.assert_close(readout(distinct[row_of], each), expected)

    check()


@every_readout
def test_gradients_reach_the_features_and_all_weights(kind: str) -> None:
    readout = GraphReadout(kind, 3, 2).double()
    features = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    rows = GraphRows.of(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 2, 3]), 2, 4)
    assert torch.autograd.gradcheck(lambda h: readout(h, rows), features)
    readout(features, rows).square().sum().backward()
    assert all(weight.grad is not None for weight in readout.parameters())


@every_readout
def test_all_rows_may_belong_to_one_graph(kind: str) -> None:
    readout = GraphReadout(kind, 2, 3).double()
    for count in (0, 1, 4):
        features = torch.randn(count, 2, dtype=torch.float64)
        expected = dense_readout(readout, kind, [features])
        torch.testing.assert_close(readout(features, None), expected)
