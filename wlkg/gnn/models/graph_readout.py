"""READOUT: from the features of the vertices (or tuples) of graphs to one vector for each graph.

    sum     (sum_v h_v) B + b
    mean    (sum_v h_v / n) B + b
    mlp     (sum_v ReLU(h_v A)) B + b

Plain sums of features may agree even though the features differ; with the ReLU they rarely do. Rows
of equal features may be given once together with how often they occur (exact compression, see
`plan`). The mean over a graph without vertices is zero.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import torch
from torch import Tensor, nn

from wlkg.arrays import IntArray
from wlkg.gnn.config import READOUTS
from wlkg.gnn.models.parameters import random_matrix
from wlkg.gnn.models.sums import Sums


class GraphRows:
    """Which rows of features make up each graph, and how often."""

    def __init__(self, graph: Tensor, row: Tensor, count: Tensor, shape: tuple[int, int]) -> None:
        self._graph, self._row, self._count, self._shape = graph, row, count, shape

    @classmethod
    def of(cls, graphs: IntArray, rows: IntArray, num_graphs: int, num_rows: int) -> GraphRows:
        """From the graph and the row of features of each vertex (or tuple)."""
        keys, count = np.unique(graphs * num_rows + rows, return_counts=True)
        return cls(
            graph=torch.from_numpy(keys // max(num_rows, 1)),
            row=torch.from_numpy(keys % max(num_rows, 1)),
            count=torch.from_numpy(count.astype(np.float64)),
            shape=(num_graphs, num_rows),
        )

    def to(self, device: torch.device, dtype: torch.dtype) -> GraphRows:
        """The same on a device, for features of a floating-point type."""
        return GraphRows(
            self._graph.to(device),
            self._row.to(device),
            self._count.to(device, dtype),
            self._shape,
        )

    @cached_property
    def _sums(self) -> Sums:
        return Sums(self._graph, self._row, self._count, self._shape, keep=True)

    @cached_property
    def _sizes(self) -> Tensor:
        """The number of vertices (or tuples) of each graph, but at least 1."""
        zeros = self._count.new_zeros(self._shape[0])
        return zeros.index_add(0, self._graph, self._count).clamp(min=1)[:, None]

    def sums(self, features: Tensor) -> Tensor:
        """The sum of the features over each graph."""
        return self._sums(features)

    def means(self, features: Tensor) -> Tensor:
        """The mean of the features over each graph."""
        return self.sums(features) / self._sizes


class GraphReadout(nn.Module):
    """A readout of one of the kinds `READOUTS`, with a linear map to the output."""

    def __init__(self, kind: str, in_width: int, out_width: int) -> None:
        super().__init__()
        assert kind in READOUTS
        self._kind = kind
        hidden = 2 * in_width if kind == "mlp" else in_width
        self.hidden = random_matrix(in_width, hidden) if kind == "mlp" else None
        self.head = nn.Linear(hidden, out_width)

    def pooled(self, features: Tensor, rows: GraphRows | None) -> Tensor:
        """A vector for each graph, before the linear map; None: all rows make up one graph."""
        if self.hidden is not None:
            features = (features @ self.hidden).relu()
        if rows is not None:
            return rows.means(features) if self._kind == "mean" else rows.sums(features)
        total = features.sum(dim=0, keepdim=True)
        return total / max(len(features), 1) if self._kind == "mean" else total

    def forward(self, features: Tensor, rows: GraphRows | None) -> Tensor:
        """The output for each graph."""
        out: Tensor = self.head(self.pooled(features, rows))
        return out
