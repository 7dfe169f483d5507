"""What Adam keeps for each weight, by the weight's name: ``NAME.step``, ``NAME.exp_avg``, ...

Only these numbers are saved. The settings of the optimiser follow from the options of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

_STEP, _SQUARES = "step", "exp_avg_sq"
#: The steps taken, and the running means of the gradients and of their squares.
_KEPT = (_STEP, "exp_avg", _SQUARES)


def named_state(model: nn.Module, optimiser: Optimizer) -> dict[str, Tensor]:
    """The state of an optimiser of all parameters of a model."""
    names = [name for name, _ in model.named_parameters()]
    state: dict[int, dict[str, Tensor]] = optimiser.state_dict()["state"]
    return {
        f"{names[number]}.{key}": values[key] for number, values in state.items() for key in _KEPT
    }


def restore_state(model: nn.Module, optimiser: Optimizer, given: Mapping[str, Any]) -> None:
    """Give an optimiser a state from a file; raises ValueError if it does not fit the model."""
    parameters = dict(model.named_parameters())
    numbers = {name: number for number, name in enumerate(parameters)}
    state: dict[int, dict[str, Tensor]] = {}
    for name, value in given.items():
        weight, _, key = name.rpartition(".")
        if weight not in parameters or key not in _KEPT:
            raise ValueError(f"unknown state {name}")
        if not _fits(key, value, parameters[weight]):
            raise ValueError(f"{name} does not fit the weight")
        state.setdefault(numbers[weight], {})[key] = value
    if any(len(values) < len(_KEPT) for values in state.values()):
        raise ValueError("a part of the state is missing")
    settings = optimiser.state_dict()["param_groups"]
    optimiser.load_state_dict({"state": state, "param_groups": settings})


def _fits(key: str, value: object, weight: Tensor) -> bool:
    if not isinstance(value, Tensor):
        return False
    shape, dtype = ((), torch.float32) if key == _STEP else (weight.shape, weight.dtype)
    if value.shape != shape or value.dtype != dtype or not value.isfinite().all():
        return False
    return key not in (_STEP, _SQUARES) or bool((value >= 0).all())
