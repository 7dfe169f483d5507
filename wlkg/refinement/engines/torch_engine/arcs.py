"""The arcs of a graph as tensors."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import torch
from torch import Tensor

from wlkg.graph.arcs import Arcs


class TensorArcs(NamedTuple):
    """Vertex v has the arcs ``offsets[v]:offsets[v + 1]`` of ``relation`` and ``neighbour``."""

    offsets: Tensor
    relation: Tensor
    neighbour: Tensor

    @classmethod
    def of(cls, arcs: Arcs, device: torch.device) -> TensorArcs:
        """The arcs on a device; neighbours and relations take 4 bytes each."""
        return cls(
            torch.tensor(arcs.offsets, device=device),
            torch.tensor(arcs.relation, dtype=torch.int32, device=device),
            torch.tensor(arcs.neighbour, dtype=torch.int32, device=device),
        )


def arcs_of(offsets: Tensor, vertices: Tensor) -> tuple[Tensor, Tensor]:
    """The arcs of a list of vertices, one vertex after the other, and their place in the list."""
    starts = offsets.index_select(0, vertices)
    degrees = offsets.index_select(0, vertices + 1) - starts
    place = torch.repeat_interleave(degrees)
    shift = starts - (degrees.cumsum(0) - degrees)
    return torch.arange(len(place), device=place.device) + shift.index_select(0, place), place


def ranges(running: Tensor, most: int) -> list[tuple[int, int]]:
    """Ranges of items with about ``most`` arcs each, given the running total of their arcs."""
    count = len(running)
    if not count:
        return []
    pieces = max(-(-int(running[-1]) // most), 1)
    wanted = most * torch.arange(1, pieces, device=running.device)
    inner = sorted(set(torch.searchsorted(running, wanted).tolist()) - {0, count})
    return list(itertools.pairwise([0, *inner, count]))
