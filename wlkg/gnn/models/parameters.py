"""Learned parameters: how they are drawn at random, and how many a model has."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import torch
from torch import nn

P = ParamSpec("P")
T = TypeVar("T")


def random_matrix(rows: int, columns: int) -> nn.Parameter:
    """A learned matrix, drawn as Glorot and Bengio propose."""
    return nn.Parameter(nn.init.xavier_uniform_(torch.empty(rows, columns)))


def two_maps(in_width: int, hidden_width: int, out_width: int) -> nn.Sequential:
    """An MLP: two learned linear maps with bias, and a ReLU between them."""
    return nn.Sequential(
        nn.Linear(in_width, hidden_width), nn.ReLU(), nn.Linear(hidden_width, out_width)
    )


def seeded(seed: int, make: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """What ``make`` returns with the random numbers of a seed; the global state is unchanged."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make(*arguments, **options)


def count_parameters(model: nn.Module) -> int:
    """How many numbers are learned."""
    return sum(parameter.numel() for parameter in model.parameters())


def count_learned(model: nn.Module) -> int:
    """How many numbers training changes; frozen ones stay as they are."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
