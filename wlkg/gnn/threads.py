"""How many threads PyTorch uses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread: sums have one order, and processes do not take each other's cores."""
    with _threads(1):
        yield


@contextmanager
def shared_threads(runs: int) -> Iterator[None]:
    """As many threads as leave the cores to several runs at the same time."""
    with _threads(max(torch.get_num_threads() // runs, 1)):
        yield


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
