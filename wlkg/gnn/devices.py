"""Devices and floating-point types by name; the names are those of `wlkg.gnn.config`."""

from __future__ import annotations

import torch

from wlkg.errors import UsageError, unknown_name
from wlkg.gnn.config import DEVICES, DTYPES


def find_device(name: str, dtype: torch.dtype) -> torch.device:
    """The device of that name if this machine has it; ``auto`` takes the fastest."""
    if name not in DEVICES:
        raise unknown_name("device", name, DEVICES)
    if name == "auto":
        name = next(device for device in ("cuda", "mps", "cpu") if _is_available(device, dtype))
    if not _is_available(name, dtype):
        number = str(dtype).removeprefix("torch.")
        raise UsageError(
            f"this machine has no {name} device for {number}. Use --device cpu or auto"
        )
    return torch.device(name)


def _is_available(device: str, dtype: torch.dtype) -> bool:
    if device == "cuda":
        return torch.cuda.is_available()
    if device == "mps":
        return torch.backends.mps.is_available() and dtype != torch.float64
    return True


def find_dtype(name: str) -> torch.dtype:
    """The floating-point type of that name."""
    if name not in DTYPES:
        raise unknown_name("dtype", name, DTYPES)
    dtype: torch.dtype = getattr(torch, name)
    return dtype
