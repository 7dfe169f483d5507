"""Rows times the matrices of their relations."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

#: Up to this many numbers, each row is multiplied by its own copy of a matrix: for small matrices
#: that is faster than a product for each relation.
_COPIES = 100_000


def relation_products(rows: Tensor, relation: Tensor, matrices: Tensor) -> Tensor:
    """Row r times ``matrices[relation[r]]``; the relations are in ascending order."""
    if len(rows) * matrices[0].numel() <= _COPIES:
        copies = matrices.index_select(0, relation)
        return torch.bmm(rows[:, None, :], copies)[:, 0]
    counts = torch.bincount(relation, minlength=len(matrices)).tolist()
    out: Tensor = _Blocks.apply(rows, matrices, counts)  # type: ignore[no-untyped-call]
    return out


class _Blocks(torch.autograd.Function):
    """One product for each block of rows with the same relation.

    Written out, because differentiating through slices of the matrices costs a gradient of the size
    of all matrices for each slice.
    """

    @staticmethod
    def forward(ctx: Any, rows: Tensor, matrices: Tensor, counts: list[int]) -> Tensor:
        ctx.save_for_backward(rows, matrices)
        ctx.counts = counts
        out = rows.new_empty((len(rows), matrices.shape[2]))
        for i, (low, high) in _ranges(counts):
            torch.mm(rows[low:high], matrices[i], out=out[low:high])
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        rows, matrices = ctx.saved_tensors
        by_rows, by_matrices = torch.empty_like(rows), torch.zeros_like(matrices)
        for i, (low, high) in _ranges(ctx.counts):
            torch.mm(gradient[low:high], matrices[i].T, out=by_rows[low:high])
            torch.mm(rows[low:high].T, gradient[low:high], out=by_matrices[i])
        return by_rows, by_matrices, None


def _ranges(counts: list[int]) -> list[tuple[int, tuple[int, int]]]:
    """The relations that occur, each with its first row and the row after its last."""
    ranges, low = [], 0
    for i, count in enumerate(counts):
        if count:
            ranges.append((i, (low, low + count)))
            low += count
    return ranges
