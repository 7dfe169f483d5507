"""One contract for every tuple test, the theorems that order them, and known pairs of graphs."""

from __future__ import annotations

import itertools
import operator
import re
import tracemalloc
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.oracles import (
    PAIR_ORACLES,
    TUPLE_ORACLES,
    Colours,
    all_tuples,
    arity,
    differ_slowly,
    refine_tuples_slowly,
    signatures_slowly,
    vertex_colours,
)
from tests.strategies import relational_graphs, renamed, renumbered, switched
from wlkg.arrays import UInt64Array
from wlkg.catalogue import (
    DIRECTIONS,
    PAIR_TESTS,
    TESTS,
    TUPLE_TESTS,
    Direction,
    TupleTest,
    find_test,
)
from wlkg.compiled import kernel as compiling
from wlkg.errors import TooLargeError, WlkgError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.readers.graph6 import decode_line
from wlkg.refinement.compiled import threads
from wlkg.refinement.proof import EVERY_ROUND, STABLE_TUPLES, UNCHECKED_TUPLES
from wlkg.refinement.refine import refine
from wlkg.refinement.results import Refinement
from wlkg.refinement.tuples import sorting, tuple_tests
from wlkg.refinement.tuples.code_check import CodeCheck, rows_alike
from wlkg.refinement.tuples.tuple_codes import TupleCodes
from wlkg.refinement.tuples.tuple_problem import TupleProblem, tuple_problem

Pair = tuple[RelationalGraph, RelationalGraph]
#: Every tuple test for every K that small graphs allow; 1-wl is a vertex test.
NAMES = [
    name.replace("K", str(k))
    for k in (1, 2, 3)
    for name in sorted(TUPLE_ORACLES)
    if (name, k) != ("K-wl", 1)
] + sorted(PAIR_ORACLES)
every_test = pytest.mark.parametrize("test", NAMES)
every_larger_test = pytest.mark.parametrize("test", [name for name in NAMES if arity(name) > 1])
#: Tuple tests that are vertex tests on graphs without loops.
VERTEX_TESTS = {"1-rlwl": "1-rwl", "delta-1-lwl": "1-wl"}
directions = st.sampled_from(DIRECTIONS)


@pytest.fixture(autouse=True, scope="module")
def _no_second_attempt() -> Iterator[None]:
    """A second attempt after a failed check would hide the mistakes of the first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuple_tests, "ATTEMPTS", 1)
        yield


def test_no_tuple_test_escapes_the_contract() -> None:
    assert sorted(TUPLE_ORACLES) == sorted(TUPLE_TESTS)
    assert sorted(PAIR_ORACLES) == sorted(PAIR_TESTS)


# -- pairs of graphs ------------------------------------------------------------------------------


@st.composite
def pairs_of_graphs(
    draw: st.DrawFn, max_vertices: int = 4, max_relations: int = 3, alike: bool | None = None
) -> Pair:
    """Two graphs with one direction mode, unrelated or (``alike``) hard to separate."""
    one = draw(relational_graphs(max_vertices, max_relations))
    if draw(st.booleans()) if alike is None else alike:
        two = draw(switched(one))
    else:
        two = draw(relational_graphs(max_vertices, max_relations, directions=(one.direction,)))
    return one, renumbered(two, draw(st.permutations(range(two.num_vertices))))


def _together(
    pair: Pair,
    test: str,
    direction: Direction | None = None,
    rounds: int | None = None,
) -> Refinement:
    blocks = (pair[0].num_vertices, pair[1].num_vertices)
    return refine(disjoint_union(*pair), test, direction, rounds, blocks=blocks)


def _partition(colours: Sequence[Hashable]) -> Partition:
    return Partition.of(np.array(colours, dtype=np.int64))


# -- every round is as defined --------------------------------------------------------------------


def _assert_as_defined(
    refinement: Refinement,
    graphs: Sequence[RelationalGraph],
    test: str,
    expected: Sequence[Colours],
) -> None:
    assert refinement.arity == arity(test)
    assert refinement.exact
    assert refinement.proof == EVERY_ROUND
    assert refinement.stable
    assert refinement.rounds == len(expected) - 1
    partitions = [_partition(colours) for colours in expected]
    assert refinement.classes_per_round == [each.num_classes for each in partitions]
    assert refinement.classes == partitions[-1].num_classes
    assert list(refinement.distinguishable_per_round) == [
        each.distinguishable_pairs for each in partitions
    ]
    assert refinement.partition == partitions[-1]
    for t, partition in enumerate(partitions):
        assert refinement.history.partition(t) == partition
        of_vertices = _partition(vertex_colours(graphs, test, expected[t]))
        assert refinement.vertices.partition(t) == of_vertices


@every_test
@given(graph=relational_graphs(max_vertices=5), direction=directions)
@settings(max_examples=40)
def test_every_round_equals_the_dictionary_version(
    graph: RelationalGraph, direction: Direction, test: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "PATIENCE", 10**9)
        refinement = refine(graph, test, direction)
        _assert_as_defined(
            refinement, [graph], test, refine_tuples_slowly([graph], test, direction)
        )
    assert refinement.differs_at is None


@every_test
@given(pair=pairs_of_graphs(), direction=directions)
@settings(max_examples=40)
def test_every_round_of_two_graphs_equals_the_dictionary_version(
    pair: Pair, direction: Direction, test: str
) -> None:
    refinement = _together(pair, test, direction)
    expected = refine_tuples_slowly(pair, test, direction)
    _assert_as_defined(refinement, pair, test, expected)
    assert refinement.differs_at == differ_slowly(pair, test, expected)


@every_larger_test
@given(pair=pairs_of_graphs(max_vertices=5), direction=directions)
@settings(max_examples=15)
def test_compiled_kernels_on_threads_equal_the_dictionary_version(
    pair: Pair, direction: Direction, test: str
) -> None:
    expected = refine_tuples_slowly(pair, test, direction)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "SMALL", 0)
        patch.setattr(threads, "_WORTH_A_THREAD", 0)
        patch.setattr(sorting, "_LARGE", 0)
        _assert_as_defined(_together(pair, test, direction), pair, test, expected)


@every_test
@given(graph=relational_graphs(max_vertices=5), direction=directions)
@settings(max_examples=15)
def test_checking_only_the_last_round_gives_the_same_colours(
    graph: RelationalGraph, direction: Direction, test: str
) -> None:
    expected = refine_tuples_slowly([graph], test, direction)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuple_tests, "_CHEAP", -1)
        refinement = refine(graph, test, direction)
    assert refinement.exact
    assert refinement.proof == (EVERY_ROUND if test in VERTEX_TESTS else STABLE_TUPLES)
    assert refinement.classes_per_round == [_partition(colours).num_classes for colours in expected]
    assert refinement.partition == _partition(expected[-1])


def test_sets_of_relations_are_not_confused_with_loops_elsewhere() -> None:
    # Four kinds of loops, then three kinds of arcs: more sets of relations than pairs with arcs.
    sets = {(0, 0): "a", (1, 1): "b", (2, 2): "c", (3, 3): "ab"}
    sets |= {(4, 5): "ac", (5, 4): "bc", (6, 7): "abc"}
    graph = RelationalGraph.from_triples(
        [(h, name, t) for (h, t), names in sets.items() for name in names], direction="out"
    )
    for permutation in itertools.permutations(range(4, 8)):
        copy = graph.permuted([0, 1, 2, 3, *permutation])
        expected = refine_tuples_slowly([copy], "2-rlwl", "out")
        assert refine(copy, "2-rlwl", rounds=0).partition == _partition(expected[0])


# -- what every test has in common ----------------------------------------------------------------


@every_test
@given(graph=relational_graphs(max_vertices=5), data=st.data())
@settings(max_examples=25)
def test_renaming_vertices_and_relations_changes_nothing(
    graph: RelationalGraph, data: st.DataObject, test: str
) -> None:
    n, k = graph.num_vertices, arity(test)
    permutation = data.draw(st.permutations(range(n)))
    one, two = refine(graph, test), refine(renamed(graph, permutation), test)
    assert one.classes_per_round == two.classes_per_round
    places = {v: i for i, v in enumerate(itertools.product(range(n), repeat=k))}
    images = [places[tuple(permutation[x] for x in v)] for v in places]
    for t in range(one.rounds + 1):
        assert two.history.partition(t) == one.history.partition(t).restricted(images)
        assert two.vertices.partition(t) == one.vertices.partition(t).restricted(permutation)


@every_test
@given(pair=pairs_of_graphs(alike=True), data=st.data())
@settings(max_examples=25)
def test_a_renumbered_copy_is_never_separated(pair: Pair, data: st.DataObject, test: str) -> None:
    one = pair[0]
    permutation = data.draw(st.permutations(range(one.num_vertices)))
    refinement = _together((one, renumbered(one, permutation)), test)
    assert refinement.differs_at is None
    for v, w in enumerate(permutation):
        assert refinement.vertices.separated_at(w, one.num_vertices + v) is None


@every_test
@given(graph=relational_graphs(max_vertices=5), direction=directions)
@settings(max_examples=25)
def test_each_round_refines_the_last_and_there_are_fewer_rounds_than_tuples(
    graph: RelationalGraph, direction: Direction, test: str
) -> None:
    refinement = refine(graph, test, direction)
    assert refinement.rounds <= max(graph.num_vertices ** arity(test) - 1, 0)
    for t in range(refinement.rounds):
        finer = refinement.history.partition(t + 1)
        assert finer.refines(refinement.history.partition(t))
        assert finer.num_classes > refinement.history.partition(t).num_classes
        assert refinement.vertices.partition(t + 1).refines(refinement.vertices.partition(t))


@every_test
@given(pair=pairs_of_graphs(), rounds=st.integers(0, 4))
@settings(max_examples=25)
def test_stopping_early_gives_the_first_rounds(pair: Pair, rounds: int, test: str) -> None:
    whole, part = _together(pair, test), _together(pair, test, rounds=rounds)
    assert part.exact
    assert part.proof == EVERY_ROUND
    assert part.rounds == min(rounds, whole.rounds)
    assert part.classes_per_round == whole.classes_per_round[: part.rounds + 1]
    assert part.distinguishable_per_round == whole.distinguishable_per_round[: part.rounds + 1]
    assert part.partition == whole.history.partition(part.rounds)
    assert part.history.partition() == part.partition
    assert part.vertices.partition() == whole.vertices.partition(part.rounds)
    is_later = whole.differs_at is None or whole.differs_at > rounds
    assert part.differs_at == (None if is_later else whole.differs_at)
    if part.stable:
        assert part.partition == whole.partition
    if rounds > whole.rounds:
        assert part.stable


@every_test
@given(graph=relational_graphs(max_vertices=4), data=st.data())
@settings(max_examples=25)
def test_tuples_of_one_block_do_not_see_the_others(
    graph: RelationalGraph, data: st.DataObject, test: str
) -> None:
    other = data.draw(relational_graphs(max_vertices=4, directions=(graph.direction,)))
    alone, together = refine(graph, test), _together((graph, other), test)
    first_block = range(graph.num_vertices ** arity(test))
    for t in range(together.rounds + 1):
        assert together.history.partition(t).restricted(first_block) == alone.history.partition(t)


@every_test
def test_three_blocks_differ_as_soon_as_one_of_them_does(test: str) -> None:
    cycle, paths = (
        wlkg.read("example:c6"),
        RelationalGraph.from_triples(
            [("a", "edge", "b"), ("b", "edge", "c"), ("x", "edge", "y"), ("y", "edge", "z")],
            direction="undirected",
        ),
    )
    for graphs in itertools.product([cycle, paths], repeat=3):
        refinement = refine(disjoint_union(*graphs), test, blocks=(6, 6, 6))
        expected = refine_tuples_slowly(graphs, test, "undirected")
        assert refinement.differs_at == differ_slowly(graphs, test, expected)
        assert refinement.classes_per_round == [len(set(colours)) for colours in expected]


@every_test
def test_blocks_that_are_not_a_disjoint_union_are_refused(test: str) -> None:
    graph = wlkg.read("example:c6")
    for blocks in [(6, 1), (5,), (), (-1, 7)]:
        with pytest.raises(WlkgError, match="blocks"):
            refine(graph, test, blocks=blocks)
    if arity(test) > 1:
        with pytest.raises(WlkgError, match="block"):
            refine(graph, test, blocks=(3, 3))


# -- tuples of one vertex -------------------------------------------------------------------------


def _without_loops(graph: RelationalGraph) -> RelationalGraph:
    kept = graph.head != graph.tail
    return RelationalGraph.from_arrays(
        graph.head[kept],
        graph.relation[kept],
        graph.tail[kept],
        num_vertices=graph.num_vertices,
        relation_names=graph.relation_names,
        labels=graph.labels,
        label_names=graph.label_names if graph.labels is not None else None,
    )


@pytest.mark.parametrize(("test", "vertex_test"), sorted(VERTEX_TESTS.items()))
@given(graph=relational_graphs(), direction=directions)
@settings(max_examples=40)
def test_without_loops_the_definition_for_one_vertex_is_the_vertex_test(
    graph: RelationalGraph, direction: Direction, test: str, vertex_test: str
) -> None:
    plain = _without_loops(graph)
    one, two = refine(plain, test, direction), refine(plain, vertex_test, direction)
    assert one.test == test
    assert one.arity == two.arity == 1
    assert one.classes_per_round == two.classes_per_round
    for t in range(one.rounds + 1):
        assert one.history.partition(t) == two.history.partition(t)


@pytest.mark.parametrize("engine", ["local", "textbook"])
@pytest.mark.parametrize("test", VERTEX_TESTS)
@given(graph=relational_graphs(max_vertices=6), direction=directions)
@settings(max_examples=25)
def test_both_engines_for_vertices_start_with_atomic_types(
    graph: RelationalGraph, direction: Direction, test: str, engine: str
) -> None:
    expected = refine_tuples_slowly([graph], test, direction)
    refinement = refine(graph, test, direction, engine=engine)
    assert [refinement.history.partition(t) for t in range(refinement.rounds + 1)] == [
        _partition(colours) for colours in expected
    ]


def test_atomic_types_of_single_vertices_see_which_relations_have_loops() -> None:
    graph = RelationalGraph.from_triples(
        [("a", "r", "a"), ("b", "s", "b"), ("c", "r", "c"), ("c", "s", "c"), ("d", "r", "e")],
        direction="out",
    )
    assert refine(graph, "1-rwl").classes_per_round[0] == 1
    assert refine(graph, "1-rlwl", rounds=0).partition.colours.tolist() == [0, 1, 2, 3, 3]
    assert refine(graph, "delta-1-lwl", rounds=0).partition.colours.tolist() == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(("test", "vertex_test"), sorted(VERTEX_TESTS.items()))
def test_only_the_tuple_test_tells_loops_from_a_pair_of_arcs(test: str, vertex_test: str) -> None:
    for direction in DIRECTIONS:
        pair = (_example("loops-swap-g"), _example("loops-swap-h"))
        assert _together(pair, test, direction).differs_at == 0
        assert _together(pair, vertex_test, direction).differs_at is None


@given(graph=relational_graphs(max_vertices=6), direction=directions)
@settings(max_examples=25)
def test_1_fwl_sees_labels_and_loops_and_nothing_else(
    graph: RelationalGraph, direction: Direction
) -> None:
    refinement = refine(graph, "1-fwl", direction)
    assert refinement.rounds == 0
    assert refinement.partition == refine(graph, "2-fwl", direction, rounds=0).partition.restricted(
        [v * graph.num_vertices + v for v in range(graph.num_vertices)]
    )


@pytest.mark.parametrize("k", [1, 2, 3])
@given(graph=relational_graphs(max_vertices=5, max_relations=1))
@settings(max_examples=25)
def test_with_one_undirected_relation_there_is_nothing_to_forget(
    graph: RelationalGraph, k: int
) -> None:
    one, two = (
        refine(graph, f"{k}-rlwl", "undirected"),
        refine(graph, f"delta-{k}-lwl", "undirected"),
    )
    assert one.classes_per_round == two.classes_per_round
    assert one.partition == two.partition


# -- which test separates what another test separates ---------------------------------------------

#: If the first test separates two graphs at a round, the second does so at that round or earlier.
NO_STRONGER = [
    ("weak-rwl", "1-rwl"),
    ("1-rwl", "2-rlwl"),
    ("2-rlwl", "3-rlwl"),
    ("1-wl", "delta-2-lwl"),
    ("delta-2-lwl", "delta-3-lwl"),
    ("2-wl", "3-wl"),
    ("1-fwl", "2-fwl"),
    ("2-fwl", "3-fwl"),
    ("2-rlwl", "2-fwl"),
    ("3-rlwl", "3-fwl"),
    ("delta-2-lwl", "2-fwl"),
    ("delta-3-lwl", "3-fwl"),
    ("2-wl", "2-fwl"),
    ("3-wl", "3-fwl"),
    ("1-wl", "2-wl"),
    ("weak-rwl", "2-wl"),
    ("1-rwl", "2-wl"),
]
#: Both separate the same graphs, but not always at the same round.
AS_STRONG = [("2-fwl", "3-wl"), ("3-fwl", "4-wl")]
ORDERED_TESTS = sorted({test for pair in NO_STRONGER + AS_STRONG for test in pair})


def _check_order(pair: Pair, direction: Direction | None = None) -> None:
    first = {test: _together(pair, test, direction).differs_at for test in ORDERED_TESTS}
    for weaker, stronger in NO_STRONGER:
        early, late = first[stronger], first[weaker]
        assert late is None or (early is not None and early <= late), (weaker, stronger, first)
    for one, two in AS_STRONG:
        assert (first[one] is None) == (first[two] is None), (one, two, first)


@given(pair=pairs_of_graphs(max_vertices=5, alike=True), direction=directions)
@settings(max_examples=60)
def test_every_stronger_test_separates_what_a_test_separates(
    pair: Pair, direction: Direction
) -> None:
    _check_order(pair, direction)


@pytest.mark.parametrize("k", [1, 2])
@given(graph=relational_graphs(max_vertices=5), direction=directions)
@settings(max_examples=25)
def test_longer_tuples_separate_more_vertices(
    graph: RelationalGraph, direction: Direction, k: int
) -> None:
    for kind in ("{}-rlwl", "delta-{}-lwl", "{}-wl"):
        short, long = (refine(graph, kind.format(each), direction) for each in (k, k + 1))
        for t in range(max(short.rounds, long.rounds) + 1):
            assert long.vertices.partition(t).refines(short.vertices.partition(t))


@pytest.mark.parametrize("name", ["loops-swap", "triangles", "two-cycles", "double-edges"])
def test_the_order_of_tests_holds_where_vertex_tests_form_no_chain(name: str) -> None:
    _check_order((_example(f"{name}-g"), _example(f"{name}-h")))


# -- codes of 64 bits, weakened until they collide ------------------------------------------------


def _weakened(mask: int) -> type[TupleCodes]:
    class Weak(TupleCodes):
        def __init__(self, problem: TupleProblem, seed: int) -> None:
            super().__init__(problem, seed, mask)

    return Weak


def _problem(pair: Pair, direction: Direction, test: str) -> TupleProblem:
    chosen = find_test(test)
    assert isinstance(chosen, TupleTest)
    sizes = (pair[0].num_vertices, pair[1].num_vertices)
    return tuple_problem(disjoint_union(*pair).with_direction(direction), chosen, sizes)


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    """Numbers for keys, the same for equal keys."""
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    return [number[key] for key in keys]


def _mergings(
    draw: st.DrawFn, keys: Sequence[Hashable], *likeness: Sequence[Hashable], most: int = 12
) -> Iterator[list[int]]:
    """Numbers for keys in which two different keys get the same number, the most alike first."""
    colours = _numbered(keys)
    features = {colour: [like[i] for like in likeness] for i, colour in enumerate(colours)}
    pairs = draw(st.permutations(list(itertools.combinations(features, 2))))
    pairs.sort(key=lambda pair: sum(map(operator.ne, features[pair[0]], features[pair[1]])))
    for one, two in pairs[:most]:
        yield [two if colour == one else colour for colour in colours]


def _encoded(draw: st.DrawFn, colours: Sequence[int]) -> UInt64Array:
    """Codes for colours: random codes, or small codes, many of which have equal sums."""
    if draw(st.booleans()):
        return np.array(colours, dtype=np.uint64)
    random = np.random.default_rng(draw(st.integers(0, 3)))
    codes = random.integers(2**64, size=len(colours), dtype=np.uint64)
    return codes[np.array(colours, dtype=np.int64)]


@every_larger_test
@given(pair=pairs_of_graphs(max_vertices=3), direction=directions, data=st.data())
@settings(max_examples=60)
def test_the_check_finds_any_two_tuples_that_see_different_codes(
    pair: Pair, direction: Direction, data: st.DataObject, test: str
) -> None:
    draw = cast("st.DrawFn", data.draw)
    problem = _problem(pair, direction, test)
    count = problem.num_tuples
    any_colours = st.lists(st.integers(0, 2), min_size=count, max_size=count)
    true_colours = st.sampled_from(refine_tuples_slowly(pair, test, direction))
    before = _numbered(draw(any_colours | true_colours))
    codes = _encoded(draw, before)
    seen = signatures_slowly(pair, test, direction, before)
    with_own = draw(st.booleans())
    keys = list(zip(before, seen, strict=True)) if with_own else seen
    following = _encoded(draw, _numbered(keys))
    # The checks of K-wl and rawl2-all also refuse different lines of codes with equal sums.
    if not test.endswith(("-wl", "-all")) or codes.max(initial=0) > count:
        check = CodeCheck(problem, following, np.sort(following))
        assert check.see_alike(codes, with_own=with_own)
    # Hard to separate: the same degrees, or the same colours but under other relations.
    weaker = test.replace("fwl", "wl") if "fwl" in test else f"delta-{arity(test)}-lwl"
    degrees = signatures_slowly(pair, test, direction, [0] * count)
    loosely = signatures_slowly(pair, weaker, direction, before)
    for merged in _mergings(draw, keys, degrees, loosely):
        following = _encoded(draw, merged)
        check = CodeCheck(problem, following, np.sort(following))
        assert not check.see_alike(codes, with_own=with_own)


@pytest.mark.parametrize(("test", "sees_relations"), [("2-rlwl", True), ("delta-2-lwl", False)])
def test_the_check_finds_colours_under_other_relations(test: str, sees_relations: bool) -> None:
    graph = _example("weak-rwl")
    assert graph.labels is not None
    v, w = graph.vertex("v"), graph.vertex("w")
    pair = graph, RelationalGraph.from_triples([], direction="undirected")
    by_first = np.repeat(graph.labels, 4)
    seen = signatures_slowly(pair, test, "undirected", by_first.tolist())
    following = np.array(_numbered(seen), dtype=np.uint64)
    following[5 * v] = following[5 * w]
    check = CodeCheck(_problem(pair, "undirected", test), following, np.sort(following))
    assert check.see_alike(by_first.astype(np.uint64)) == (not sees_relations)


def test_the_check_finds_lines_whose_codes_have_equal_sums() -> None:
    bare = RelationalGraph.from_triples([], vertices="ab")
    codes = np.array([1, 1, 1, 1, 0, 2, 2, 0], dtype=np.uint64)
    all_equal = np.zeros_like(codes)
    check = CodeCheck(_problem((bare, bare), "both", "2-wl"), all_equal, all_equal.copy())
    assert not check.see_alike(codes)


@every_larger_test
@given(pair=pairs_of_graphs(max_vertices=3), direction=directions, data=st.data())
@settings(max_examples=25)
def test_the_check_finds_any_two_tuples_of_different_types(
    pair: Pair, direction: Direction, data: st.DataObject, test: str
) -> None:
    draw = cast("st.DrawFn", data.draw)
    problem = _problem(pair, direction, test)
    start = refine_tuples_slowly(pair, test, direction)[0]
    codes = _encoded(draw, _numbered(start))
    assert CodeCheck(problem, codes, np.sort(codes)).have_same_types()
    for merged in _mergings(draw, start):
        codes = _encoded(draw, merged)
        assert not CodeCheck(problem, codes, np.sort(codes)).have_same_types()


@every_larger_test
@given(pair=pairs_of_graphs(max_vertices=3), direction=directions, data=st.data())
@settings(max_examples=25)
def test_the_check_finds_any_two_vertices_that_begin_different_tuples(
    pair: Pair, direction: Direction, data: st.DataObject, test: str
) -> None:
    draw = cast("st.DrawFn", data.draw)
    problem = _problem(pair, direction, test)
    colours = _numbered(refine_tuples_slowly(pair, test, direction)[-1])
    rows: dict[tuple[int, int], list[int]] = {}
    for (g, v), colour in zip(all_tuples(pair, arity(test)), colours, strict=True):
        rows.setdefault((g, v[0]), []).append(colour)
    multisets = [tuple(sorted(row)) for row in rows.values()]
    codes = _encoded(draw, colours)
    assert rows_alike(problem, codes, _partition(_numbered(multisets)))
    for merged in _mergings(draw, multisets):
        assert not rows_alike(problem, codes, _partition(merged))


#: Codes with so few bits that different tuples often have the same code.
given_weak_codes = given(
    pair=pairs_of_graphs(max_vertices=3),
    direction=directions,
    bits=st.integers(0, 10),
    seed=st.integers(0, 3),
)


@every_larger_test
@given_weak_codes
@settings(max_examples=60)
def test_the_check_of_every_round_passes_the_runs_that_missed_no_split(
    pair: Pair, direction: Direction, bits: int, seed: int, test: str
) -> None:
    problem = _problem(pair, direction, test)
    expected = refine_tuples_slowly(pair, test, direction)
    weak = _weakened(2**bits - 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuple_tests, "TupleCodes", weak)
        run = tuple_tests.attempt(problem, None, seed)
    partitions = [_partition(colours) for colours in expected]
    of_vertices = [_partition(vertex_colours(pair, test, colours)) for colours in expected]
    if run is not None:
        assert run.proof == EVERY_ROUND
        assert list(run.classes_per_round) == [each.num_classes for each in partitions]
        assert list(run.indistinguishable_per_round) == [
            each.indistinguishable_pairs for each in partitions
        ]
        assert Partition.of(run.codes) == partitions[-1]
        assert [run.vertices.partition(t) for t in range(len(expected))] == of_vertices
        assert run.differs_at == differ_slowly(pair, test, expected)
    elif not test.endswith(("-wl", "-all")):  # their checks refuse lines with equal sums, too
        codes = weak(problem, seed)
        missed = False
        for t in range(len(expected) + 1):
            last = min(t, len(expected) - 1)
            missed |= Partition.of(codes.current) != partitions[last]
            missed |= codes.vertex_partition() != of_vertices[last]
            codes.advance()
        assert missed


@every_larger_test
@given_weak_codes
@settings(max_examples=40)
def test_the_check_of_the_last_round_lets_no_wrong_colouring_pass(
    pair: Pair, direction: Direction, bits: int, seed: int, test: str
) -> None:
    expected = refine_tuples_slowly(pair, test, direction)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuple_tests, "TupleCodes", _weakened(2**bits - 1))
        patch.setattr(tuple_tests, "_CHEAP", -1)
        # Codes as weak as these may go on changing for ever.
        run = tuple_tests.attempt(_problem(pair, direction, test), 30, seed)
    if run is not None and run.stable:
        assert run.proof == STABLE_TUPLES
        assert Partition.of(run.codes) == _partition(expected[-1])
        assert run.vertices.partition() == _partition(vertex_colours(pair, test, expected[-1]))


@pytest.mark.parametrize("cheap", [10**9, -1])
@every_larger_test
def test_a_forced_collision_makes_the_check_fail_and_the_run_start_again(
    monkeypatch: pytest.MonkeyPatch, test: str, cheap: int
) -> None:
    attempts = []

    class Blind(TupleCodes):
        def __init__(self, problem: TupleProblem, seed: int) -> None:
            attempts.append(seed)
            super().__init__(problem, seed, 2**64 - 1 if seed == 2 else 0)

    graph = wlkg.read("example:c6")
    expected = refine(graph, test)
    start = expected.history.partition(0)
    monkeypatch.setattr(tuple_tests, "TupleCodes", Blind)
    monkeypatch.setattr(tuple_tests, "ATTEMPTS", 8)
    monkeypatch.setattr(tuple_tests, "_CHEAP", cheap)
    refinement = refine(graph, test)
    assert attempts == [0, 1, 2]
    assert refinement.exact
    assert refinement.classes_per_round == expected.classes_per_round
    assert refinement.history.partition(0) == start
    assert refinement.partition == expected.partition


@pytest.mark.parametrize("cheap", [10**9, -1])
@every_larger_test
def test_a_run_that_merges_different_vertices_is_refused(
    monkeypatch: pytest.MonkeyPatch, test: str, cheap: int
) -> None:
    pair = _example("c6"), _example("2xc3")
    problem = _problem(pair, "undirected", test)
    monkeypatch.setattr(tuple_tests, "_CHEAP", cheap)
    assert tuple_tests.attempt(problem, None, 0) is not None
    monkeypatch.setattr(tuple_tests, "rows_alike", lambda *_: False)
    assert tuple_tests.attempt(problem, None, 0) is None


@every_larger_test
def test_when_no_attempt_passes_the_check_the_result_says_so(
    monkeypatch: pytest.MonkeyPatch, test: str
) -> None:
    monkeypatch.setattr(tuple_tests, "TupleCodes", _weakened(0))
    refinement = refine(wlkg.read("example:c6"), test)
    assert not refinement.exact
    assert refinement.proof == UNCHECKED_TUPLES


# -- known pairs of graphs ------------------------------------------------------------------------


def _example(name: str) -> RelationalGraph:
    return wlkg.read(f"example:{name}")


#: The first round at which the tests in the header separate the two graphs, - for never.
KNOWN_PAIRS = """
                                             1-wl  weak-rwl  1-rwl  2-wl  2-rlwl  2-fwl  3-rlwl
c6                 2xc3                       -       -        -     -      1       1      0
c6,r=2             2xc3,r=2                   -       -        -     -      1       1      0
c6,r=3             2xc3,r=3                   -       -        -     -      1       1      0
cycles-g,n=4       cycles-h,n=4               -       -        -     -      1       1      1
petersen           pentagonal-prism           -       -        -     -      1       1      1
k33                triangular-prism           -       -        -     -      1       1      0
decalin            bicyclopentyl              -       -        -     -      2       2      1
dodecahedron       desargues                  -       -        -     -      2       2      1
rook               shrikhande                 -       -        -     -      -       -      1
cfi-g,k=2          cfi-h,k=2                  -       -        -     -      2       2      1
cfi-g,k=2,r=2      cfi-h,k=2,r=2              -       -        -     -      2       2      1
cfi-g,k=3          cfi-h,k=3                  -       -        -     -      -       -      2
cfi-g,k=4          cfi-h,k=4                  -       -        -     -      -       -      -
loops-swap-g       loops-swap-h               -       -        -     0      0       0      0
triangles-g        triangles-h                -       -        -     0      0       0      0
two-cycles-g       two-cycles-h               1       -        -     0      0       0      0
double-edges-g     double-edges-h             1       -        -     0      0       0      0
relation-matters-g relation-matters-h         -       -        2     1      1       1      0
direction-matters-g direction-matters-h       -       -        2     1      1       1      0
"""
_HEADER, *_ROWS = [line.split() for line in KNOWN_PAIRS.strip().splitlines()]


@pytest.mark.parametrize(("one", "two", "verdicts"), [(r[0], r[1], r[2:]) for r in _ROWS])
def test_known_pairs_are_separated_at_the_known_rounds(
    one: str, two: str, verdicts: list[str]
) -> None:
    pair = _example(one), _example(two)
    refinements = [_together(pair, test) for test in _HEADER]
    assert all(each.exact for each in refinements)
    first = [each.differs_at for each in refinements]
    assert ["-" if t is None else str(t) for t in first] == verdicts


def test_3_wl_separates_neither_g_3_from_h_3_nor_the_rook_from_the_shrikhande_graph() -> None:
    for one, two in (("cfi-g,k=3", "cfi-h,k=3"), ("rook", "shrikhande")):
        refinement = _together((_example(one), _example(two)), "3-wl")
        assert refinement.exact
        assert refinement.differs_at is None


@pytest.mark.parametrize("test", ["3-wl", "3-fwl", "4-wl"])
def test_shorter_tuples_and_oblivious_tests_do_not_separate_g_4_from_h_4(test: str) -> None:
    refinement = _together((_example("cfi-g,k=4"), _example("cfi-h,k=4")), test)
    assert refinement.exact
    assert refinement.stable
    assert refinement.differs_at is None


def test_4_rlwl_separates_g_4_from_h_4_at_round_2() -> None:
    refinement = _together((_example("cfi-g,k=4"), _example("cfi-h,k=4")), "4-rlwl", rounds=2)
    assert refinement.num_items == 2 * 60**4
    assert refinement.differs_at == 2


def test_forgetting_relations_loses_pairs_that_only_relations_separate() -> None:
    for name in ("triangles", "relation-matters"):
        pair = _example(f"{name}-g"), _example(f"{name}-h")
        for k in (2, 3):
            assert _together(pair, f"{k}-rlwl").differs_at is not None
            assert _together(pair, f"delta-{k}-lwl").differs_at is None


@pytest.mark.parametrize(
    ("test", "separates"), [("1-wl", False), ("2-wl", False), ("2-rlwl", True), ("2-fwl", True)]
)
@pytest.mark.parametrize(("group", "count"), [("basic", 60), ("regular", 50), ("extension", 100)])
def test_brec_pairs_are_separated_by_all_or_none_as_known(
    data_dir: Path, group: str, count: int, test: str, separates: bool
) -> None:
    lines = np.load(data_dir / "brec" / f"{group}.npy").reshape(-1, 2).astype("S")
    pairs = [(decode_line(one), decode_line(two)) for one, two in lines.tolist()]
    assert len(pairs) == count
    refinements = [_together(pair, test) for pair in pairs]
    assert all(each.exact for each in refinements)
    assert {each.differs_at is not None for each in refinements} == {separates}


# -- bad input and limits -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "0-rlwl",
        "-1-rlwl",
        "x-rlwl",
        "K-rlwl",
        "2-rwl",
        "2-lwl",
        "02-wl",
        "1.5-wl",
        "2-rlwl ",
        "٢-rlwl",
        "delta-0-lwl",
        "delta-2-rlwl",
        "delta-lwl",
        "rlwl",
        "",
    ],
)
def test_an_unknown_test_is_refused_with_the_choices(name: str) -> None:
    with pytest.raises(WlkgError) as caught:
        refine(_example("c6"), name)
    assert caught.value.exit_code == 2
    assert repr(name) in str(caught.value)
    for known in [*TESTS, *PAIR_TESTS, *TUPLE_TESTS]:
        assert known in str(caught.value)


@every_test
def test_a_negative_number_of_rounds_is_refused(test: str) -> None:
    with pytest.raises(WlkgError, match="-1"):
        refine(_example("c6"), test, rounds=-1)


def test_a_test_that_cannot_fit_is_refused_with_its_tuples_and_bytes() -> None:
    with pytest.raises(TooLargeError) as caught:
        refine(_example("cycles-h,n=50"), "9-rlwl")
    assert caught.value.exit_code == 3
    assert f"{10**18:,} tuples" in str(caught.value)
    bytes_asked = re.search(r"([\d,]+) bytes", str(caught.value))
    assert bytes_asked is not None
    assert int(bytes_asked[1].replace(",", "")) >= 8 * 10**18


@pytest.mark.parametrize("name", ["100000-{}", "999999999-{}"])
@pytest.mark.parametrize("kind", ["rlwl", "wl", "fwl"])
def test_astronomical_numbers_of_tuples_are_refused_too(name: str, kind: str) -> None:
    with pytest.raises(TooLargeError, match="tuples"):
        refine(_example("c6"), name.format(kind))


def _tuple_test(name: str) -> TupleTest:
    test = find_test(name)
    assert isinstance(test, TupleTest)
    return test


@every_larger_test
def test_the_memory_limit_decides(test: str) -> None:
    graph = _example("c6")
    needed = tuple_tests.bytes_needed(_tuple_test(test), [6])
    assert refine(graph, test, max_memory=needed).stable
    with pytest.raises(TooLargeError, match=f"{needed:,} bytes"):
        refine(graph, test, max_memory=needed - 1)


@pytest.mark.parametrize("test", ["3-rlwl", "delta-3-lwl", "3-wl", "3-fwl"])
def test_a_run_takes_no_more_memory_than_computed(
    monkeypatch: pytest.MonkeyPatch, test: str
) -> None:
    monkeypatch.setattr(tuple_tests, "_CHEAP", -1)
    graph = _example("cfi-g,k=4")
    refine(graph, test)  # what is loaded and compiled stays in memory
    tracemalloc.start()
    try:
        refine(graph, test)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    needed = tuple_tests.bytes_needed(_tuple_test(test), [graph.num_vertices])
    assert peak < 1.1 * needed + 1_000_000


@pytest.mark.parametrize("k", [1, 2, 3, 1000])
@pytest.mark.parametrize("name", sorted(TUPLE_TESTS))
def test_graphs_with_at_most_one_vertex_have_a_class_per_vertex(name: str, k: int) -> None:
    test = name.replace("K", str(k))
    for vertices, triples in itertools.product([0, 1], [[], [(0, 0, 0)]]):
        columns = np.array(triples[:vertices], dtype=np.int64).reshape(-1, 3).T
        graph = RelationalGraph.from_arrays(
            *columns, num_vertices=vertices, relation_names=["r"], direction="out"
        )
        refinement = refine(graph, test)
        assert refinement.arity == k
        assert refinement.classes_per_round == [vertices]
        assert refinement.partition.num_items == refinement.num_items == vertices
        assert (
            refinement.vertices.partition()
            == refinement.history.partition()
            == refinement.partition
        )
        assert refinement.distinguishable_per_round == [0]
        assert refinement.stable
        assert refinement.exact


@pytest.mark.parametrize("k", [1, 2, 3, 1000])
@pytest.mark.parametrize("name", sorted(TUPLE_TESTS))
def test_only_loops_separate_single_vertices_and_nothing_separates_empty_graphs(
    name: str, k: int
) -> None:
    test = name.replace("K", str(k))
    empty = RelationalGraph.from_triples([], direction="out")
    bare = RelationalGraph.from_triples([], vertices=["v"], direction="out")
    loop = RelationalGraph.from_triples([("v", "r", "v")], direction="out")
    # All but the vertex test start with atomic types, which see loops.
    first = 1 if test == "1-wl" else 0
    assert _together((bare, loop), test).differs_at == first
    assert _together((empty, bare), test).differs_at == 0
    assert _together((empty, empty), test).differs_at is None
    assert _together((loop, loop), test).differs_at is None
    assert _together((empty, empty), test).classes_per_round == [0]
