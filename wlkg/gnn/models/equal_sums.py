"""Sums over neighbours that several targets have in common.

An R-GCN needs for each target v and relation i the sum over N_i(v), or an MLP of it. Targets that
see the same rows with the same weights through the same relation have the same sum, and each
distinct sum is computed once. On knowledge graphs most of them are equal: in the first layer, where
all vertices may have the same features, a sum depends on nothing but |N_i(v)|.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class EqualSums:
    """Which pairs of a target and a relation have equal sums."""

    #: The relation of each distinct sum, in ascending order.
    relation: Tensor
    #: The distinct sum of each pair.
    of_pair: Tensor
    #: One pair for each distinct sum.
    example: Tensor

    def __len__(self) -> int:
        return len(self.relation)

    @classmethod
    def none(cls, relation: Tensor) -> EqualSums:
        """Every pair has its own sum; the relations of the pairs are in ascending order."""
        every = torch.arange(len(relation), device=relation.device)
        return cls(relation=relation, of_pair=every, example=every)

    @classmethod
    def of(cls, relation: Tensor, position: Tensor, source: Tensor, weight: Tensor) -> EqualSums:
        """Compare what the pairs sum: message m adds ``weight[m]`` times row ``source[m]``.

        ``position`` is the pair of each message, ``relation`` the relation of each pair.
        """
        kinds = _kinds(source.cpu().numpy(), weight.to("cpu", torch.float64).numpy())
        groups = _groups(relation.cpu().numpy(), position.cpu().numpy(), kinds)
        _, example, of_pair = np.unique(groups, return_index=True, return_inverse=True)
        # Renumbered by relation: the rows of a relation are then multiplied by its matrix at once.
        order = np.argsort(relation.cpu().numpy()[example], kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        chosen = torch.from_numpy(example[order]).to(relation.device)
        return cls(
            relation=relation.index_select(0, chosen),
            of_pair=torch.from_numpy(place[of_pair.reshape(-1)]).to(relation.device),
            example=chosen,
        )


def _kinds(source: IntArray, weight: FloatArray) -> IntArray:
    """A number for each message; two are equal if they add the same row with the same weight."""
    _, weights = np.unique(weight, return_inverse=True)
    numbers = weights.reshape(-1).astype(np.int64)
    keys = source.astype(np.int64) * (int(numbers.max(initial=0)) + 1) + numbers
    kinds: IntArray = np.unique(keys, return_inverse=True)[1].reshape(-1)
    return kinds


def _groups(relation: IntArray, position: IntArray, kinds: IntArray) -> IntArray:
    """A number for each pair; two are equal if relation and multiset of kinds are.

    Pairs with equally many messages are the rows of a table, which is sorted by its columns.
    """
    lengths = np.bincount(position, minlength=len(relation))
    offsets = np.cumsum(lengths) - lengths
    sorted_kinds = kinds[np.lexsort((kinds, position))]
    groups = np.zeros(len(relation), dtype=np.int64)
    count = 0
    by_length = np.argsort(lengths, kind="stable")
    for pairs in np.split(by_length, np.flatnonzero(np.diff(lengths[by_length])) + 1):
        if not len(pairs):
            continue
        places = offsets[pairs][:, None] + np.arange(lengths[pairs[0]])
        table = np.column_stack([sorted_kinds[places], relation[pairs]])
        order = np.lexsort(table.T)
        ordered = table[order]
        changes = (ordered[1:] != ordered[:-1]).any(axis=1)
        groups[pairs[order]] = count + np.concatenate([[0], np.cumsum(changes)])
        count += 1 + int(changes.sum())
    return groups
