"""A model of whole graphs: layers on vertices or tuples, then a readout of each graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from wlkg.arrays import IntArray
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.graph_readout import GraphReadout, GraphRows
from wlkg.gnn.models.plan import Plan
from wlkg.gnn.models.tuple_input import TupleInput
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel


@dataclass(frozen=True, eq=False)
class VertexBatch:
    """Graphs side by side: the plan of their union, its input, and the rows of each graph."""

    x: Tensor
    plan: Plan
    rows: GraphRows

    @classmethod
    def of(cls, x: Tensor, plan: Plan, graph_of: IntArray, num_graphs: int) -> VertexBatch:
        """From a plan whose targets are all vertices, and the graph of each vertex."""
        last = plan.steps[-1].num_targets
        return cls(x, plan, GraphRows.of(graph_of, plan.rows.numpy(), num_graphs, last))

    def to(self, device: torch.device, dtype: torch.dtype) -> VertexBatch:
        """The same batch on a device, in a floating-point type."""
        return VertexBatch(
            self.x.to(device, dtype), self.plan.to(device, dtype), self.rows.to(device, dtype)
        )


#: What a model of whole graphs computes at once: a k-RN takes one graph after the other.
GraphBatch = VertexBatch | Sequence[TupleInput]


class GraphModel(nn.Module):
    """A model of vertices or tuples, the body, and a readout; ``config.readout`` is its kind."""

    def __init__(self, config: ModelConfig, num_types: int = 0) -> None:
        super().__init__()
        self.config = config
        self.body: VertexModel | TupleModel
        if config.model == "k-rn":
            self.body = TupleModel(config, num_types)
        else:
            self.body = VertexModel(config)
        self.readout = GraphReadout(config.readout, config.widths[-1], config.out_width)

    def forward(self, graphs: GraphBatch) -> Tensor:
        """A row of scores for each graph."""
        if isinstance(graphs, VertexBatch):
            assert isinstance(self.body, VertexModel)
            features = self.body.features(graphs.x, graphs.plan)[-1]
            pooled = self.readout.pooled(features, graphs.rows)
        else:
            pooled = torch.cat([self._pooled(graph) for graph in graphs])
        scores: Tensor = self.readout.head(pooled)
        return scores

    def _pooled(self, graph: TupleInput) -> Tensor:
        assert isinstance(self.body, TupleModel)
        return self.readout.pooled(self.body.features(graph)[-1].flatten(end_dim=-2), None)
