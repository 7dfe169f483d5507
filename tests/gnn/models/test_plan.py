"""Plans: a row per class gives the same outputs and gradients; classes determine features."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import wlkg
from tests.gnn.models.formulas import make_products
from tests.oracles import neighbours, refine_slowly
from tests.strategies import relational_graphs
from wlkg.arrays import IntArray
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import AGGREGATIONS, Aggregation, ModelConfig
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.plan import Plan, make_plan, message_weights
from wlkg.gnn.models.step import Step
from wlkg.gnn.models.sums import Sums
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition

#: One-hot rows of three labels need three columns; the width is even for rotations.
WIDTH = 4

every_composition = pytest.mark.parametrize("composition", sorted(COMPOSITIONS))


def num_relations(graph: RelationalGraph) -> int:
    return len(graph.arcs().relation_names)


def labels_of(graph: RelationalGraph) -> IntArray:
    """The label of each vertex; 0 if the graph has no labels."""
    return np.zeros(graph.num_vertices, dtype=np.int64) if graph.labels is None else graph.labels


def one_hot(graph: RelationalGraph, vertices: IntArray) -> Tensor:
    """The one-hot label of each of the given vertices."""
    return torch.eye(WIDTH, dtype=torch.float64)[
        torch.from_numpy(labels_of(graph).astype(np.int64)[vertices])
    ]


def random_targets(draw: st.DrawFn, graph: RelationalGraph) -> list[int]:
    """Vertices in any order, possibly repeated."""
    if not graph.num_vertices:
        return []
    return draw(st.lists(st.integers(0, graph.num_vertices - 1), max_size=9))


def outcome(model: VertexModel, x: Tensor, plan: Plan) -> tuple[Tensor, list[Tensor]]:
    """The rows of the targets, and the gradients of a random sum of them by all parameters."""
    model.zero_grad()
    out = model(x, plan)
    numbers = torch.Generator().manual_seed(9)
    (out * torch.randn(out.shape, generator=numbers, dtype=out.dtype)).sum().backward()
    gradients = [
        torch.zeros_like(parameter) if parameter.grad is None else parameter.grad.clone()
        for parameter in model.parameters()
    ]
    return out.detach(), gradients


def assert_the_same(actual: Tensor, expected: Tensor) -> None:
    scale = max(1.0, float(expected.abs().max())) if expected.numel() else 1.0
    torch.testing.assert_close(actual, expected, rtol=1e-10, atol=1e-12 * scale)


def bounding_rounds(graph: RelationalGraph, config: ModelConfig) -> list[list[Hashable]]:
    """For the input and each layer, the colours that bound its features.

    The norm depends on the degrees of neighbours, so it is a round ahead. It counts the arcs that
    end at a neighbour, which are visible only if arcs are read in both directions.
    """
    hidden = config.normalised and graph.direction in ("out", "in")
    test = "1-rwl" if config.sees_relations else "1-wl"
    rounds = refine_slowly(graph, test, "both" if hidden else graph.direction)
    later = 1 if config.normalised else 0
    ahead = [0, *(t + later for t in range(1, config.layers + 1))]
    return [rounds[min(t, len(rounds) - 1)] for t in ahead]


def rows_per_layer(plan: Plan) -> list[int]:
    """The numbers of rows of the input and of each layer."""
    return [plan.steps[0].num_sources, *(step.num_targets for step in plan.steps)]


def assert_fits_together(plan: Plan, targets: Sequence[int]) -> None:
    assert len(plan.start) == plan.steps[0].num_sources
    assert plan.rows.shape == (len(targets),)
    for step, following in zip(plan.steps, plan.steps[1:], strict=False):
        assert step.num_targets == following.num_sources
    for step in plan.steps:
        assert len(step.own) == step.num_targets
        assert len(step.source) == len(step.target) == len(step.relation) == len(step.weight)
    assert plan.num_messages == sum(len(step.source) for step in plan.steps)


def assert_no_larger(plan: Plan, whole: Plan) -> None:
    assert plan.num_messages <= whole.num_messages
    for step, other in zip(plan.steps, whole.steps, strict=True):
        assert len(step.source) <= len(other.source)
        assert step.num_sources <= other.num_sources
        assert step.num_targets <= other.num_targets


def assert_compression_is_exact(
    graph: RelationalGraph, config: ModelConfig, targets: Sequence[int], seed: int
) -> None:
    start = Partition.of(labels_of(graph))
    plan = make_plan(graph, config, targets, start=start, compress=True)
    whole = make_plan(graph, config, targets, start=start, compress=False)
    for each in (plan, whole):
        assert_fits_together(each, targets)
    assert_no_larger(plan, whole)
    model = seeded(seed, VertexModel, config).double()
    out, gradients = outcome(model, one_hot(graph, plan.start), plan)
    expected, expected_gradients = outcome(model, one_hot(graph, whole.start), whole)
    assert out.shape == (len(targets), config.out_width)
    assert_the_same(out, expected)
    for gradient, expected_gradient in zip(gradients, expected_gradients, strict=True):
        assert_the_same(gradient, expected_gradient)


# -- exact compression ----------------------------------------------------------------------------


@st.composite
def cases(
    draw: st.DrawFn, model: str, composition: str = "mult", norm: bool | None = None
) -> tuple[RelationalGraph, ModelConfig, list[int]]:
    """A graph, a model with any switches, and targets.

    Relations have inverses, and CompGCN a second direction, only in the mode ``both``.
    """
    graph = draw(relational_graphs())
    config = ModelConfig(
        model,
        in_width=WIDTH,
        width=draw(st.sampled_from([2, 4])),
        out_width=3,
        relations=1 if model == "gnn" else num_relations(graph),
        layers=draw(st.integers(1, 3)),
        aggregation=draw(st.sampled_from(["sum", "mean"])),
        composition=composition,
        bias=draw(st.booleans()),
        direction=graph.direction == "both" and draw(st.booleans()),
        norm=draw(st.booleans()) if norm is None else norm,
        relation_update=draw(st.booleans()),
        last_activation=draw(st.booleans()),
    )
    return graph, config, random_targets(draw, graph)


Case = tuple[RelationalGraph, ModelConfig, list[int]]


@pytest.mark.parametrize("dense_up_to", [10**9, 0])
@pytest.mark.parametrize("model", ["gnn", "rgcn", "rgcn-mlp"])
def test_a_compressed_rgcn_has_the_same_outputs_and_gradients(model: str, dense_up_to: int) -> None:
    @given(case=cases(model), seed=st.integers(0, 100))
    @settings(max_examples=60)
    def check(case: Case, seed: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            make_products(patch, dense_up_to)
            assert_compression_is_exact(*case, seed)

    check()


@every_composition
@pytest.mark.parametrize("norm", [True, False])
def test_a_compressed_compgcn_has_the_same_outputs_and_gradients(
    composition: str, norm: bool
) -> None:
    @given(case=cases("compgcn", composition, norm), seed=st.integers(0, 100))
    @settings(max_examples=30)
    def check(case: Case, seed: int) -> None:
        assert_compression_is_exact(*case, seed)

    check()


@pytest.mark.parametrize("direction", ["out", "in"])
def test_the_norm_counts_the_arcs_that_end_at_a_neighbour(direction: Direction) -> None:
    # 0 and 2 have one neighbour each, which has none itself; the neighbour of 2 is also that of 4.
    ends = [0, 2, 4], [1, 3, 3]
    head, tail = ends if direction == "out" else ends[::-1]
    graph = RelationalGraph.from_arrays(head, [0] * 3, tail, num_vertices=5, direction=direction)
    for layers in (1, 2):
        config = ModelConfig(
            "compgcn",
            in_width=WIDTH,
            width=4,
            out_width=3,
            relations=1,
            layers=layers,
            direction=False,
            norm=True,
        )
        assert_compression_is_exact(graph, config, [0, 2, 4], 1)
        plan = make_plan(graph, config, [0, 2], compress=True)
        model = seeded(1, VertexModel, config).double()
        one, two = model(one_hot(graph, plan.start), plan)
        assert not torch.allclose(one, two)


@pytest.mark.parametrize("model", ["gnn", "rgcn", "rgcn-mlp", "compgcn"])
def test_a_compressed_plan_has_at_most_a_row_for_each_class_of_its_round(model: str) -> None:
    @given(case=cases(model))
    @settings(max_examples=80)
    def check(case: Case) -> None:
        graph, config, targets = case
        start = Partition.of(labels_of(graph))
        bounds = [len(set(colours)) for colours in bounding_rounds(graph, config)]
        few = rows_per_layer(make_plan(graph, config, targets, start=start))
        assert all(rows <= bound for rows, bound in zip(few, bounds, strict=True))
        everyone = make_plan(graph, config, range(graph.num_vertices), start=start)
        rows = rows_per_layer(everyone)
        if config.normalised and graph.direction in ("out", "in"):
            assert all(count <= bound for count, bound in zip(rows, bounds, strict=True))
        else:
            assert rows == bounds

    check()


def test_only_rows_that_the_targets_depend_on_are_computed() -> None:
    # A path 0 -> 1 -> 2 -> 3 with different labels, and a component without targets.
    graph = RelationalGraph.from_arrays(
        [0, 1, 2, 4], [0, 0, 0, 0], [1, 2, 3, 5], labels=[0, 1, 2, 3, 4, 5], direction="out"
    )
    config = ModelConfig("rgcn", in_width=6, width=2, out_width=2, relations=1, layers=2)
    plan = make_plan(graph, config, [0], start=Partition.of(labels_of(graph)))
    assert rows_per_layer(plan) == [3, 2, 1]
    assert sorted(plan.start.tolist()) == [0, 1, 2]
    assert plan.num_messages == 3


def test_targets_of_one_class_share_a_row_and_keep_their_order() -> None:
    star = RelationalGraph.from_arrays([0] * 3, [0] * 3, [1, 2, 3], num_vertices=4)
    config = ModelConfig("rgcn", in_width=2, width=2, out_width=2, relations=2, layers=1)
    plan = make_plan(star, config, [3, 0, 1, 3])
    leaf, centre = plan.rows[0], plan.rows[1]
    assert plan.rows.tolist() == [leaf, centre, leaf, leaf]
    assert leaf != centre
    assert rows_per_layer(plan) == [1, 2]
    # The leaves send one message with weight three.
    (step,) = plan.steps
    assert sorted(step.weight.tolist()) == [1.0, 3.0]


@given(graph=relational_graphs(labels=True), layers=st.integers(1, 3))
@settings(max_examples=40)
def test_all_vertices_start_equal_unless_a_partition_is_given(
    graph: RelationalGraph, layers: int
) -> None:
    config = ModelConfig(
        "rgcn", in_width=2, width=2, out_width=2, relations=num_relations(graph), layers=layers
    )
    plan = make_plan(graph, config, range(graph.num_vertices))
    bare = replace(graph, labels=None, label_names=())
    expected = [len(set(colours)) for colours in bounding_rounds(bare, config)]
    assert rows_per_layer(plan) == expected


@given(graph=relational_graphs(), mode=st.sampled_from(DIRECTIONS), compress=st.booleans())
@settings(max_examples=60)
def test_a_plan_follows_the_direction_of_the_graph_it_is_given(
    graph: RelationalGraph, mode: Direction, compress: bool
) -> None:
    turned = graph.with_direction(mode)
    config = ModelConfig(
        "compgcn",
        in_width=WIDTH,
        width=2,
        out_width=2,
        relations=num_relations(turned),
        direction=False,
    )
    targets = range(graph.num_vertices)
    plan = make_plan(turned, config, targets, compress=compress)
    expected = make_plan(replace(graph, direction=mode), config, targets, compress=compress)
    assert plan.rows.tolist() == expected.rows.tolist()
    for step, other in zip(plan.steps, expected.steps, strict=True):
        for name in ("own", "source", "target", "relation", "weight"):
            assert torch.equal(getattr(step, name), getattr(other, name))


# -- plans without compression --------------------------------------------------------------------


@pytest.mark.parametrize("norm", [True, False])
@pytest.mark.parametrize("model", ["rgcn", "compgcn"])
@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@given(graph=relational_graphs())
@settings(max_examples=40)
def test_each_arc_sends_a_message_with_its_weight(
    graph: RelationalGraph, aggregation: Aggregation, model: str, norm: bool
) -> None:
    config = ModelConfig(
        model,
        in_width=2,
        width=2,
        out_width=2,
        relations=num_relations(graph),
        aggregation=aggregation,
        direction=False,
        norm=norm,
    )
    names = graph.arcs().relation_names
    near = neighbours(graph, graph.direction)
    expected = {}
    for v, pairs in near.items():
        for name, w in pairs:
            here = sum(name == other for other, _ in pairs)
            there = sum((name, w) in others for others in near.values())
            weight = 1.0
            if model == "compgcn" and norm:
                weight = 1 / math.sqrt(here * there)
            elif aggregation == "mean":
                weight = 1 / here
            expected[v, names.index(name), w] = weight
    plan = make_plan(graph, config, range(graph.num_vertices), compress=False)
    assert plan.start.tolist() == plan.rows.tolist() == list(range(graph.num_vertices))
    for step in plan.steps:
        columns = (step.target.tolist(), step.relation.tolist(), step.source.tolist())
        messages = dict(zip(zip(*columns, strict=True), step.weight.tolist(), strict=True))
        assert len(messages) == len(step.source)
        assert messages == pytest.approx(expected, rel=1e-12)
    assert sorted(message_weights(graph.arcs(), config)) == pytest.approx(sorted(expected.values()))


def test_a_plan_moves_to_a_device_and_a_floating_point_type() -> None:
    graph = wlkg.read("example:c6")
    config = ModelConfig("compgcn", in_width=4, width=4, out_width=3, relations=1, direction=False)
    plan = make_plan(graph, config, [0, 3], compress=False)
    model = seeded(1, VertexModel, config)
    x = torch.ones((6, 4))
    single = plan.to(torch.device("cpu"), torch.float32)
    out = model(x, single)
    assert out.dtype == torch.float32
    assert torch.allclose(out.double(), model.double()(x.double(), plan), atol=1e-5)
    for step, moved in zip(
        plan.steps, plan.to(torch.device("meta"), torch.float16).steps, strict=True
    ):
        assert moved.weight.dtype == torch.float16
        for name in ("own", "source", "target", "relation", "weight"):
            assert getattr(moved, name).device.type == "meta"
            assert getattr(moved, name).shape == getattr(step, name).shape
        assert (moved.num_sources, moved.num_targets) == (step.num_sources, step.num_targets)
    assert plan.to(torch.device("meta"), torch.float16).rows.device.type == "meta"


@given(graph=relational_graphs())
@settings(max_examples=40)
def test_the_pairs_of_a_step_are_those_of_its_messages(graph: RelationalGraph) -> None:
    config = ModelConfig(
        "rgcn", in_width=2, width=2, out_width=2, relations=num_relations(graph), layers=1
    )
    (step,) = make_plan(graph, config, range(graph.num_vertices), compress=False).steps
    for ends, pairs in ((step.source, step.source_pairs), (step.target, step.target_pairs)):
        listed = list(zip(pairs.row.tolist(), pairs.relation.tolist(), strict=True))
        assert len(set(listed)) == len(listed) == len(pairs)
        messages = list(zip(ends.tolist(), step.relation.tolist(), strict=True))
        assert [listed[i] for i in pairs.position.tolist()] == messages
        assert set(listed) == set(messages)


@pytest.mark.parametrize("compress", [True, False])
def test_a_plan_serves_several_models(compress: bool) -> None:
    graph = wlkg.read("example:c6").with_direction("both")
    config = ModelConfig("compgcn", in_width=WIDTH, width=4, out_width=3, relations=2)
    configs = [
        config,
        replace(config, direction=False),
        ModelConfig("rgcn-mlp", in_width=WIDTH, width=4, out_width=3, relations=2),
    ]
    shared = make_plan(graph, config, range(6), compress=compress)
    for each in [*configs, *reversed(configs)]:
        model = seeded(1, VertexModel, each).double()
        fresh = replace(shared, steps=tuple(replace(step) for step in shared.steps))
        x = one_hot(graph, shared.start)
        assert torch.equal(model(x, shared), model(x, fresh))


@st.composite
def sums(draw: st.DrawFn) -> tuple[list[tuple[int, int, float]], tuple[int, int]]:
    """Summands (target, source, weight), possibly repeated, and the shape of the matrix."""
    shape = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    place = st.tuples(st.integers(0, shape[0] - 1), st.integers(0, shape[1] - 1), st.floats(-2, 2))
    return draw(st.lists(place, max_size=8)), shape


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@given(case=sums())
@settings(max_examples=40)
def test_sums_of_rows_equal_those_of_a_loop(
    case: tuple[list[tuple[int, int, float]], tuple[int, int]], dtype: torch.dtype, keep: bool
) -> None:
    entries, shape = case
    listed = torch.tensor(entries, dtype=torch.float64).reshape(-1, 3)
    target, source = listed[:, 0].long(), listed[:, 1].long()
    numbers = torch.Generator().manual_seed(1)
    rows = torch.randn((shape[1], 3), generator=numbers, dtype=dtype, requires_grad=True)
    factor = torch.randn((shape[0], 3), generator=numbers, dtype=dtype)
    expected, gradient = torch.zeros((shape[0], 3)).double(), torch.zeros((shape[1], 3)).double()
    for t, s, weight in entries:
        expected[t] += weight * rows[s].detach()
        gradient[s] += weight * factor[t]
    # The weights have float64; rows of another type are summed in their own type.
    totals = Sums(target, source, listed[:, 2], shape, keep=keep)(rows)
    assert totals.dtype == dtype
    (back,) = torch.autograd.grad((totals * factor).sum(), rows)
    tolerance = 1e-12 if dtype == torch.float64 else 1e-4
    torch.testing.assert_close(totals.double(), expected, rtol=0, atol=tolerance)
    torch.testing.assert_close(back.double(), gradient, rtol=0, atol=tolerance)


def test_edges_in_the_format_of_pyg_make_a_whole_step() -> None:
    step = Step.whole(torch.tensor([[0, 2], [1, 1]]), torch.tensor([5, 6]), 3)
    assert (step.num_sources, step.num_targets) == (3, 3)
    assert step.own.tolist() == [0, 1, 2]
    assert step.source.tolist() == [0, 2]
    assert step.target.tolist() == [1, 1]
    assert step.relation.tolist() == [5, 6]
    assert step.weight.tolist() == [1.0, 1.0]


# -- the paper's Theorem 1 ------------------------------------------------------------------------


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp", "compgcn"])
def test_vertices_of_one_class_of_round_t_have_equal_features_after_layer_t(
    model: str, norm: bool
) -> None:
    @given(case=cases(model, norm=norm), seed=st.integers(0, 100))
    @settings(max_examples=60)
    def check(case: Case, seed: int) -> None:
        graph, config, _ = case
        everyone = np.arange(graph.num_vertices)
        plan = make_plan(graph, config, everyone, compress=False)
        trained = seeded(seed, VertexModel, config).double()
        with torch.no_grad():
            features = trained.features(one_hot(graph, everyone), plan)
        assert len(features) == config.layers
        _, *after = bounding_rounds(graph, config)
        for rows, colours in zip(features, after, strict=True):
            first = [colours.index(colour) for colour in colours]
            assert_the_same(rows, rows[first])

    check()


def test_with_the_norm_a_layer_sees_a_round_further() -> None:
    # 0 - 1 and 2 - 3 - 4: 0 and 2 have one neighbour each, of degree one and two.
    graph = RelationalGraph.from_arrays(
        [0, 2, 3], [0, 0, 0], [1, 3, 4], num_vertices=5, direction="undirected"
    )
    first, second, *_ = refine_slowly(graph, "1-rwl", "undirected")[1:]
    assert first[0] == first[2]
    assert second[0] != second[2]
    for norm in (False, True):
        config = ModelConfig(
            "compgcn",
            in_width=WIDTH,
            width=4,
            out_width=3,
            relations=1,
            layers=1,
            direction=False,
            norm=norm,
        )
        plan = make_plan(graph, config, [0, 2], compress=False)
        one, two = seeded(1, VertexModel, config).double()(one_hot(graph, plan.start), plan)
        assert torch.allclose(one, two) is not norm


@pytest.mark.parametrize("composition", ["add", "sub", "concat"])
def test_without_scaling_a_plain_compgcn_is_bounded_by_weak_rwl(composition: str) -> None:
    assert COMPOSITIONS[composition].bounded_by == "weak-rwl"

    @given(graph=relational_graphs(), layers=st.integers(1, 3), seed=st.integers(0, 100))
    @settings(max_examples=60)
    def check(graph: RelationalGraph, layers: int, seed: int) -> None:
        config = ModelConfig(
            "compgcn", in_width=WIDTH, width=4, out_width=3, relations=num_relations(graph),
            layers=layers, composition=composition, direction=False, norm=False,
        )  # fmt: skip
        everyone = np.arange(graph.num_vertices)
        plan = make_plan(graph, config, everyone, compress=False)
        with torch.no_grad():
            features = (
                seeded(seed, VertexModel, config).double().features(one_hot(graph, everyone), plan)
            )
        rounds = refine_slowly(graph, "weak-rwl", graph.direction)
        for t, rows in enumerate(features, 1):
            colours = rounds[min(t, len(rounds) - 1)]
            assert_the_same(rows, rows[[colours.index(colour) for colour in colours]])

    check()


@pytest.mark.parametrize("composition", sorted(COMPOSITIONS))
def test_scaling_separates_vertices_that_weak_rwl_does_not(composition: str) -> None:
    # 0 and 1 have the same two neighbours, but with the relations swapped.
    graph = RelationalGraph.from_arrays(
        [0, 1, 0, 1], [0, 0, 1, 1], [2, 3, 3, 2], labels=[0, 0, 1, 2], direction="undirected"
    )
    config = ModelConfig(
        "compgcn",
        in_width=WIDTH,
        width=4,
        out_width=3,
        relations=2,
        layers=1,
        composition=composition,
        direction=False,
        norm=False,
    )
    plan = make_plan(graph, config, [0, 1], compress=False)
    one, two = seeded(1, VertexModel, config).double()(one_hot(graph, plan.start), plan)
    bound = COMPOSITIONS[composition].bounded_by
    assert torch.allclose(one, two) is (bound == "weak-rwl")


# -- a real graph ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def aifb(data_dir: Path) -> RelationalGraph:
    return wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz")


REAL_CASES = [
    ("rgcn", {}),
    ("rgcn", {"aggregation": "mean", "layers": 3}),
    ("rgcn-mlp", {"bias": True}),
    ("rgcn-mlp", {"aggregation": "mean"}),
    *(("compgcn", {"composition": name}) for name in sorted(COMPOSITIONS)),
    ("compgcn", {"norm": False}),
    ("compgcn", {"norm": False, "aggregation": "mean", "layers": 1}),
    ("compgcn", {"direction": False, "layers": 3}),
    ("compgcn", {"direction": False, "norm": False, "relation_update": False}),
]


@pytest.mark.parametrize(("model", "more"), REAL_CASES)
@pytest.mark.parametrize("labelled", [False, True])
def test_compression_is_exact_on_aifb(
    aifb: RelationalGraph, model: str, more: dict[str, object], labelled: bool
) -> None:
    numbers = np.random.default_rng(1)
    graph = aifb
    if labelled:
        graph = aifb.with_label_ids(numbers.integers(0, 3, aifb.num_vertices))
    config = replace(ModelConfig(model, in_width=WIDTH, width=4, out_width=4, relations=90), **more)  # type: ignore[arg-type]
    targets = numbers.integers(0, aifb.num_vertices, 200).tolist()
    assert_compression_is_exact(graph, config, [*targets, *targets[:20]], 1)


def test_layers_for_all_vertices_of_aifb_have_a_row_for_each_class(aifb: RelationalGraph) -> None:
    everyone = np.arange(aifb.num_vertices)
    plan = make_plan(
        aifb,
        ModelConfig("rgcn", in_width=2, width=2, out_width=2, relations=90, layers=4),
        everyone,
    )
    assert rows_per_layer(plan) == [1, 1491, 5997, 7367, 7399]
    plan = make_plan(
        aifb,
        ModelConfig("compgcn", in_width=2, width=2, out_width=2, relations=90, layers=3),
        everyone,
    )
    assert rows_per_layer(plan) == [1, 5997, 7367, 7399]
