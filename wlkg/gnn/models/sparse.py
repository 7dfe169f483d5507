"""Weighted sums of rows, chosen once and taken many times: products with a fixed sparse matrix."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor


class Sums:
    """Row ``target[k]`` of the result is the sum of ``weight[k]`` times row ``source[k]``.

    With ``keep`` a compressed matrix and its transpose are made, which pays from the second use on.
    """

    def __init__(
        self, target: Tensor, source: Tensor, weight: Tensor, shape: tuple[int, int], *, keep: bool
    ) -> None:
        self._rows, self._columns, self._weight, self._shape = target, source, weight, shape
        self._matrices: tuple[Tensor, Tensor] | None = None
        if keep and weight.device.type in ("cpu", "cuda"):
            turned = (shape[1], shape[0])
            self._matrices = (
                _compressed(target, source, weight, shape),
                _compressed(source, target, weight, turned),
            )

    def __call__(self, rows: Tensor) -> Tensor:
        """The sums of these rows."""
        if self._matrices is not None and self._matrices[0].dtype == rows.dtype:
            out: Tensor = _Product.apply(rows, *self._matrices)  # type: ignore[no-untyped-call]
            return out
        picked = rows.index_select(0, self._columns) * self._weight.to(rows.dtype)[:, None]
        return picked.new_zeros((self._shape[0], rows.shape[1])).index_add(0, self._rows, picked)


def _compressed(rows: Tensor, columns: Tensor, values: Tensor, shape: tuple[int, int]) -> Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch calls this layout a beta
        listed = torch.sparse_coo_tensor(torch.stack([rows, columns]), values, shape)
        return listed.coalesce().to_sparse_csr()


class _Product(torch.autograd.Function):
    """A constant sparse matrix times rows; the gradient is the transpose times theirs."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, matrix: Tensor, transposed: Tensor) -> Tensor:
        ctx.transposed = transposed
        return matrix @ rows

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        return ctx.transposed @ gradient, None, None
