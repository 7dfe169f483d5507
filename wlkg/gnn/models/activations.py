"""The non-linearities of `wlkg.gnn.config` as PyTorch functions."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from wlkg.gnn.config import Activation

ACTIVATION_FUNCTIONS: dict[Activation, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "sign": torch.sign,
}
