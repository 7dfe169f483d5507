"""A graph as conditional message passing sees it: its arcs as tensors, sorted by their vertex."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import BoolArray
from wlkg.graph.arcs import Arcs


@dataclass(frozen=True, eq=False)
class ConditionalGraph:
    """Arc a says that ``neighbour[a]`` is in N_i(``vertex[a]``) for i = ``relation[a]``.

    Arcs are sorted by their vertex; those of one vertex may have any order.
    """

    num_vertices: int
    num_relations: int
    vertex: Tensor
    neighbour: Tensor
    relation: Tensor

    @classmethod
    def sorted(
        cls,
        num_vertices: int,
        num_relations: int,
        vertex: Tensor,
        neighbour: Tensor,
        relation: Tensor,
    ) -> ConditionalGraph:
        """From arcs in any order."""
        order = torch.argsort(vertex, stable=True)
        return cls(num_vertices, num_relations, vertex[order], neighbour[order], relation[order])

    @classmethod
    def of(cls, arcs: Arcs) -> ConditionalGraph:
        """All arcs of a graph."""
        return cls(
            num_vertices=arcs.num_vertices,
            num_relations=arcs.num_relations,
            vertex=torch.from_numpy(np.array(arcs.source)),
            neighbour=torch.from_numpy(arcs.neighbour.astype(np.int64)),
            relation=torch.from_numpy(arcs.relation.astype(np.int64)),
        )

    def __len__(self) -> int:
        return len(self.vertex)

    def without(self, left_out: Tensor | BoolArray) -> ConditionalGraph:
        """The same vertices without some arcs, given by a mask.

        Training leaves out the triples of a batch, so that their answers cannot be read off.
        """
        kept = ~torch.as_tensor(left_out, device=self.vertex.device)
        return ConditionalGraph(
            num_vertices=self.num_vertices,
            num_relations=self.num_relations,
            vertex=self.vertex[kept],
            neighbour=self.neighbour[kept],
            relation=self.relation[kept],
        )

    def to(self, device: torch.device) -> ConditionalGraph:
        """The same graph on a device."""
        return ConditionalGraph(
            num_vertices=self.num_vertices,
            num_relations=self.num_relations,
            vertex=self.vertex.to(device),
            neighbour=self.neighbour.to(device),
            relation=self.relation.to(device),
        )

    @cached_property
    def degrees(self) -> Tensor:
        """The number of arcs of each vertex, over all relations."""
        return torch.bincount(self.vertex, minlength=self.num_vertices)

    @cached_property
    def offsets(self) -> Tensor:
        """Where the arcs of each vertex start, and after the last vertex where they end."""
        return torch.cat([self.degrees.new_zeros(1), self.degrees.cumsum(0)])
