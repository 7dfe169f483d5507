"""Layers and models compared with their formulas, written as loops over vertices and relations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

import wlkg
from tests.oracles import neighbours, refine_tuples_slowly
from tests.strategies import relational_graphs
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import UsageError
from wlkg.gnn.compositions import COMPOSITIONS, find_composition
from wlkg.gnn.config import AGGREGATIONS, MODELS, Aggregation, ModelChoice, ModelConfig
from wlkg.gnn.models import rgcn
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.composition_maps import Compose
from wlkg.gnn.models.krn import KRNLayer, vertex_features
from wlkg.gnn.models.parameters import count_parameters, seeded
from wlkg.gnn.models.plan import Plan, make_plan
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.tuple_input import TupleInput, tuple_inputs
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.training.task import make_task
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.readers.targets import Targets

M = TypeVar("M", bound=nn.Module)

#: For each vertex v and each relation i the vertices of N_i(v).
Around = list[list[list[int]]]

pytestmark = pytest.mark.usefixtures("one_torch_thread")
every_composition = pytest.mark.parametrize("composition", sorted(COMPOSITIONS))
vertex_models = pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp", "compgcn"])
seeds = st.integers(0, 1000)
#: PyG triggers this warning when it is imported.
pyg_warns = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")


def randomised(module: M, seed: int) -> M:
    """The module in float64 with random numbers everywhere, biases included."""
    numbers = torch.Generator().manual_seed(seed)
    module.double()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=numbers, dtype=torch.float64))
    return module


def random_rows(*shape: int, seed: int) -> Tensor:
    return torch.randn(
        shape, generator=torch.Generator().manual_seed(seed + 5000), dtype=torch.float64
    )


def assert_close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-9, atol=1e-9)


def around(graph: RelationalGraph) -> Around:
    """The neighbourhoods in the graph's direction mode; inverse relations come last."""
    names = list(graph.relation_names)
    if graph.direction == "both":
        names += [name + "^-1" for name in names]
    pairs = neighbours(graph, graph.direction)
    return [
        [sorted(u for other, u in pairs[v] if other == name) for name in names]
        for v in range(graph.num_vertices)
    ]


def num_relations(graph: RelationalGraph) -> int:
    return graph.num_relations * (2 if graph.direction == "both" else 1)


# -- the formulas ---------------------------------------------------------------------------------


def linear(layer: nn.Module, row: Tensor) -> Tensor:
    """W row + b."""
    assert isinstance(layer, nn.Linear)
    return layer.weight @ row + layer.bias


def two_maps(mlp: nn.Module | None, row: Tensor) -> Tensor:
    """Two linear maps with a ReLU between them."""
    assert isinstance(mlp, nn.Sequential)
    first, _, second = mlp
    return linear(second, linear(first, row).clamp(min=0))


def phi(name: str, h: Tensor, z: Tensor, learned: nn.Linear | None = None) -> Tensor:
    """A composition map of two vectors, entry by entry."""
    a, b = h.tolist(), z.tolist()
    d = len(a)
    if name == "mlp":
        assert learned is not None
        return linear(learned, torch.cat([h, z])).clamp(min=0)
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
        expected = dense_features(model, x, around(graph))
        features = model.features(x, whole_plan(graph, config))
    assert len(features) == config.layers
    for rows, expected_rows in zip(features, expected, strict=True):
        assert_close(rows, expected_rows)


# -- R-GCN ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dense_up_to", [10**9, 0])
@pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp"])
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@given(
    graph=relational_graphs(), bias=st.booleans(), last=st.booleans(), layers=st.integers(1, 3),
    seed=seeds,
)  # fmt: skip
@settings(max_examples=40)
def test_an_rgcn_equals_its_formula(
    graph: RelationalGraph, bias: bool, last: bool, layers: int, seed: int,
    aggregation: Aggregation, model: str, dense_up_to: int,
) -> None:  # fmt: skip
    config = ModelConfig(
        model,
        in_width=3,
        width=2,
        out_width=4,
        relations=num_relations(graph),
        layers=layers,
        aggregation=aggregation,
        bias=bias,
        last_activation=last,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rgcn, "_DENSE", dense_up_to)
        assert_equals_the_formula(config, graph, seed)


def test_the_mlp_is_applied_to_relations_without_neighbours() -> None:
    layer = randomised(RGCNLayer(2, 3, 5, mlp=True), 1)
    x = random_rows(2, 2, seed=1)
    nothing = torch.zeros((2, 0), dtype=torch.int64)
    expected = x @ layer.root + 5 * two_maps(layer.mlp, torch.zeros(3, dtype=torch.float64))
    assert_close(layer(x, nothing, nothing[0]), expected)
    one = torch.tensor([[1], [0]])
    message = two_maps(layer.mlp, x[1] @ layer.weight[2])
    idle = two_maps(layer.mlp, torch.zeros(3, dtype=torch.float64))
    rows = layer(x, one, torch.tensor([2]))
    assert_close(rows[0], x[0] @ layer.root + message + 4 * idle)
    assert_close(rows[1], x[1] @ layer.root + 5 * idle)


def test_matrices_of_relations_are_drawn_one_by_one_in_the_range_of_xavier() -> None:
    layer = seeded(1, RGCNLayer, 3, 5, 40)
    limit = math.sqrt(6 / (3 + 5))
    for matrix in (layer.root, *layer.weight):
        assert matrix.abs().max() <= limit
    assert layer.weight.abs().max() > 0.95 * limit


@st.composite
def edge_lists(draw: st.DrawFn, relations: int = 3) -> tuple[int, Tensor, Tensor]:
    """A number of vertices and edges in PyG's format; an edge may be repeated."""
    vertices = draw(st.integers(1, 6))
    vertex = st.integers(0, vertices - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex, st.integers(0, relations - 1)), max_size=12))
    rows = torch.tensor(edges, dtype=torch.int64).reshape(-1, 3)
    return vertices, rows[:, :2].T, rows[:, 2]


@pytest.fixture(params=["RGCNConv", "FastRGCNConv"])
def peer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A layer of PyG without its shortcut for sorted edges, which takes other means."""
    import torch_geometric
    from torch_geometric.nn import conv

    monkeypatch.setattr(torch_geometric.backend, "use_segment_matmul", False)
    return getattr(conv, request.param)


def copied(peer: Any, layer: RGCNLayer, aggregation: str) -> Any:
    """A layer of PyG with the same weights."""
    relations, *widths = layer.weight.shape
    twin = peer(*widths, relations, aggr=aggregation, root_weight=True, bias=False).double()
    with torch.no_grad():
        twin.weight.copy_(layer.weight)
        twin.root.copy_(layer.root)
    return twin


@pyg_warns
@pytest.mark.parametrize("dense_up_to", [10**9, 0])
def test_an_rgcn_layer_equals_that_of_pyg_on_any_list_of_edges(peer: Any, dense_up_to: int) -> None:
    @given(edges=edge_lists(), seed=seeds)
    @settings(max_examples=40)
    def check(edges: tuple[int, Tensor, Tensor], seed: int) -> None:
        vertices, edge_index, edge_type = edges
        layer = randomised(RGCNLayer(3, 2, 3), seed)
        x = random_rows(vertices, 3, seed=seed)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rgcn, "_DENSE", dense_up_to)
            rows = layer(x, edge_index, edge_type)
        assert_close(rows, copied(peer, layer, "sum")(x, edge_index, edge_type))

    check()


@pyg_warns
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_an_rgcn_on_a_graph_equals_that_of_pyg(peer: Any, aggregation: Aggregation) -> None:
    @given(graph=relational_graphs().filter(lambda graph: graph.num_relations > 0), seed=seeds)
    @settings(max_examples=40)
    def check(graph: RelationalGraph, seed: int) -> None:
        config = ModelConfig(
            "rgcn",
            in_width=3,
            width=3,
            out_width=2,
            relations=num_relations(graph),
            layers=1,
            aggregation=aggregation,
        )
        model = randomised(VertexModel(config), seed)
        (layer,) = model.layers
        assert isinstance(layer, RGCNLayer)
        x = random_rows(graph.num_vertices, 3, seed=seed)
        arcs = [
            (w, v, i)
            for v, by_relation in enumerate(around(graph))
            for i, around_v in enumerate(by_relation)
            for w in around_v
        ]
        edges = torch.tensor(arcs, dtype=torch.int64).reshape(-1, 3).T
        twin = copied(peer, layer, aggregation)
        assert_close(model(x, whole_plan(graph, config)), twin(x, edges[:2], edges[2]))

    check()


# -- compositions ---------------------------------------------------------------------------------


def test_every_composition_is_checked_against_its_formula() -> None:
    assert sorted(COMPOSITIONS) == sorted(
        ["add", "sub", "mult", "concat", "rotate", "corr", "scale", "mlp"]
    )


@every_composition
@pytest.mark.parametrize("width", [1, 2, 3, 4, 7])
def test_a_composition_equals_its_formula(composition: str, width: int) -> None:
    if composition == "rotate" and width % 2:
        width += 1
    compose = randomised(Compose(composition, width), width)
    h = random_rows(5, width, seed=1)
    z = random_rows(5, compose.relation_width, seed=2)
    expected = [phi(composition, *pair, compose.map) for pair in zip(h, z, strict=True)]
    composed = compose(h, z)
    assert composed.shape == (5, compose.out_width)
    assert_close(composed, torch.stack(expected))


@every_composition
def test_one_vector_is_composed_with_many(composition: str) -> None:
    compose = randomised(Compose(composition, 4), 3)
    h, z = random_rows(2, 3, 4, seed=1), random_rows(1, compose.relation_width, seed=2)
    expected = [phi(composition, row, z[0], compose.map) for row in h.reshape(6, 4)]
    assert_close(compose(h, z), torch.stack(expected).reshape(2, 3, -1))


@every_composition
def test_empty_tensors_are_composed(composition: str) -> None:
    compose = randomised(Compose(composition, 4), 3)
    h = torch.zeros((0, 4), dtype=torch.float64)
    z = torch.zeros((0, compose.relation_width), dtype=torch.float64)
    assert compose(h, z).shape == (0, compose.out_width)


def test_correlation_and_rotation_by_hand() -> None:
    h, z = torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[10.0, 100.0, 1000.0]])
    # k = 1: 1 * 100 + 2 * 1000 + 3 * 10.
    assert Compose("corr", 3)(h, z).round().tolist() == [[3210.0, 2130.0, 1320.0]]
    # (1 + 3i) (5 + 7i) and (2 + 4i) (6 + 8i).
    h, z = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[5.0, 6.0, 7.0, 8.0]])
    assert Compose("rotate", 4)(h, z).tolist() == [[-16.0, -20.0, 22.0, 40.0]]


@pytest.mark.parametrize(("in_width", "width"), [(3, 4), (4, 3)])
def test_rotation_of_an_odd_width_is_refused(in_width: int, width: int) -> None:
    config = ModelConfig(
        "compgcn", in_width=in_width, width=width, out_width=2, relations=2, composition="rotate"
    )
    with pytest.raises(
        UsageError, match=r"rotate needs features of an even width, found 3\b"
    ) as error:
        VertexModel(config)
    assert error.value.exit_code == 2


def test_rotation_of_an_odd_width_is_refused_for_tuples() -> None:
    config = ModelConfig(
        "k-rn", in_width=4, width=5, out_width=2, relations=2, composition="rotate"
    )
    with pytest.raises(UsageError, match="rotate needs features of an even width, found 5"):
        TupleModel(config, 3)


@pytest.mark.parametrize(
    ("kind", "known", "make"),
    [
        ("composition", list(COMPOSITIONS), lambda: find_composition("plus")),
        ("composition", list(COMPOSITIONS), lambda: Compose("plus", 2)),
        (
            "composition",
            list(COMPOSITIONS),
            lambda: VertexModel(
                ModelConfig(
                    "compgcn", in_width=2, width=2, out_width=2, relations=2, composition="plus"
                )
            ),
        ),
        (
            "model",
            list(MODELS),
            lambda: ModelConfig("plus", in_width=2, width=2, out_width=2, relations=2),
        ),
        (
            "aggregation",
            list(AGGREGATIONS),
            lambda: ModelChoice("rgcn", aggregation="plus"),  # type: ignore[arg-type]
        ),
    ],
)
def test_the_error_for_an_unknown_name_lists_the_known_names(
    kind: str, known: list[str], make: Callable[[], object]
) -> None:
    with pytest.raises(UsageError) as error:
        make()
    assert str(error.value) == f"unknown {kind} 'plus'. Known: {', '.join(known)}"
    assert error.value.exit_code == 2


@pytest.mark.parametrize("name", ["in_width", "width", "out_width", "layers", "k"])
def test_sizes_below_one_are_refused(name: str) -> None:
    sizes: dict[str, Any] = {
        "in_width": 2,
        "width": 2,
        "out_width": 2,
        "layers": 2,
        "k": 2,
        name: 0,
    }
    with pytest.raises(UsageError, match=f"{name} must be at least 1, found 0"):
        ModelConfig("rgcn", relations=2, **sizes)


def test_means_are_refused_for_tuples() -> None:
    with pytest.raises(UsageError, match="k-RN aggregates by sums"):
        ModelConfig("k-rn", in_width=2, width=2, out_width=2, relations=2, aggregation="mean")


# -- CompGCN --------------------------------------------------------------------------------------


@st.composite
def compgcn_configs(draw: st.DrawFn, composition: str, graph: RelationalGraph) -> ModelConfig:
    """All switches of CompGCN; widths that agree, so that relation vectors may stay, or differ."""
    width = draw(st.sampled_from([2, 4]))
    return ModelConfig(
        "compgcn",
        in_width=draw(st.sampled_from([2, 4])),
        width=width,
        out_width=draw(st.sampled_from([width, 3])),
        relations=num_relations(graph),
        layers=draw(st.integers(1, 3)),
        aggregation=draw(st.sampled_from(["sum", "mean"])),
        composition=composition,
        bias=draw(st.booleans()),
        direction=draw(st.booleans()),
        inverses=graph.direction == "both",
        norm=draw(st.booleans()),
        relation_update=draw(st.booleans()),
        own_vectors=draw(st.booleans()),
        last_activation=draw(st.booleans()),
    )


@every_composition
@given(data=st.data(), graph=relational_graphs(), seed=seeds)
@settings(max_examples=60)
def test_compgcn_equals_its_formula(
    data: st.DataObject, graph: RelationalGraph, seed: int, composition: str
) -> None:
    config = data.draw(compgcn_configs(composition, graph))
    assert_equals_the_formula(config, graph, seed)


@every_composition
@pytest.mark.parametrize("direction", [True, False])
def test_a_compgcn_layer_takes_edges_in_the_format_of_pyg(
    composition: str, direction: bool
) -> None:
    config = ModelConfig(
        "compgcn",
        in_width=2,
        width=2,
        out_width=3,
        relations=4,
        composition=composition,
        direction=direction,
        inverses=direction,
        norm=False,
    )

    @given(edges=edge_lists(relations=4), seed=seeds)
    @settings(max_examples=15)
    def check(edges: tuple[int, Tensor, Tensor], seed: int) -> None:
        vertices, edge_index, edge_type = edges
        layer = CompGCNLayer(
            *(2, 3, 4),
            outward=2,
            composition=composition,
            direction=direction,
            next_relation_width=5,
        )
        randomised(layer, seed)
        x = random_rows(vertices, 2, seed=seed)
        z = random_rows(4, layer.compose.relation_width, seed=seed + 1)
        near: Around = [[[] for _ in range(4)] for _ in range(vertices)]
        for source, target, i in zip(*edge_index.tolist(), edge_type.tolist(), strict=True):
            near[target][i].append(source)
        rows, relations = layer(x, z, edge_index, edge_type)
        assert_close(rows, dense_compgcn(layer, x, z, near, config))
        assert_close(relations, dense_update(layer, z, True))

    check()


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_inverse_relations_have_a_separate_matrix(direction: Direction) -> None:
    graph = wlkg.read("example:c6").with_direction(direction)
    targets = Targets(np.arange(6), tuple("ababab"))
    task = make_task(graph, targets, None, ModelChoice("compgcn", width=4))
    model = task.scorer.make(0)
    assert isinstance(model, VertexModel)
    for layer in model.layers:
        assert isinstance(layer, CompGCNLayer)
        assert len(layer.weight) == (2 if direction == "both" else 1)
        assert layer.loop is not None


def test_signs_are_a_non_linearity() -> None:
    graph = wlkg.read("example:c6")
    config = ModelConfig(
        "rgcn",
        in_width=4,
        width=4,
        out_width=4,
        relations=1,
        activation="sign",
        last_activation=True,
    )
    model = randomised(VertexModel(config), 1)
    for rows in model.features(random_rows(6, 4, seed=1), whole_plan(graph, config)):
        assert set(rows.flatten().tolist()) == {-1.0, 1.0}


@pytest.mark.parametrize("model", ["rgcn", "k-rn"])
def test_widths_that_do_not_fit_the_layers_are_refused(model: str) -> None:
    with pytest.raises(UsageError, match="2 hidden widths do not fit 4 layers"):
        ModelConfig(
            model, in_width=2, width=2, out_width=2, relations=2, layers=4, hidden_widths=(3, 3)
        )


@pytest.mark.parametrize("update", [True, False])
def test_the_relation_update_changes_only_the_second_layer(update: bool) -> None:
    graph = wlkg.read("example:c6").with_direction("both")
    config = ModelConfig(
        "compgcn", in_width=4, width=4, out_width=4, relations=2, relation_update=update
    )
    model = randomised(VertexModel(config), 1)
    plan, x = whole_plan(graph, config), random_rows(6, 4, seed=1)
    before = model.features(x, plan)
    first = model.layers[0]
    assert isinstance(first, CompGCNLayer)
    if not update:
        assert all(layer.relation_map is None for layer in model.layers)
        return
    assert first.relation_map is not None
    with torch.no_grad():
        first.relation_map.bias.add_(1)
    after = model.features(x, plan)
    assert torch.equal(before[0], after[0])
    assert not torch.allclose(before[1], after[1])


# -- k-RN -----------------------------------------------------------------------------------------


def joined(*graphs: RelationalGraph, k: int) -> list[TupleInput]:
    """The inputs of a k-RN for these graphs, with one numbering of atomic types."""
    sizes = tuple(graph.num_vertices for graph in graphs)
    return tuple_inputs(wlkg.disjoint_union(*graphs), k, blocks=sizes)


def num_types(inputs: list[TupleInput]) -> int:
    return max([1, *(int(block.types.max()) + 1 for block in inputs if block.types.numel())])


def dense_krn_layer(
    layer: KRNLayer, h: dict[tuple[int, ...], Tensor], z: Tensor, near: Around, composition: str
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
                    message = phi(composition, h[replaced], z[i], layer.compose.map)
                    total = total + message @ weight
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
        h = dense_krn_layer(layer, h, vectors, near, config.composition)
        if z is not None:
            z = dense_update(layer, z, config.relation_update)  # type: ignore[assignment]
        features.append(h)
    return features


@every_composition
@pytest.mark.parametrize("k", [2, 3])
def test_a_k_rn_equals_its_formula(k: int, composition: str) -> None:
    @given(
        graph=relational_graphs(max_vertices=5 - k, max_relations=2),
        bias=st.booleans(), update=st.booleans(), own=st.booleans(), layers=st.integers(1, 2),
        seed=seeds,
    )  # fmt: skip
    @settings(max_examples=15)
    def check(
        graph: RelationalGraph, bias: bool, update: bool, own: bool, layers: int, seed: int
    ) -> None:
        config = ModelConfig(
            "k-rn", in_width=1, width=4, out_width=3, relations=num_relations(graph), layers=layers,
            composition=composition, bias=bias, relation_update=update, own_vectors=own, k=k,
        )  # fmt: skip
        (block,) = tuple_inputs(graph, k)
        model = randomised(TupleModel(config, num_types([block])), seed)
        with torch.no_grad():
            expected = dense_krn(model, block, around(graph))
            features, vertices = model.features(block), model(block)
            assert len(features) == layers
            for rows, by_tuple in zip(features, expected, strict=True):
                assert rows.shape == (*[graph.num_vertices] * k, 4)
                for v, row in by_tuple.items():
                    assert_close(rows[v], row)
            last = expected[-1]
            assert vertices.shape == (graph.num_vertices, 3)
            for first, row in enumerate(vertices):
                beginning = sum_of(last[v] for v in last if v[0] == first)
                both = torch.cat([last[(first,) * k], beginning])
                assert_close(row, linear(model.vertex_head, both))

    check()


def sum_of(rows: Any, width: int = 4) -> Tensor:
    total = torch.zeros(width, dtype=torch.float64)
    for row in rows:
        total = total + row
    return total


@pytest.mark.parametrize("k", [2, 3])
def test_a_vertex_has_its_own_tuple_and_the_sum_of_tuples_that_begin_with_it(k: int) -> None:
    h = random_rows(*[4] * k, 3, seed=k)
    expected = []
    for v in range(4):
        beginning = sum_of((h[v, *more] for more in itertools.product(range(4), repeat=k - 1)), 3)
        expected.append(torch.cat([h[(v,) * k], beginning]))
    assert_close(vertex_features(h), torch.stack(expected))


@pytest.mark.parametrize("k", [2, 3])
def test_a_graph_without_vertices_has_no_vertex_features(k: int) -> None:
    assert vertex_features(torch.zeros((*[0] * k, 5))).shape == (0, 10)


@pytest.mark.parametrize("k", [2, 3])
@given(
    one=relational_graphs(max_vertices=4, directions=("both",)),
    two=relational_graphs(max_vertices=4, directions=("both",)),
    direction=st.sampled_from(["both", "undirected", "out", "in"]),
)
@settings(max_examples=30)
def test_features_of_tuples_start_with_the_atomic_types(
    one: RelationalGraph, two: RelationalGraph, direction: Direction, k: int
) -> None:
    graphs = [one.with_direction(direction), two.with_direction(direction)]
    types = torch.cat([block.types.reshape(-1) for block in joined(*graphs, k=k)])
    # In a union, vertices without a label share the empty label.
    labelled = [graph if graph.labels is not None else unlabelled(graph) for graph in graphs]
    expected = refine_tuples_slowly(labelled, f"{k}-rlwl", direction)[0]
    assert types.tolist() == Partition.of(np.array(expected, dtype=np.int64)).colours.tolist()


def unlabelled(graph: RelationalGraph) -> RelationalGraph:
    return graph.with_labels([""] * graph.num_vertices)


@given(graph=relational_graphs(max_vertices=5), mode=st.sampled_from(["undirected", "out", "in"]))
@settings(max_examples=30)
def test_the_arcs_of_tuple_inputs_are_those_of_each_block(
    graph: RelationalGraph, mode: Direction
) -> None:
    union, n = wlkg.disjoint_union(graph, graph).with_direction(mode), graph.num_vertices
    expected = [
        (v, i, w)
        for v, by_relation in enumerate(around(graph.with_direction(mode)))
        for i, around_v in enumerate(by_relation)
        for w in around_v
    ]
    for block in tuple_inputs(union, 2, blocks=(n, n)):
        columns = (block.source, block.relation, block.neighbour)
        assert sorted(zip(*(c.tolist() for c in columns), strict=True)) == sorted(expected)


def test_tuples_of_one_vertex_are_refused() -> None:
    with pytest.raises(UsageError, match=r"at least 2 vertices, found k = 1") as error:
        tuple_inputs(wlkg.read("example:c6"), 1)
    assert error.value.exit_code == 2


def test_all_tensors_of_a_tuple_input_move_to_a_device() -> None:
    (block,) = joined(wlkg.read("example:c6"), k=2)
    moved = block.to(torch.device("meta"))
    for name in ("types", "source", "neighbour", "relation"):
        assert getattr(moved, name).device.type == "meta"
        assert getattr(moved, name).shape == getattr(block, name).shape


# -- what a k-RN separates ------------------------------------------------------------------------


def fingerprint(h: Tensor) -> Tensor:
    """Numbers that agree for two graphs if they have the same features with the same frequency."""
    rows = h.reshape(-1, h.shape[-1])
    numbers = rows @ random_rows(rows.shape[1], seed=11)
    return numbers.sort().values


def tuple_sum(model: TupleModel, block: TupleInput) -> Tensor:
    """A vector for a graph: the sum of the last features over all its tuples."""
    last = model.features(block)[-1]
    return last.reshape(-1, last.shape[-1]).sum(dim=0)


def same(one: Tensor, two: Tensor) -> bool:
    scale = max(float(one.abs().max()), 1.0)
    return bool((one - two).abs().max() <= 1e-11 * scale)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_a_2_rn_separates_a_hexagon_from_two_triangles_and_an_rgcn_does_not(
    seed: int, layers: int
) -> None:
    graphs = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    inputs = tuple_inputs(wlkg.disjoint_union(*graphs), 2, blocks=(6, 6))
    config = ModelConfig("k-rn", in_width=8, width=8, out_width=8, relations=1, layers=layers)
    model = seeded(seed, TupleModel, config, num_types(inputs)).double()
    with torch.no_grad():
        one, two = [tuple_sum(model, block) for block in inputs]
    assert float((one - two).abs().max()) > 1e-3 * float(one.abs().max())
    config = ModelConfig("rgcn", in_width=8, width=8, out_width=8, relations=1, layers=layers)
    plain = seeded(seed, VertexModel, config).double()
    x = random_rows(1, 8, seed=seed).expand(6, 8)
    with torch.no_grad():
        one, two = [plain(x, whole_plan(graph, config)).sum(dim=0) for graph in graphs]
    assert float(one.abs().max()) > 0
    assert same(one, two)


@pytest.fixture(scope="module")
def cfi() -> tuple[RelationalGraph, RelationalGraph]:
    return wlkg.read("example:cfi-g,k=3"), wlkg.read("example:cfi-h,k=3")


@pytest.mark.parametrize("seed", range(3))
def test_a_2_rn_does_not_separate_the_third_cfi_graphs(
    cfi: tuple[RelationalGraph, RelationalGraph], seed: int
) -> None:
    inputs = joined(*cfi, k=2)
    config = ModelConfig("k-rn", in_width=8, width=8, out_width=8, relations=1, layers=4)
    model = seeded(seed, TupleModel, config, num_types(inputs)).double()
    with torch.no_grad():
        one, two = [tuple_sum(model, block) for block in inputs]
        assert len(set(one.tolist())) > 1
        assert same(one, two)
        for rows in zip(*(model.features(block) for block in inputs), strict=True):
            assert same(*map(fingerprint, rows))


@pytest.mark.parametrize("seed", range(3))
def test_a_3_rn_separates_the_third_cfi_graphs_at_round_two(
    cfi: tuple[RelationalGraph, RelationalGraph], seed: int
) -> None:
    inputs = joined(*cfi, k=3)
    config = ModelConfig("k-rn", in_width=16, width=16, out_width=8, relations=1, layers=3, k=3)
    model = seeded(seed, TupleModel, config, num_types(inputs)).double()
    with torch.no_grad():
        one, two = [model.features(block) for block in inputs]
        alike = [same(fingerprint(a), fingerprint(b)) for a, b in zip(one, two, strict=True)]
        assert alike == [True, False, False]
        # Only the last ReLU keeps the sum over all tuples from being a linear function of the sum
        # one layer earlier, so the sums may differ a layer later than the features.
        assert not same(*(tuple_sum(model, block) for block in inputs))


@pytest.mark.parametrize("k", [2, 3])
@given(data=st.data(), seed=seeds)
@settings(max_examples=25)
def test_permuting_the_vertices_permutes_the_output_of_a_k_rn(
    data: st.DataObject, seed: int, k: int
) -> None:
    graph = data.draw(relational_graphs(max_vertices=6 - k))
    order = data.draw(st.permutations(range(graph.num_vertices)))
    one, two = inputs = joined(graph, graph.permuted(order), k=k)
    composition = data.draw(st.sampled_from(sorted(COMPOSITIONS)))
    config = ModelConfig(
        "k-rn",
        in_width=4,
        width=4,
        out_width=3,
        relations=num_relations(graph),
        composition=composition,
        k=k,
    )
    model = randomised(TupleModel(config, num_types(inputs)), seed)
    moved = torch.tensor(order, dtype=torch.int64)
    with torch.no_grad():
        assert_close(model(two), model(one)[moved])
        expected, permuted = tuple_sum(model, one), tuple_sum(model, two)
    torch.testing.assert_close(permuted, expected, rtol=1e-9, atol=1e-9 * graph_scale(expected))


def graph_scale(vector: Tensor) -> float:
    return max(1.0, float(vector.abs().max()))


# -- gradients ------------------------------------------------------------------------------------


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


@every_composition
def test_gradients_of_compositions_are_right(composition: str) -> None:
    compose = randomised(Compose(composition, 4), 5)
    z = random_rows(3, compose.relation_width, seed=2)
    assert_gradients(compose, (random_rows(3, 4, seed=1), z))


def small_graph() -> RelationalGraph:
    return RelationalGraph.from_arrays(
        [0, 0, 1, 2, 0], [0, 1, 0, 1, 0], [1, 1, 1, 0, 2], num_vertices=4
    )


EDGES = torch.tensor([[0, 0, 1, 1, 2], [1, 1, 1, 0, 0]]), torch.tensor([0, 1, 0, 1, 1])


@pytest.mark.parametrize("mlp", [False, True])
@pytest.mark.parametrize("dense_up_to", [10**9, 0])
def test_gradients_of_an_rgcn_layer_are_right(
    mlp: bool, dense_up_to: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rgcn, "_DENSE", dense_up_to)
    layer = randomised(RGCNLayer(2, 3, 2, bias=True, mlp=mlp), 1)
    assert_gradients(layer, (random_rows(3, 2, seed=1),), *EDGES)


@every_composition
@pytest.mark.parametrize("direction", [True, False])
def test_gradients_of_a_compgcn_layer_are_right(composition: str, direction: bool) -> None:
    layer = CompGCNLayer(
        2, 3, 2, composition=composition, direction=direction, bias=True, next_relation_width=1
    )
    randomised(layer, 1)
    z = random_rows(2, layer.compose.relation_width, seed=2)
    assert_gradients(layer, (random_rows(3, 2, seed=1), z), *EDGES)


@every_composition
@pytest.mark.parametrize("k", [2, 3])
def test_gradients_of_a_k_rn_layer_are_right(composition: str, k: int) -> None:
    layer = KRNLayer(2, 2, k, composition=composition, bias=True, next_relation_width=1)
    randomised(layer, 1)
    (block,) = tuple_inputs(small_graph().induced([0, 1]).with_direction("out"), k)
    h, z = random_rows(*[2] * k, 2, seed=1), random_rows(2, layer.compose.relation_width, seed=2)
    assert_gradients(layer, (h, z), block)


@vertex_models
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("compress", [False, True])
def test_gradients_of_a_model_are_right(
    model: str, aggregation: Aggregation, compress: bool
) -> None:
    graph = small_graph()
    config = ModelConfig(
        model,
        in_width=2,
        width=2,
        out_width=2,
        relations=4,
        aggregation=aggregation,
        bias=True,
        norm=aggregation == "sum",
    )
    plan = make_plan(graph, config, [3, 0, 1, 0], compress=compress)
    x = random_rows(len(plan.start), 2, seed=1)
    assert_gradients(randomised(VertexModel(config), 4), (x,), plan)


# -- numbers of parameters ------------------------------------------------------------------------

DIMENSIONS = [2, 4, 8, 16, 32, 64, 128]


def parameters(model: str, d: int, classes: int, relations: int, **more: Any) -> int:
    config = ModelConfig(
        model, in_width=d, width=d, out_width=classes, relations=relations, inverses=True, **more
    )
    return count_parameters(VertexModel(config))


# For d = 128 the paper prints 1,537,576, which is 40 = 2 (4 * 4 + 4) too many: the parameters of
# the last layer's MLP, which belong to the other column.
@pytest.mark.parametrize(
    ("d", "expected"),
    list(zip(DIMENSIONS, [1092, 2912, 8736, 29120, 104832, 396032, 1537536], strict=True)),
)
def test_an_rgcn_has_the_papers_number_of_parameters(d: int, expected: int) -> None:
    assert parameters("rgcn", d, 4, 90) == expected


@pytest.mark.parametrize(
    ("d", "expected"),
    list(zip(DIMENSIONS, [1144, 2992, 8920, 29704, 106984, 404392, 1570600], strict=True)),
)
def test_an_rgcn_with_mlp_has_the_papers_number_of_parameters(d: int, expected: int) -> None:
    assert parameters("rgcn-mlp", d, 4, 90) == expected


def test_models_for_am_have_the_papers_number_of_parameters() -> None:
    assert parameters("rgcn", 4, 11, 266, layers=3, bias=True) == 20311
    assert parameters("rgcn-mlp", 4, 11, 266, layers=3, bias=True) == 20655
    assert parameters("compgcn", 4, 11, 266) == 1292


# Except for d = 8 and for AM, the paper's numbers for CompGCN include a map with bias from 2 d to
# the output width in each layer: an MLP over [h, z].
@pytest.mark.parametrize(
    ("d", "expected"),
    list(zip(DIMENSIONS, [262, 576, 1168, 3636, 10852, 36036, 129412], strict=True)),
)
def test_compgcn_has_the_papers_number_of_parameters(d: int, expected: int) -> None:
    extra = (2 * d * d + d) + (2 * d * 4 + 4)
    assert extra == 2 * d * d + 9 * d + 4
    assert parameters("compgcn", d, 4, 90) + (0 if d == 8 else extra) == expected


def test_each_switch_of_compgcn_has_its_parameters() -> None:
    # Relation vectors; two updates; three matrices to width 5 and to width 4; two loop vectors.
    full = 90 * 5 + 2 * (25 + 5) + 3 * 5 * (5 + 4) + 2 * 5
    assert parameters("compgcn", 5, 4, 90) == full
    assert parameters("compgcn", 5, 4, 90, norm=False) == full
    assert parameters("compgcn", 5, 4, 90, relation_update=False) == full - 2 * (25 + 5)
    assert parameters("compgcn", 5, 4, 90, direction=False) == full - 5 * (5 + 4) - 2 * 5
    assert parameters("compgcn", 5, 4, 90, bias=True) == full + 5 + 4
    assert parameters("compgcn", 5, 4, 90, composition="mlp") == full + 2 * (2 * 25 + 5)


# -- determinism ----------------------------------------------------------------------------------


def bytes_of(model: nn.Module) -> bytes:
    return b"".join(parameter.detach().numpy().tobytes() for parameter in model.parameters())


@pytest.fixture
def _random_state() -> Iterator[None]:
    with torch.random.fork_rng(devices=[]):
        yield


@pytest.mark.usefixtures("_random_state")
@pytest.mark.parametrize("model", sorted(MODELS))
def test_a_seed_determines_all_parameters_and_leaves_the_global_state_alone(model: str) -> None:
    config = ModelConfig(
        model, in_width=4, width=4, out_width=3, relations=6, composition="mlp", bias=True
    )
    make: tuple[Any, ...] = (TupleModel, config, 5) if model == "k-rn" else (VertexModel, config)
    torch.manual_seed(1)
    state = torch.get_rng_state()
    first = bytes_of(seeded(7, *make))
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(2)
    assert bytes_of(seeded(7, *make)) == first
    assert bytes_of(seeded(8, *make)) != first
