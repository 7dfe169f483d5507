"""Plain GNN, R-GCN, and R-GCN + MLP.

    h_v' = sigma(h_v W_0 +             sum_{w in N(v)}   h_w W_1)          plain GNN (Eq. 1)
    h_v' = sigma(h_v W_0 + sum_i       sum_{w in N_i(v)} h_w W_i)          R-GCN
    h_v' = sigma(h_v W_0 + sum_i MLP(  sum_{w in N_i(v)} h_w W_i  ))       R-GCN + MLP

==================  ===============================================================
in the paper        here
==================  ===============================================================
W_0, W_i            ``root``, ``weight[i]``: matrices d x e
N_i(v)              the messages of a `Step` to row v with relation i
N(v)                the same with the only relation 0: each neighbour once (`seen_arcs`)
sum or mean         the weights of the messages
==================  ===============================================================

The paper's plain R-GCN has no bias and no basis decomposition. The MLP consists of two linear maps
with bias, e to e, with a ReLU between them. As in the formula, it is applied to every relation,
including those without neighbours.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wlkg.gnn.models.parameters import two_maps
from wlkg.gnn.models.relation_products import relation_products
from wlkg.gnn.models.step import Step

#: From this many numbers on, sums are computed in blocks where no gradients are needed,
BLOCKED = 4_000_000
#: of about this many numbers, which stay in the processor's cache.
_BLOCK = 500_000
#: The most numbers that a dense intermediate result may have, where every row meets every matrix.
_DENSE = 8_000_000


class RGCNLayer(nn.Module):
    """One layer without its non-linearity."""

    def __init__(
        self,
        in_width: int,
        out_width: int,
        relations: int,
        *,
        bias: bool = False,
        mlp: bool = False,
    ) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(relations, in_width, out_width))
        self.root = nn.Parameter(torch.empty(in_width, out_width))
        self.bias = nn.Parameter(torch.zeros(out_width)) if bias else None
        self.mlp = two_maps(out_width, out_width, out_width) if mlp else None
        for matrix in [self.root, *self.weight]:
            nn.init.xavier_uniform_(matrix)

    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
        """New features of all vertices; edges in PyG's format, from source to target."""
        return self.step(x, Step.whole(edge_index, edge_type, len(x)))

    def step(self, x: Tensor, step: Step) -> Tensor:
        """New features of the targets of a step."""
        out = x.index_select(0, step.own) @ self.root
        if len(step.source):
            messages = self._messages(x, step)
            out = out + messages if torch.is_grad_enabled() else out.add_(messages)
        if self.mlp is not None:
            zero = x.new_zeros((1, self.root.shape[1]))
            out = out + len(self.weight) * self.mlp(zero)
        return out if self.bias is None else out + self.bias

    def _messages(self, x: Tensor, step: Step) -> Tensor:
        relations, width = len(self.weight), self.root.shape[1]
        sums = step.equal_sums
        all_pairs = len(x) * relations * width
        if self.mlp is None and all_pairs <= min(len(sums) * self.root.numel(), _DENSE):
            products = x @ self.weight.transpose(0, 1).reshape(x.shape[1], relations * width)
            return step.sum_all_pairs(products.reshape(-1, width), relations)
        if step.computes_in_blocks(x, BLOCKED // max(self.root.shape)):
            return self._in_blocks(x, step)
        # Products and sums may be taken in either order: the one with fewer products is faster.
        pairs = step.source_pairs
        if len(pairs) < len(sums):
            rows = x.index_select(0, pairs.row)
            messages = step.sum_products(relation_products(rows, pairs.relation, self.weight))
        else:
            messages = relation_products(step.sum_sources(x), sums.relation, self.weight)
        if self.mlp is not None:
            # `step` adds MLP(0) for every relation, subtracted here for those with neighbours.
            messages = self.mlp(messages) - self.mlp(messages.new_zeros((1, width)))
        return step.sum_distinct(messages)

    def _in_blocks(self, x: Tensor, step: Step) -> Tensor:
        """The same for many sums, of which only a few are in memory at a time."""
        out = x.new_zeros((step.num_targets, self.root.shape[1]))
        nothing = None if self.mlp is None else self.mlp(out.new_zeros((1, out.shape[1])))
        for block in step.sum_blocks(max(_BLOCK // max(self.root.shape), 1)):
            messages = (block.matrix @ x) @ self.weight[block.relation]
            if self.mlp is not None:
                messages = self.mlp(messages) - nothing
            out.index_add_(0, block.target, messages.index_select(0, block.position))
        return out
