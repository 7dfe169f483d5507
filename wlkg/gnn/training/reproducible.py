"""Arithmetic that gives the same bytes in training and in prediction, without a needless wait.

Numbers below about 1e-38 (in float32) are computed many times more slowly than others, and weight
decay makes many of them: the optimiser squares gradients of weights that shrink to nothing. They
count as 0, which no result can show, and epochs then take as long at the end as at the beginning.
"""

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
    flushed = _tiny_numbers_are_zero()
    if device.type == "cpu":
        torch.set_deterministic_debug_mode("error")
        torch.set_flush_denormal(True)
        if effort < _WORTH_THREADS:
            torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(mode)
        torch.set_flush_denormal(flushed)
        torch.set_num_threads(threads)


def _tiny_numbers_are_zero() -> bool:
    """Whether PyTorch takes numbers for 0 that only fit its types with fewer digits."""
    smallest = torch.tensor(torch.finfo(torch.float32).tiny)
    return not bool(smallest / 2)
