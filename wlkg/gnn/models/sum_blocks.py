"""The distinct sums of a step in blocks, for passes that need no gradients.

A large graph has so many pairs of a vertex and a relation that their sums, and the products of sums
and matrices, take far more memory than the features. Each block belongs to one relation; its sums
are multiplied by the matrix of that relation, and added to the targets before the next block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from wlkg.gnn.models.sums import Sums


@dataclass(frozen=True, eq=False)
class SumBlock:
    """Some of the sums of one relation, and the targets that they are added to."""

    relation: int
    #: The sums are this matrix times the rows of the sources.
    matrix: Tensor
    #: Each target occurs once.
    target: Tensor
    #: The sum, counted from the first of the block, that each target gets.
    position: Tensor


@dataclass(frozen=True, eq=False)
class SumBlocks:
    """All distinct sums of a step, in the order of their relations."""

    sums: Sums
    #: The number of sums of each relation.
    counts: list[int]
    #: The pairs of a target and a sum, in the order of the sums.
    target: Tensor
    of_target: Tensor

    @classmethod
    def of(cls, sums: Sums, relation: Tensor, target: Tensor, of_target: Tensor) -> SumBlocks:
        """Sum k belongs to ``relation[k]``, and is added to every target m with of_target[m] = k.

        The relations are in ascending order.
        """
        order = torch.argsort(of_target, stable=True)
        return cls(
            sums=sums,
            counts=torch.bincount(relation).tolist(),
            target=target.index_select(0, order),
            of_target=of_target.index_select(0, order),
        )

    def __call__(self, most: int) -> Iterator[SumBlock]:
        """Blocks of at most ``most`` sums."""
        high = 0
        for relation, count in enumerate(self.counts):
            end = high + count
            while high < end:
                low, high = high, min(high + most, end)
                ends = torch.searchsorted(self.of_target, self.of_target.new_tensor([low, high]))
                first, last = ends.tolist()
                yield SumBlock(
                    relation=relation,
                    matrix=self.sums.rows(low, high),
                    target=self.target[first:last],
                    position=self.of_target[first:last] - low,
                )
