"""PNA: statistics of the messages to each vertex, scaled by its degree (Corso et al. 2020).

Mean, largest, smallest and standard deviation, entry by entry; each as it is, times log(d + 1) and
divided by it, where d is the number of messages. The constant by which the original divides the
logarithms belongs to the matrix that follows. All are zero where there are no messages.
"""

from __future__ import annotations

import torch
from torch import Tensor

from wlkg.gnn.models.conditional_graph import ConditionalGraph

#: How many rows the statistics are: four of them, scaled in three ways.
NUM_STATISTICS = 12
#: The least variance, so that the square root has a gradient.
_LEAST_VARIANCE = 1e-12
#: Below the logarithm for a single message; without messages the statistics are zero.
_LEAST_LOG = 0.5


def scaled_statistics(messages: Tensor, graph: ConditionalGraph) -> Tensor:
    """For each vertex and source the twelve statistics, one after the other.

    The axes of messages are arc, source, entry.
    """
    degrees = graph.degrees.to(messages.dtype)[:, None, None]
    several = degrees.clamp(min=1)
    zeros = messages.new_zeros(graph.num_vertices, *messages.shape[1:])
    mean = zeros.index_add(0, graph.vertex, messages) / several
    # In two passes: the difference of the mean square and the square of the mean would cancel.
    off = (messages - mean[graph.vertex]).square()
    variance = zeros.index_add(0, graph.vertex, off) / several
    deviation = variance.clamp(min=_LEAST_VARIANCE).sqrt() * (degrees > 0)
    index = graph.vertex[:, None, None].expand_as(messages)
    largest = zeros.scatter_reduce(0, index, messages, "amax", include_self=False)
    smallest = zeros.scatter_reduce(0, index, messages, "amin", include_self=False)
    statistics = torch.cat([mean, largest, smallest, deviation], dim=-1)
    logarithm = torch.log(degrees + 1)
    scaled = [statistics, statistics * logarithm, statistics / logarithm.clamp(min=_LEAST_LOG)]
    return torch.cat(scaled, dim=-1)
