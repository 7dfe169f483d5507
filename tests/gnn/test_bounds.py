"""The upper bounds of the paper: formulas of layers compared with colours in dictionaries."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import wlkg
from tests.gnn.against_wl.rows import EQUAL, assert_agrees, distance
from tests.gnn.choices import plain
from tests.gnn.models.formulas import (
    Around,
    around,
    dense_compgcn,
    dense_krn_layer,
    dense_rgcn,
    dense_update,
    every_composition,
)
from tests.oracles import refine_slowly, refine_tuples_slowly
from tests.strategies import relational_graphs
from wlkg.arrays import FloatArray
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.gnn.against_wl.judging import judge, random_run, versus_random
from wlkg.gnn.against_wl.setting import Setting, make_setting
from wlkg.gnn.against_wl.verdicts import LayerVerdict
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import (
    ACTIVATIONS,
    AGGREGATIONS,
    CLASSIFIERS,
    UPDATES,
    ModelChoice,
    ModelConfig,
)
from wlkg.gnn.features import CONSTANT
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.switches import applying
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition

seeds = st.integers(0, 10**6)


# -- formulas and colours -------------------------------------------------------------------------


def activated(config: ModelConfig, x: Tensor) -> Tensor:
    return x.clamp(min=0) if config.activation == "relu" else x.sign()


def formula_features(setting: Setting, config: ModelConfig, seed: int) -> list[FloatArray]:
    """The features of vertices after every layer, computed by loops over neighbours."""
    model: VertexModel = seeded(seed, VertexModel, config).double()
    near = near_of(setting, config)
    x = setting.features.of(np.arange(setting.graph.num_vertices))
    z: Tensor | None = model.relation_vectors
    features: list[FloatArray] = []
    with torch.no_grad():
        for layer in model.layers:
            if isinstance(layer, RGCNLayer):
                x = dense_rgcn(layer, x, near, config.aggregation)
            else:
                assert isinstance(layer, CompGCNLayer)
                x = dense_compgcn(layer, x, layer.relations(z), near, config)
                z = None if z is None else dense_update(layer, z, layer.relation_map is not None)
            x = activated(config, x)
            features.append(x.numpy())
    return features


def formula_tuple_features(setting: Setting, config: ModelConfig, seed: int) -> list[FloatArray]:
    """The features of tuples after every layer; only with ReLUs."""
    graph, near = setting.tuples(config.k), near_of(setting, config)
    types = int(graph.types.max()) + 1
    model: TupleModel = seeded(seed, TupleModel, config, types).double()
    tuples = list(itertools.product(range(setting.graph.num_vertices), repeat=config.k))
    h = {v: model.types.weight[int(graph.types[v])] for v in tuples}
    z: Tensor | None = model.relation_vectors
    features: list[FloatArray] = []
    with torch.no_grad():
        for layer in model.layers:
            assert isinstance(layer, KRNLayer)
            h = dense_krn_layer(layer, h, layer.relations(z), near, config)
            z = None if z is None else dense_update(layer, z, layer.relation_map is not None)
            features.append(torch.stack([h[v] for v in tuples]).numpy())
    return features


def near_of(setting: Setting, config: ModelConfig) -> Around:
    """Neighbours by relation; a model for a graph without relations has one unused relation."""
    near = around(setting.graph, sees_relations=config.sees_relations)
    return [by_relation + [[]] * (config.relations - len(by_relation)) for by_relation in near]


def oracle_colours(setting: Setting, bound: Bound, layers: int) -> list[Partition]:
    """The colours that bound each layer."""
    if bound.test.endswith("rlwl"):
        rounds = refine_tuples_slowly([setting.coloured], bound.test, bound.direction)
    else:
        rounds = refine_slowly(setting.coloured, bound.test, bound.direction)
    chosen = [min(t + bound.later, len(rounds) - 1) for t in range(1, layers + 1)]
    return [numbered(rounds[t]) for t in chosen]


def numbered(colours: Sequence[Hashable]) -> Partition:
    return Partition.of(np.array(colours, dtype=np.int64))


# -- no weights break a bound ---------------------------------------------------------------------


@st.composite
def cases(
    draw: st.DrawFn, model: str, most: int = 6, activations: Sequence[str] = ACTIVATIONS
) -> tuple[Setting, ModelConfig]:
    """A graph in any direction mode, and a model with any switches."""
    graph = draw(relational_graphs(max_vertices=most).filter(lambda graph: graph.num_vertices > 0))
    composition = draw(st.sampled_from(sorted(COMPOSITIONS)))
    width = draw(st.sampled_from([2, 4, 8]))
    switches: dict[str, Any] = {
        name: draw(st.booleans()) for name in ("bias", "direction", "norm", "relation_update")
    }
    switches["k"] = draw(st.sampled_from([1, 2]))
    switches["update"] = draw(st.sampled_from(UPDATES))
    switches["composition"] = composition
    switches = applying(model, **switches)
    if not switches.get("norm"):
        switches["aggregation"] = draw(st.sampled_from(AGGREGATIONS))
    own_vectors = draw(st.booleans())
    choice = ModelChoice(
        model,
        width=width,
        layers=draw(st.integers(1, 3)),
        activation=draw(st.sampled_from(activations)),
        **switches,
    )
    # Rotation needs an even width, but the number of labels may be odd.
    features = CONSTANT if composition == "rotate" or draw(st.booleans()) else None
    setting = make_setting(graph, features=features, width=width, device="cpu")
    return setting, replace(setting.completed(choice), own_vectors=own_vectors)


@pytest.mark.parametrize("model", sorted(set(CLASSIFIERS) - {"k-rn"}))
def test_features_of_vertices_keep_to_their_bound(model: str) -> None:
    @given(case=cases(model), seed=seeds)
    @settings(max_examples=120 if model == "compgcn" else 40)
    def check(case: tuple[Setting, ModelConfig], seed: int) -> None:
        setting, config = case
        assert_keeps_to_its_bound(setting, config, seed)

    check()


@given(case=cases("k-rn", most=4, activations=["relu"]), seed=seeds)
@settings(max_examples=60)
def test_features_of_tuples_keep_to_their_bound(
    case: tuple[Setting, ModelConfig], seed: int
) -> None:
    setting, config = case
    assert_keeps_to_its_bound(setting, config, seed)


def assert_keeps_to_its_bound(setting: Setting, config: ModelConfig, seed: int) -> None:
    versus = versus_random(setting, config, draws=1, seed=seed)
    assert versus.bound_holds is True
    assert versus.bound == bound_of(config, setting.graph.direction)
    by_formula = formula_tuple_features if config.model == "k-rn" else formula_features
    features = by_formula(setting, config, seed)
    colours = oracle_colours(setting, versus.bound, config.layers)
    assert len(versus.layers) == len(features) == len(colours)
    for verdict, rows, bound in zip(versus.layers, features, colours, strict=True):
        for v in range(len(rows)):
            first = int(np.argmax(bound.colours == bound.colours[v]))
            assert distance(rows[v], rows[first]) <= EQUAL
        assert_agrees(verdict, rows, bound)


@given(case=cases("k-rn", most=4, activations=["sign"]), k=st.sampled_from([1, 2, 3]), seed=seeds)
@settings(max_examples=25)
def test_signs_of_tuples_keep_to_their_bound(
    case: tuple[Setting, ModelConfig], k: int, seed: int
) -> None:
    setting, config = case
    versus = versus_random(setting, replace(config, k=k), draws=1, seed=seed)
    assert versus.bound == Bound(f"{k}-rlwl", setting.graph.direction)
    assert versus.bound_holds is True
    colours = oracle_colours(setting, versus.bound, config.layers)
    assert [layer.wl_classes for layer in versus.layers] == [c.num_classes for c in colours]


# -- which test bounds a model --------------------------------------------------------------------


WEAK = ["add", "sub", "concat"]
SCALING = sorted(set(COMPOSITIONS) - set(WEAK))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_table_of_bounds(direction: Direction) -> None:
    inverses = direction == "both"

    def bound(choice: ModelChoice) -> Bound:
        config = choice.completed(
            in_width=16, out_width=16, relations=4, inverses=inverses, layers=1
        )
        return bound_of(config, direction)

    for aggregation in AGGREGATIONS:
        assert bound(plain("gnn", aggregation=aggregation)) == Bound("1-wl", direction)
    for model in ("rgcn", "rgcn-mlp"):
        assert bound(plain(model)) == Bound("1-rwl", direction)
        assert bound(plain(model, aggregation="mean")) == Bound("mean-rwl", direction)
    for composition in COMPOSITIONS:
        test = "weak-rwl" if composition in WEAK else "1-rwl"
        assert bound(plain(composition=composition)) == Bound(test, direction)
        with_matrices = plain(composition=composition, direction=True)
        assert bound(with_matrices) == Bound("1-rwl" if inverses else test, direction)
        means = plain(composition=composition, aggregation="mean")
        assert bound(means) == Bound("mean-rwl", direction)
        both_ways: Direction = "undirected" if direction == "undirected" else "both"
        for choice in (plain(composition=composition), with_matrices):
            normalised = replace(choice, norm=True)
            assert bound(normalised) == Bound("1-rwl", both_ways, later=1)
        for k, update, aggregation in itertools.product((1, 2, 3), UPDATES, AGGREGATIONS):
            more: dict[str, Any] = {"k": k, "update": update, "aggregation": aggregation}
            tuples = plain("k-rn", composition=composition, **more)
            assert bound(tuples) == Bound(f"{k}-rlwl", direction)


# -- other tests are not bounds, or are not reached -----------------------------------------------


def against(
    graph: RelationalGraph, choice: ModelChoice, test: str, later: int = 0, **mode: Any
) -> LayerVerdict:
    """The verdict on the last layer against the colours of a test, for the best of five draws."""
    setting = make_setting(graph, width=16, device="cpu")
    config = setting.completed(replace(choice, layers=choice.layers or 1))
    bound = Bound(test, mode.get("direction", graph.direction), later)
    runs = [(str(seed), random_run(setting, config, seed)) for seed in range(5)]
    return judge(setting, bound, config.layers, runs).layers[-1]


def one_relation(*arcs: tuple[int, int], **more: Any) -> RelationalGraph:
    heads, tails = zip(*arcs, strict=True)
    return RelationalGraph.from_arrays(heads, [0] * len(arcs), tails, **more)


DIRECTIONS_MATTER = one_relation((0, 2), (3, 0), (1, 3), (2, 1), labels=[0, 0, 1, 2])


@pytest.mark.parametrize("composition", WEAK)
def test_matrices_for_directions_see_more_than_weak_rwl(composition: str) -> None:
    colours = refine_slowly(DIRECTIONS_MATTER, "weak-rwl", "both")[-1]
    assert colours[0] == colours[1]
    config = plain(composition=composition, direction=True)
    verdict = against(DIRECTIONS_MATTER, config, "weak-rwl")
    assert verdict.bound_holds is False
    assert verdict.relation == "finer"
    assert verdict.split == (0, 1)
    assert against(DIRECTIONS_MATTER, config, "1-rwl").relation == "equal"
    one_matrix = plain(composition=composition)
    assert against(DIRECTIONS_MATTER, one_matrix, "weak-rwl").relation == "equal"
    assert against(DIRECTIONS_MATTER, one_matrix, "1-rwl").merged == (0, 1)


# 0 - 1 and 2 - 3 - 4: 0 and 2 have one neighbour each, of degree one and two.
PATHS = one_relation((0, 1), (2, 3), (3, 4), direction="undirected")


@every_composition
def test_the_norm_sees_exactly_one_round_further(composition: str) -> None:
    config = plain(composition=composition, norm=True)
    verdict = against(PATHS, config, "1-rwl")
    assert verdict.bound_holds is False
    assert verdict.split in {(0, 2), (0, 4), (1, 2)}
    assert against(PATHS, config, "1-rwl", later=1).relation == "equal"
    # Layer t of the paper's plain CompGCN is bounded by round t.
    without = against(PATHS, plain(composition=composition), "1-rwl")
    assert without.relation == "equal"


@pytest.mark.parametrize("direction", ["out", "in"])
def test_the_norm_sees_arcs_of_the_other_direction(direction: Direction) -> None:
    ends = [(0, 1), (2, 3), (4, 3)]
    arcs = ends if direction == "out" else [(t, h) for h, t in ends]
    graph = one_relation(*arcs, direction=direction)
    config = plain(norm=True)
    assert against(graph, config, "1-rwl", later=1).split == (0, 2)
    assert against(graph, config, "1-rwl", later=1, direction="both").bound_holds is True
    assert against(graph, plain(), "1-rwl").bound_holds is True


@pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp", "compgcn"])
def test_means_do_not_count_neighbours_with_equal_features(model: str) -> None:
    star = one_relation((0, 1), (2, 3), (2, 4), direction="out")
    rounds = {test: refine_slowly(star, test, "out")[-1] for test in ("1-rwl", "mean-rwl")}
    assert rounds["1-rwl"][0] != rounds["1-rwl"][2]
    assert rounds["mean-rwl"][0] == rounds["mean-rwl"][2]
    means = plain(model, aggregation="mean")
    verdict = against(star, means, "1-rwl")
    assert verdict.relation == "coarser"
    assert verdict.merged == (0, 2)
    assert against(star, means, "mean-rwl").relation == "equal"
    sums = against(star, plain(model), "mean-rwl")
    assert sums.relation == "finer"
    assert sums.split == (0, 2)


#: The paper's example that separates weak-rwl from 1-rwl: vertices v, w, u1, u2.
FOUR = RelationalGraph.from_arrays(
    [0, 1, 0, 1], [0, 0, 1, 1], [2, 3, 3, 2], labels=[0, 0, 1, 2], direction="undirected"
)


@pytest.mark.parametrize("composition", SCALING)
def test_compositions_that_scale_separate_the_papers_vertices(composition: str) -> None:
    # Rotation needs an even number of labels, so a fourth is added.
    graph = FOUR
    if composition == "rotate":
        more = one_relation((0, 1), labels=[3, 3], direction="undirected")
        graph = wlkg.disjoint_union(FOUR, more)
    verdict = against(graph, plain(composition=composition), "1-rwl")
    assert verdict.relation == "equal"
    assert against(graph, plain(composition=composition), "weak-rwl").split == (0, 1)


@pytest.mark.parametrize("composition", WEAK)
@pytest.mark.parametrize("layers", [1, 3])
def test_adding_and_concatenating_do_not_separate_the_papers_vertices(
    composition: str, layers: int
) -> None:
    config = plain(composition=composition, layers=layers)
    found = against(FOUR, config, "1-rwl")
    assert found.relation == "coarser"
    assert found.merged == (0, 1)
    assert against(FOUR, config, "weak-rwl").relation == "equal"


@pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp"])
def test_an_rgcn_separates_the_papers_vertices(model: str) -> None:
    assert against(FOUR, plain(model), "1-rwl").relation == "equal"
    assert against(FOUR, plain(model), "weak-rwl").split == (0, 1)


def test_a_2_rn_separates_pairs_of_a_hexagon_and_two_triangles_but_an_rgcn_does_not() -> None:
    graph = wlkg.disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    assert against(graph, plain("rgcn"), "1-rwl").model_classes == 1
    config = plain("k-rn", composition="mult", layers=3)
    found = against(graph, config, "2-rlwl")
    assert found.relation == "equal"
    assert found.model_classes == found.wl_classes > 3
