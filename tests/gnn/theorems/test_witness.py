"""Constructed weights: every layer equals its round, in exact arithmetic and in floating point."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import wlkg
from tests.gnn.theorems.constructions import KINDS, TESTS, Kind, choice_of, every_kind
from tests.gnn.theorems.exact_layers import (
    Number,
    Seen,
    classes_of,
    exact_layer,
    is_regular,
    numbered,
    seen_by_tuples,
    seen_by_vertices,
    unit_vectors,
)
from tests.oracles import Colours, refine_slowly, refine_tuples_slowly
from tests.strategies import relational_graphs
from wlkg.arrays import FloatArray
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import TooLargeError, UsageError
from wlkg.examples.small import weak_rwl
from wlkg.gnn.against_wl.judging import model_run, random_run
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.against_wl.setting import Setting, make_setting
from wlkg.gnn.config import ModelChoice, ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.theorems import witness_numbers, witness_weights
from wlkg.gnn.theorems.encodings import ENCODINGS
from wlkg.gnn.theorems.witness import Witness, build_witness, constant_width
from wlkg.gnn.theorems.witness_numbers import COUNTING, Numbers
from wlkg.graph.relational_graph import RelationalGraph

vertex_kinds = pytest.mark.parametrize("kind", [k for k in KINDS if k.model != "k-rn"], ids=str)
tuple_kinds = pytest.mark.parametrize("kind", [k for k in KINDS if k.model == "k-rn"], ids=str)
activations = pytest.mark.parametrize("activation", sorted(ENCODINGS))
modes = st.sampled_from(DIRECTIONS)
seeds = st.integers(0, 1000)


def graphs_with_vertices(max_vertices: int = 7) -> st.SearchStrategy[RelationalGraph]:
    return relational_graphs(max_vertices).filter(lambda graph: graph.num_vertices > 0)


def float_layers(setting: Setting, witness: Witness, seed: int | None = None) -> list[FloatArray]:
    arcs = setting.arcs
    arrangement = Arrangement.as_given(arcs) if seed is None else Arrangement.random(arcs, seed)
    return list(model_run(setting, witness.model)(arrangement))


def widths_for(config: ModelConfig, counts: list[int]) -> list[int]:
    """The numbers of classes, made even where rotate needs it."""
    if config.composition != "rotate":
        return counts
    return [*(count + count % 2 for count in counts[:-1]), counts[-1]]


def setting_for(kind: Kind, graph: RelationalGraph, direction: Direction | None = None) -> Setting:
    """Labels or constant features."""
    return with_even_width(kind, make_setting(graph, width=1, direction=direction))


def with_even_width(kind: Kind, setting: Setting) -> Setting:
    """The setting with a column of zeros more in its features where rotate needs it."""
    if kind.composition != "rotate" or kind.model == "k-rn" or setting.features.width % 2 == 0:
        return setting
    rows = np.pad(setting.features.rows, ((0, 0), (0, 1)))
    return replace(setting, features=replace(setting.features, rows=rows))


def assert_simulates(
    witness: Witness, setting: Setting, rounds: list[Colours], seen: Seen, seed: int
) -> None:
    """Run the model in exact arithmetic, and compare it with the rounds and the floats."""
    config, layers = witness.model.config, witness.model.layers
    rounds = rounds + rounds[-1:] * (len(layers) + 1 - len(rounds))
    counts = [len(set(colours)) for colours in rounds[: len(layers) + 1]]
    assert list(witness.classes_per_round) == counts
    assert config.widths == widths_for(config, counts)
    runs = [float_layers(setting, witness), float_layers(setting, witness, seed)]
    x = [row + [0] * (config.widths[0] - len(row)) for row in unit_vectors(rounds[0])]
    if config.model != "k-rn":
        # Columns are labels, in the order of their names.
        everyone = np.arange(setting.graph.num_vertices)
        given = setting.features.of(everyone).to(torch.int64).tolist()
        assert classes_of(given) == numbered(rounds[0])
        x = given
    largest: Number = 0
    for t, layer in enumerate(layers, 1):
        x, reached = exact_layer(layer, config, x, seen)
        largest = max(largest, reached)
        assert classes_of(x) == numbered(rounds[t])
        assert is_regular([row[: counts[t]] for row in map(list, dict.fromkeys(map(tuple, x)))])
        assert not any(value for row in x for value in row[counts[t] :])
        for run in runs:
            assert run[t - 1].tolist() == x
    # Fourier transforms compute sums of their own.
    assert largest <= witness.largest < 2**51


# -- every layer equals its round -----------------------------------------------------------------


@vertex_kinds
@given(graph=graphs_with_vertices(), direction=modes, seed=seeds, more=st.integers(0, 3))
@settings(max_examples=25)
def test_every_layer_equals_its_round(
    graph: RelationalGraph, direction: Direction, seed: int, more: int, kind: Kind
) -> None:
    setting = setting_for(kind, graph, direction)
    rounds = refine_slowly(graph, kind.test, direction)
    # Layers beyond the last round read features of the same number of classes.
    layers = max(len(rounds) - 1, 1) + more
    witness = build_witness(setting, kind.choice(layers), seed=seed)
    assert (witness.bound.test, witness.bound.later) == (kind.test, 0)
    assert witness.bound.direction == direction
    assert witness.model.config.layers == layers
    assert_simulates(witness, setting, rounds, seen_by_vertices(graph, direction, kind.model), seed)


@tuple_kinds
@given(graph=graphs_with_vertices(4), direction=modes, seed=seeds)
@settings(max_examples=15)
def test_every_layer_on_pairs_equals_its_round(
    graph: RelationalGraph, direction: Direction, seed: int, kind: Kind
) -> None:
    setting = setting_for(kind, graph, direction)
    rounds = refine_tuples_slowly([graph], "2-rlwl", direction)
    witness = build_witness(setting, kind.choice(), seed=seed)
    assert witness.bound.test == "2-rlwl"
    assert_simulates(witness, setting, rounds, seen_by_tuples(graph, direction, 2), seed)


@activations
@given(graph=graphs_with_vertices(2), direction=modes)
@settings(max_examples=6)
def test_every_layer_on_triples_equals_its_round(
    graph: RelationalGraph, direction: Direction, activation: str
) -> None:
    setting = make_setting(graph, width=1, direction=direction)
    witness = build_witness(setting, choice_of("k-rn", "scale", activation, k=3))
    rounds = refine_tuples_slowly([graph], "3-rlwl", direction)
    assert witness.bound.test == "3-rlwl"
    assert_simulates(witness, setting, rounds, seen_by_tuples(graph, direction, 3), 1)


@pytest.mark.parametrize("composition", ["scale", "corr", "rotate", "mlp"])
@activations
@given(graph=graphs_with_vertices(), direction=modes, seed=seeds)
@settings(max_examples=10)
def test_every_layer_on_single_vertices_equals_its_round(
    graph: RelationalGraph, direction: Direction, seed: int, activation: str, composition: str
) -> None:
    setting = make_setting(graph, width=1, direction=direction)
    witness = build_witness(setting, choice_of("k-rn", composition, activation, k=1), seed=seed)
    assert witness.bound.test == "1-rlwl"
    rounds = rounds_of(setting, "1-rlwl")
    assert_simulates(witness, setting, rounds, seen_by_tuples(graph, direction, 1), seed)


def rounds_of(setting: Setting, test: str) -> list[Colours]:
    history = wlkg.refine(setting.coloured, test).history
    return [history.partition(t).colours.tolist() for t in range(history.rounds + 1)]


@pytest.mark.parametrize(("composition", "k"), [("corr", 2), ("mlp", 2), ("scale", 1)])
@activations
@given(graph=graphs_with_vertices(3), direction=modes, seed=seeds)
@settings(max_examples=8)
def test_an_mlp_as_the_update_of_tuples_is_the_identity(
    graph: RelationalGraph,
    direction: Direction,
    seed: int,
    activation: str,
    composition: str,
    k: int,
) -> None:
    setting = make_setting(graph, width=1, direction=direction)
    choice = choice_of("k-rn", composition, activation, k=k, update="mlp")
    witness = build_witness(setting, choice, seed=seed)
    rounds = rounds_of(setting, f"{k}-rlwl")
    assert_simulates(witness, setting, rounds, seen_by_tuples(graph, direction, k), seed)


@every_kind
@given(graph=graphs_with_vertices(4))
@settings(max_examples=8)
def test_the_default_number_of_layers_is_the_number_of_rounds(
    graph: RelationalGraph, kind: Kind
) -> None:
    witness = build_witness(setting_for(kind, graph), kind.choice())
    refinement = wlkg.refine(graph, kind.test)
    assert witness.model.config.layers == max(refinement.rounds, 1)
    assert witness.classes_per_round[-1] == refinement.partition.num_classes


@every_kind
def test_matrices_have_the_numbers_of_classes_as_their_sizes(kind: Kind) -> None:
    graph = path(5) if kind.model == "k-rn" else path(9)
    witness = build_witness(setting_for(kind, graph), kind.choice())
    counts = witness.classes_per_round
    assert counts == tuple(wlkg.refine(graph, kind.test).classes_per_round)
    assert len(counts) > 2
    widths = widths_for(witness.model.config, list(counts))
    for layer, (q, p) in zip(witness.model.layers, itertools.pairwise(widths), strict=True):
        assert isinstance(layer, RGCNLayer | CompGCNLayer | KRNLayer)
        assert layer.bias is not None
        rows = 2 * q if kind.composition == "concat" else q
        assert tuple(layer.root.shape) == (q, p)
        assert {tuple(weight.shape) for weight in layer.weight} == {(rows, p)}
        assert tuple(layer.bias.shape) == (p,)
    plain = witness.model.config
    assert (plain.aggregation, plain.last_activation) == ("sum", True)
    assert (plain.normalised, plain.relation_update) == (False, False)
    assert kind.model != "compgcn" or not plain.direction
    assert witness.num_weights == sum(w.numel() for w in witness.model.layers.parameters())


def path(count: int) -> RelationalGraph:
    return RelationalGraph.from_arrays(
        range(count - 1), [0] * (count - 1), range(1, count), direction="undirected"
    )


def test_the_factors_of_positions_separate_many_degrees() -> None:
    # Pairs of centres with degrees (a, b) and (a + q, b - p) have equal sums if the factors of the
    # two positions are p and q: this graph has such pairs for all p and q up to 8.
    ends = [(f"centre {d}", "r", f"leaf {d} {i}") for d in range(1, 10) for i in range(d)]
    graph = RelationalGraph.from_triples(ends).with_direction("undirected")
    setting = make_setting(graph, width=1)
    witness = build_witness(setting, choice_of("k-rn", "scale", layers=1))
    (rows,) = float_layers(setting, witness)
    expected = wlkg.refine(graph, "2-rlwl", rounds=1).partition.colours
    assert classes_of(rows.tolist()) == numbered(expected.tolist())


# -- the paper's example --------------------------------------------------------------------------


@activations
@pytest.mark.parametrize("composition", ["mult", "add", "sub", "concat"])
def test_scaling_separates_v_and_w_of_the_paper_and_counting_never_does(
    composition: str, activation: str
) -> None:
    graph = weak_rwl()
    setting = make_setting(graph)
    witness = build_witness(setting, choice_of("compgcn", composition, activation, layers=4))
    v, w, u1, u2 = map(graph.vertex, ("v", "w", "u1", "u2"))
    for rows in float_layers(setting, witness):
        assert (rows[v].tolist() != rows[w].tolist()) is (composition == "mult")
        assert rows[u1].tolist() != rows[u2].tolist()


@pytest.mark.parametrize("composition", COUNTING)
def test_counting_does_not_reach_the_first_round_on_tuples(composition: str) -> None:
    # The paper's v, w, u1, u2, and a vertex without neighbours.
    graph = RelationalGraph.from_arrays(
        [0, 1, 0, 1], [0, 0, 1, 1], [2, 3, 3, 2],
        num_vertices=5, labels=[0, 0, 1, 2, 0], direction="undirected",
    )  # fmt: skip
    one, two = 5 * 4 + 0, 5 * 4 + 1
    assert wlkg.refine(graph, "2-rlwl").history.separated_at(one, two) == 1
    setting = make_setting(graph)
    choice = choice_of("k-rn", composition, "relu", layers=1)
    for seed in range(5):
        run = random_run(setting, setting.completed(choice), seed)
        (rows,) = run(Arrangement.as_given(setting.arcs))
        assert np.ptp(rows) > 0.1
        assert rows[one] == pytest.approx(rows[two], abs=1e-12)


# -- real data ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def aifb_piece(data_dir: Path) -> RelationalGraph:
    graph = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz", literals="drop")
    return graph.induced(range(300))


@pytest.mark.parametrize(
    ("model", "composition", "activation"),
    [
        ("gnn", "mult", "sign"),
        ("rgcn", "mult", "sign"),
        ("compgcn", "scale", "sign"),
        ("compgcn", "scale", "relu"),
        ("compgcn", "corr", "sign"),
        ("compgcn", "corr", "relu"),
        ("compgcn", "rotate", "sign"),
        ("compgcn", "mlp", "sign"),
        ("compgcn", "mlp", "relu"),
        ("rgcn-mlp", "mult", "sign"),
        ("compgcn", "add", "sign"),
    ],
)
def test_a_piece_of_aifb_is_simulated(
    aifb_piece: RelationalGraph, model: str, composition: str, activation: str
) -> None:
    choice = choice_of(model, composition, activation)
    setting = make_setting(aifb_piece, width=constant_width(choice))
    witness = build_witness(setting, choice_of(model, composition, activation))
    rounds = refine_slowly(aifb_piece, TESTS[model, composition], "both")
    assert len(rounds) > 2
    assert len(set(rounds[-1])) > 50
    for seed in (None, 3):
        layers = float_layers(setting, witness, seed)
        assert [classes_of(rows.tolist()) for rows in layers] == list(map(numbered, rounds[1:]))


# -- unusual graphs -------------------------------------------------------------------------------

UNUSUAL = {
    "one vertex": RelationalGraph.from_arrays([], [], [], num_vertices=1),
    "no relations": RelationalGraph.from_arrays([], [], [], num_vertices=3),
    "no arcs": RelationalGraph.from_arrays([], [], [], num_vertices=3, relation_names=["r", "s"]),
    "labels only": RelationalGraph.from_arrays([], [], [], num_vertices=3, labels=[1, 0, 1]),
    "a loop": RelationalGraph.from_arrays([0], [0], [0], num_vertices=1),
    "one class": RelationalGraph.from_arrays([0, 1, 2], [0, 0, 0], [1, 2, 0]),
    "isolated": RelationalGraph.from_arrays([0, 0], [0, 1], [1, 1], num_vertices=4),
    "a path": RelationalGraph.from_arrays(range(4), [0, 1, 1, 0], range(1, 5)),
    "own labels": RelationalGraph.from_arrays([0, 1], [0, 0], [1, 2], labels=[2, 1, 0]),
}


@every_kind
@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_graphs_have_witnesses(name: str, kind: Kind) -> None:
    graph = UNUSUAL[name]
    setting = setting_for(kind, graph)
    witness = build_witness(setting, kind.choice(3))
    if kind.model == "k-rn":
        rounds = refine_tuples_slowly([graph], kind.test, graph.direction)
        seen = seen_by_tuples(graph, graph.direction, 2)
    else:
        rounds = refine_slowly(graph, kind.test, graph.direction)
        seen = seen_by_vertices(graph, graph.direction, kind.model)
    assert_simulates(witness, setting, rounds, seen, 1)


def test_one_hot_features_of_a_table_may_be_in_any_order(tmp_path: Path) -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b"), ("c", "r", "d"), ("b", "s", "c")])
    table = tmp_path / "features.tsv"
    table.write_text("a\t0\t0\t1\nb\t1\t0\t0\nc\t0\t1\t0\nd\t0\t0\t1\n")
    for kind in KINDS:
        setting = with_even_width(kind, make_setting(graph, features=str(table)))
        witness = build_witness(setting, kind.choice(1))
        labelled = graph.with_label_ids([2, 0, 1, 2])
        expected = wlkg.refine(labelled, kind.test, rounds=1).partition.colours
        (rows,) = float_layers(setting, witness)
        assert classes_of(rows.tolist()) == numbered(expected.tolist())


@pytest.mark.parametrize(
    "name", ["c6", "2xc3", "decalin", "rook", "cfi-g,k=2", "cfi-h,k=2,r=2", "weak-rwl"]
)
def test_built_in_graphs_are_seen_as_their_tests_see_them(name: str) -> None:
    graph = wlkg.read(f"example:{name}")
    for kind in KINDS:
        if kind.activation == "sign":
            setting = setting_for(kind, graph)
            witness = build_witness(setting, kind.choice(3))
            rounds = wlkg.refine(setting.coloured, kind.test).history
            for t, rows in enumerate(float_layers(setting, witness), 1):
                assert classes_of(rows.tolist()) == numbered(rounds.partition(t).colours.tolist())


# -- what is refused ------------------------------------------------------------------------------


def test_a_witness_that_would_not_fit_is_refused_with_its_numbers() -> None:
    graph = path(9)
    counts = wlkg.refine(graph).classes_per_round
    weights = sum((2 * a + 1) * b for a, b in itertools.pairwise(counts))
    needed = 16 * weights + 64 * 16

    def build(limit: int, model: str = "rgcn") -> Witness:
        return build_witness(make_setting(graph, width=1, max_memory=limit), choice_of(model))

    assert build(10 * needed).classes_per_round == (1, 2, 3, 4, 5)
    message = (
        f"a witness for 1, 2, 3, 4, 5 classes has {weights:,} weights, sums over 16 neighbours, and"
        f" needs {needed:,} bytes of memory, more than the {needed - 1:,} allowed"
    )
    with pytest.raises(TooLargeError, match=re.escape(message)):
        build(needed - 1)


def test_the_neighbours_of_tuples_count_for_memory() -> None:
    # Few classes, hence few weights, but 2 positions x 30 x 29 arcs x 30 pairs for each.
    graph = RelationalGraph.from_triples(
        [(f"{a}", "r", f"{b}") for a, b in itertools.combinations(range(30), 2)]
    ).with_direction("undirected")
    setting = make_setting(graph, width=1, max_memory=3_000_000)
    with pytest.raises(TooLargeError, match="sums over 52,200 neighbours, and needs 3,34"):
        build_witness(setting, choice_of("k-rn", "scale"))


@pytest.mark.parametrize("composition", ["scale", "add"])
def test_numbers_that_floats_cannot_hold_are_refused_and_signs_need_none(composition: str) -> None:
    setting = make_setting(path(60), width=1)
    with pytest.raises(
        TooLargeError,
        match=r"up to [\d,]{21,}, more than the 2,251,799,813,685,248 .* --activation sign",
    ):
        build_witness(setting, choice_of("compgcn", composition, "relu", layers=29))
    witness = build_witness(setting, choice_of("compgcn", composition, "sign", layers=29))
    assert witness.classes_per_round == tuple(range(1, 31))
    assert witness.largest < 10_000


def test_signs_are_not_recommended_if_they_are_used_already(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(witness_numbers, "_EXACT", 10.0)
    with pytest.raises(TooLargeError, match=r"more than the 10 .* Use fewer --layers$"):
        build_witness(make_setting(path(9), width=1), choice_of("rgcn"))


def test_a_model_that_is_not_its_test_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_: str, numbers: Numbers, width: int) -> Tensor:
        return torch.zeros((len(numbers.relations), width))

    monkeypatch.setattr(witness_weights, "_vectors", nothing)
    with pytest.raises(TooLargeError, match="layer 1 of the constructed weights does not equal"):
        build_witness(make_setting(path(9), width=1), choice_of("compgcn", "mult"))


REFUSED = {
    "k-rn add": (
        choice_of("k-rn", "add"),
        "no construction for k-rn with add. Known: mult, scale, corr, rotate, mlp",
    ),
    "rotate": (
        choice_of("compgcn", "rotate"),
        "rotate needs features of an even width, and these have 1 columns: give them as a table",
    ),
    "mean": (
        ModelChoice("rgcn", aggregation="mean"),
        "no construction for models that aggregate by mean. Use --aggregation sum",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_model_without_a_construction_is_refused_with_those_that_have_one(name: str) -> None:
    choice, message = REFUSED[name]
    with pytest.raises(UsageError, match=re.escape(message)):
        build_witness(make_setting(path(3), width=1), choice)


@pytest.mark.parametrize(
    "rows",
    ["a\t2\t0\nb\t0\t1\n", "a\t1\t1\nb\t0\t1\n", "a\t0\t0\nb\t0\t1\n", "a\t0\nb\t1\n"],
)
def test_features_that_are_not_one_hot_are_refused_except_for_tuples(
    rows: str, tmp_path: Path
) -> None:
    table = tmp_path / "features.tsv"
    table.write_text(rows)
    setting = make_setting(RelationalGraph.from_triples([("a", "r", "b")]), features=str(table))
    for model in ("rgcn", "compgcn"):
        with pytest.raises(UsageError, match="needs one-hot features, one for each class"):
            build_witness(setting, choice_of(model))
    # The features of tuples are their types, whatever the features of vertices are.
    assert build_witness(setting, choice_of("k-rn")).classes_per_round[0] == 4


@every_kind
def test_features_may_have_columns_of_zeros(kind: Kind, tmp_path: Path) -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b"), ("c", "r", "d"), ("b", "s", "c")])
    table = tmp_path / "features.tsv"
    table.write_text("a\t0\t0\t1\t0\nb\t0\t1\t0\t0\nc\t0\t1\t0\t0\nd\t0\t0\t1\t0\n")
    setting = make_setting(graph, features=str(table))
    witness = build_witness(setting, kind.choice(2))
    rounds = wlkg.refine(graph.with_label_ids([0, 1, 1, 0]), kind.test).history
    for t, rows in enumerate(float_layers(setting, witness), 1):
        assert classes_of(rows.tolist()) == numbered(rounds.partition(t).colours.tolist())


# -- circular correlation with ReLU ---------------------------------------------------------------


@pytest.mark.parametrize(("model", "vertices", "edges"), [("compgcn", 40, 150), ("k-rn", 5, 10)])
def test_without_the_anchor_a_relu_would_pass_on_the_rounding_of_correlations(
    monkeypatch: pytest.MonkeyPatch, model: str, vertices: int, edges: int
) -> None:
    # Two copies of a random graph, so that every class has several members.
    draw = np.random.default_rng(0)
    ends, relation = draw.integers(0, vertices, (2, edges)), draw.integers(0, 3, edges)
    heads, tails = np.concatenate([ends, ends + vertices], axis=1)
    graph = RelationalGraph.from_arrays(heads, np.tile(relation, 2), tails)
    setting, choice = make_setting(graph, width=1), choice_of(model, "corr", "relu")
    assert build_witness(setting, choice)
    monkeypatch.setattr(witness_numbers, "_anchor", lambda *_: 0.0)
    with pytest.raises(TooLargeError, match="does not equal round"):
        build_witness(setting, choice)


def test_the_errors_of_correlations_on_many_columns_are_rounded_off() -> None:
    # 30 different degrees in one layer, and all leaves of one centre in the next.
    ends = [(f"centre {d}", "r", f"leaf {d} {i}") for d in range(1, 31) for i in range(d)]
    graph = RelationalGraph.from_triples(ends).with_direction("undirected")
    setting = make_setting(graph, width=1)
    witness = build_witness(setting, choice_of("compgcn", "corr", "relu", layers=4))
    rounds = wlkg.refine(graph, "1-rwl").history
    for seed in range(3):
        for t, rows in enumerate(float_layers(setting, witness, seed), 1):
            assert classes_of(rows.tolist()) == numbered(rounds.partition(t).colours.tolist())


# -- seeds ----------------------------------------------------------------------------------------


@every_kind
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(kind: Kind) -> None:
    graph = path(5).with_label_ids([0, 1, 1, 0, 0])

    def weights(seed: int) -> bytes:
        model = build_witness(setting_for(kind, graph), kind.choice(), seed=seed).model
        return b"".join(value.numpy().tobytes() for value in model.state_dict().values())

    assert weights(1) == weights(1)
    assert len({weights(seed) for seed in range(5)}) > 1
