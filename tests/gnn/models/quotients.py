"""Gradients against difference quotients, and a graph to try them on."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from wlkg.graph.relational_graph import RelationalGraph


def assert_gradients(module: nn.Module, inputs: tuple[Tensor, ...], *fixed: object) -> None:
    """Compare the gradients of inputs and parameters with difference quotients."""
    names = [name for name, _ in module.named_parameters()]
    values = [value.detach().clone().requires_grad_() for value in module.parameters()]

    def run(*tensors: Tensor) -> Any:
        given, parameters = tensors[: len(inputs)], tensors[len(inputs) :]
        named = dict(zip(names, parameters, strict=True))
        return torch.func.functional_call(module, named, (*given, *fixed))

    asked = [value.clone().requires_grad_() for value in inputs]
    assert torch.autograd.gradcheck(run, (*asked, *values))


def small_graph() -> RelationalGraph:
    return RelationalGraph.from_arrays(
        [0, 0, 1, 2, 0], [0, 1, 0, 1, 0], [1, 1, 1, 0, 2], num_vertices=4
    )
