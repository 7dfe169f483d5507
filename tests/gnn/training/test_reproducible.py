"""The arithmetic of training: tiny numbers count as 0 while it runs, and only then."""

from __future__ import annotations

import pytest
import torch

from wlkg.gnn.training.reproducible import reproducible

CPU = torch.device("cpu")
TINY = torch.finfo(torch.float32).tiny

IS_SUPPORTED = torch.set_flush_denormal(True)
torch.set_flush_denormal(False)
pytestmark = pytest.mark.skipif(not IS_SUPPORTED, reason="the processor cannot do that")


def half_of_the_smallest() -> float:
    return float(torch.tensor(TINY) / 2)


def test_tiny_numbers_are_zero_while_training_and_only_then() -> None:
    before = half_of_the_smallest()
    with reproducible(CPU, effort=1):
        assert half_of_the_smallest() == 0.0
    assert half_of_the_smallest() == before != 0.0


@pytest.mark.parametrize("flushed", [True, False])
def test_what_was_set_before_is_set_again(flushed: bool) -> None:
    torch.set_flush_denormal(flushed)
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with reproducible(CPU, effort=1):
            assert torch.get_num_threads() == 1
        assert (half_of_the_smallest() == 0.0) == flushed
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
        torch.set_flush_denormal(False)
