"""Running a model on a graph in some order of its vertices and arcs.

In exact arithmetic the order makes no difference; in floating point it shows how much rounding
matters, and with a model that looks at the numbers of vertices it shows that. A run gives the
features after every layer, a row for each vertex (or tuple) in the graph's own order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import FloatArray, IntArray
from wlkg.gnn.features import Features
from wlkg.gnn.models.plan import Plan, message_weights
from wlkg.gnn.models.step import Step
from wlkg.gnn.models.tuple_input import TupleInput
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.arcs import Arcs


@dataclass(frozen=True, eq=False)
class Order:
    """A numbering of vertices and an order of arcs."""

    #: The number of each vertex.
    vertices: IntArray
    #: The arcs in their order.
    arcs: IntArray

    @classmethod
    def given(cls, arcs: Arcs) -> Order:
        """As the graph has them."""
        return cls(np.arange(arcs.num_vertices), np.arange(len(arcs)))

    @classmethod
    def random(cls, arcs: Arcs, seed: int) -> Order:
        """A random order."""
        draw = np.random.default_rng(seed)
        return cls(draw.permutation(arcs.num_vertices), draw.permutation(len(arcs)))


Run = Callable[[Order], list[FloatArray]]


def edges(arcs: Arcs, order: Order) -> tuple[Tensor, Tensor]:
    """Edges as PyG has them: neighbours send to the vertices whose arcs these are."""
    ends = [order.vertices[row[order.arcs]] for row in (arcs.neighbour, arcs.source)]
    relation = arcs.relation[order.arcs].astype(np.int64)
    return torch.from_numpy(np.stack(ends).astype(np.int64)), torch.from_numpy(relation)


def vertex_run(
    model: VertexModel, arcs: Arcs, given: Features, device: torch.device, dtype: torch.dtype
) -> Run:
    """Run an R-GCN or CompGCN, with a row for every vertex: nothing is assumed equal."""
    count = arcs.num_vertices
    weight = message_weights(arcs, model.config)
    everything = np.arange(count)

    def run(order: Order) -> list[FloatArray]:
        edge_index, relation = edges(arcs, order)
        step = Step(
            count,
            count,
            own=torch.arange(count),
            source=edge_index[0],
            target=edge_index[1],
            relation=relation,
            weight=torch.from_numpy(weight[order.arcs]),
        ).to(device, dtype)
        plan = Plan((step,) * model.config.layers, everything, step.own)
        x = renumbered(given, order).to(device, dtype)
        with torch.no_grad():
            return in_given_order(model.features(x, plan), order)

    return run


def tuple_run(model: TupleModel, graph: TupleInput, device: torch.device) -> Run:
    """Run a k-RN; a row for each tuple, in lexicographic order."""

    def run(order: Order) -> list[FloatArray]:
        place = torch.from_numpy(order.vertices)
        old = torch.from_numpy(np.argsort(order.vertices))
        arcs = torch.from_numpy(order.arcs)
        k = graph.types.dim()
        renumbered = TupleInput(
            graph.types[_grid(old, k)],
            place[graph.source[arcs]],
            place[graph.neighbour[arcs]],
            graph.relation[arcs],
        ).to(device)
        with torch.no_grad():
            features = model.features(renumbered)
        back = _grid(place, k)
        return [_numbers(h.cpu()[back].reshape(-1, h.shape[-1])) for h in features]

    return run


def _grid(index: Tensor, k: int) -> tuple[Tensor, ...]:
    """The index along each of k axes."""
    return tuple(torch.meshgrid(*[index] * k, indexing="ij"))


def renumbered(given: Features, order: Order) -> Tensor:
    """The features as an order numbers the vertices."""
    return given.of(np.argsort(order.vertices))


def in_given_order(features: list[Tensor], order: Order) -> list[FloatArray]:
    """Features of an order, a row for each vertex as the graph has them."""
    place = torch.from_numpy(order.vertices)
    return [_numbers(rows.cpu()[place]) for rows in features]


def _numbers(rows: Tensor) -> FloatArray:
    found: FloatArray = rows.to(torch.float64).numpy()
    return found
