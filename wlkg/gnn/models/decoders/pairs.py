"""The decoder of C-MPNN: s(u, q, v) = w . ReLU(W [h_{u,v}, z_q] + b).

The features of the pair already depend on the query; its vector z_q is that of the model.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wlkg.gnn.models.parameters import random_matrix


class PairDecoder(nn.Module):
    """A hidden layer on the features of a pair and the vector of the query."""

    def __init__(self, width: int, query_width: int) -> None:
        super().__init__()
        self.of_pair = random_matrix(width, width)
        self.of_query = random_matrix(query_width, width)
        self.bias = nn.Parameter(torch.zeros(width))
        self.out = random_matrix(width, 1)

    def forward(self, pairs: Tensor, vectors: Tensor) -> Tensor:
        """Scores (b, c) of pairs (b, c, d), with a vector for each of the b queries."""
        asked = vectors @ self.of_query + self.bias
        scores: Tensor = torch.relu(pairs @ self.of_pair + asked[:, None, :]) @ self.out
        return scores[:, :, 0]
