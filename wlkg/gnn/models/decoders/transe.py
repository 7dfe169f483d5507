"""TransE: s(u, q, v) = -sum_k |u_k + z_k - v_k|, where z is the vector of the query.

Bordes et al. 2013, with the 1-norm. A margin is not needed: only differences of scores count.
"""

from __future__ import annotations

import torch
from torch import Tensor

from wlkg.gnn.models.decoders.decoder import Decoder, beside


class TransE(Decoder):
    """How near the candidate is to the source, moved by the query."""

    HAS_PAIR_VECTORS = True

    def score(self, source: Tensor, vector: Tensor, candidates: Tensor) -> Tensor:
        moved = (source + vector)[:, None, :]
        return -torch.abs(moved - beside(candidates)).sum(dim=2)
