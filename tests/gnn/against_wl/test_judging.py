"""Models against the tests that bound them: verdicts, real graphs, and numbers that fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.gnn.against_wl.rows import NOISE, assert_agrees, distance, near_one
from tests.gnn.choices import plain
from tests.strategies import relational_graphs
from tests.watching import Watched
from wlkg.arrays import FloatArray
from wlkg.errors import TooLargeError, UsageError, WlkgError
from wlkg.gnn.against_wl.clusters import BLURRED, CLEAR, cluster, distinct_rows
from wlkg.gnn.against_wl.judging import Versus, judge, model_run, random_run, versus_random
from wlkg.gnn.against_wl.rounding import clustered_layers
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.against_wl.setting import MOST_LAYERS, Setting, make_setting
from wlkg.gnn.against_wl.verdicts import (
    DrawVerdict,
    LayerVerdict,
    bound_holds,
    judge_layer,
    judge_layers,
    matches,
    most_telling,
)
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History, Partition

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))


# -- verdicts -------------------------------------------------------------------------------------


def two_lists(most: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    return st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=most)


@given(items=two_lists(7), seed=st.integers(0, 1000))
def test_a_verdict_agrees_with_comparing_all_pairs(items: list[tuple[int, int]], seed: int) -> None:
    colours = Partition.of([colour for colour, _ in items])
    kinds = np.array([kind for _, kind in items])
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(4, 3))[kinds] * (1 + draw.uniform(-1e-15, 1e-15, (len(items), 3)))
    verdict = judge_layer(cluster(rows, 1e-15), colours, layer=2, at_round=3)
    assert (verdict.layer, verdict.round) == (2, 3)
    assert verdict.noise == 1e-15
    assert_agrees(verdict, rows, colours)


# Rows 0 and 1 may be equal or not; all others are clear.
IN_DOUBT = np.concatenate([near_one(0, (BLURRED + CLEAR) / 2), [[2.0], [2.0], [3.0]]])


@pytest.mark.parametrize(
    ("colours", "holds", "unclear"),
    [
        ([0, 0, 1, 1, 2], None, (0, 1)),  # perhaps a split
        ([0, 1, 2, 2, 3], True, (0, 1)),  # perhaps a merger
        ([0, 0, 1, 2, 3], None, (0, 1)),
        ([0, 1, 2, 3, 4], True, (0, 1)),
    ],
)
def test_what_the_numbers_do_not_decide_is_undecided(
    colours: list[int], holds: bool | None, unclear: tuple[int, int]
) -> None:
    verdict = judge_layer(cluster(IN_DOUBT, NOISE), Partition.of(colours), layer=1, at_round=1)
    assert verdict.relation == "undecided"
    assert verdict.bound_holds is holds
    assert verdict.merged is None
    assert verdict.split is None
    assert verdict.unclear == unclear


def test_rows_in_doubt_do_not_keep_others_from_being_decided() -> None:
    # 0 and 1 may be split, 2 and 4 surely are, and nothing is merged.
    verdict = judge_layer(
        cluster(IN_DOUBT, NOISE), Partition.of([0, 0, 1, 1, 1]), layer=1, at_round=1
    )
    assert verdict.bound_holds is False
    assert verdict.split == (2, 4)
    assert verdict.relation == "finer"
    # 0 and 1 may be merged too.
    verdict = judge_layer(
        cluster(IN_DOUBT, NOISE), Partition.of([0, 1, 2, 2, 2]), layer=1, at_round=1
    )
    assert verdict.bound_holds is False
    assert verdict.relation == "undecided"
    assert verdict.unclear == (0, 1)


def test_a_chain_is_neither_equal_nor_different() -> None:
    ladder = near_one(*np.arange(0, 3 * CLEAR, BLURRED / 2))
    clustered = cluster(ladder, NOISE)
    together = judge_layer(clustered, Partition.trivial(len(ladder)), layer=1, at_round=1)
    assert (together.relation, together.bound_holds) == ("undecided", None)
    apart = judge_layer(clustered, Partition.of(range(len(ladder))), layer=1, at_round=1)
    assert (apart.relation, apart.bound_holds) == ("undecided", True)
    assert apart.merged is None


def test_with_nothing_but_noise_nothing_is_decided() -> None:
    clustered = cluster(np.array([[1.0], [1.0], [1.3], [0.0]]), 0.5)
    for colours in ([0, 0, 0, 0], [0, 0, 1, 2]):
        verdict = judge_layer(clustered, Partition.of(colours), layer=1, at_round=1)
        assert (verdict.relation, verdict.bound_holds) == ("undecided", None)


def layer_of(relation: str, classes: int = 1, holds: bool | None = True) -> LayerVerdict:
    return LayerVerdict(
        layer=1,
        round=1,
        wl_classes=5,
        model_classes=classes,
        relation=relation,
        bound_holds=holds,
        max_spread=0.0,
        min_gap=None,
        noise=0.0,
        merged=None,
        split=None,
        unclear=None,
    )


def draws_of(*relations: str) -> list[DrawVerdict]:
    holds = {"finer": False, "incomparable": False}
    return [
        DrawVerdict(str(i), (layer_of(relation, i, holds.get(relation, True)),))
        for i, relation in enumerate(relations)
    ]


@pytest.mark.parametrize(
    ("relations", "telling"),
    [
        (("coarser", "equal", "coarser"), "equal"),
        (("coarser", "undecided"), "undecided"),
        (("undecided", "equal"), "equal"),
        (("equal", "finer"), "finer"),
        (("equal", "incomparable", "undecided"), "incomparable"),
        (("incomparable", "finer"), "finer"),
        (("coarser",), "coarser"),
    ],
)
def test_a_violation_is_reported_first_and_then_the_draw_that_sees_most(
    relations: tuple[str, ...], telling: str
) -> None:
    (verdict,) = most_telling(draws_of(*relations))
    assert verdict.relation == telling


def test_of_draws_that_lose_something_the_one_that_sees_most_is_reported() -> None:
    (verdict,) = most_telling(draws_of("coarser", "coarser", "coarser"))
    assert verdict.model_classes == 2


def test_each_layer_has_its_own_most_telling_draw() -> None:
    draws = [
        DrawVerdict("a", (layer_of("equal"), layer_of("coarser"))),
        DrawVerdict("b", (layer_of("coarser"), layer_of("equal"))),
    ]
    layers = most_telling(draws)
    assert [layer.relation for layer in layers] == ["equal", "equal"]
    assert matches(layers) is True


@pytest.mark.parametrize(
    ("holds", "expected"),
    [
        ([True, True], True),
        ([True, None], None),
        ([None, False], False),
        ([True, False], False),
        ([None], None),
    ],
)
def test_a_bound_holds_if_it_holds_in_every_draw(
    holds: list[bool | None], expected: bool | None
) -> None:
    draws = [DrawVerdict("", (layer_of("equal"), layer_of("?", holds=each))) for each in holds]
    assert bound_holds(draws) is expected


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        (["equal", "equal"], True),
        (["equal", "undecided"], None),
        (["undecided", "coarser"], False),
        (["equal", "finer"], False),
    ],
)
def test_a_model_matches_if_every_layer_does(relations: list[str], expected: bool | None) -> None:
    assert matches([layer_of(relation) for relation in relations]) is expected


@pytest.mark.parametrize("later", [0, 1])
def test_each_layer_is_held_against_its_own_round(later: int) -> None:
    rounds = [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 2], [0, 1, 2, 3]]
    rows = [cluster(np.array(colours, dtype=np.float64)[:, None], 1e-15) for colours in rounds]
    verdict = judge_layers(rows[1 + later :], History.from_rounds(rounds), "w", later)
    assert verdict.weights == "w"
    assert [layer.relation for layer in verdict.layers] == ["equal"] * (3 - later)
    assert [layer.round - layer.layer for layer in verdict.layers] == [later] * (3 - later)
    assert [layer.wl_classes for layer in verdict.layers] == [2, 3, 4][later:]


# -- settings and runs ----------------------------------------------------------------------------


def by_random_weights(setting: Setting, choice: ModelChoice, **more: Any) -> Versus:
    return versus_random(setting, setting.completed(choice), **more)


@every_model
@given(
    graph=relational_graphs(max_vertices=5).filter(lambda graph: graph.num_vertices > 0),
    seed=st.integers(0, 1000),
)
@settings(max_examples=15)
def test_the_arrangement_of_vertices_and_arcs_only_changes_rounding(
    graph: RelationalGraph, seed: int, model: str
) -> None:
    setting = make_setting(graph, width=6, device="cpu")
    config = setting.completed(ModelChoice(model, width=6, layers=2))
    run = random_run(setting, config, seed)
    as_given = run(Arrangement.as_given(setting.arcs))
    shuffled = run(Arrangement.random(setting.arcs, seed))
    items = graph.num_vertices ** (2 if model == "k-rn" else 1)
    for rows, others in zip(as_given, shuffled, strict=True):
        assert rows.shape == others.shape == (items, 6)
        assert all(distance(a, b) < 1e-11 for a, b in zip(rows, others, strict=True))


def test_random_arrangements_are_those_of_their_seed() -> None:
    arcs = wlkg.read("example:petersen").arcs("both")
    one, same, other = (Arrangement.random(arcs, seed) for seed in (1, 1, 2))
    for name in ("vertices", "arcs"):
        count = arcs.num_vertices if name == "vertices" else len(arcs)
        numbers = [getattr(drawn, name).tolist() for drawn in (one, same, other)]
        assert numbers[0] == numbers[1] != numbers[2]
        assert sorted(numbers[0]) == sorted(numbers[2]) == list(range(count))
        assert numbers[0] != list(range(count))


def path(vertices: int) -> RelationalGraph:
    ends = np.arange(vertices - 1)
    return RelationalGraph.from_arrays(ends, 0 * ends, ends + 1, direction="undirected")


@pytest.mark.parametrize(
    ("graph", "later", "layers"),
    [
        (path(7), 0, 3),
        (path(7), 1, 2),
        (path(40), 0, MOST_LAYERS),
        (wlkg.read("example:c6"), 0, 1),
        (wlkg.read("example:c6"), 1, 1),
    ],
)
def test_the_default_number_of_layers_is_the_number_of_rounds(
    graph: RelationalGraph, later: int, layers: int
) -> None:
    setting = make_setting(graph, width=4, device="cpu")
    assert setting.usual_layers(Bound("1-rwl", "undirected", later)) == layers
    if not later:
        assert len(by_random_weights(setting, plain("rgcn"), draws=1).layers) == layers


def test_draws_are_named_counted_and_repeatable() -> None:
    watched, setting = Watched(), make_setting(path(5), width=4, device="cpu")
    result = by_random_weights(setting, plain("rgcn"), draws=2, seed=7, progress=watched)
    assert watched.seen == [("comparing with the model", 2, "draws"), 1, 2, "finished"]
    assert [draw.weights for draw in result.draws] == ["seed 7", "seed 8"]
    again = by_random_weights(setting, plain("rgcn"), draws=2, seed=7)
    assert again.draws == result.draws
    assert result.draws[0].layers != result.draws[1].layers


def test_a_graph_without_vertices_is_refused() -> None:
    empty = RelationalGraph.from_arrays([], [], [], num_vertices=0)
    with pytest.raises(UsageError, match="no vertices: there is nothing to compare"):
        make_setting(empty)


@every_model
def test_input_features_are_the_start_colours(model: str, tmp_path: Path) -> None:
    table = tmp_path / "features.tsv"
    graph = RelationalGraph.from_arrays([0, 1], [0, 0], [1, 2], vertex_names=list("abc"))
    table.write_text("a\t1\t0.5\nb\t2\t0.5\nc\t1\t0.5\n", encoding="utf-8")
    setting = make_setting(graph, features=str(table), width=8, device="cpu")
    assert setting.features.start.colours.tolist() == [0, 1, 0]
    assert setting.refined("1-rwl").classes_per_round[0] == 2
    result = by_random_weights(setting, plain(model, 8, layers=1), draws=5)
    assert result.bound_holds is True
    assert result.layers[0].relation == "equal"


# -- numbers that fail ----------------------------------------------------------------------------


def crowded(vertices: int, arcs: int, seed: int = 0) -> RelationalGraph:
    draw = np.random.default_rng(seed).integers
    return RelationalGraph.from_arrays(
        draw(0, vertices, arcs),
        draw(0, 2, arcs),
        draw(0, vertices, arcs),
        num_vertices=vertices,
        relation_names=["a", "b"],
    )


@every_model
@pytest.mark.parametrize(("dtype", "weight"), [("float32", 1e10), ("float64", 1e100)])
def test_numbers_that_overflow_are_an_error_with_a_remedy(
    model: str, dtype: str, weight: float
) -> None:
    setting = make_setting(crowded(5, 20), width=4, device="cpu", dtype=dtype)
    config = setting.completed(plain(model, 4, layers=5))
    types = int(setting.tuples(2).types.max()) + 1
    made = TupleModel(config, types) if model == "k-rn" else VertexModel(config)
    with torch.no_grad():
        for parameter in made.to(setting.dtype).parameters():
            parameter.fill_(weight)
    runs = [("", model_run(setting, made))]
    bound = bound_of(config, "both")
    with pytest.raises(WlkgError, match=r"features of layer \d+ are too large .* fewer --layers"):
        judge(setting, bound, 5, runs)


def test_numbers_that_overflow_in_another_arrangement_are_noticed() -> None:
    setting = make_setting(path(3), width=2, device="cpu")

    def run(arrangement: Arrangement) -> list[FloatArray]:
        moved = arrangement.arcs.tolist() != sorted(arrangement.arcs.tolist())
        return [np.full((3, 2), np.inf if moved else 1e308)]

    assert Arrangement.random(setting.arcs, 1).arcs.tolist() != [0, 1, 2, 3]
    with pytest.raises(WlkgError, match="features of layer 1 are too large"):
        list(clustered_layers(run, setting, seed=1))


@pytest.mark.parametrize("model", ["rgcn", "compgcn", "k-rn"])
def test_a_model_that_does_not_fit_is_refused_with_numbers(model: str) -> None:
    setting = make_setting(crowded(20, 30), width=4, device="cpu", max_memory=2000)
    with pytest.raises(TooLargeError, match=r"needs [\d,]+ bytes .* more than the 2,000") as error:
        by_random_weights(setting, plain(model, 4, layers=1), draws=1)
    assert error.value.exit_code == 3


@pytest.mark.parametrize("model", ["rgcn", "compgcn"])
def test_weights_that_do_not_fit_are_not_drawn(model: str) -> None:
    setting = make_setting(path(3), width=2, device="cpu", max_memory=10**9)
    with pytest.raises(TooLargeError, match=r"about [\d,]{21,} weights"):
        by_random_weights(setting, plain(model, 10**8, layers=2), draws=1)


def test_the_messages_of_a_k_rn_need_memory_too() -> None:
    setting = make_setting(crowded(20, 4000), width=8, device="cpu", max_memory=3 * 10**6)
    arcs = len(setting.arcs)
    weights = 8 * (8 + 8) + 6 * 8**2 + (4 + 2) * 8  # vectors, matrices, relations and loops
    expected = 12 * weights + 24 * 20**2 * 16 + 40 * 20 * arcs * 8
    match = f"messages of {20 * arcs * 8:,} and needs {expected:,} bytes"
    with pytest.raises(TooLargeError, match=match):
        by_random_weights(setting, plain("k-rn", 8, layers=1), draws=1)
    enough = replace(setting, max_memory=expected)
    assert by_random_weights(enough, plain("k-rn", 8, layers=1), draws=1).bound_holds is True


@pytest.mark.parametrize(
    ("model", "composition", "numbers"),
    [
        # Two vertices have neighbours of relation r, five are such neighbours; d = 3.
        ("rgcn", "mult", (2 + 5) * 3),
        ("compgcn", "mult", 2 * 6 * 3),
        ("compgcn", "concat", 2 * 6 * 6),
    ],
)
def test_messages_are_counted_as_they_are_made(model: str, composition: str, numbers: int) -> None:
    rows = [("a", "r", w) for w in "uvwx"] + [("b", "r", w) for w in "xy"]
    setting = make_setting(RelationalGraph.from_triples(rows), width=3, device="cpu", max_memory=1)
    choice = plain(model, 3, composition=composition, layers=1)
    with pytest.raises(TooLargeError, match=f" messages of {numbers} and needs"):
        by_random_weights(setting, choice, draws=1)


def hubs(*degrees: int) -> RelationalGraph:
    """Stars whose centres have these degrees; the centres come first."""
    heads = np.repeat(np.arange(len(degrees)), degrees)
    tails = len(degrees) + np.arange(len(heads))
    return RelationalGraph.from_arrays(heads, 0 * heads, tails)


@pytest.mark.parametrize("degrees", [(30_000, 30_001), (2_000, 2_001)])
def test_single_precision_does_not_call_different_hubs_equal(degrees: tuple[int, ...]) -> None:
    verdicts = {}
    # In single precision, exact arithmetic decides.
    for dtype in ("float32", "float64"):
        setting = make_setting(hubs(*degrees), width=8, device="cpu", dtype=dtype)
        result = by_random_weights(setting, plain("rgcn", 8, layers=1), draws=1)
        verdicts[dtype] = result.layers[0].relation
        assert result.bound_holds is True
    assert verdicts == {"float32": "equal", "float64": "equal"}


def copies(number: int, vertices: int, arcs: int) -> RelationalGraph:
    """Copies of a graph whose vertices, and so the terms of sums, are in different orders."""
    graph, draw = crowded(vertices, arcs), np.random.default_rng(1)
    return wlkg.disjoint_union(*(graph.permuted(draw.permutation(vertices)) for _ in range(number)))


@pytest.mark.parametrize("aggregation", ["sum", "mean"])
@pytest.mark.parametrize("model", ["rgcn", "rgcn-mlp", "compgcn"])
def test_rounding_in_single_precision_is_not_mistaken_for_a_violation(
    model: str, aggregation: str
) -> None:
    graph = copies(8, 60, 500)
    setting = make_setting(graph, width=16, device="cpu", dtype="float32")
    config = setting.completed(plain(model, aggregation=aggregation, layers=5))
    result = versus_random(setting, config, draws=2)
    assert result.bound_holds is True
    assert {layer.relation for layer in result.layers} <= {"equal", "undecided"}
    run = random_run(setting, config, 0)
    bits = [len(distinct_rows(rows)[0]) for rows in run(Arrangement.as_given(setting.arcs))]
    # Bit by bit the rows of one class differ.
    assert bits[-1] > 2 * result.layers[-1].wl_classes


# -- real graphs ----------------------------------------------------------------------------------

AIFB_CLASSES = [1491, 5997, 7367, 7399]


@pytest.fixture(scope="module")
def aifb(data_dir: Path) -> RelationalGraph:
    return wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz")


def on(graph: RelationalGraph, choice: ModelChoice, dtype: str = "float64", **more: Any) -> Versus:
    setting = make_setting(graph, width=choice.width, device="cpu", dtype=dtype)
    return by_random_weights(setting, choice, draws=more.pop("draws", 1), **more)


def seen_and_bound(result: Versus) -> tuple[list[int], list[int]]:
    layers = result.layers
    return [layer.model_classes for layer in layers], [layer.wl_classes for layer in layers]


def test_a_random_rgcn_has_the_classes_of_1_rwl_on_aifb(aifb: RelationalGraph) -> None:
    result = on(aifb, plain("rgcn"))
    assert seen_and_bound(result) == (AIFB_CLASSES, AIFB_CLASSES)
    assert result.matches is True
    assert result.bound_holds is True


def test_a_random_rgcn_with_means_has_the_classes_of_mean_rwl_on_aifb(
    aifb: RelationalGraph,
) -> None:
    expected = wlkg.refine(aifb, "mean-rwl").classes_per_round[1:5]
    result = on(aifb, plain("rgcn", aggregation="mean", layers=4))
    assert seen_and_bound(result) == ([*expected], [*expected])
    assert result.matches is True
    assert all(a < b for a, b in zip(expected, AIFB_CLASSES, strict=True))


@pytest.mark.parametrize("model", ["rgcn", "compgcn"])
def test_a_narrow_model_falls_short_on_aifb(aifb: RelationalGraph, model: str) -> None:
    result = on(aifb, plain(model, 4, layers=4), draws=2)
    seen, bound = seen_and_bound(result)
    assert bound == AIFB_CLASSES
    assert result.bound_holds is True
    assert result.matches is False
    assert all(a <= b for a, b in zip(seen, bound, strict=True))
    assert {layer.relation for layer in result.layers} <= {"equal", "coarser"}


def test_single_precision_decides_nothing_wrongly_on_aifb(aifb: RelationalGraph) -> None:
    result = on(aifb, plain("rgcn", layers=4), "float32", draws=2)
    assert result.bound_holds is not False
    assert {layer.relation for draw in result.draws for layer in draw.layers} == {
        "equal",
        "undecided",
    }


def test_a_random_rgcn_has_the_classes_of_1_rwl_on_wn18rr(data_dir: Path) -> None:
    expected = [3294, 28787, 34065, 34345]
    # This seed works: 5 + 9 neighbours are the same sum as 7 + 7 unless a ReLU bends in between.
    result = on(wlkg.read(data_dir / "kg" / "WN18RR"), plain("rgcn", 32, layers=4), seed=1)
    assert seen_and_bound(result) == (expected, expected)
    assert result.matches is True


def test_a_2_rn_keeps_to_its_bound_on_a_real_graph(data_dir: Path) -> None:
    result = on(wlkg.read(data_dir / "kg" / "nations"), plain("k-rn", 8, layers=2))
    assert result.bound == Bound("2-rlwl", "both")
    assert result.bound_holds is True
    assert result.layers[-1].wl_classes == 14**2


def test_models_are_run_with_the_numbers_asked_for() -> None:
    for name, dtype in (("float32", torch.float32), ("float64", torch.float64)):
        setting = make_setting(path(4), width=4, device="cpu", dtype=name)
        assert setting.dtype == dtype
        noise = by_random_weights(setting, plain("rgcn", 4, layers=1), draws=1).layers[0].noise
        assert noise >= 4 * torch.finfo(dtype).eps
        assert noise < 100 * torch.finfo(dtype).eps
