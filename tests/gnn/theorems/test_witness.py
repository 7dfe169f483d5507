"""Constructed weights: every layer equals its round, in exact arithmetic and in floating point."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

import wlkg
from tests.gnn.theorems.constructions import KINDS, TESTS, Kind, choice_of, every_kind
from tests.oracles import Colours, neighbours, refine_slowly, refine_tuples_slowly
from tests.strategies import relational_graphs
from wlkg.arrays import FloatArray
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import TooLargeError, UsageError
from wlkg.examples.small import weak_rwl
from wlkg.gnn.against_wl.judging import model_run
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.against_wl.setting import Setting, make_setting
from wlkg.gnn.config import ModelChoice, ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.theorems import witness as construction
from wlkg.gnn.theorems import witness_numbers
from wlkg.gnn.theorems.encodings import ENCODINGS, Code, OneHot, Ramps, Signs
from wlkg.gnn.theorems.witness import Witness, build_witness
from wlkg.graph.relational_graph import RelationalGraph

pytestmark = pytest.mark.usefixtures("one_torch_thread")

Number = int | Fraction
Row = list[Number]
#: For each vertex or tuple, the position, the relation and the number of each neighbour.
Seen = list[list[tuple[int, int, int]]]


vertex_kinds = pytest.mark.parametrize("kind", [k for k in KINDS if k.model != "k-rn"], ids=str)
tuple_kinds = pytest.mark.parametrize("kind", [k for k in KINDS if k.model == "k-rn"], ids=str)
activations = pytest.mark.parametrize("activation", sorted(ENCODINGS))
modes = st.sampled_from(DIRECTIONS)
seeds = st.integers(0, 1000)


def graphs_with_vertices(max_vertices: int = 7) -> st.SearchStrategy[RelationalGraph]:
    return relational_graphs(max_vertices).filter(lambda graph: graph.num_vertices > 0)


# -- the formulas in exact arithmetic -------------------------------------------------------------


def exact(values: Tensor) -> Any:
    """The same numbers as integers or fractions, which are never rounded."""

    def convert(value: Any) -> Any:
        if isinstance(value, list):
            return [convert(part) for part in value]
        return int(value) if value.is_integer() else Fraction(value)

    return convert(values.tolist())


def relation_names(graph: RelationalGraph, direction: Direction) -> list[str]:
    names = list(graph.relation_names)
    return names + [f"{name}^-1" for name in names] if direction == "both" else names


def seen_by_vertices(graph: RelationalGraph, direction: Direction) -> Seen:
    number = {name: i for i, name in enumerate(relation_names(graph, direction))}
    arcs = neighbours(graph, direction)
    return [
        [(0, number[name], w) for name, w in sorted(arcs[v])] for v in range(graph.num_vertices)
    ]


def seen_by_tuples(graph: RelationalGraph, direction: Direction, k: int) -> Seen:
    around = seen_by_vertices(graph, direction)
    items = list(itertools.product(range(graph.num_vertices), repeat=k))
    place = {item: number for number, item in enumerate(items)}
    return [
        [
            (j, i, place[(*item[:j], w, *item[j + 1 :])])
            for j, v in enumerate(item)
            for _, i, w in around[v]
        ]
        for item in items
    ]


def phi(name: str, h: Row, z: Row) -> Row:
    d = len(h)
    formulas: dict[str, Callable[[], Row]] = {
        "add": lambda: [a + b for a, b in zip(h, z, strict=True)],
        "sub": lambda: [a - b for a, b in zip(h, z, strict=True)],
        "mult": lambda: [a * b for a, b in zip(h, z, strict=True)],
        "concat": lambda: h + z,
        "corr": lambda: [sum(h[j] * z[(j + k) % d] for j in range(d)) for k in range(d)],
        "scale": lambda: [a * z[0] for a in h],
    }
    return formulas[name]()


def matrices_and_maps(
    layer: nn.Module, composition: str
) -> Callable[[int, int, Row], tuple[Row, list[Row]]]:
    """From position, relation and features of a neighbour: its message and the matrix for it."""
    if isinstance(layer, RGCNLayer):
        by_relation = exact(layer.weight)
        return lambda _, i, h: (h, by_relation[i])
    assert isinstance(layer, CompGCNLayer | KRNLayer)
    assert layer.vectors is not None
    z, by_position = exact(layer.vectors), [exact(weight) for weight in layer.weight]
    return lambda j, i, h: (phi(composition, h, z[i]), by_position[j])


ACTIVATION: dict[str, Callable[[Number], Number]] = {
    "relu": lambda x: max(x, 0),
    "sign": lambda x: (x > 0) - (x < 0),
}


def exact_layer(
    layer: nn.Module, config: ModelConfig, x: list[Row], seen: Seen
) -> tuple[list[Row], Number]:
    """The layer's output, and a bound on all partial sums in any order."""
    assert isinstance(layer, RGCNLayer | CompGCNLayer | KRNLayer)
    assert layer.bias is not None
    root, bias = exact(layer.root), exact(layer.bias)
    message = matrices_and_maps(layer, config.composition)
    act, rows, largest = ACTIVATION[config.activation], [], 0
    for own, others in zip(x, seen, strict=True):
        terms = [(own, root), *(message(j, i, x[w]) for j, i, w in others)]
        row = []
        for column, offset in enumerate(bias):
            parts = [
                h * w[column]
                for vector, matrix in terms
                for h, w in zip(vector, matrix, strict=True)
            ]
            largest = max(largest, sum(map(abs, parts)))
            row.append(act(sum(parts) + offset))
        rows.append(row)
    return rows, largest


def unit_vectors(colours: Colours) -> list[Row]:
    count = len(set(colours))
    return [[int(c == place) for place in range(count)] for c in colours]


def numbered(keys: Sequence[Hashable]) -> list[int]:
    """Equal numbers for equal keys, in the order of first occurrence."""
    number: dict[Hashable, int] = {}
    return [number.setdefault(key, len(number)) for key in keys]


def classes_of(rows: Sequence[Sequence[Any]]) -> list[int]:
    return numbered([tuple(row) for row in rows])


def is_regular(rows: Sequence[Row]) -> bool:
    """Whether the rows are linearly independent, by elimination without rounding."""
    left = [[Fraction(value) for value in row] for row in rows]
    for column in range(len(left)):
        pivot = next((row for row in left[column:] if row[column]), None)
        if pivot is None:
            return False
        left.remove(pivot)
        left.insert(column, pivot)
        for row in left[column + 1 :]:
            factor = row[column] / pivot[column]
            row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return True


def float_layers(setting: Setting, witness: Witness, seed: int | None = None) -> list[FloatArray]:
    arcs = setting.arcs
    arrangement = Arrangement.as_given(arcs) if seed is None else Arrangement.random(arcs, seed)
    return model_run(setting, witness.model)(arrangement)


def assert_simulates(
    witness: Witness, setting: Setting, rounds: list[Colours], seen: Seen, seed: int
) -> None:
    """Run the model in exact arithmetic, and compare it with the rounds and the floats."""
    config, layers = witness.model.config, witness.model.layers
    rounds = rounds + rounds[-1:] * (len(layers) + 1 - len(rounds))
    counts = [len(set(colours)) for colours in rounds[: len(layers) + 1]]
    assert list(witness.classes_per_round) == counts == config.widths
    runs = [float_layers(setting, witness), float_layers(setting, witness, seed)]
    x = unit_vectors(rounds[0])
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
        assert is_regular([list(row) for row in dict.fromkeys(map(tuple, x))])
        for run in runs:
            assert run[t - 1].tolist() == x
    # Fourier transforms compute sums of their own.
    assert largest <= witness.largest < 2**51


# -- every layer equals its round -----------------------------------------------------------------


@vertex_kinds
@given(graph=graphs_with_vertices(), direction=modes, seed=seeds, more=st.integers(0, 3))
@settings(max_examples=30)
def test_every_layer_equals_its_round(
    graph: RelationalGraph, direction: Direction, seed: int, more: int, kind: Kind
) -> None:
    setting = make_setting(graph, width=1, direction=direction)
    rounds = refine_slowly(graph, kind.test, direction)
    # Layers beyond the last round read features of the same number of classes.
    layers = max(len(rounds) - 1, 1) + more
    witness = build_witness(setting, kind.choice(layers), seed=seed)
    assert (witness.bound.test, witness.bound.later) == (kind.test, 0)
    assert witness.bound.direction == direction
    assert witness.model.config.layers == layers
    assert_simulates(witness, setting, rounds, seen_by_vertices(graph, direction), seed)


@tuple_kinds
@given(graph=graphs_with_vertices(4), direction=modes, seed=seeds)
@settings(max_examples=15)
def test_every_layer_on_pairs_equals_its_round(
    graph: RelationalGraph, direction: Direction, seed: int, kind: Kind
) -> None:
    setting = make_setting(graph, width=1, direction=direction)
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


@every_kind
@given(graph=graphs_with_vertices(4))
@settings(max_examples=8)
def test_the_default_number_of_layers_is_the_number_of_rounds(
    graph: RelationalGraph, kind: Kind
) -> None:
    witness = build_witness(make_setting(graph, width=1), kind.choice())
    refinement = wlkg.refine(graph, kind.test)
    assert witness.model.config.layers == max(refinement.rounds, 1)
    assert witness.classes_per_round[-1] == refinement.partition.num_classes


@every_kind
def test_matrices_have_the_numbers_of_classes_as_their_sizes(kind: Kind) -> None:
    graph = path(5) if kind.model == "k-rn" else path(9)
    witness = build_witness(make_setting(graph, width=1), kind.choice())
    counts = witness.classes_per_round
    assert counts == tuple(wlkg.refine(graph, kind.test).classes_per_round)
    assert len(counts) > 2
    for layer, (q, p) in zip(witness.model.layers, itertools.pairwise(counts), strict=True):
        assert isinstance(layer, RGCNLayer | CompGCNLayer | KRNLayer)
        assert layer.bias is not None
        rows = 2 * q if kind.composition == "concat" else q
        assert tuple(layer.root.shape) == (q, p)
        assert {tuple(weight.shape) for weight in layer.weight} == {(rows, p)}
        assert tuple(layer.bias.shape) == (p,)
    plain = witness.model.config
    assert (plain.aggregation, plain.last_activation) == ("sum", True)
    assert (plain.norm, plain.direction, plain.relation_update) == (False, False, False)
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


# -- real data ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def aifb_piece(data_dir: Path) -> RelationalGraph:
    graph = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz", literals="drop")
    return graph.induced(range(300))


@pytest.mark.parametrize(
    ("model", "composition", "activation"),
    [
        ("rgcn", "mult", "sign"),
        ("compgcn", "scale", "sign"),
        ("compgcn", "scale", "relu"),
        ("compgcn", "corr", "sign"),
        ("compgcn", "add", "sign"),
    ],
)
def test_a_piece_of_aifb_is_simulated(
    aifb_piece: RelationalGraph, model: str, composition: str, activation: str
) -> None:
    setting = make_setting(aifb_piece, width=1)
    witness = build_witness(setting, choice_of(model, composition, activation))
    rounds = refine_slowly(aifb_piece, TESTS[model, composition], "both")
    assert len(rounds) > 2
    assert len(set(rounds[-1])) > 50
    for seed in (None, 3):
        layers = float_layers(setting, witness, seed)
        assert [classes_of(rows.tolist()) for rows in layers] == list(map(numbered, rounds[1:]))


# -- features and how they are read ---------------------------------------------------------------

halves = st.integers(0, 200).map(lambda number: number / 2)
different = st.lists(halves, min_size=1, max_size=8, unique=True)
largest_steps = st.integers(1, 40)


def drawn(encoding: OneHot | Signs | Ramps, seed: int, most: int) -> Code:
    return encoding.draw(np.random.default_rng(seed), most)


def assert_reads(rows: FloatArray, code: Code) -> None:
    """The vector reads the number of every class, without any rounding."""
    features, reader = exact(torch.from_numpy(rows)), exact(torch.from_numpy(code.reader))
    products = [[h * u for h, u in zip(row, reader, strict=True)] for row in features]
    assert [sum(row) for row in products] == exact(torch.from_numpy(code.values))
    sizes = [sum(map(abs, row)) for row in products]
    assert max(sizes) == code.reach
    assert (rows @ code.reader).tolist() == code.values.tolist()
    assert len(set(code.values.tolist())) == len(rows)
    assert code.values.min() >= 1
    assert (2 * code.reader % 1 == 0).all()
    # Compositions that count relations add to the first feature.
    assert code.reader[0] > 0


@activations
@given(numbers=different, seed=seeds, most=largest_steps)
def test_features_of_classes_are_read_as_any_numbers_drawn(
    numbers: list[float], seed: int, most: int, activation: str
) -> None:
    encoding = ENCODINGS[activation](np.array(numbers))
    before = np.array(numbers)[:, None] - encoding.thresholds
    rows = np.sign(before) if activation == "sign" else np.maximum(before, 0)
    assert is_regular(exact(torch.from_numpy(rows)))
    code = drawn(encoding, seed, most)
    assert_reads(rows, code)
    assert np.argsort(code.values).tolist() == np.argsort(numbers).tolist()


@given(numbers=different)
def test_rows_are_those_of_the_description(numbers: list[float]) -> None:
    b = sorted(numbers)
    thresholds = Signs(np.array(numbers)).thresholds.tolist()
    for i, number in enumerate(b):
        signs = [float(np.sign(number - threshold)) for threshold in thresholds]
        assert signs == [1.0] * (i + 1) + [-1.0] * (len(b) - i - 1)
    assert Ramps(np.array(numbers)).thresholds.tolist() == [b[0] - 1, *b[:-1]]


@given(order=st.permutations(range(5)), seed=seeds, most=largest_steps)
def test_unit_vectors_are_read_in_any_order(order: list[int], seed: int, most: int) -> None:
    rows = np.eye(5)[order]
    code = drawn(OneHot(rows), seed, most)
    assert_reads(rows, code)
    assert code.reach <= 5 * most


@given(seed=seeds, most=largest_steps)
def test_signs_reach_no_further_than_the_largest_number_drawn(seed: int, most: int) -> None:
    code = drawn(Signs(np.arange(6.0)), seed, most)
    assert code.reach == code.values.max() <= 6 * most
    assert set(np.diff(code.values).tolist()) <= {float(step) for step in range(1, most + 1)}


@pytest.mark.parametrize("encoding", [OneHot(np.eye(1)), Signs(np.ones(1)), Ramps(np.ones(1))])
def test_a_single_class_is_always_read_as_one(encoding: OneHot | Signs | Ramps) -> None:
    codes = [drawn(encoding, seed, 1000) for seed in range(5)]
    assert [(code.values.tolist(), code.reach) for code in codes] == [([1.0], 1.0)] * 5


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
    setting = make_setting(graph, width=1)
    witness = build_witness(setting, kind.choice(3))
    if kind.model == "k-rn":
        rounds = refine_tuples_slowly([graph], kind.test, graph.direction)
        seen = seen_by_tuples(graph, graph.direction, 2)
    else:
        rounds = refine_slowly(graph, kind.test, graph.direction)
        seen = seen_by_vertices(graph, graph.direction)
    assert_simulates(witness, setting, rounds, seen, 1)


def test_one_hot_features_of_a_table_may_be_in_any_order(tmp_path: Path) -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b"), ("c", "r", "d"), ("b", "s", "c")])
    table = tmp_path / "features.tsv"
    table.write_text("a\t0\t0\t1\nb\t1\t0\t0\nc\t0\t1\t0\nd\t0\t0\t1\n")
    setting = make_setting(graph, features=str(table))
    for kind in KINDS:
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
    setting = make_setting(graph, width=1)
    for kind in KINDS:
        if kind.activation == "sign":
            witness = build_witness(setting, kind.choice(3))
            rounds = wlkg.refine(setting.coloured, kind.test).history
            for t, rows in enumerate(float_layers(setting, witness), 1):
                assert classes_of(rows.tolist()) == numbered(rounds.partition(t).colours.tolist())


# -- what is refused ------------------------------------------------------------------------------


def test_a_witness_that_would_not_fit_is_refused_with_its_numbers() -> None:
    graph = path(9)
    counts = wlkg.refine(graph).classes_per_round
    weights = 2 * sum(a * b for a, b in itertools.pairwise(counts))
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
        match=r"whole numbers up to \d\.\de\+1\d, more than the 2.3e\+15 .* --activation sign",
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
    def nothing(_: str, relations: Tensor, width: int) -> Tensor:
        return relations.new_zeros((len(relations), width))

    monkeypatch.setattr(construction, "_vectors", nothing)
    with pytest.raises(TooLargeError, match="layer 1 of the constructed weights does not equal"):
        build_witness(make_setting(path(9), width=1), choice_of("compgcn", "mult"))


REFUSED = {
    "rgcn-mlp": (choice_of("rgcn-mlp"), "no construction for rgcn-mlp. Known: rgcn, compgcn, k-rn"),
    "rotate": (
        choice_of("compgcn", "rotate"),
        "no construction for compgcn with rotate. Known: mult, scale, corr, add, sub, concat",
    ),
    "mlp": (choice_of("compgcn", "mlp"), "no construction for compgcn with mlp"),
    "k-rn add": (
        choice_of("k-rn", "add"),
        "no construction for k-rn with add. Known: mult, scale, corr",
    ),
    "k-rn mlp": (choice_of("k-rn", "mlp"), "no construction for k-rn with mlp"),
    "corr relu": (choice_of("compgcn", "corr", "relu"), "Fourier transforms"),
    "k-rn corr relu": (choice_of("k-rn", "corr", "relu"), "Use --activation sign"),
    "an MLP as update": (
        choice_of("k-rn", "scale", update="mlp"),
        "no construction for k-RN whose sums go through an MLP. Use --update linear",
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
    "rows", ["a\t2\t0\nb\t0\t1\n", "a\t1\t1\nb\t0\t1\n", "a\t1\t0\t0\nb\t0\t1\t0\n", "a\t0\nb\t1\n"]
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


def test_wide_constant_features_are_refused_with_the_width_to_take() -> None:
    with pytest.raises(UsageError, match="constant features of width 1"):
        build_witness(make_setting(path(3), width=4), choice_of("rgcn"))


# -- seeds ----------------------------------------------------------------------------------------


@every_kind
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(kind: Kind) -> None:
    graph = path(5).with_label_ids([0, 1, 1, 0, 0])

    def weights(seed: int) -> bytes:
        model = build_witness(make_setting(graph), kind.choice(), seed=seed).model
        return b"".join(value.numpy().tobytes() for value in model.state_dict().values())

    assert weights(1) == weights(1)
    assert len({weights(seed) for seed in range(5)}) > 1
