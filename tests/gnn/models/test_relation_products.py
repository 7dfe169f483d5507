"""Rows times the matrices of their relations, compared with a loop."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gnn.models.formulas import assert_close, random_rows, seeds
from wlkg.gnn.models import relation_products as module
from wlkg.gnn.models.relation_products import relation_products


@pytest.mark.parametrize("copies_up_to", [10**9, 0])
@given(relations=st.lists(st.integers(0, 3), max_size=6).map(sorted), seed=seeds)
@settings(max_examples=60)
def test_products_and_their_gradients_equal_those_of_a_loop(
    relations: list[int], seed: int, copies_up_to: int
) -> None:
    rows = random_rows(len(relations), 3, seed=seed).requires_grad_()
    matrices = random_rows(4, 3, 2, seed=seed + 1).requires_grad_()
    factor = random_rows(len(relations), 2, seed=seed + 2)
    expected = torch.zeros(len(relations), 2, dtype=torch.float64)
    by_rows, by_matrices = torch.zeros_like(rows), torch.zeros_like(matrices)
    with torch.no_grad():
        for r, i in enumerate(relations):
            expected[r] = rows[r] @ matrices[i]
            by_rows[r] = matrices[i] @ factor[r]
            by_matrices[i] += torch.outer(rows[r], factor[r])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_COPIES", copies_up_to)
        products = relation_products(rows, torch.tensor(relations, dtype=torch.int64), matrices)
    assert_close(products, expected)
    gradients = torch.autograd.grad((products * factor).sum(), [rows, matrices])
    assert_close(gradients[0], by_rows)
    assert_close(gradients[1], by_matrices)
