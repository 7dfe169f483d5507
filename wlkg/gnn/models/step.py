"""The messages of one layer, and the sums over them that layers compute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from wlkg.gnn.models.equal_sums import EqualSums
from wlkg.gnn.models.sum_blocks import SumBlocks
from wlkg.gnn.models.sums import Sums


@dataclass(frozen=True, eq=False)
class Pairs:
    """The distinct pairs of a row and a relation among the messages of a step, by relation."""

    row: Tensor
    relation: Tensor
    #: The position of each message's pair.
    position: Tensor

    @classmethod
    def of(cls, rows: Tensor, relations: Tensor) -> Pairs:
        """The distinct pairs of ``rows[m]`` and ``relations[m]`` over all messages m."""
        count = int(rows.max()) + 1 if len(rows) else 1
        keys, position = torch.unique(relations * count + rows, return_inverse=True)
        return cls(row=keys % count, relation=keys // count, position=position)

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True, eq=False)
class Step:
    """The messages of one layer: row ``target`` sees row ``source`` through ``relation``."""

    num_sources: int
    num_targets: int
    #: For each target, the row of the previous layer that holds its own features.
    own: Tensor
    source: Tensor
    target: Tensor
    relation: Tensor
    #: The weight of each message: how often it is sent, divided by the mean or the norm.
    weight: Tensor
    #: Whether the step is used many times, so that compressing its matrices pays off.
    keep: bool = True

    def to(self, device: torch.device, dtype: torch.dtype) -> Step:
        """The same step on a device, with weights of a floating-point type."""
        return replace(
            self,
            own=self.own.to(device),
            source=self.source.to(device),
            target=self.target.to(device),
            relation=self.relation.to(device),
            weight=self.weight.to(device=device, dtype=dtype),
        )

    @classmethod
    def whole(cls, edge_index: Tensor, edge_type: Tensor, num_vertices: int) -> Step:
        """A row for every vertex and a message along every edge, with edges in PyG's format."""
        return cls(
            num_sources=num_vertices,
            num_targets=num_vertices,
            own=torch.arange(num_vertices, device=edge_index.device),
            source=edge_index[0],
            target=edge_index[1],
            relation=edge_type,
            weight=torch.ones(edge_index.shape[1], device=edge_index.device),
            keep=False,
        )

    @cached_property
    def source_pairs(self) -> Pairs:
        """The distinct pairs of source and relation."""
        return Pairs.of(self.source, self.relation)

    @cached_property
    def target_pairs(self) -> Pairs:
        """The distinct pairs of target and relation."""
        return Pairs.of(self.target, self.relation)

    @cached_property
    def equal_sums(self) -> EqualSums:
        """Which of `target_pairs` have equal sums; they are compared if the step is kept."""
        pairs = self.target_pairs
        if not self.keep:
            return EqualSums.none(pairs.relation)
        return EqualSums.of(pairs.relation, pairs.position, self.source, self.weight)

    @cached_property
    def _sums(self) -> dict[str, Sums]:
        return {}

    def _cached_sums(self, key: str, build: Callable[[], Sums]) -> Sums:
        """The sums under a key, built when they are first needed."""
        if key not in self._sums:
            self._sums[key] = build()
        return self._sums[key]

    def sum_source_pairs(self, rows: Tensor, outward: int, directions: int) -> Tensor:
        """Sum rows, one per pair of `source_pairs`, at each target and direction.

        Relations from ``outward`` on belong to the second direction, whose sums come last.
        """

        def build() -> Sums:
            pairs = self.source_pairs
            inward = (self.relation >= outward).to(self.target.dtype)
            target = self.target + inward * self.num_targets
            shape = (directions * self.num_targets, len(pairs))
            return Sums(target, pairs.position, self.weight, shape, keep=self.keep)

        return self._cached_sums(f"source pairs {outward} {directions}", build)(rows)

    def sum_all_pairs(self, rows: Tensor, relations: int) -> Tensor:
        """Sum rows, one per source and relation whether or not they occur, at each target."""

        def build() -> Sums:
            source = self.source * relations + self.relation
            shape = (self.num_targets, self.num_sources * relations)
            return Sums(self.target, source, self.weight, shape, keep=self.keep)

        return self._cached_sums(f"all pairs {relations}", build)(rows)

    @cached_property
    def _of_sources(self) -> Sums:
        return self._distinct(self.source, self.num_sources)

    def sum_sources(self, rows: Tensor) -> Tensor:
        """The distinct sums of rows, one per source: a row for each of `equal_sums`."""
        return self._of_sources(rows)

    def computes_in_blocks(self, rows: Tensor, most: int) -> bool:
        """Whether to use `sum_blocks`: without gradients, and for more than ``most`` sums."""
        return (
            not torch.is_grad_enabled()
            and len(self.equal_sums) > most
            and self._of_sources.compresses(rows)
        )

    @cached_property
    def sum_blocks(self) -> SumBlocks:
        """The same sums in blocks, with the targets that they are added to."""
        sums, pairs = self.equal_sums, self.target_pairs
        return SumBlocks.of(self._of_sources, sums.relation, pairs.row, sums.of_pair)

    def sum_products(self, rows: Tensor) -> Tensor:
        """The distinct sums of rows, one per pair of `source_pairs`."""
        pairs = self.source_pairs
        return self._cached_sums("products", lambda: self._distinct(pairs.position, len(pairs)))(
            rows
        )

    def _distinct(self, source: Tensor, num_sources: int) -> Sums:
        """Sums over the messages of one pair for each of `equal_sums`."""
        sums, position = self.equal_sums, self.target_pairs.position
        number = sums.of_pair.index_select(0, position)
        used = sums.example.index_select(0, number) == position
        return Sums(
            number[used],
            source[used],
            self.weight[used],
            (len(sums), num_sources),
            keep=self.keep,
        )

    def sum_distinct(self, rows: Tensor) -> Tensor:
        """Sum rows, one for each of `equal_sums`, at each target."""

        def build() -> Sums:
            target, of_pair = self.target_pairs.row, self.equal_sums.of_pair
            ones = torch.ones(len(target), dtype=rows.dtype, device=rows.device)
            return Sums(
                target, of_pair, ones, (self.num_targets, len(self.equal_sums)), keep=self.keep
            )

        return self._cached_sums("distinct", build)(rows)
