"""Devices and floating-point types by name."""

from __future__ import annotations

import torch

from wlkg.errors import UsageError, unknown_name


def find_device(name: str, dtype: torch.dtype) -> torch.device:
    """The device of that name, if this machine has it; ``auto`` takes the fastest."""
    known = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available() and dtype != torch.float64,
    }
    if name == "auto":
        return torch.device("cuda" if known["cuda"] else "mps" if known["mps"] else "cpu")
    if name not in known:
        raise unknown_name("device", name, ["auto", *known])
    if not known[name]:
        digits = str(dtype).removeprefix("torch.")
        raise UsageError(
            f"this machine has no {name} device for {digits}. Take --device cpu or auto"
        )
    return torch.device(name)


def find_dtype(name: str) -> torch.dtype:
    """The floating-point type of that name."""
    known = {"float32": torch.float32, "float64": torch.float64}
    if name not in known:
        raise unknown_name("dtype", name, known)
    return known[name]
