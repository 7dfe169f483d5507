"""Running a model on a graph in a chosen arrangement of its vertices and arcs.

In exact arithmetic the arrangement makes no difference. In floating point it shows how much
rounding matters, and it exposes a model that uses the numbers of vertices. A run gives the features
after every layer, with a row for each vertex (or tuple) as the graph numbers them. Models of
vertices compute a layer when it is asked for, so that nobody has to keep them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import FloatArray, IntArray
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.features import Features
from wlkg.gnn.models.plan import Plan, message_weights, seen_arcs
from wlkg.gnn.models.step import Step
from wlkg.gnn.models.tuple_input import TupleInput
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.arcs import Arcs


@dataclass(frozen=True, eq=False)
class Arrangement:
    """A numbering of the vertices and a sequence of the arcs."""

    #: The number of each vertex.
    vertices: IntArray
    #: The arcs in the sequence in which a model gets them.
    arcs: IntArray

    @classmethod
    def as_given(cls, arcs: Arcs) -> Arrangement:
        """The graph's own arrangement."""
        return cls(np.arange(arcs.num_vertices), np.arange(len(arcs)))

    @classmethod
    def random(cls, arcs: Arcs, seed: int) -> Arrangement:
        """A random arrangement."""
        draw = np.random.default_rng(seed)
        return cls(draw.permutation(arcs.num_vertices), draw.permutation(len(arcs)))


Run = Callable[[Arrangement], Iterable[FloatArray]]


def vertex_run(model: VertexModel, setting: Setting) -> Run:
    """Run a GNN, R-GCN or CompGCN with a row for every vertex: none are assumed to be equal."""
    arcs, device, dtype = seen_arcs(setting.arcs, model.config), setting.device, setting.dtype
    count = arcs.num_vertices
    weight = message_weights(arcs, model.config)
    all_vertices = np.arange(count)

    @torch.no_grad()
    def run(arrangement: Arrangement) -> Iterator[FloatArray]:
        # A model that forgets relations sees fewer arcs than the arrangement has.
        order = arrangement.arcs[arrangement.arcs < len(arcs)]
        arrangement = Arrangement(arrangement.vertices, order)
        edge_index, relation = arranged_edges(arcs, arrangement)
        step = Step(
            count,
            count,
            own=torch.arange(count),
            source=edge_index[0],
            target=edge_index[1],
            relation=relation,
            weight=torch.from_numpy(weight[arrangement.arcs]),
        ).to(device, dtype)
        plan = Plan((step,) * model.config.layers, all_vertices, step.own)
        x = arranged_features(setting.features, arrangement).to(device, dtype)
        for rows in model.each_layer(x, plan):
            yield from rows_as_given([rows], arrangement)

    return run


def tuple_run(model: TupleModel, graph: TupleInput, device: torch.device) -> Run:
    """Run a k-RN with a row for each tuple, in lexicographic order."""

    def run(arrangement: Arrangement) -> list[FloatArray]:
        place = torch.from_numpy(arrangement.vertices)
        old = torch.from_numpy(np.argsort(arrangement.vertices))
        arcs = torch.from_numpy(arrangement.arcs)
        k = graph.types.dim()
        arranged = TupleInput(
            types=graph.types[_grid(old, k)],
            source=place[graph.source[arcs]],
            neighbour=place[graph.neighbour[arcs]],
            relation=graph.relation[arcs],
        ).to(device)
        with torch.no_grad():
            features = model.features(arranged)
        back = _grid(place, k)
        return [_as_array(h.cpu()[back].reshape(-1, h.shape[-1])) for h in features]

    return run


def _grid(index: Tensor, k: int) -> tuple[Tensor, ...]:
    """The same index along each of k axes."""
    return tuple(torch.meshgrid(*[index] * k, indexing="ij"))


def arranged_edges(arcs: Arcs, arrangement: Arrangement) -> tuple[Tensor, Tensor]:
    """Edges and their relations in PyG's format: an arc's neighbour sends to its vertex."""
    ends = [arrangement.vertices[row[arrangement.arcs]] for row in (arcs.neighbour, arcs.source)]
    relation = arcs.relation[arrangement.arcs].astype(np.int64)
    return torch.from_numpy(np.stack(ends).astype(np.int64)), torch.from_numpy(relation)


def arranged_features(features: Features, arrangement: Arrangement) -> Tensor:
    """The input features, a row for each vertex as the arrangement numbers them."""
    return features.of(np.argsort(arrangement.vertices))


def rows_as_given(layers: list[Tensor], arrangement: Arrangement) -> list[FloatArray]:
    """The features of each layer, a row for each vertex as the graph numbers them."""
    place = torch.from_numpy(arrangement.vertices)
    return [_as_array(rows.cpu()[place]) for rows in layers]


def _as_array(rows: Tensor) -> FloatArray:
    array: FloatArray = rows.to(torch.float64).numpy()
    return array
