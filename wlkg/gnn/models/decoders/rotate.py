"""RotatE: s(u, q, v) = -sum_k |u_k e^(i z_k) - v_k| with complex u and v, and angles z.

Sun et al. 2019. The first half of a row are the real parts, the second half the imaginary parts.
"""

from __future__ import annotations

import torch
from torch import Tensor

from wlkg.errors import UsageError
from wlkg.gnn.models.decoders.decoder import Decoder, beside

#: Added under the root: its gradient at 0 is not finite.
_TINY = 1e-12


class RotatE(Decoder):
    """How near the candidate is to the source, turned by the query."""

    HAS_PAIR_VECTORS = True

    def __init__(self, width: int, queries: int) -> None:
        if width % 2:
            raise UsageError(f"rotate needs an even width, found {width}: real and imaginary parts")
        super().__init__(width, queries, vector_width=width // 2)

    def score(self, source: Tensor, vector: Tensor, candidates: Tensor) -> Tensor:
        real, imaginary = source.chunk(2, dim=1)
        cosine, sine = torch.cos(vector), torch.sin(vector)
        turned = (real * cosine - imaginary * sine, real * sine + imaginary * cosine)
        parts = beside(candidates).chunk(2, dim=2)
        squares = [(a[:, None, :] - b) ** 2 for a, b in zip(turned, parts, strict=True)]
        return -torch.sqrt(squares[0] + squares[1] + _TINY).sum(dim=2)
