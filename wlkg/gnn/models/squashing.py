"""Numbers of any size brought near 1, before a decoder multiplies them.

Sums over many neighbours are large, and scores of products of such sums are far too large to be
trained. The map is one-to-one and takes each number on its own: a model sees what it saw before.
"""

from __future__ import annotations

import torch
from torch import Tensor


def squashed(x: Tensor) -> Tensor:
    """sign(x) log(1 + |x|)."""
    return torch.sign(x) * torch.log1p(torch.abs(x))
