"""DistMult: s(u, q, v) = sum_k u_k z_k v_k, where z is the vector of the query (Yang et al. 2015).

Unlike in the original, (u, r, ?) and (?, r, v) have vectors of their own, so that asking either way
need not give the same score.
"""

from __future__ import annotations

from torch import Tensor

from wlkg.gnn.models.decoders.decoder import Decoder, dots


class DistMult(Decoder):
    """The product of source, query and candidate, summed up."""

    def score(self, source: Tensor, vector: Tensor, candidates: Tensor) -> Tensor:
        return dots(source * vector, candidates)
