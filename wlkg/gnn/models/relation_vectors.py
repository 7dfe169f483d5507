"""What the layers of CompGCN and k-RN have in common: a composition with vectors of relations.

The vectors z_i come from the layer before, which transforms them linearly (z_i' = z_i W_rel +
b_rel), or belong to the layer itself, as in the paper's formulas.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wlkg.gnn.models.compose import Compose


def random_matrix(rows: int, columns: int) -> nn.Parameter:
    """A matrix to be learned."""
    return nn.Parameter(nn.init.xavier_uniform_(torch.empty(rows, columns)))


class ComposingLayer(nn.Module):
    """The composition of a layer, its bias, and what becomes of the vectors of relations."""

    def __init__(
        self,
        in_width: int,
        out_width: int,
        *,
        composition: str = "mult",
        bias: bool = False,
        next_relation_width: int | None = None,
        own_vectors: int | None = None,
    ) -> None:
        """``own_vectors`` tells how many relations have vectors that belong to the layer."""
        super().__init__()
        self.compose = Compose(composition, in_width)
        width = self.compose.relation_width
        self.vectors = None if own_vectors is None else random_matrix(own_vectors, width)
        self.bias = nn.Parameter(torch.zeros(out_width)) if bias else None
        self.relation_map: nn.Linear | None = None
        if next_relation_width is not None:
            self.relation_map = nn.Linear(width, next_relation_width)

    def relations(self, z: Tensor | None) -> Tensor:
        """The vectors that this layer composes with: its own, or those it is given."""
        chosen = z if self.vectors is None else self.vectors
        assert chosen is not None
        return chosen

    def following(self, z: Tensor | None) -> Tensor | None:
        """The vectors that the next layer is given."""
        return z if self.relation_map is None else self.relation_map(z)
