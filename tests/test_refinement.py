"""One contract for every vertex test and every engine, and the facts known about real graphs."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.oracles import ORACLES, neighbours, refine_slowly
from tests.strategies import relational_graphs
from wlkg.arcs import DIRECTIONS, Direction
from wlkg.graph import RelationalGraph
from wlkg.partition import History, Partition
from wlkg.refinement import TESTS, compiling, engines, refine, worklist
from wlkg.refinement.checking import proves
from wlkg.refinement.engines import ENGINES
from wlkg.refinement.problem import VertexProblem, vertex_problem
from wlkg.unions import disjoint_union

every_test = pytest.mark.parametrize("test", sorted(TESTS))
every_engine = pytest.mark.parametrize("engine", sorted(ENGINES))


def test_no_test_escapes_the_contract() -> None:
    assert sorted(ORACLES) == sorted(TESTS)


@every_engine
@every_test
@given(graph=relational_graphs(), direction=st.sampled_from(DIRECTIONS))
@settings(max_examples=150)
def test_every_round_equals_the_dictionary_version(
    graph: RelationalGraph, direction: Direction, test: str, engine: str
) -> None:
    expected = refine_slowly(graph, test, direction)
    found = refine(graph, test, direction, engine=engine)
    assert found.exact
    # An engine that had to be repaired by the sorting one would hide its own mistakes.
    assert found.proof == {"worklist": engines.EVERY_ROUND, "textbook": engines.SORTED}[engine]
    assert found.stable
    assert found.rounds == len(expected) - 1
    assert found.classes_per_round == [len(set(colours)) for colours in expected]
    for t, colours in enumerate(expected):
        assert found.history.partition(t) == Partition.of(np.array(colours, dtype=np.int64))
    for v, w in itertools.combinations(range(graph.num_vertices), 2):
        first = next((t for t, c in enumerate(expected) if c[v] != c[w]), None)
        assert found.history.separated_at(v, w) == first


@every_test
@given(graph=relational_graphs(), direction=st.sampled_from(DIRECTIONS))
@settings(max_examples=60, deadline=None)
def test_the_compiled_kernels_equal_the_dictionary_version(
    graph: RelationalGraph, direction: Direction, test: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "SMALL", 0)
        found = refine(graph, test, direction)
    expected = refine_slowly(graph, test, direction)
    assert found.classes_per_round == [len(set(colours)) for colours in expected]
    assert found.partition == Partition.of(np.array(expected[-1], dtype=np.int64))


@every_test
@given(graph=relational_graphs(max_vertices=16), direction=st.sampled_from(DIRECTIONS))
@settings(max_examples=100)
def test_pushing_and_pulling_give_the_same(
    graph: RelationalGraph, direction: Direction, test: str
) -> None:
    results = []
    for share in (-1000.0, 1000.0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worklist, "_PULL_SHARE", share)
            results.append(refine(graph, test, direction))
    pulled, pushed = results
    assert pulled.classes_per_round == pushed.classes_per_round
    assert pulled.partition == pushed.partition


@every_test
@given(graph=relational_graphs(), seed=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_renaming_vertices_and_relations_changes_nothing(
    graph: RelationalGraph, seed: object, test: str
) -> None:
    order = list(range(graph.num_vertices))
    seed.shuffle(order)  # type: ignore[attr-defined]
    renamed = RelationalGraph.from_arrays(
        graph.head,
        graph.num_relations - 1 - graph.relation,
        graph.tail,
        num_vertices=graph.num_vertices,
        relation_names=[f"s{i}" for i in range(graph.num_relations)],
        labels=graph.labels,
        label_names=graph.label_names if graph.labels is not None else None,
        direction=graph.direction,
    ).permuted(order)
    one, two = refine(graph, test), refine(renamed, test)
    assert one.classes_per_round == two.classes_per_round
    for t in range(one.rounds + 1):
        assert two.history.partition(t) == one.history.partition(t).restricted(order)


@every_test
@given(graph=relational_graphs())
@settings(max_examples=60)
def test_each_round_refines_the_last_and_there_are_fewer_rounds_than_vertices(
    graph: RelationalGraph, test: str
) -> None:
    found = refine(graph, test)
    assert found.rounds <= max(graph.num_vertices - 1, 0)
    for t in range(found.rounds):
        finer = found.history.partition(t + 1)
        assert finer.refines(found.history.partition(t))
        assert finer.num_classes > found.history.partition(t).num_classes


@given(graph=relational_graphs())
def test_weak_rwl_is_never_finer_than_1_rwl(graph: RelationalGraph) -> None:
    strong, weak = refine(graph, "1-rwl"), refine(graph, "weak-rwl")
    for t in range(max(strong.rounds, weak.rounds) + 1):
        assert strong.history.partition(t).refines(weak.history.partition(t))


@given(graph=relational_graphs(max_relations=1), test=st.sampled_from(["weak-rwl", "1-rwl"]))
def test_with_one_undirected_relation_all_vertex_tests_agree(
    graph: RelationalGraph, test: str
) -> None:
    assert (
        refine(graph, test, "undirected").partition == refine(graph, "1-wl", "undirected").partition
    )


@every_test
@given(graph=relational_graphs(), rounds=st.integers(0, 4))
@settings(max_examples=60)
def test_stopping_early_gives_the_rounds_until_then(
    graph: RelationalGraph, rounds: int, test: str
) -> None:
    whole, part = refine(graph, test), refine(graph, test, rounds=rounds)
    assert part.exact
    assert part.rounds == min(rounds, whole.rounds)
    assert part.classes_per_round == whole.classes_per_round[: part.rounds + 1]
    assert part.partition == whole.history.partition(part.rounds)
    if part.stable:
        assert part.partition == whole.partition


def test_a_mixer_weakened_to_eight_bits_is_found_out_and_repaired(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = np.random.default_rng(0).integers
    n, m = 5000, 10_000
    graph = RelationalGraph.from_arrays(draw(0, n, m), draw(0, 3, m), draw(0, n, m), num_vertices=n)
    expected = refine(graph)
    attempts = []

    class Weak(worklist.Worklist):
        def __init__(self, problem: VertexProblem, seed: int) -> None:
            attempts.append(seed)
            super().__init__(problem, seed, 2**64 - 1 if seed else 0xFF)

    monkeypatch.setattr(engines, "Worklist", Weak)
    found = refine(graph)
    assert attempts == [0, 1]
    assert found.exact
    assert found.classes_per_round == expected.classes_per_round
    assert found.partition == expected.partition


@st.composite
def coarsened_rounds(
    draw: st.DrawFn, test: str
) -> tuple[RelationalGraph, Direction, list[list[int]]]:
    """A graph and its true rounds, of which some later classes may have been put together again."""
    graph = draw(relational_graphs(max_vertices=6, max_relations=2))
    direction = draw(st.sampled_from(DIRECTIONS))
    rounds = [[0] * graph.num_vertices if graph.labels is None else graph.labels.tolist()]
    for true in refine_slowly(graph, test, direction)[1:]:
        merged = draw(st.lists(st.integers(0, 5), min_size=6, max_size=6))
        kept = draw(st.booleans())
        colours = list(map(int, map(str, true)))
        if not kept:
            colours = [merged[c] for c in colours]
        pairs = list(zip(rounds[-1], colours, strict=True))
        number = {pair: i for i, pair in enumerate(dict.fromkeys(pairs))}
        rounds.append([number[pair] for pair in pairs])
    return graph, direction, rounds


@every_test
@given(data=st.data())
@settings(max_examples=300)
def test_the_check_passes_exactly_the_runs_that_missed_no_split(
    data: st.DataObject, test: str
) -> None:
    graph, direction, rounds = data.draw(coarsened_rounds(test))
    seen = neighbours(graph, direction)
    history = History.from_rounds([np.array(r, dtype=np.int64) for r in rounds])
    rounds = rounds[: history.rounds + 1]
    steps = [*itertools.pairwise(rounds), (rounds[-1], rounds[-1])]
    complete = all(
        ORACLES[test](v, seen, list(before)) == ORACLES[test](w, seen, list(before))
        for before, after in steps
        for v, w in itertools.combinations(range(graph.num_vertices), 2)
        if after[v] == after[w]
    )
    chosen = TESTS[test]
    problem = vertex_problem(
        graph, direction, sees_relations=chosen.sees_relations, sees_degrees=chosen.sees_degrees
    )
    order = sorted(range(graph.num_vertices), key=lambda v: [r[v] for r in rounds])
    ok, every_round = proves(problem, history, np.array(order, dtype=np.int32), stable=True)
    assert every_round
    assert ok == complete


def test_the_check_sees_which_colour_lies_behind_which_relation() -> None:
    graph = wlkg.read(Path(__file__).parents[1] / "examples/graphs/weak-rwl.json")
    assert graph.labels is not None
    unsplit = History.from_rounds([graph.labels])
    order = np.argsort(unsplit.class_of, kind="stable")
    for sees_relations in (True, False):
        problem = vertex_problem(
            graph, "undirected", sees_relations=sees_relations, sees_degrees=True
        )
        assert proves(problem, unsplit, order, stable=True) == (not sees_relations, True)


def test_a_forced_collision_makes_the_check_fail_and_the_run_start_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # With all sums zero nothing is ever split, which only the check can see.
    attempts = []

    class Blind(worklist.Worklist):
        def __init__(self, problem: VertexProblem, seed: int) -> None:
            attempts.append(seed)
            super().__init__(problem, seed, 0 if seed == 0 else 2**64 - 1)

    monkeypatch.setattr(engines, "Worklist", Blind)
    path = RelationalGraph.from_triples([("a", "r", "b"), ("b", "r", "c")], direction="undirected")
    assert refine(path).classes_per_round == [1, 2]
    assert attempts == [0, 1]


def test_when_no_attempt_passes_the_check_the_textbook_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines, "proves", lambda *_, **__: (False, True))
    found = refine(wlkg.read("example:c6"))
    assert found.exact
    assert found.proof == engines.SORTED


def test_a_long_path_has_half_as_many_rounds_as_vertices() -> None:
    n = 2001
    v = np.arange(n - 1)
    path = RelationalGraph.from_arrays(v, v * 0, v + 1, num_vertices=n, direction="undirected")
    found = refine(path)
    assert found.rounds == 1000
    assert found.classes_per_round == list(range(1, 1002))
    assert found.history.separated_at(0, 1) == 1
    assert found.history.separated_at(0, n - 1) is None
    assert found.stable


def test_two_graphs_side_by_side_tell_what_a_test_separates() -> None:
    union = disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    assert refine(union).classes_per_round == [1]


def test_the_paper_separates_1_rwl_from_weak_rwl_with_four_vertices() -> None:
    graph = wlkg.read(Path(__file__).parents[1] / "examples/graphs/weak-rwl.json")
    v, w = graph.vertex("v"), graph.vertex("w")
    assert refine(graph, "1-rwl").history.separated_at(v, w) == 1
    assert refine(graph, "weak-rwl").history.separated_at(v, w) is None


def _undirected(text: str) -> RelationalGraph:
    triples = [(word[0], word[2], word[1]) for word in text.split()]
    return RelationalGraph.from_triples(triples, direction="undirected")


def test_weak_rwl_misses_vertices_without_labels_too() -> None:
    graph = _undirected("04a 13a 14b 23b 24a")
    # Both have one arc in a and one in b, so round 1 cannot tell.
    assert refine(graph, "1-rwl").history.separated_at(1, 2) == 2
    assert refine(graph, "weak-rwl").history.separated_at(1, 2) is None


def _first_difference(one: RelationalGraph, two: RelationalGraph, test: str) -> int | None:
    found = refine(disjoint_union(one, two), test)
    split = one.num_vertices
    for t in range(found.rounds + 1):
        colours = found.history.partition(t).colours
        if sorted(colours[:split].tolist()) != sorted(colours[split:].tolist()):
            return t
    return None


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("03a 03b 12a 12b", "02a 13a 03b 12b", (1, None, None)),
        ("03a 04a 12a 14b 23b 34a", "03a 04a 12b 14a 23a 34b", (None, None, 2)),
    ],
)
def test_the_tests_are_not_a_chain(
    one: str, two: str, expected: tuple[int | None, int | None, int | None]
) -> None:
    pair = _undirected(one), _undirected(two)
    assert (
        tuple(_first_difference(*pair, test) for test in ("1-wl", "weak-rwl", "1-rwl")) == expected
    )


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (["01", "10"], ["00", "11"], (None, None, None)),
        (["01", "10", "23", "32"], ["01", "12", "23", "30"], (1, None, None)),
        (["03", "13", "20", "21", "32"], ["03", "12", "20", "31", "32"], (None, None, 2)),
    ],
)
def test_small_directed_pairs_are_separated_as_known(
    one: list[str], two: list[str], expected: tuple[int | None, int | None, int | None]
) -> None:
    first, second = (
        RelationalGraph.from_triples([(e[0], "r", e[1]) for e in edges]) for edges in (one, two)
    )
    found = tuple(_first_difference(first, second, t) for t in ("1-wl", "weak-rwl", "1-rwl"))
    assert found == expected


def test_an_unknown_test_engine_or_round_is_refused_with_the_choices() -> None:
    graph = wlkg.read("example:c6")
    with pytest.raises(
        wlkg.WlkgError, match=re.escape("'2-rwl'. Known: 1-wl, weak-rwl, 1-rwl, K-")
    ):
        refine(graph, "2-rwl")
    with pytest.raises(wlkg.WlkgError, match="worklist"):
        refine(graph, engine="abacus")
    with pytest.raises(wlkg.WlkgError, match="-1"):
        refine(graph, rounds=-1)


FACTS: list[tuple[dict[str, Any], str, Direction, list[int]]] = [
    ({}, "1-rwl", "both", [1, 1491, 5997, 7367, 7399]),
    ({}, "weak-rwl", "both", [1, 1491, 5993, 7360, 7393]),
    ({}, "1-wl", "both", [1, 105, 2487, 4622, 4850, 4851]),
    ({}, "1-rwl", "undirected", [1, 1484, 5993, 7364, 7396]),
    ({"literals": "drop"}, "1-rwl", "both", [1, 718, 2044, 2203, 2209]),
    ({"literals": "occurrence"}, "1-rwl", "both", [1, 1371, 8079, 10005, 10041]),
]


@pytest.mark.parametrize(("options", "test", "direction", "expected"), FACTS)
def test_aifb_has_the_known_classes_per_round(
    data_dir: Path, options: dict[str, Any], test: str, direction: Direction, expected: list[int]
) -> None:
    graph = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz", **options)
    assert refine(graph, test, direction).classes_per_round == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("WN18RR", [1, 3294, 28787, 34065, 34345, 34354, 34359, 34361]),
        ("FB15k-237", [1, 13367, 14244, 14246]),
    ],
)
def test_link_prediction_sets_have_the_known_classes_per_round(
    data_dir: Path, name: str, expected: list[int]
) -> None:
    found = refine(wlkg.read(data_dir / "kg" / name))
    assert found.exact
    assert found.classes_per_round == expected


@given(graph=relational_graphs(directions=("undirected",)))
@settings(max_examples=60)
def test_undirected_edges_written_both_ways_give_the_same_colourings(
    graph: RelationalGraph,
) -> None:
    doubled = graph.both_ways()
    assert doubled.direction == "both"
    for test in TESTS:
        one, two = refine(graph, test), refine(doubled, test)
        assert one.classes_per_round == two.classes_per_round
        assert one.partition == two.partition
