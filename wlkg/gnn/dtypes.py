"""Floating-point types by name; the names are those of `wlkg.gnn.config`."""

from __future__ import annotations

import torch

from wlkg.errors import unknown_name
from wlkg.gnn.config import DTYPES


def find_dtype(name: str) -> torch.dtype:
    """The floating-point type of that name."""
    if name not in DTYPES:
        raise unknown_name("dtype", name, DTYPES)
    dtype: torch.dtype = getattr(torch, name)
    return dtype
