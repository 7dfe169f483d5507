"""k-RN: the paper's local k-order relational network.

    h_t' = sigma(h_t W_0 + sum_j (sum_i sum_{w in N_i(v_j)} phi(h_{t[j := w]}, z_i)) W_j)

for k-tuples t = (v_1, ..., v_k), where t[j := w] has w in place of v_j. AGG is a sum (or for each
relation a mean, divided by |N_i(v_j)|) and a matrix W_j for each position. UPD is the non-linearity
over their sum, or over an MLP of it: two linear maps with bias, e to e, with a ReLU between them.
Initially, a tuple has the vector of its atomic type. The features of all tuples are one tensor with
k axes of n vertices and one axis of features, so aggregation at a position adds slices along its
axis: O(k m n^(k-1)) additions.

The features of a vertex v are those of (v, ..., v) and the sum over all tuples that begin with v.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wlkg.gnn.config import Aggregation, Update
from wlkg.gnn.models.parameters import random_matrix, two_maps
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
        aggregation: Aggregation = "sum",
        update: Update = "linear",
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
        self._means = aggregation == "mean"
        self.root = random_matrix(in_width, out_width)
        self.weight = nn.ParameterList(
            [random_matrix(self.compose.out_width, out_width) for _ in range(k)]
        )
        self.mlp = two_maps(out_width, out_width, out_width) if update == "mlp" else None

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
            if self._means:
                shape[-1] = 1
                messages = messages / graph.degrees.reshape(shape)
            sums = messages.new_zeros((*h.shape[:-1], messages.shape[-1]))
            out = out + sums.index_add(j, graph.source, messages) @ weight
        if self.bias is not None:
            out = out + self.bias
        return out if self.mlp is None else self.mlp(out), self.following(z)


def vertex_width(width: int, k: int) -> int:
    """The width of `vertex_features` of k-tuples with features of a given width."""
    return width if k == 1 else 2 * width


def vertex_features(h: Tensor) -> Tensor:
    """For each vertex v, the features of (v, ..., v) and the sum over tuples that begin with v.

    For k = 1 the two are the same, and the features of v are given once.
    """
    k = h.dim() - 1
    if k == 1:
        return h
    index = torch.arange(h.shape[0], device=h.device)
    return torch.cat([h[(index,) * k], h.sum(dim=tuple(range(1, k)))], dim=1)
