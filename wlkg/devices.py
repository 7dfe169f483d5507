"""Devices of PyTorch by name: where models and the torch engine compute."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wlkg.errors import UsageError, unknown_name

if TYPE_CHECKING:
    import torch

#: What ``--device`` offers; listed here for a command line without PyTorch.
DEVICES: tuple[str, ...] = ("auto", "cpu", "cuda", "mps")


def find_device(name: str, dtype: torch.dtype) -> torch.device:
    """The device of that name if this machine has it; ``auto`` takes the fastest.

    Of several GPUs, ``cuda:1`` is the second.
    """
    import torch

    if name not in DEVICES and not re.fullmatch("cuda:[0-9]{1,4}", name):
        raise unknown_name("device", name, [*DEVICES, "cuda:0", "cuda:1", "..."])
    if name == "auto":
        name = next(device for device in ("cuda", "mps", "cpu") if _is_available(device, dtype))
    if not _is_available(name, dtype):
        number = str(dtype).removeprefix("torch.")
        raise UsageError(
            f"this machine has no {name} device for {number}{_gpus(name)}. Use --device cpu or auto"
        )
    return torch.device(name)


def _gpus(name: str) -> str:
    """How many GPUs there are, if the user asked for one by its number."""
    import torch

    if ":" not in name:
        return ""
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return f" (GPUs: {count})"


def _is_available(device: str, dtype: torch.dtype) -> bool:
    import torch

    kind, _, number = device.partition(":")
    if kind == "cuda":
        return torch.cuda.is_available() and int(number or 0) < torch.cuda.device_count()
    if device == "mps":
        return torch.backends.mps.is_available() and dtype != torch.float64
    return True
