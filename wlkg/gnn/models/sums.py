"""Weighted sums of rows: products with a sparse matrix that stays the same from epoch to epoch."""

from __future__ import annotations

import threading
import warnings
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

#: Devices with products of sparse matrices.
_SPARSE_DEVICES = ("cpu", "cuda")
#: The largest number that an index of 32 bits can hold.
_MOST_32 = torch.iinfo(torch.int32).max
#: Filters of warnings belong to the process: threads take turns in changing them.
_filtering = threading.Lock()


class Sums:
    """Row ``target[k]`` of the result is the sum of ``weight[k]`` times row ``source[k]``.

    With ``keep``, compressed forms of the matrix and, for gradients, of its transpose are built
    once, which pays off from the second use on.
    """

    def __init__(
        self, target: Tensor, source: Tensor, weight: Tensor, shape: tuple[int, int], *, keep: bool
    ) -> None:
        self._target, self._source, self._weight, self._shape = target, source, weight, shape
        self._keep = keep and weight.device.type in _SPARSE_DEVICES

    @cached_property
    def _matrix(self) -> Tensor:
        return _compressed(self._target, self._source, self._weight, self._shape)

    @cached_property
    def _transposed(self) -> Tensor:
        height, width = self._shape
        return _compressed(self._source, self._target, self._weight, (width, height))

    def compresses(self, rows: Tensor) -> bool:
        """Whether sums of these rows are products with a compressed matrix."""
        return self._keep and self._weight.dtype == rows.dtype

    def rows(self, low: int, high: int) -> Tensor:
        """The rows of the matrix from ``low`` up to ``high``."""
        starts = self._matrix.crow_indices()[low : high + 1]
        first, last = int(starts[0]), int(starts[-1])
        return torch.sparse_csr_tensor(
            starts - first,
            self._matrix.col_indices()[first:last],
            self._matrix.values()[first:last],
            (high - low, self._shape[1]),
            check_invariants=False,
        )

    def __call__(self, rows: Tensor) -> Tensor:
        """The weighted sums of the given rows."""
        if self.compresses(rows):
            if not (rows.requires_grad and torch.is_grad_enabled()):
                return self._matrix @ rows
            out: Tensor = _Product.apply(rows, self._matrix, self._transposed)  # type: ignore[no-untyped-call]
            return out
        summands = rows.index_select(0, self._source) * self._weight.to(rows.dtype)[:, None]
        zeros = summands.new_zeros((self._shape[0], rows.shape[1]))
        return zeros.index_add(0, self._target, summands)


def _compressed(rows: Tensor, columns: Tensor, values: Tensor, shape: tuple[int, int]) -> Tensor:
    """The sparse matrix in compressed row format.

    PyTorch multiplies on CPUs with indices of 32 bits, and would convert longer ones every time.
    """
    places = torch.stack([rows, columns])
    matrix = torch.sparse_coo_tensor(places, values, shape, check_invariants=False).coalesce()
    with _filtering, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch warns that the format is in beta
        matrix = matrix.to_sparse_csr()
        if matrix.device.type != "cpu" or max(*shape, len(matrix.values())) > _MOST_32:
            return matrix
        return torch.sparse_csr_tensor(
            matrix.crow_indices().to(torch.int32),
            matrix.col_indices().to(torch.int32),
            matrix.values(),
            shape,
            check_invariants=False,
        )


class _Product(torch.autograd.Function):
    """A constant sparse matrix times rows; their gradient is the transpose times the gradient."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, matrix: Tensor, transposed: Tensor) -> Tensor:
        ctx.transposed = transposed
        return matrix @ rows

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        return ctx.transposed @ gradient, None, None
