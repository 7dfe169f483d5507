"""PNA: statistics of the messages to each vertex, scaled by its degree (Corso et al. 2020).

Mean, largest, smallest and standard deviation, entry by entry; each as it is, times log(d + 1) and
divided by it, where d is the number of messages. The constant by which the original divides the
logarithms belongs to the matrix that follows. All are zero where there are no messages.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from wlkg.compiled.kernel import run
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.message_sums import COMPILED_ON
from wlkg.gnn.models.statistics_kernels import add_statistics_gradients, find_statistics

#: How many rows the statistics are: four of them, scaled in three ways.
NUM_STATISTICS = 12
#: The least variance, so that the square root has a gradient.
_LEAST_VARIANCE = 1e-12
#: Below the logarithm for a single message; without messages the statistics are zero.
_LEAST_LOG = 0.5


def message_statistics(messages: Tensor, graph: ConditionalGraph) -> Tensor:
    """For each vertex and source the four statistics, one after the other.

    The axes of messages are arc, source, entry.
    """
    if messages.device.type not in COMPILED_ON:
        return torch.cat(statistics_by_torch(messages, graph), dim=-1)
    sources, width = messages.shape[1:]
    found: Tensor = _Compiled.apply(  # type: ignore[no-untyped-call]
        messages.reshape(len(messages), sources * width), graph
    )
    # From statistic, source, entry to source, statistic, entry.
    by_source = found.view(len(found), 4, sources, width).transpose(1, 2)
    return by_source.reshape(len(found), sources, 4 * width)


def times_scaled(statistics: Tensor, weight: Tensor, graph: ConditionalGraph) -> Tensor:
    """The twelve scaled statistics times a matrix, without putting them side by side."""
    plain, times, divided = weight.view(NUM_STATISTICS // 4, statistics.shape[-1], -1)
    logarithm = torch.log(graph.degrees.to(statistics.dtype) + 1)[:, None, None]
    scaled: list[Tensor] = [
        statistics @ plain,
        statistics @ times * logarithm,
        statistics @ divided / logarithm.clamp(min=_LEAST_LOG),
    ]
    return scaled[0] + scaled[1] + scaled[2]


def statistics_by_torch(messages: Tensor, graph: ConditionalGraph) -> list[Tensor]:
    """The statistics, for other devices."""
    degrees = graph.degrees.to(messages.dtype)[:, None, None]
    several = degrees.clamp(min=1)
    zeros = messages.new_zeros(graph.num_vertices, *messages.shape[1:])
    mean = zeros.index_add(0, graph.vertex, messages) / several
    off = (messages - mean[graph.vertex]).square()
    variance = zeros.index_add(0, graph.vertex, off) / several
    deviation = variance.clamp(min=_LEAST_VARIANCE).sqrt() * (degrees > 0)
    index = graph.vertex[:, None, None].expand_as(messages)
    largest = zeros.scatter_reduce(0, index, messages, "amax", include_self=False)
    smallest = zeros.scatter_reduce(0, index, messages, "amin", include_self=False)
    return [mean, largest, smallest, deviation]


class _Compiled(torch.autograd.Function):
    """The compiled loops as an operation of PyTorch; the statistics have an axis of their own."""

    @staticmethod
    def forward(ctx: Any, messages: Tensor, graph: ConditionalGraph) -> Tensor:
        messages = messages.contiguous()
        n, width = graph.num_vertices, messages.shape[1]
        statistics = messages.new_zeros(n, 4, width)
        extremes = [torch.zeros(n, width, dtype=torch.int64) for _ in range(2)]
        arrays = _arrays(graph.offsets, messages), _arrays(statistics, *extremes)
        run(find_statistics, messages.numel(), *arrays[0], _LEAST_VARIANCE, *arrays[1])
        ctx.save_for_backward(messages, statistics, *extremes)
        ctx.graph = graph
        return statistics

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        messages, *found = ctx.saved_tensors
        by_messages = torch.zeros_like(messages)
        arrays = (
            _arrays(ctx.graph.offsets, messages),
            # The kernel overwrites the gradient.
            _arrays(*found, gradient.clone(memory_format=torch.contiguous_format), by_messages),
        )
        run(add_statistics_gradients, messages.numel(), *arrays[0], _LEAST_VARIANCE, *arrays[1])
        return by_messages, None


def _arrays(*tensors: Tensor) -> list[Any]:
    return [tensor.detach().numpy() for tensor in tensors]
