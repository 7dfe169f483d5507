"""MLP: s(u, q, v) = w . ReLU(W [u, z, v] + b), where z is the vector of the query.

The product with W is taken in three parts, so that those of u and z are computed once per query.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wlkg.gnn.models.decoders.decoder import Decoder, beside
from wlkg.gnn.models.parameters import random_matrix


class MLPDecoder(Decoder):
    """A hidden layer on source, query and candidate, and a linear map to the score."""

    HAS_PAIR_VECTORS = True

    def __init__(self, width: int, queries: int) -> None:
        super().__init__(width, queries)
        self.asked = random_matrix(2 * width, width)
        self.candidate = random_matrix(width, width)
        self.bias = nn.Parameter(torch.zeros(width))
        self.out = random_matrix(width, 1)

    def score(self, source: Tensor, vector: Tensor, candidates: Tensor) -> Tensor:
        asked = torch.cat([source, vector], dim=1) @ self.asked + self.bias
        hidden = torch.relu(asked[:, None, :] + beside(candidates @ self.candidate))
        return (hidden @ self.out)[:, :, 0]
