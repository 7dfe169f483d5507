"""Several tests on two graphs: every verdict, the weakest test, and the notes."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.analysis.counting import counting
from tests.oracles import ORACLES, differ_slowly, refine_slowly, refine_tuples_slowly
from tests.strategies import Pair, pairs, relational_graphs
from wlkg.analysis.compare import compare
from wlkg.analysis.compare_vertices import compare_vertices
from wlkg.analysis.isomorphism import IsomorphismVerdict
from wlkg.analysis.side_by_side import SideBySide
from wlkg.analysis.verdicts import LADDER, Verdict, judge
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.refinement.proven_order import is_below
from wlkg.refinement.refine import check_size

TESTS = (*LADDER, "2-wl", "2-fwl", "delta-2-lwl", "1-wl-all", "1-rwl-all", "1-rlwl", "delta-1-lwl")


def _graph(text: str, **options: Any) -> RelationalGraph:
    words = [(word[0], word[1], word[2]) for word in text.split()]
    return RelationalGraph.from_triples(words, **options)


def _examples(one: str, two: str) -> Pair:
    return wlkg.read(f"example:{one}"), wlkg.read(f"example:{two}")


# -- known pairs ----------------------------------------------------------------------------------

NEVER = None
SOMETIME = -1
#: Two examples, the first separating round of each test of the ladder, and the weakest tests.
ROWS: list[tuple[str, str, tuple[int | None, ...], tuple[str, ...]]] = [
    *[(f"c6,r={r}", f"2xc3,r={r}", (NEVER, NEVER, NEVER, 1, 0), ("2-rlwl",)) for r in (1, 2, 3)],
    ("cycles-g,n=4", "cycles-h,n=4", (NEVER, NEVER, NEVER, 1, SOMETIME), ("2-rlwl",)),
    ("petersen", "pentagonal-prism", (NEVER, NEVER, NEVER, 1, SOMETIME), ("2-rlwl",)),
    ("k33", "triangular-prism", (NEVER, NEVER, NEVER, 1, SOMETIME), ("2-rlwl",)),
    ("decalin", "bicyclopentyl", (NEVER, NEVER, NEVER, 2, SOMETIME), ("2-rlwl",)),
    ("dodecahedron", "desargues", (NEVER, NEVER, NEVER, 2, SOMETIME), ("2-rlwl",)),
    ("rook", "shrikhande", (NEVER, NEVER, NEVER, NEVER, 1), ("3-rlwl",)),
    ("cfi-g", "cfi-h", (NEVER, NEVER, NEVER, 2, 1), ("2-rlwl",)),
    ("cfi-g,r=2", "cfi-h,r=2", (NEVER, NEVER, NEVER, 2, 1), ("2-rlwl",)),
    ("cfi-g,k=3", "cfi-h,k=3", (NEVER, NEVER, NEVER, NEVER, 2), ("3-rlwl",)),
    ("loops-swap-g", "loops-swap-h", (NEVER, NEVER, NEVER, 0, 0), ("2-rlwl",)),
    ("triangles-g", "triangles-h", (NEVER, NEVER, NEVER, 0, 0), ("2-rlwl",)),
    ("two-cycles-g", "two-cycles-h", (1, NEVER, NEVER, 0, 0), ("1-wl", "2-rlwl")),
    ("double-edges-g", "double-edges-h", (1, NEVER, NEVER, 0, 0), ("1-wl", "2-rlwl")),
    ("relation-matters-g", "relation-matters-h", (NEVER, NEVER, 2, 1, SOMETIME), ("1-rwl",)),
    ("direction-matters-g", "direction-matters-h", (NEVER, NEVER, 2, 1, SOMETIME), ("1-rwl",)),
]


@pytest.mark.parametrize(("one", "two", "expected", "weakest"), ROWS)
def test_known_pairs_have_the_known_verdicts(
    one: str, two: str, expected: tuple[int | None, ...], weakest: tuple[str, ...]
) -> None:
    comparison = compare(*_examples(one, two), all_tests=True)
    assert [verdict.test for verdict in comparison.verdicts] == list(LADDER)
    for verdict, first in zip(comparison.verdicts, expected, strict=True):
        assert verdict.skipped is None
        assert verdict.exact
        assert verdict.separated is (first is not NEVER)
        assert (verdict.round is not None) is verdict.separated
        if first != SOMETIME:
            assert verdict.round == first
    assert comparison.weakest_tests == weakest
    assert comparison.weakest == weakest[0]
    assert comparison.separated is True
    assert comparison.isomorphic is False
    assert comparison.notes == ()


def test_a_verdict_has_the_rounds_and_classes_of_both_graphs_together() -> None:
    cycle, path = (_graph(text, direction="undirected") for text in ("0e1 1e2 2e0", "0e1 1e2 2e3"))
    # The cycle, the ends of the path, and the inner vertices of the path.
    assert judge(SideBySide((cycle, path)), "1-rwl") == Verdict(
        "1-rwl", separated=True, round=0, rounds=2, classes=3, exact=True
    )


# -- against the dictionary version ---------------------------------------------------------------


def _slowly(pair: Pair, test: str) -> tuple[int | None, int, int]:
    """First separating round, rounds and classes, straight from the definitions."""
    direction = pair[0].direction
    if test in ORACLES:
        sizes = [graph.num_vertices for graph in pair]
        rounds = refine_slowly(disjoint_union(*pair), test, direction, sizes)
        n = pair[0].num_vertices
        differing = (t for t, c in enumerate(rounds) if Counter(c[:n]) != Counter(c[n:]))
        return next(differing, None), len(rounds) - 1, len(set(rounds[-1]))
    rounds = refine_tuples_slowly(pair, test, direction)
    return differ_slowly(pair, test, rounds), len(rounds) - 1, len(set(rounds[-1]))


@given(pair=pairs(), test=st.sampled_from([test for test in TESTS if test[0] != "3"]))
@settings(max_examples=150)
def test_a_verdict_equals_the_dictionary_version(pair: Pair, test: str) -> None:
    first, rounds, classes = _slowly(pair, test)
    assert judge(SideBySide(pair), test) == Verdict(
        test, separated=first is not None, round=first, rounds=rounds, classes=classes, exact=True
    )


@given(pair=pairs())
@settings(max_examples=40)
def test_the_order_of_the_graphs_does_not_matter(pair: Pair) -> None:
    one, two = compare(*pair), compare(pair[1], pair[0])
    assert one.verdicts == two.verdicts
    assert one.weakest_tests == two.weakest_tests
    assert one.isomorphic is two.isomorphic
    other = {"first": "second", "second": "first"}
    turned = {re.sub("first|second", lambda m: other[m[0]], text) for text in two.notes}
    assert set(one.notes) == turned


@given(graph=relational_graphs(4, 2).filter(lambda graph: graph.num_vertices), data=st.data())
@settings(max_examples=40)
def test_no_test_separates_isomorphic_graphs(graph: RelationalGraph, data: st.DataObject) -> None:
    copy = graph.permuted(data.draw(st.permutations(range(graph.num_vertices))))
    comparison = compare(graph, copy, TESTS)
    assert [verdict.separated for verdict in comparison.verdicts] == [False] * len(TESTS)
    assert comparison.isomorphic is True
    assert (comparison.weakest, comparison.weakest_tests, comparison.separated) == (None, (), False)
    assert comparison.direction == graph.direction
    assert comparison.notes == ()


@given(pair=pairs())
@settings(max_examples=40)
def test_separated_graphs_are_not_isomorphic_and_have_a_weakest_test(pair: Pair) -> None:
    comparison = compare(*pair)
    separating = [verdict.test for verdict in comparison.verdicts if verdict.separated]
    assert comparison.separated is bool(separating)
    assert set(comparison.weakest_tests) <= set(separating)
    assert (comparison.weakest is None) is (not separating)
    if separating:
        assert comparison.isomorphic is False


# -- which tests ----------------------------------------------------------------------------------


def test_the_ladder_is_the_default() -> None:
    assert LADDER == ("1-wl", "weak-rwl", "1-rwl", "2-rlwl", "3-rlwl")
    assert wlkg.compare is compare


@given(pair=pairs())
@settings(max_examples=300)
def test_the_ladder_leaves_out_only_tests_that_are_known_to_separate(pair: Pair) -> None:
    short, full = compare(*pair), compare(*pair, all_tests=True)
    assert short.weakest_tests == full.weakest_tests
    assert (short.isomorphic, short.separated) == (full.isomorphic, full.separated)
    assert short.differences == full.differences
    for verdict, known in zip(short.verdicts, full.verdicts, strict=True):
        if verdict.implied_by is None:
            assert verdict == known
            continue
        assert known.separated
        assert (verdict.test, verdict.separated, verdict.round) == (known.test, None, None)
        assert is_below(verdict.implied_by, verdict.test)
        assert verdict.skipped == (
            f"not run: {verdict.implied_by} separates the graphs, so {verdict.test} does too;"
            " --all runs it"
        )


def test_tests_above_a_separating_one_are_not_run_and_others_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[str] = []
    run_test = wlkg.analysis.side_by_side.run_test

    def watched(graph: RelationalGraph, test: str, *rest: Any, **more: Any) -> Any:
        ran.append(test)
        return run_test(graph, test, *rest, **more)

    monkeypatch.setattr("wlkg.analysis.side_by_side.run_test", watched)
    by_default = compare(*_examples("two-cycles-g", "two-cycles-h"))
    assert ran == ["1-wl", "weak-rwl", "1-rwl", "2-rlwl"]
    assert [verdict.test for verdict in by_default.verdicts] == list(LADDER)
    ran.clear()
    compare(_graph("0a1"), _graph("0b1"))
    assert ran == ["1-wl", "weak-rwl"]
    ran.clear()
    compare(_graph("0a1"), _graph("0b1"), ["1-rwl", "2-rlwl"])
    assert ran == ["1-rwl", "2-rlwl"], "tests that are named are run"


def test_tests_of_many_tuples_are_not_run_on_isomorphic_graphs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    same = wlkg.read("example:c6"), wlkg.read("example:cycles-g")
    assert [verdict.separated for verdict in compare(*same).verdicts] == [False] * 5
    monkeypatch.setattr("wlkg.analysis.ladder._MANY_TUPLES", 6**2)
    comparison = compare(*same)
    assert [verdict.separated for verdict in comparison.verdicts] == [False] * 4 + [None]
    why = "not run: the graphs are isomorphic, so no test separates them; --all runs it"
    assert comparison.verdicts[-1] == Verdict("3-rlwl", None, skipped=why)
    assert (comparison.separated, comparison.isomorphic) == (False, True)
    assert compare(*same, ["3-rlwl"]).verdicts[0].separated is False
    assert compare(*same, all_tests=True).verdicts[-1].separated is False
    other = compare(*_examples("rook", "shrikhande"))
    assert (other.weakest, other.isomorphic) == ("3-rlwl", False)


def test_tests_are_run_once_each_in_the_order_given() -> None:
    names = ["2-fwl", "1-rwl", "2-fwl", "3-wl", "1-rwl"]
    comparison = compare(*_examples("c6", "2xc3"), iter(names))
    assert [verdict.test for verdict in comparison.verdicts] == ["2-fwl", "1-rwl", "3-wl"]
    # 2-fwl and 3-wl separate the same graphs, so the first of them is the weakest.
    assert comparison.weakest_tests == ("2-fwl",)


def test_without_tests_only_isomorphism_is_decided() -> None:
    comparison = compare(*_examples("c6", "2xc3"), [])
    assert (comparison.verdicts, comparison.weakest, comparison.isomorphic) == ((), None, False)


def test_an_unknown_test_is_refused_before_any_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        pytest.fail("a test was run")

    monkeypatch.setattr("wlkg.analysis.side_by_side.run_test", fail)
    with pytest.raises(UsageError, match="unknown test '2-magic'"):
        compare(*_examples("c6", "2xc3"), ["1-rwl", "2-magic"])


def test_results_cannot_be_changed() -> None:
    comparison = compare(*_examples("c6", "2xc3"), ["1-rwl"])
    for what, name in ((comparison, "isomorphic"), (comparison.verdicts[0], "separated")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(what, name, True)


# -- tests that do not fit ------------------------------------------------------------------------


def test_tests_that_do_not_fit_are_skipped_with_numbers_and_the_others_run() -> None:
    comparison = compare(*_examples("c6", "2xc3"), max_memory=1)
    assert [verdict.separated for verdict in comparison.verdicts] == [
        False,
        False,
        False,
        None,
        None,
    ]
    for verdict, tuples in zip(comparison.verdicts[3:], ("72", "432"), strict=True):
        assert verdict == Verdict(verdict.test, None, skipped=verdict.skipped)
        assert verdict.skipped is not None
        assert f"{verdict.test} on 6 and 6 vertices has {tuples} tuples" in verdict.skipped
        assert re.search(r"needs [\d,]+ bytes", verdict.skipped)
    assert comparison.separated is False
    assert comparison.weakest is None
    # No test that was run separates the graphs, and yet they are known to differ.
    assert comparison.isomorphic is False


def test_a_skipped_test_does_not_hide_a_later_one() -> None:
    comparison = compare(*_examples("c6", "2xc3"), ["3-rlwl", "2-rlwl"], max_memory=5000)
    assert [verdict.separated for verdict in comparison.verdicts] == [None, True]
    assert comparison.weakest == "2-rlwl"


def test_half_of_the_free_memory_is_the_limit_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wlkg.memory.free_memory", lambda: 10_000)
    comparison = compare(*_examples("c6", "2xc3"), all_tests=True)
    assert [verdict.test for verdict in comparison.verdicts if verdict.skipped] == ["3-rlwl"]
    check_size("2-rlwl", [6, 6])
    allowed = compare(*_examples("c6", "2xc3"), all_tests=True, max_memory=10**6)
    assert not any(verdict.skipped for verdict in allowed.verdicts)


# -- names that only one graph has ----------------------------------------------------------------


def test_relations_in_only_one_graph_are_noted_and_separate() -> None:
    one, two = _graph("0a1 1b2"), _graph("0a1 1c2 1d2 1e2 1f2")
    comparison = compare(one, two)
    assert comparison.notes == (
        "1 relation only in the first graph: b",
        "4 relations only in the second graph: c, d, e, ...",
    )
    assert comparison.separated
    assert comparison.isomorphic is False


def test_a_renamed_relation_is_another_relation() -> None:
    comparison = compare(_graph("0a1"), _graph("0b1"), all_tests=True)
    assert comparison.weakest_tests == ("weak-rwl",)
    verdicts = {verdict.test: verdict.round for verdict in comparison.verdicts}
    assert verdicts == {"1-wl": None, "weak-rwl": 1, "1-rwl": 1, "2-rlwl": 0, "3-rlwl": 0}
    assert len(comparison.notes) == 2


def test_labels_in_only_one_graph_are_noted_and_separate_at_once() -> None:
    one, two = (_graph("0a1").with_labels(labels) for labels in (["x", "y"], ["x", "z"]))
    comparison = compare(one, two, all_tests=True)
    assert comparison.notes == (
        "1 label only in the first graph: y",
        "1 label only in the second graph: z",
    )
    assert {verdict.round for verdict in comparison.verdicts} == {0}


@pytest.mark.parametrize("which", ["first", "second"])
def test_a_graph_without_labels_is_noted(which: str) -> None:
    labelled, bare = _graph("0a1").with_labels(["x", "x"]), _graph("0a1")
    pair = (bare, labelled) if which == "first" else (labelled, bare)
    comparison = compare(*pair, all_tests=True)
    assert any(f"the {which} graph has no labels" in text for text in comparison.notes)
    assert {verdict.round for verdict in comparison.verdicts} == {0}
    empty = _graph("0a1").with_labels(["", ""])
    assert not compare(bare, empty).separated


# -- directions -----------------------------------------------------------------------------------


def test_graphs_of_different_directions_are_refused_with_a_remedy() -> None:
    one, two = _graph("0a1 1a0"), _graph("0a1", direction="undirected")
    with pytest.raises(UsageError, match=r"direction both, the other with undirected.*--direction"):
        compare(one, two)
    directed, undirected = (
        compare(one, two, direction="both"),
        compare(one, two, None, "undirected"),
    )
    assert (directed.direction, directed.separated) == ("both", True)
    assert (undirected.direction, undirected.separated) == ("undirected", False)
    assert undirected.isomorphic is True


def test_a_given_direction_replaces_that_of_the_graphs() -> None:
    pair = _examples("two-cycles-g", "two-cycles-h")
    assert compare(*pair).weakest_tests == ("1-wl", "2-rlwl")
    assert compare(*pair, direction="undirected").weakest_tests == ("1-wl", "weak-rwl")
    assert compare(*pair, direction="out").weakest_tests == ("2-rlwl",)
    with pytest.raises(UsageError, match="up"):
        compare(*pair, direction="up")  # type: ignore[arg-type]


# -- sizes ----------------------------------------------------------------------------------------


def test_two_graphs_without_vertices_are_refused() -> None:
    with pytest.raises(UsageError, match="nothing to compare"):
        compare(_graph(""), _graph(""))


@pytest.mark.parametrize("turned", [False, True])
def test_graphs_of_different_sizes_are_separated_at_once_by_every_test(turned: bool) -> None:
    graphs = [
        _graph(""),
        _graph("", vertices=["v"]),
        _graph("", vertices=["v", "w"]),
        _graph("", vertices=["v", "w", "x"]),
    ]
    for pair in itertools.combinations(graphs[::-1] if turned else graphs, 2):
        comparison = compare(*pair, TESTS)
        assert [verdict.round for verdict in comparison.verdicts] == [0] * len(TESTS)
        assert comparison.weakest_tests == ("1-wl", "weak-rwl")
        assert comparison.isomorphic is False


# -- isomorphism ----------------------------------------------------------------------------------


def test_no_isomorphism_is_searched_if_a_test_separates(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        pytest.fail("an isomorphism was searched")

    monkeypatch.setattr("wlkg.analysis.compare.decide_isomorphism", fail)
    assert compare(*_examples("c6", "2xc3")).isomorphic is False


@pytest.mark.parametrize("answer", [True, False, None])
def test_if_no_test_separates_the_search_decides(
    answer: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def decide(pair: SideBySide, *, seconds: float) -> IsomorphismVerdict:
        calls.append((pair.union.direction, seconds))
        return IsomorphismVerdict(answer, "a stand-in")

    monkeypatch.setattr("wlkg.analysis.compare.decide_isomorphism", decide)
    pair = _examples("two-cycles-g", "two-cycles-h")
    comparison = compare(*pair, ["1-rwl"], direction="out", isomorphism_seconds=2.5)
    assert comparison.isomorphic is answer
    assert comparison.isomorphism_rests_on == "a stand-in"
    assert calls == [("out", 2.5)]


def test_graphs_that_no_test_separates_may_still_differ() -> None:
    pair = _examples("rook", "shrikhande")
    comparison = compare(*pair, ["1-rwl", "2-rlwl"], isomorphism_seconds=600)
    assert (comparison.separated, comparison.isomorphic) == (False, False)
    undecided = compare(*pair, ["1-rwl"], isomorphism_seconds=-1.0)
    assert undecided.isomorphic is None


# -- work that is done once -----------------------------------------------------------------------


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_all_tests_and_the_isomorphism_search_share_one_union_and_its_arcs(
    direction: Direction,
) -> None:
    graph = wlkg.read("example:direction-matters-g").with_direction(direction)
    copy = graph.permuted(list(reversed(range(graph.num_vertices))))
    with counting() as built:
        comparison = compare(graph, copy)
    assert (len(comparison.verdicts), comparison.isomorphic) == (len(LADDER), True)
    assert built.graphs == 1
    # One-way vertex tests also need the reversed arcs, and the search runs under mode both.
    assert built.arcs == (3 if direction in ("out", "in") else 1)


# -- vertices of two graphs -----------------------------------------------------------------------


def test_only_tests_that_see_the_whole_graph_know_how_large_it_is() -> None:
    cycles = [wlkg.read(f"example:cycle,n={n}") for n in (3, 4)]
    tests = ["1-wl", "1-rwl", "1-wl-all", "1-rwl-all", "2-rlwl"]
    verdicts = compare_vertices(cycles[0], "2", cycles[1], "3", tests)
    assert [verdict.round for verdict in verdicts] == [None, None, 1, 1, 0]
    assert [verdict.separated for verdict in verdicts] == [False, False, True, True, True]
    assert all(verdict.exact for verdict in verdicts)


def test_vertices_are_found_by_name_and_compared_in_one_direction_mode() -> None:
    path = _graph("xey yez")
    everything = compare_vertices(path, "x", path, "z", all_tests=True)
    assert [verdict.test for verdict in everything] == list(LADDER)
    assert [verdict.separated for verdict in everything] == [False, True, True, True, True]
    by_default = compare_vertices(path, "x", path, "z")
    assert by_default[:3] == everything[:3]
    assert [(v.test, v.separated) for v in by_default[3:]] == [("2-rlwl", None), ("3-rlwl", None)]
    why = "not run: weak-rwl separates the vertices; --all runs it"
    assert {verdict.skipped for verdict in by_default[3:]} == {why}
    undirected = compare_vertices(path, "x", path, "z", ["1-rwl"], "undirected")
    assert [verdict.separated for verdict in undirected] == [False]
    with pytest.raises(wlkg.WlkgError, match="nobody"):
        compare_vertices(path, "x", path, "nobody")
    with pytest.raises(UsageError, match="--direction"):
        compare_vertices(path, "x", _graph("xey", direction="out"), "x")
    with pytest.raises(UsageError, match="unknown test"):
        compare_vertices(path, "x", path, "x", ["1-wal"])
    (skipped,) = compare_vertices(path, "x", path, "z", ["3-rlwl"], max_memory=1)
    assert skipped.separated is None
    assert skipped.skipped is not None
