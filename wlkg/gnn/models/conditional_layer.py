"""A layer of conditional message passing (C-MPNN), the family of NBFNet.

    h_{u,v}' = h_{u,v} W_0 + AGG_{i, w in N_i(v)} phi(h_{u,w}, z_i) W_1 [+ sum_w h_{u,w} W_2] [+ b]

for a source u, a query q and every vertex v. The layer has its own relation vectors z_i, or makes
them from the vector of the query: z_i = z_q M_i + m_i.

=====  =============================================================================================
AGG    of the messages to v, of which there are |N(v)| over all relations
=====  =============================================================================================
sum    their sum
mean   their sum divided by |N(v)|
pna    mean, largest, smallest and standard deviation, each as it is, times and divided by
       log(|N(v)| + 1)
=====  =============================================================================================

A vertex without arcs has zeros there.

Symbols of Huang, Romero, Ceylan and Barceló (2023): AGG and MSG as here, UPD is the linear maps and
the non-linearity, READ is the sum with W_2 (`global_readout`). Differences from NBFNet: its
messages include the start [u = v] z_q once more in each layer, which h_{u,v} W_0 can pass on here;
it normalises rows and adds them to the input of the layer; and its PNA divides the logarithms by
their mean over the graph, which would let a vertex see the whole graph.

Cost for b sources: O(b m d) additions for the messages, and O(b n d^2) for the maps.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wlkg.gnn.config import PNA, Aggregation
from wlkg.gnn.models.composition_maps import Compose
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.conditional_messages import COMPOSED_SUMS
from wlkg.gnn.models.message_statistics import NUM_STATISTICS, message_statistics, times_scaled
from wlkg.gnn.models.parameters import random_matrix


class ConditionalLayer(nn.Module):
    """One layer without its non-linearity."""

    def __init__(
        self,
        in_width: int,
        out_width: int,
        relations: int,
        *,
        query_width: int | None = None,
        composition: str = "mult",
        aggregation: Aggregation = "sum",
        global_readout: bool = False,
        bias: bool = False,
    ) -> None:
        """With ``query_width``, relation vectors are made from query vectors of that width."""
        super().__init__()
        self._composition, self._aggregation = composition, aggregation
        self.compose = Compose(composition, in_width)
        width = self.compose.relation_width
        self.vectors: nn.Parameter | None = None
        self.query_map: nn.Linear | None = None
        if query_width is None:
            self.vectors = random_matrix(relations, width)
        else:
            self.query_map = nn.Linear(query_width, relations * width)
        self.root = random_matrix(in_width, out_width)
        copies = NUM_STATISTICS if aggregation == PNA else 1
        self.weight = random_matrix(copies * self.compose.out_width, out_width)
        self.readout = random_matrix(in_width, out_width) if global_readout else None
        self.bias = nn.Parameter(torch.zeros(out_width)) if bias else None

    def forward(self, h: Tensor, queries: Tensor, graph: ConditionalGraph) -> Tensor:
        """New features; the axes are vertex, source, entry. Queries have a vector per source."""
        aggregated = self._aggregated(h, self.relations(queries), graph)
        own = h @ self.root
        if self._aggregation == PNA:
            out = own + times_scaled(aggregated, self.weight, graph)
        else:
            flat = aggregated.reshape(-1, aggregated.shape[-1])
            out = torch.addmm(own.view(-1, own.shape[-1]), flat, self.weight).view(own.shape)
        shift = self._shift(h)
        return out if shift is None else out + shift

    def relations(self, queries: Tensor) -> Tensor:
        """The relation vectors; the axes are relation, source (one for all, if shared), entry."""
        if self.query_map is None:
            assert self.vectors is not None
            return self.vectors[:, None, :]
        vectors: Tensor = self.query_map(queries)
        return vectors.view(len(queries), -1, self.compose.relation_width).transpose(0, 1)

    def _aggregated(self, h: Tensor, z: Tensor, graph: ConditionalGraph) -> Tensor:
        if self._aggregation == PNA:
            messages = self.compose(h[graph.neighbour], z[graph.relation])
            return message_statistics(messages, graph)
        sums = COMPOSED_SUMS[self._composition](h, z, self.compose, graph)
        if self._aggregation == "mean":
            sums = sums / graph.degrees.clamp(min=1).to(h.dtype)[:, None, None]
        return sums

    def _shift(self, h: Tensor) -> Tensor | None:
        """What all vertices get: the readout of their source, and the bias."""
        if self.readout is None:
            return self.bias
        seen = h.sum(dim=0) @ self.readout
        return seen if self.bias is None else seen + self.bias
