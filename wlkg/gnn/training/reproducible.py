"""Arithmetic that gives the same bytes in training and in prediction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

#: Roughly how many numbers a forward pass must compute for several threads to pay off.
_WORTH_THREADS = 2_000_000


@contextmanager
def reproducible(device: torch.device, effort: int) -> Iterator[None]:
    """On a CPU: the same numbers in every run, and several threads only if they save time."""
    # Unlike `torch.use_deterministic_algorithms`, this does not load PyTorch's compiler (2 s).
    mode, threads = torch.get_deterministic_debug_mode(), torch.get_num_threads()
    if device.type == "cpu":
        torch.set_deterministic_debug_mode("error")
        if effort < _WORTH_THREADS:
            torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(mode)
        torch.set_num_threads(threads)
