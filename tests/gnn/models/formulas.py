"""The formulas of layers and models, written as loops over vertices, relations and tuples."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import pytest
import torch
from hypothesis import strategies as st
from torch import Tensor, nn

import wlkg
from tests.oracles import neighbours
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models import relation_products, rgcn
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.graph_readout import GraphReadout
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.plan import Plan, make_plan
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.tuple_input import TupleInput, tuple_inputs
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph

M = TypeVar("M", bound=nn.Module)

#: For each vertex v and each relation i the vertices of N_i(v).
Around = list[list[list[int]]]

every_composition = pytest.mark.parametrize("composition", sorted(COMPOSITIONS))
seeds = st.integers(0, 1000)


def randomised(module: M, seed: int) -> M:
    """The module in float64 with random numbers everywhere, biases included."""
    numbers = torch.Generator().manual_seed(seed)
    module.double()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=numbers, dtype=torch.float64))
    return module


def make_products(patch: pytest.MonkeyPatch, dense_up_to: int) -> None:
    """Let products of rows and matrices be dense up to a size, and taken by relation above it."""
    patch.setattr(rgcn, "_DENSE", dense_up_to)
    patch.setattr(relation_products, "_COPIES", dense_up_to)


def random_rows(*shape: int, seed: int) -> Tensor:
    return torch.randn(
        shape, generator=torch.Generator().manual_seed(seed + 5000), dtype=torch.float64
    )


def assert_close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-9, atol=1e-9)


def around(graph: RelationalGraph, *, sees_relations: bool = True) -> Around:
    """The neighbourhoods in the graph's direction mode; inverse relations come last.

    Without relations there is one neighbourhood: the set of all neighbours.
    """
    names = list(graph.relation_names)
    if graph.direction == "both":
        names += [name + "^-1" for name in names]
    pairs = neighbours(graph, graph.direction)
    if not sees_relations:
        return [[sorted({u for _, u in pairs[v]})] for v in range(graph.num_vertices)]
    return [
        [sorted(u for other, u in pairs[v] if other == name) for name in names]
        for v in range(graph.num_vertices)
    ]


def num_relations(graph: RelationalGraph) -> int:
    return graph.num_relations * (2 if graph.direction == "both" else 1)


def linear(layer: nn.Module, row: Tensor) -> Tensor:
    """W row + b."""
    assert isinstance(layer, nn.Linear)
    return layer.weight @ row + layer.bias


def two_maps(mlp: nn.Module | None, row: Tensor) -> Tensor:
    """Two linear maps with a ReLU between them."""
    assert isinstance(mlp, nn.Sequential)
    first, _, second = mlp
    return linear(second, linear(first, row).clamp(min=0))


def phi(name: str, h: Tensor, z: Tensor, learned: nn.Module | None = None) -> Tensor:
    """A composition map of two vectors, entry by entry."""
    a, b = h.tolist(), z.tolist()
    d = len(a)
    if name == "mlp":
        assert learned is not None
        return linear(learned, torch.cat([h, z])).clamp(min=0)
    if name == "mlp2":
        return two_maps(learned, torch.cat([h, z]))
    formulas: dict[str, Callable[[], list[float]]] = {
        "add": lambda: [a[k] + b[k] for k in range(d)],
        "sub": lambda: [a[k] - b[k] for k in range(d)],
        "mult": lambda: [a[k] * b[k] for k in range(d)],
        "concat": lambda: a + b,
        "rotate": lambda: _rotated(a, b),
        "corr": lambda: [sum(a[j] * b[(j + k) % d] for j in range(d)) for k in range(d)],
        "scale": lambda: [a[k] * b[0] for k in range(d)],
    }
    return torch.tensor(formulas[name](), dtype=torch.float64)


def _rotated(a: list[float], b: list[float]) -> list[float]:
    half = len(a) // 2
    product = [complex(a[k], a[k + half]) * complex(b[k], b[k + half]) for k in range(half)]
    return [c.real for c in product] + [c.imag for c in product]


def dense_rgcn(layer: RGCNLayer, x: Tensor, near: Around, aggregation: str) -> Tensor:
    rows = []
    for v, by_relation in enumerate(near):
        total = x[v] @ layer.root
        if layer.bias is not None:
            total = total + layer.bias
        for i, around_v in enumerate(by_relation):
            message = torch.zeros(layer.root.shape[1], dtype=torch.float64)
            for w in around_v:
                share = len(around_v) if aggregation == "mean" else 1
                message = message + x[w] @ layer.weight[i] / share
            total = total + (message if layer.mlp is None else two_maps(layer.mlp, message))
        rows.append(total)
    return torch.stack(rows) if rows else x.new_zeros((0, layer.root.shape[1]))


def divisor(config: ModelConfig, near: Around, v: int, i: int, w: int) -> float:
    """The number by which the message from w to v along relation i is divided."""
    if config.model == "compgcn" and config.norm:
        seers_of_w = sum(w in by_relation[i] for by_relation in near)
        return math.sqrt(len(near[v][i]) * seers_of_w)
    return len(near[v][i]) if config.aggregation == "mean" else 1


def dense_compgcn(
    layer: CompGCNLayer, x: Tensor, z: Tensor, near: Around, config: ModelConfig
) -> Tensor:
    def compose(h: Tensor, other: Tensor) -> Tensor:
        return phi(config.composition, h, other, layer.compose.map)

    rows = []
    for v, by_relation in enumerate(near):
        if config.direction:
            assert layer.loop is not None
            total = compose(x[v], layer.loop[0]) @ layer.root
        else:
            total = x[v] @ layer.root
        if layer.bias is not None:
            total = total + layer.bias
        for i, around_v in enumerate(by_relation):
            inverse = config.direction and i >= config.outward
            for w in around_v:
                message = compose(x[w], z[i]) / divisor(config, near, v, i, w)
                total = total + message @ layer.weight[1 if inverse else 0]
        rows.append(total)
    return torch.stack(rows) if rows else x.new_zeros((0, layer.root.shape[1]))


def dense_update(layer: CompGCNLayer | KRNLayer, z: Tensor, changes: bool) -> Tensor:
    """The relation vectors for the next layer."""
    if not changes:
        assert layer.relation_map is None
        return z
    assert layer.relation_map is not None
    return z @ layer.relation_map.weight.T + layer.relation_map.bias


def dense_features(model: VertexModel, x: Tensor, near: Around) -> list[Tensor]:
    """The features of all vertices after every layer."""
    config, features = model.config, []
    z: Tensor | None = model.relation_vectors
    for number, layer in enumerate(model.layers, 1):
        if isinstance(layer, CompGCNLayer):
            vectors = layer.vectors if config.own_vectors else z
            assert vectors is not None
            x, last = dense_compgcn(layer, x, vectors, near, config), x
            wider = number < config.layers and last.shape[1] != x.shape[1]
            scaled = config.composition == "scale"
            if z is not None:
                z = dense_update(layer, z, config.relation_update or (wider and not scaled))
        else:
            assert isinstance(layer, RGCNLayer)
            x = dense_rgcn(layer, x, near, config.aggregation)
        if number < config.layers or config.last_activation:
            x = x.clamp(min=0)
        features.append(x)
    return features


def whole_plan(graph: RelationalGraph, config: ModelConfig) -> Plan:
    return make_plan(graph, config, range(graph.num_vertices), compress=False)


def assert_equals_the_formula(config: ModelConfig, graph: RelationalGraph, seed: int) -> None:
    model = randomised(VertexModel(config), seed)
    x = random_rows(graph.num_vertices, config.in_width, seed=seed)
    with torch.no_grad():
        near = around(graph, sees_relations=config.sees_relations)
        expected = dense_features(model, x, near)
        features = model.features(x, whole_plan(graph, config))
    assert len(features) == config.layers
    for rows, expected_rows in zip(features, expected, strict=True):
        assert_close(rows, expected_rows)


@st.composite
def edge_lists(draw: st.DrawFn, relations: int = 3) -> tuple[int, Tensor, Tensor]:
    """A number of vertices and edges in PyG's format; an edge may be repeated."""
    vertices = draw(st.integers(1, 6))
    vertex = st.integers(0, vertices - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex, st.integers(0, relations - 1)), max_size=12))
    rows = torch.tensor(edges, dtype=torch.int64).reshape(-1, 3)
    return vertices, rows[:, :2].T, rows[:, 2]


def joined(*graphs: RelationalGraph, k: int) -> list[TupleInput]:
    """The inputs of a k-RN for these graphs, with one numbering of atomic types."""
    sizes = tuple(graph.num_vertices for graph in graphs)
    return tuple_inputs(wlkg.disjoint_union(*graphs), k, blocks=sizes)


def num_types(inputs: list[TupleInput]) -> int:
    return max([1, *(int(block.types.max()) + 1 for block in inputs if block.types.numel())])


def dense_krn_layer(
    layer: KRNLayer, h: dict[tuple[int, ...], Tensor], z: Tensor, near: Around, config: ModelConfig
) -> dict[tuple[int, ...], Tensor]:
    updated = {}
    for v, own in h.items():
        total = own @ layer.root
        if layer.bias is not None:
            total = total + layer.bias
        for j, weight in enumerate(layer.weight):
            for i, ws in enumerate(near[v[j]]):
                for w in ws:
                    replaced = (*v[:j], w, *v[j + 1 :])
                    message = phi(config.composition, h[replaced], z[i], layer.compose.map)
                    total = total + message / divisor(config, near, v[j], i, w) @ weight
        if config.update == "mlp":
            total = two_maps(layer.mlp, total)
        updated[v] = total.clamp(min=0)
    return updated


def dense_krn(
    model: TupleModel, graph: TupleInput, near: Around
) -> list[dict[tuple[int, ...], Tensor]]:
    """The features of all tuples after every layer."""
    config, z = model.config, model.relation_vectors
    tuples = itertools.product(range(len(near)), repeat=config.k)
    h = {v: model.types.weight[int(graph.types[v])] for v in tuples}
    features = []
    for layer in model.layers:
        assert isinstance(layer, KRNLayer)
        vectors = layer.vectors if config.own_vectors else z
        assert vectors is not None
        h = dense_krn_layer(layer, h, vectors, near, config)
        if z is not None:
            z = dense_update(layer, z, config.relation_update)  # type: ignore[assignment]
        features.append(h)
    return features


def dense_readout(readout: GraphReadout, kind: str, graphs: Sequence[Iterable[Tensor]]) -> Tensor:
    """The scores of graphs, given the features of the vertices or tuples of each."""
    out = []
    for rows in map(list, graphs):
        total = torch.zeros(readout.head.in_features, dtype=torch.float64)
        for h in rows:
            total = total + (h if readout.hidden is None else (h @ readout.hidden).clamp(min=0))
        if kind == "mean" and rows:
            total = total / len(rows)
        out.append(linear(readout.head, total))
    return torch.stack(out)
