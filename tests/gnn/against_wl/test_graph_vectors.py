"""Whole graphs seen by models with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.oracles import ORACLES, differ_slowly, refine_slowly, refine_tuples_slowly
from tests.strategies import relational_graphs, switched
from tests.watching import Watched
from wlkg.corpora import read_corpus
from wlkg.errors import UsageError, WlkgError
from wlkg.gnn.against_wl import graph_vectors
from wlkg.gnn.against_wl.graph_vectors import Vectors
from wlkg.gnn.api import separated_by_model
from wlkg.gnn.config import CLASSIFIERS
from wlkg.gnn.models.graph_readout import GraphReadout
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union

vertex_models = pytest.mark.parametrize("model", sorted(set(CLASSIFIERS) - {"k-rn"}))
every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))


def pair(one: str, two: str) -> list[RelationalGraph]:
    return [wlkg.read(f"example:{name}") for name in (one, two)]


def separated(graphs: list[RelationalGraph], model: str, **more: Any) -> bool | None:
    (verdicts,) = separated_by_model(graphs, [(0, 1)], model, **more)
    return verdicts


def first_difference(graphs: list[RelationalGraph], test: str) -> int | None:
    """The first round at which a test separates two graphs, by the oracles."""
    direction = graphs[0].direction
    if test in ORACLES:
        rounds = refine_slowly(disjoint_union(*graphs), test, direction)
    else:
        rounds = refine_tuples_slowly(graphs, test, direction)
    return differ_slowly(graphs, test, rounds)


#: Pairs of graphs that tests of vertices do not separate, and tests of pairs of vertices do.
PAIRS = [
    ("c6", "2xc3"),
    ("c6,r=2", "2xc3,r=2"),
    ("decalin", "bicyclopentyl"),
    ("petersen", "pentagonal-prism"),
    ("k33", "triangular-prism"),
    ("cfi-g,k=2", "cfi-h,k=2"),
    ("cfi-g,k=2,r=2", "cfi-h,k=2,r=2"),
]


@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_models_of_vertices_do_not_separate_the_papers_pairs_and_a_2_rn_does(
    one: str, two: str
) -> None:
    graphs = pair(one, two)
    for model in ("rgcn", "rgcn-mlp", "compgcn"):
        assert separated(graphs, model) is False
    assert separated(graphs, "k-rn") is True


def test_strongly_regular_graphs_need_triples_of_vertices() -> None:
    graphs = pair("rook", "shrikhande")
    assert separated(graphs, "k-rn", k=2, dim=8) is False
    assert separated(graphs, "k-rn", k=3, dim=8, layers=2) is True


@vertex_models
def test_an_additional_edge_is_seen(model: str) -> None:
    ring = wlkg.read("example:c6")
    heads, tails = [*ring.head.tolist(), 0], [*ring.tail.tolist(), 3]
    chord = RelationalGraph.from_arrays(
        heads, [0] * 7, tails, relation_names=ring.relation_names, direction="undirected"
    )
    verdicts = separated_by_model([ring, chord, ring], [(0, 1), (0, 2), (2, 1), (1, 1)], model)
    assert verdicts == [True, False, True, False]


@every_model
def test_a_graph_is_not_separated_from_its_copies_in_another_order(model: str) -> None:
    draw = np.random.default_rng(0)
    graph = RelationalGraph.from_arrays(
        draw.integers(0, 12, 60), draw.integers(0, 3, 60), draw.integers(0, 12, 60)
    )
    copies = [graph, *(graph.permuted(draw.permutation(12)) for _ in range(5))]
    pairs = [(0, i) for i in range(1, 6)]
    assert separated_by_model(copies, pairs, model) == [False] * 5


@every_model
def test_layers_see_no_further_than_rounds(model: str) -> None:
    # The two graphs differ in the direction of their last arc.
    one, two = (
        RelationalGraph.from_arrays(
            *np.array([[0, 0, 1], [1, 0, 2], [2, 0, 3], last]).T,
            num_vertices=5,
            direction="out",
        )
        for last in ([3, 0, 4], [4, 0, 3])
    )
    first = first_difference([one, two], "2-rlwl" if model == "k-rn" else "1-rwl")
    assert first is not None
    if model != "k-rn":
        assert first == 2
        assert separated([one, two], model, layers=1) is False
    assert separated([one, two], model, layers=first + 2, draws=5) is True


@every_model
def test_a_model_never_separates_what_its_test_does_not(model: str) -> None:
    test = {"k-rn": "2-rlwl", "gnn": "1-wl"}.get(model, "1-rwl")
    most = 4 if model == "k-rn" else 6

    @given(data=st.data(), layers=st.integers(1, 3), seed=st.integers(0, 1000))
    @settings(max_examples=40)
    def check(data: st.DataObject, layers: int, seed: int) -> None:
        one = data.draw(relational_graphs(max_vertices=most).filter(lambda g: g.num_vertices > 0))
        two = data.draw(switched(one))
        first = first_difference([one, two], test)
        answer = separated([one, two], model, layers=layers, seed=seed, draws=2, dim=6)
        assert answer is not None
        if answer:
            assert first is not None
            assert first <= layers

    check()


# -- numbers that cannot carry a verdict ----------------------------------------------------------


def vectors(*layers: tuple[float, float, float]) -> Vectors:
    """For each layer the vectors of two graphs, and their change in another arrangement."""
    return [
        (np.array([[one], [two]]), np.array([[one * (1 + noise)], [two]]))
        for one, two, noise in layers
    ]


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([(1, 1 + 1e-15, 1e-15)], False),
        ([(1, 1 + 1e-10, 1e-15)], True),
        ([(1, 1 + 1e-10, 1e-13)], None),
        ([(1, 1 + 1e-10, 1e-12)], False),
        ([(1, 1 + 1e-12, 0.0)], None),
        ([(1, 1, 0.01)], None),
        ([(1, -1, 0.01)], None),
        ([(1, 2, 1e-15), (1, 1 + 1e-10, 1e-13)], True),
        ([(1, 1, 1e-15), (1, 1 + 1e-10, 1e-13)], None),
        ([(0, 0, 0.0)], False),
        ([(0, 1e-300, 0.0)], True),
    ],
)
def test_numbers_too_close_to_rounding_say_nothing(
    layers: list[tuple[float, float, float]],
    expected: bool | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(graph_vectors, "_vertex_vectors", lambda *_: vectors(*layers))
    assert separated(pair("c6", "2xc3"), "rgcn") is expected


def test_one_draw_that_separates_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    by_seed = {
        5: vectors((1, 1, 0.0)),
        6: vectors((1, 1 + 1e-12, 0.0)),
        7: vectors((1, 2, 0.0)),
    }
    monkeypatch.setattr(graph_vectors, "_vertex_vectors", lambda *given: by_seed[given[-1]])
    graphs = pair("c6", "2xc3")
    expected = {1: False, 2: None, 3: True}
    assert {n: separated(graphs, "rgcn", seed=5, draws=n) for n in expected} == expected


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_numbers_that_overflow_are_an_error(bad: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.array([[1.0], [bad]])
    for layers in ([(rows, np.ones((2, 1)))], [(np.ones((2, 1)), rows)]):
        monkeypatch.setattr(graph_vectors, "_vertex_vectors", lambda *_, layers=layers: layers)
        with pytest.raises(WlkgError, match="features of layer 1 are too large"):
            separated(pair("c6", "2xc3"), "rgcn")


def test_a_relu_before_the_sum_sees_more_than_the_sum_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends = ["ab", "bc", "cd"], ["ab", "ac", "ad"]
    graphs = [
        RelationalGraph.from_triples(
            [(row[0], "r", row[1]) for row in rows], direction="undirected"
        )
        for rows in ends
    ]

    def separating_seeds() -> set[int]:
        options: dict[str, Any] = {"draws": 1, "layers": 1, "dim": 3}
        verdicts = {
            seed: separated_by_model(graphs, [(0, 1)], "rgcn", seed=seed, **options)
            for seed in range(20)
        }
        return {seed for seed, verdict in verdicts.items() if verdict == [True]}

    bent = separating_seeds()
    monkeypatch.setattr(GraphReadout, "pooled", lambda _, features, rows: rows.sums(features))
    assert len(bent) > len(separating_seeds())


def test_a_random_2_rn_separates_every_pair_of_brec_and_an_rgcn_none(data_dir: Path) -> None:
    for group in read_corpus(data_dir / "brec").groups:
        pairs = list(group.pairs())
        assert set(separated_by_model(group.graphs, pairs, "k-rn")) == {True}
        assert set(separated_by_model(group.graphs, pairs, "rgcn", draws=1)) == {False}


# -- corners --------------------------------------------------------------------------------------


@every_model
def test_no_pairs_have_no_verdicts_and_draws_are_counted(model: str) -> None:
    watched = Watched()
    assert separated_by_model(pair("c6", "2xc3"), [], model, draws=2, progress=watched) == []
    assert watched.seen == [(f"running {model}", 2, "draws"), 1, 2, "finished"]


@every_model
def test_graphs_of_different_sizes_are_separated(model: str) -> None:
    empty = RelationalGraph.from_arrays([], [], [], num_vertices=0, direction="undirected")
    one, two = (
        RelationalGraph.from_arrays([], [], [], num_vertices=n, direction="undirected")
        for n in (1, 2)
    )
    pairs = [(0, 1), (1, 2), (0, 0)]
    assert separated_by_model([empty, one, two], pairs, model, draws=5) == [True, True, False]


def test_graphs_without_any_vertex_are_refused() -> None:
    empty = RelationalGraph.from_arrays([], [], [], num_vertices=0)
    with pytest.raises(UsageError, match="no vertices"):
        separated([empty, empty], "rgcn")


def test_labels_and_relations_are_matched_by_name() -> None:
    one = RelationalGraph.from_arrays([0], [0], [1], relation_names=["a"])
    two = RelationalGraph.from_arrays([0], [0], [1], relation_names=["b"])
    assert separated([one, two], "rgcn") is True
    red, blue, mixed = (one.with_labels(names) for names in (["r", "r"], ["b", "b"], ["r", "b"]))
    pairs = [(0, 1), (0, 2), (0, 3)]
    verdicts = separated_by_model([red, blue, mixed, red.permuted([1, 0])], pairs, "rgcn")
    assert verdicts == [True, True, False]


def _difference(offset: float, *, may_be_equal: bool) -> bool | None:
    """The verdict on two graphs whose vectors differ by an offset, where the noise is 1e-14."""
    rows = np.array([[1.0, 2.0], [1.0, 2.0 + offset]])
    runs: Vectors = [(rows, rows * (1 + 1e-14))]
    return graph_vectors.difference(runs, 0, 1, 1e-16, may_be_equal=may_be_equal).separated


def test_close_vectors_are_equal_only_if_the_bounding_test_says_so_too() -> None:
    assert _difference(1e-3, may_be_equal=False) is True
    assert _difference(1e-13, may_be_equal=True) is False
    assert _difference(1e-13, may_be_equal=False) is None
    assert _difference(0.0, may_be_equal=False) is False
