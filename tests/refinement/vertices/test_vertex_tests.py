"""One contract for every vertex test and every engine, and known facts about real graphs."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.oracles import ORACLES, neighbours, refine_slowly
from tests.places import EXAMPLE_GRAPHS
from tests.strategies import rebuilt, relational_graphs, renamed
from wlkg.catalogue import DIRECTIONS, TESTS, Direction
from wlkg.compiled import kernel as compiling
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import History, Partition
from wlkg.refinement.proof import EVERY_ROUND, SORTED
from wlkg.refinement.refine import refine
from wlkg.refinement.vertices import vertex_tests, worklist
from wlkg.refinement.vertices.equitable_check import missed_no_split
from wlkg.refinement.vertices.share_kernels import keep_shares
from wlkg.refinement.vertices.shares import arc_weights
from wlkg.refinement.vertices.vertex_problem import VertexProblem, vertex_problem

every_test = pytest.mark.parametrize("test", sorted(TESTS))
every_engine = pytest.mark.parametrize("engine", ["local", "textbook"])


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
    refinement = refine(graph, test, direction, engine=engine)
    assert refinement.exact
    # If the textbook engine had to step in, it would hide the mistakes of the worklist.
    assert refinement.proof == {"local": EVERY_ROUND, "textbook": SORTED}[engine]
    assert refinement.stable
    assert refinement.rounds == len(expected) - 1
    assert refinement.classes_per_round == [len(set(colours)) for colours in expected]
    for t, colours in enumerate(expected):
        assert refinement.history.partition(t) == Partition.of(np.array(colours, dtype=np.int64))
    for v, w in itertools.combinations(range(graph.num_vertices), 2):
        first = next((t for t, c in enumerate(expected) if c[v] != c[w]), None)
        assert refinement.history.separated_at(v, w) == first


@every_test
@given(graph=relational_graphs(), direction=st.sampled_from(DIRECTIONS))
@settings(max_examples=60, deadline=None)
def test_the_compiled_kernels_equal_the_dictionary_version(
    graph: RelationalGraph, direction: Direction, test: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "SMALL", 0)
        refinement = refine(graph, test, direction)
    expected = refine_slowly(graph, test, direction)
    assert refinement.classes_per_round == [len(set(colours)) for colours in expected]
    assert refinement.partition == Partition.of(np.array(expected[-1], dtype=np.int64))


@every_test
@given(graph=relational_graphs(max_vertices=16), direction=st.sampled_from(DIRECTIONS))
@settings(max_examples=100)
def test_pushing_and_pulling_give_the_same_colours(
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
    permutation = list(range(graph.num_vertices))
    seed.shuffle(permutation)  # type: ignore[attr-defined]
    one, two = refine(graph, test), refine(renamed(graph, permutation), test)
    assert one.classes_per_round == two.classes_per_round
    for t in range(one.rounds + 1):
        assert two.history.partition(t) == one.history.partition(t).restricted(permutation)


@every_test
@given(graph=relational_graphs())
@settings(max_examples=60)
def test_each_round_refines_the_last_and_there_are_fewer_rounds_than_vertices(
    graph: RelationalGraph, test: str
) -> None:
    refinement = refine(graph, test)
    assert refinement.rounds <= max(graph.num_vertices - 1, 0)
    for t in range(refinement.rounds):
        finer = refinement.history.partition(t + 1)
        assert finer.refines(refinement.history.partition(t))
        assert finer.num_classes > refinement.history.partition(t).num_classes


@pytest.mark.parametrize("lower", ["weak-rwl", "mean-rwl"])
@given(graph=relational_graphs())
def test_a_test_below_1_rwl_is_never_finer_than_it(graph: RelationalGraph, lower: str) -> None:
    strong, weak = refine(graph, "1-rwl"), refine(graph, lower)
    for t in range(max(strong.rounds, weak.rounds) + 1):
        assert strong.history.partition(t).refines(weak.history.partition(t))


@given(graph=relational_graphs(max_relations=1), test=st.sampled_from(["weak-rwl", "1-rwl"]))
def test_with_one_undirected_relation_all_vertex_tests_agree(
    graph: RelationalGraph, test: str
) -> None:
    assert (
        refine(graph, test, "undirected").partition == refine(graph, "1-wl", "undirected").partition
    )


@st.composite
def one_to_one_graphs(draw: st.DrawFn) -> RelationalGraph:
    """Graphs in which a vertex has at most one neighbour under a relation, either way."""
    count = draw(st.integers(1, 7))
    rows = [
        (h, i, t)
        for i in range(draw(st.integers(1, 3)))
        for h, t in enumerate(draw(st.permutations(range(count))))
        if draw(st.booleans())
    ]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return RelationalGraph.from_arrays(*columns, num_vertices=count)


@given(graph=one_to_one_graphs(), direction=st.sampled_from(["both", "out", "in"]))
def test_with_at_most_one_neighbour_per_relation_mean_rwl_is_1_rwl(
    graph: RelationalGraph, direction: Direction
) -> None:
    mean, strong = refine(graph, "mean-rwl", direction), refine(graph, "1-rwl", direction)
    assert mean.rounds == strong.rounds
    for t in range(mean.rounds + 1):
        assert mean.history.partition(t) == strong.history.partition(t)


def _blown_up(graph: RelationalGraph, times: int) -> RelationalGraph:
    """Copy vertex v as v, v + n, v + 2n, ...; a triple joins all copies of its ends."""
    n = graph.num_vertices
    shifts = np.array(list(itertools.product(range(times), repeat=2)))[:, :, None] * n
    return rebuilt(
        graph,
        head=(graph.head + shifts[:, 0]).ravel(),
        relation=np.tile(graph.relation, times**2),
        tail=(graph.tail + shifts[:, 1]).ravel(),
        num_vertices=times * n,
        vertex_names=None,
        labels=None if graph.labels is None else np.tile(graph.labels, times),
    )


@given(graph=relational_graphs(max_vertices=5), times=st.integers(2, 5))
def test_only_a_sum_sees_how_often_vertices_are_copied(graph: RelationalGraph, times: int) -> None:
    union = disjoint_union(graph, _blown_up(graph, times))
    mean, strong = refine(union, "mean-rwl").history, refine(union, "1-rwl").history
    n = graph.num_vertices
    degrees = np.diff(graph.arcs(graph.direction).offsets)
    for v, copy in itertools.product(range(n), range(times)):
        assert mean.separated_at(v, n + copy * n + v) is None
        assert strong.separated_at(v, n + copy * n + v) == (1 if degrees[v] else None)


@every_engine
def test_shares_are_compared_as_fractions_not_as_counts(engine: str) -> None:
    seen = [(1, 2), (2, 4), (1, 3), (2, 0), (1, 0), (0, 0)]  # red and green neighbours
    n = len(seen)
    rows = [(v, n + k) for v, (red, _) in enumerate(seen) for k in range(red)]
    rows += [(v, n + 2 + k) for v, (_, green) in enumerate(seen) for k in range(green)]
    head, tail = np.array(rows).T
    labels = [0] * n + [1, 1] + [2] * 4
    graph = RelationalGraph.from_arrays(head, head * 0, tail, num_vertices=12, labels=labels)
    partition = refine(graph, "mean-rwl", "out", engine=engine).partition
    assert partition.restricted(range(n)) == Partition.of([0, 0, 1, 2, 2, 3])


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_shares_of_hubs_with_many_neighbours_are_right_in_every_round(direction: Direction) -> None:
    draw = np.random.default_rng(5)
    n, m = 400, 3000
    head, tail = (n * draw.random((2, m)) ** 4).astype(np.int64)
    graph = RelationalGraph.from_arrays(head, draw.integers(0, 2, m), tail, num_vertices=n)
    expected = refine_slowly(graph, "mean-rwl", direction)
    refinement = refine(graph, "mean-rwl", direction)
    assert refinement.proof == EVERY_ROUND
    assert refinement.classes_per_round == [len(set(colours)) for colours in expected]
    assert refinement.partition == Partition.of(np.array(expected[-1], dtype=np.int64))


@given(seen=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=30))
def test_the_check_divides_counts_by_their_common_divisor_in_each_relation(
    seen: list[tuple[int, int]],
) -> None:
    values = sorted(3 * relation + colour for relation, colour in seen)
    count = Counter(values)
    divisors = [math.gcd(*(count[3 * i + c] for c in range(3))) for i in range(3)]
    row = np.array([-1, *values], dtype=np.int64)
    end = keep_shares(1, len(row), 3, row)
    expected = {value: times // divisors[value // 3] for value, times in count.items()}
    assert row[1:end].tolist() == sorted(Counter(expected).elements())


@given(graph=relational_graphs(max_vertices=12), direction=st.sampled_from(DIRECTIONS))
def test_weights_of_arcs_are_a_power_of_two_divided_by_the_degree(
    graph: RelationalGraph, direction: Direction
) -> None:
    arcs = graph.arcs(direction)
    for owner in (arcs.source, arcs.neighbour):
        keys = list(zip(owner.tolist(), arcs.relation.tolist(), strict=True))
        count = Counter(keys)
        power = max((size & -size for size in count.values()), default=1)
        weights = arc_weights(arcs, owner).tolist()
        products = [w * count[key] % 2**64 for w, key in zip(weights, keys, strict=True)]
        assert products == [power] * len(keys)


@every_test
@given(graph=relational_graphs(), rounds=st.integers(0, 4))
@settings(max_examples=60)
def test_stopping_early_gives_the_first_rounds(
    graph: RelationalGraph, rounds: int, test: str
) -> None:
    whole, part = refine(graph, test), refine(graph, test, rounds=rounds)
    assert part.exact
    assert part.rounds == min(rounds, whole.rounds)
    assert part.classes_per_round == whole.classes_per_round[: part.rounds + 1]
    assert part.partition == whole.history.partition(part.rounds)
    if part.stable:
        assert part.partition == whole.partition


@pytest.mark.parametrize(("test", "bits"), [("1-rwl", 8), ("mean-rwl", 3)])
def test_a_mixer_weakened_to_a_few_bits_is_detected_and_repaired(
    monkeypatch: pytest.MonkeyPatch, test: str, bits: int
) -> None:
    draw = np.random.default_rng(0).integers
    n, m = 5000, 10_000
    graph = RelationalGraph.from_arrays(draw(0, n, m), draw(0, 3, m), draw(0, n, m), num_vertices=n)
    expected = refine(graph, test)
    attempts = []

    class Weak(worklist.Worklist):
        def __init__(self, problem: VertexProblem, seed: int) -> None:
            attempts.append(seed)
            super().__init__(problem, seed, 2 ** (64 if seed else bits) - 1)

    monkeypatch.setattr(vertex_tests, "Worklist", Weak)
    refinement = refine(graph, test)
    assert attempts == [0, 1]
    assert refinement.exact
    assert refinement.classes_per_round == expected.classes_per_round
    assert refinement.partition == expected.partition


@st.composite
def coarsened_rounds(
    draw: st.DrawFn, test: str
) -> tuple[RelationalGraph, Direction, list[list[int]]]:
    """A graph and its true rounds, in which some classes may have been merged again."""
    graph = draw(relational_graphs(max_vertices=6, max_relations=2))
    direction = draw(st.sampled_from(DIRECTIONS))
    rounds = [[0] * graph.num_vertices if graph.labels is None else graph.labels.tolist()]
    for true in refine_slowly(graph, test, direction)[1:]:
        merged = draw(st.lists(st.integers(0, 5), min_size=6, max_size=6))
        is_kept = draw(st.booleans())
        colours = list(map(int, map(str, true)))
        if not is_kept:
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
    stable = data.draw(st.booleans())
    steps = [*itertools.pairwise(rounds), *([(rounds[-1], rounds[-1])] if stable else [])]
    complete = all(
        ORACLES[test](v, seen, list(before)) == ORACLES[test](w, seen, list(before))
        for before, after in steps
        for v, w in itertools.combinations(range(graph.num_vertices), 2)
        if after[v] == after[w]
    )
    problem = vertex_problem(graph.with_direction(direction), TESTS[test])
    by_class = sorted(range(graph.num_vertices), key=lambda v: [r[v] for r in rounds])
    listed = np.array(by_class, dtype=np.int32)
    assert missed_no_split(problem, history, listed, stable=stable) == complete


def test_the_check_sees_which_colour_lies_behind_which_relation() -> None:
    graph = wlkg.read(EXAMPLE_GRAPHS / "weak-rwl.json")
    assert graph.labels is not None
    assert graph.direction == "undirected"
    unsplit = History.from_rounds([graph.labels])
    by_class = np.argsort(unsplit.class_of, kind="stable")
    for test, holds in (("1-rwl", False), ("weak-rwl", True)):
        problem = vertex_problem(graph, TESTS[test])
        assert missed_no_split(problem, unsplit, by_class, stable=True) == holds


def test_a_forced_collision_makes_the_check_fail_and_the_run_start_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # With all sums zero nothing is ever split, which only the check can detect.
    attempts = []

    class Blind(worklist.Worklist):
        def __init__(self, problem: VertexProblem, seed: int) -> None:
            attempts.append(seed)
            super().__init__(problem, seed, 0 if seed == 0 else 2**64 - 1)

    monkeypatch.setattr(vertex_tests, "Worklist", Blind)
    path = RelationalGraph.from_triples([("a", "r", "b"), ("b", "r", "c")], direction="undirected")
    assert refine(path).classes_per_round == [1, 2]
    assert attempts == [0, 1]


def test_when_no_attempt_passes_the_check_the_textbook_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vertex_tests, "missed_no_split", lambda *_, **__: False)
    refinement = refine(wlkg.read("example:c6"))
    assert refinement.exact
    assert refinement.proof == SORTED


def _path(n: int) -> RelationalGraph:
    v = np.arange(n - 1)
    return RelationalGraph.from_arrays(v, v * 0, v + 1, num_vertices=n, direction="undirected")


def test_a_long_path_has_half_as_many_rounds_as_vertices() -> None:
    n = 2001
    refinement = refine(_path(n))
    assert refinement.rounds == 1000
    assert refinement.classes_per_round == list(range(1, 1002))
    assert refinement.history.separated_at(0, 1) == 1
    assert refinement.history.separated_at(0, n - 1) is None
    assert refinement.stable
    assert refinement.exact
    assert refinement.proof == EVERY_ROUND


def test_every_round_of_a_long_run_that_was_stopped_is_checked() -> None:
    refinement = refine(_path(2001), rounds=100)
    assert not refinement.stable
    assert refinement.exact
    assert refinement.proof == EVERY_ROUND


def test_a_hexagon_and_two_triangles_have_the_same_colours() -> None:
    union = disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    assert refine(union).classes_per_round == [1]


def test_the_paper_separates_1_rwl_from_weak_rwl_with_four_vertices() -> None:
    graph = wlkg.read(EXAMPLE_GRAPHS / "weak-rwl.json")
    v, w = graph.vertex("v"), graph.vertex("w")
    assert refine(graph, "1-rwl").history.separated_at(v, w) == 1
    assert refine(graph, "weak-rwl").history.separated_at(v, w) is None


#: In the order of the expected rounds below.
VERTEX_TESTS = ("1-wl", "weak-rwl", "1-rwl", "mean-rwl")


def _undirected(text: str) -> RelationalGraph:
    triples = [(word[0], word[2], word[1]) for word in text.split()]
    return RelationalGraph.from_triples(triples, direction="undirected")


def test_weak_rwl_misses_vertices_without_labels_too() -> None:
    graph = _undirected("04a 13a 14b 23b 24a")
    # Both have one arc in a and one in b, so round 1 cannot separate them.
    assert refine(graph, "1-rwl").history.separated_at(1, 2) == 2
    assert refine(graph, "weak-rwl").history.separated_at(1, 2) is None


def _first_difference(one: RelationalGraph, two: RelationalGraph, test: str) -> int | None:
    refinement = refine(disjoint_union(one, two), test)
    split = one.num_vertices
    for t in range(refinement.rounds + 1):
        colours = refinement.history.partition(t).colours
        if sorted(colours[:split].tolist()) != sorted(colours[split:].tolist()):
            return t
    return None


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("03a 03b 12a 12b", "02a 13a 03b 12b", (1, None, None, None)),
        ("03a 04a 12a 14b 23b 34a", "03a 04a 12b 14a 23a 34b", (None, None, 2, 3)),
        # Two edges and a cycle: all neighbours are alike, and only their number differs.
        ("01a 23a", "01a 12a 23a 30a", (1, 1, 1, None)),
    ],
)
def test_the_tests_are_not_a_chain(one: str, two: str, expected: tuple[int | None, ...]) -> None:
    pair = _undirected(one), _undirected(two)
    assert tuple(_first_difference(*pair, test) for test in VERTEX_TESTS) == expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (["01", "10"], ["00", "11"], (None, None, None, None)),
        (["01", "10", "23", "32"], ["01", "12", "23", "30"], (1, None, None, None)),
        (["03", "13", "20", "21", "32"], ["03", "12", "20", "31", "32"], (None, None, 2, None)),
    ],
)
def test_small_directed_pairs_are_separated_as_known(
    one: list[str], two: list[str], expected: tuple[int | None, ...]
) -> None:
    first, second = (
        RelationalGraph.from_triples([(e[0], "r", e[1]) for e in edges]) for edges in (one, two)
    )
    assert tuple(_first_difference(first, second, test) for test in VERTEX_TESTS) == expected


def test_an_unknown_test_engine_or_round_is_refused_with_the_choices() -> None:
    graph = wlkg.read("example:c6")
    with pytest.raises(
        wlkg.WlkgError,
        match=re.escape("'2-rwl'. Known: 1-wl, weak-rwl, 1-rwl, mean-rwl, 1-wl-all, "),
    ):
        refine(graph, "2-rwl")
    with pytest.raises(wlkg.WlkgError, match="Known: auto, local, torch, duckdb"):
        refine(graph, engine="abacus")
    with pytest.raises(wlkg.WlkgError, match="-1"):
        refine(graph, rounds=-1)


FACTS: list[tuple[dict[str, Any], str, Direction, list[int]]] = [
    ({}, "1-rwl", "both", [1, 1491, 5997, 7367, 7399]),
    ({}, "weak-rwl", "both", [1, 1491, 5993, 7360, 7393]),
    ({}, "mean-rwl", "both", [1, 462, 3537, 6942, 7373, 7389, 7390]),
    ({}, "1-wl", "both", [1, 105, 2487, 4622, 4850, 4851]),
    ({}, "1-rwl", "undirected", [1, 1484, 5993, 7364, 7396]),
    ({}, "mean-rwl", "out", [1, 360, 1770, 2050, 2080, 2086, 2088, 2089]),
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
    refinement = refine(wlkg.read(data_dir / "kg" / name))
    assert refinement.exact
    assert refinement.classes_per_round == expected


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
