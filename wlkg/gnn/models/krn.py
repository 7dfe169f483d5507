"""k-RN: the paper's local k-order relational network.

    h_t' = sigma(h_t W_0 + sum_j (sum_i sum_{w in N_i(v_j)} phi(h_{t[j := w]}, z_i)) W_j)

for k-tuples t = (v_1, ..., v_k), where t[j := w] has w in place of v_j. AGG is a sum and a matrix
W_j for each position, UPD the non-linearity over their sum. Initially, a tuple has the vector of
its atomic type. The features of all tuples are one tensor with k axes of n vertices and one axis of
features, so aggregation at a position adds slices along its axis: O(k m n^(k-1)) additions.

The features of a vertex v are those of (v, ..., v) and the sum over all tuples that begin with v.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wlkg.gnn.models.parameters import random_matrix
from wlkg.gnn.models.relation_vectors import ComposingLayer
from wlkg.gnn.models.tuple_input import TupleInput


class KRNLayer(ComposingLayer):
    """One layer without its non-linearity; ``k`` matrices, one for each position."""

    def __init__(
        self,
        in_width: int,
        out_width: int,
        k: int,
        *,
        composition: str = "mult",
        bias: bool = False,
        next_relation_width: int | None = None,
        own_vectors: int | None = None,
    ) -> None:
        super().__init__(
            in_width,
            out_width,
            composition=composition,
            bias=bias,
            next_relation_width=next_relation_width,
            own_vectors=own_vectors,
        )
        self.root = random_matrix(in_width, out_width)
        self.weight = nn.ParameterList(
            [random_matrix(self.compose.out_width, out_width) for _ in range(k)]
        )

    def forward(
        self, h: Tensor, z: Tensor | None, graph: TupleInput
    ) -> tuple[Tensor, Tensor | None]:
        """New features of all tuples, and the next relation vectors."""
        out = h @ self.root
        vectors = self.relations(z).index_select(0, graph.relation)
        for j, weight in enumerate(self.weight):
            neighbours = h.index_select(j, graph.neighbour)
            shape = [1] * h.dim()
            shape[j], shape[-1] = vectors.shape
            messages = self.compose(neighbours, vectors.reshape(shape))
            sums = messages.new_zeros((*h.shape[:-1], messages.shape[-1]))
            out = out + sums.index_add(j, graph.source, messages) @ weight
        if self.bias is not None:
            out = out + self.bias
        return out, self.following(z)


def vertex_features(h: Tensor) -> Tensor:
    """For each vertex v, the features of (v, ..., v) and the sum over tuples that begin with v."""
    k = h.dim() - 1
    index = torch.arange(h.shape[0], device=h.device)
    return torch.cat([h[(index,) * k], h.sum(dim=tuple(range(1, k)))], dim=1)
