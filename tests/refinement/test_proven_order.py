"""Which test is below which: the rules, their consequences, and that nothing refutes them."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import relational_graphs, switched
from wlkg.analysis.side_by_side import SideBySide
from wlkg.analysis.verdicts import LADDER, judge
from wlkg.catalogue import Direction, find_test
from wlkg.examples import FAMILIES, find_family
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.refinement.proven_order import RULES, Rule, is_below, weakest
from wlkg.refinement.refine import refine


def _at(pattern: str, k: int) -> str:
    return pattern.replace("K+1", str(k + 1)).replace("K", str(k))


#: The rules for K = 2, and those that hold for K = 1 too.
PAIRS = [(_at(rule.lower, k), _at(rule.upper, k)) for rule in RULES for k in range(rule.least, 3)]
#: Every test that occurs in these rules.
NAMED = sorted({name for pair in PAIRS for name in pair})
#: The same, and some tests with larger K.
MANY = [*NAMED, "4-rlwl", "4-wl", "3-fwl", "5-fwl", "delta-4-lwl"]


# -- the consequences of the rules ----------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.lower} {rule.upper}")
def test_every_rule_names_tests_and_holds_for_every_k(rule: Rule) -> None:
    assert rule.why
    for k in range(rule.least, 7):
        lower, upper = _at(rule.lower, k), _at(rule.upper, k)
        find_test(lower)
        find_test(upper)
        assert is_below(lower, upper)


def test_every_test_is_below_itself() -> None:
    assert all(is_below(test, test) for test in MANY)


def test_the_order_is_transitive() -> None:
    below = {pair: is_below(*pair) for pair in itertools.product(MANY, repeat=2)}
    for one, two, three in itertools.product(MANY, repeat=3):
        if below[one, two] and below[two, three]:
            assert below[one, three], (one, two, three)


@pytest.mark.parametrize(
    ("lower", "upper"),
    [
        ("weak-rwl", "1-rwl"),
        ("weak-rwl", "2-rlwl"),
        ("weak-rwl", "4-fwl"),
        ("mean-rwl", "1-rwl"),
        ("mean-rwl", "3-wl"),
        ("1-rwl", "5-rlwl"),
        ("1-wl", "delta-3-lwl"),
        ("1-wl", "2-fwl"),
        ("1-wl", "9-wl"),
        ("2-rlwl", "3-fwl"),
        ("rawl2", "rawl2-all"),
        ("rawl2-all", "2-fwl"),
        ("2-rlwl", "3-wl"),
        ("delta-2-lwl", "3-wl"),
        ("2-wl", "3-wl"),
        ("2-wl", "7-fwl"),
        ("1-fwl", "2-fwl"),
        ("1-fwl", "1-rlwl"),
        ("1-rwl", "1-rlwl"),
        ("1-wl", "delta-1-lwl"),
        ("1-rlwl", "2-rlwl"),
        ("1-rlwl", "2-wl"),
        ("delta-1-lwl", "delta-2-lwl"),
        ("delta-1-lwl", "2-wl"),
    ],
)
def test_a_test_may_be_strictly_below_another(lower: str, upper: str) -> None:
    assert is_below(lower, upper)
    assert not is_below(upper, lower)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("1-wl", "1-rwl"),
        ("1-wl", "weak-rwl"),
        ("1-wl", "9-rlwl"),
        ("mean-rwl", "1-wl"),
        ("mean-rwl", "weak-rwl"),
        ("delta-2-lwl", "2-rlwl"),
        ("delta-3-lwl", "3-rlwl"),
        ("2-wl", "delta-2-lwl"),
        ("1-rwl", "delta-9-lwl"),
        ("1-rlwl", "delta-1-lwl"),
        ("1-fwl", "1-rwl"),
    ],
)
def test_some_tests_are_incomparable(one: str, two: str) -> None:
    assert not is_below(one, two)
    assert not is_below(two, one)


@pytest.mark.parametrize("test", ["1-wl", "1-rwl"])
def test_non_neighbours_do_not_help_to_separate_graphs(test: str) -> None:
    assert is_below(test, f"{test}-all")
    assert is_below(f"{test}-all", test)
    assert weakest([f"{test}-all", test, "2-wl"]) == [f"{test}-all"]
    assert weakest(["2-wl", test, f"{test}-all"]) == [test]


@pytest.mark.parametrize("k", [2, 3, 6])
def test_k_fwl_and_k_plus_1_wl_are_below_each_other(k: int) -> None:
    assert is_below(f"{k}-fwl", f"{k + 1}-wl")
    assert is_below(f"{k + 1}-wl", f"{k}-fwl")
    assert not is_below(f"{k + 1}-wl", f"{k - 1}-fwl")
    assert not is_below("2-wl", "1-fwl")


@pytest.mark.parametrize(("single", "test"), [("1-rlwl", "1-rwl"), ("delta-1-lwl", "1-wl")])
def test_atomic_types_put_a_test_of_single_vertices_above_its_vertex_test(
    single: str, test: str
) -> None:
    for other in MANY:
        if is_below(other, test):
            assert is_below(other, single)
            assert not is_below(single, other)
        elif other not in (
            single,
            "rawl2",
            "rawl2-all",
            "rwl2",
        ):  # these do not start with loops, either
            assert is_below(single, other) == is_below(test, other)


# -- the weakest of several -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("separating", "expected"),
    [
        ([], []),
        (["3-rlwl"], ["3-rlwl"]),
        (["2-rlwl", "3-rlwl"], ["2-rlwl"]),
        (["3-rlwl", "2-rlwl"], ["2-rlwl"]),
        (["1-wl", "2-rlwl", "3-rlwl"], ["1-wl", "2-rlwl"]),
        (["2-rlwl", "1-wl"], ["2-rlwl", "1-wl"]),
        (["1-wl", "weak-rwl", "1-rwl", "2-wl"], ["1-wl", "weak-rwl"]),
        (["2-fwl", "3-wl"], ["2-fwl"]),
        (["3-wl", "2-fwl"], ["3-wl"]),
        (["3-wl", "2-fwl", "2-rlwl"], ["2-rlwl"]),
        (["4-wl", "3-wl", "3-fwl", "2-fwl"], ["3-wl"]),
        (["1-rlwl", "1-rwl"], ["1-rwl"]),
        (["1-rlwl", "2-rlwl", "delta-1-lwl"], ["1-rlwl", "delta-1-lwl"]),
        (["1-rwl", "mean-rwl", "1-wl"], ["mean-rwl", "1-wl"]),
        (["2-rlwl", "delta-2-lwl", "2-fwl"], ["2-rlwl", "delta-2-lwl"]),
    ],
)
def test_the_weakest_tests_have_no_other_below_them(
    separating: list[str], expected: list[str]
) -> None:
    assert weakest(separating) == expected


@given(chosen=st.lists(st.sampled_from(MANY), unique=True, max_size=6))
def test_every_separating_test_has_a_weakest_test_below_it(chosen: list[str]) -> None:
    kept = weakest(chosen)
    assert kept == [test for test in chosen if test in kept]
    assert all(any(is_below(low, test) for low in kept) for test in chosen)
    assert not any(is_below(*pair) for pair in itertools.permutations(kept, 2))


# -- the rules on graphs --------------------------------------------------------------------------


@st.composite
def similar_graphs(draw: st.DrawFn) -> list[RelationalGraph]:
    """A graph and variants of it, each made from an earlier one."""
    graphs = [draw(relational_graphs(max_vertices=4, max_relations=2))]
    for _ in range(5):
        graphs.append(draw(switched(draw(st.sampled_from(graphs)))))
    return graphs


def _colours(graphs: Sequence[RelationalGraph], test: str) -> list[Hashable]:
    """The histogram of each graph; a test separates two graphs if theirs differ."""
    sizes = [graph.num_vertices for graph in graphs]
    refinement = refine(disjoint_union(*graphs), test, blocks=sizes)
    ends = np.cumsum([size**refinement.arity for size in sizes])
    parts = np.split(refinement.partition.colours, ends[:-1])
    return [tuple(sorted(part.tolist())) for part in parts]


def _refuted(
    graphs: Sequence[RelationalGraph], pairs: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], tuple[RelationalGraph, RelationalGraph]]:
    """The pairs of tests such that only the first separates two of the graphs, with the graphs."""
    colours = {test: _colours(graphs, test) for test in NAMED}
    refuted = {}
    for lower, upper in pairs:
        first: dict[Hashable, int] = {}
        for number, colour in enumerate(colours[upper]):
            other = first.setdefault(colour, number)
            if colours[lower][other] != colours[lower][number]:
                refuted[lower, upper] = graphs[other], graphs[number]
    return refuted


ORDERED = {pair for pair in itertools.permutations(NAMED, 2) if is_below(*pair)}


def test_the_rules_are_among_the_pairs_that_are_tried() -> None:
    assert set(PAIRS) <= ORDERED
    assert len(NAMED) == 19


@given(graphs=similar_graphs())
@settings(max_examples=50)
def test_every_test_separates_what_a_test_below_it_separates(graphs: list[RelationalGraph]) -> None:
    assert _refuted(graphs, ORDERED) == {}


def _all_graphs(
    vertices: int, relations: int, most: int, direction: Direction
) -> list[RelationalGraph]:
    """All graphs with up to ``most`` triples, up to renumbering of the vertices.

    Undirected graphs have no loops, the others may have them.
    """
    undirected = direction == "undirected"
    numbers = range(vertices)
    ends = itertools.combinations(numbers, 2) if undirected else itertools.product(numbers, numbers)
    triples = [(h, i, t) for h, t in ends for i in range(relations)]
    kept, seen = [], set()
    for rows in itertools.chain.from_iterable(
        itertools.combinations(triples, size) for size in range(most + 1)
    ):
        if frozenset(rows) in seen:
            continue
        for p in itertools.permutations(numbers):
            moved = [(p[h], i, p[t]) for h, i, t in rows]
            if undirected:
                moved = [(min(h, t), i, max(h, t)) for h, i, t in moved]
            seen.add(frozenset(moved))
        kept.append(
            RelationalGraph.from_arrays(
                *np.array(rows, dtype=np.int64).reshape(-1, 3).T,
                num_vertices=vertices,
                relation_names=["a", "b"][:relations],
                direction=direction,
            )
        )
    return kept


@pytest.mark.parametrize(
    ("vertices", "relations", "most", "direction", "count", "refutable"),
    [
        (2, 2, 8, "both", 136, {("1-rlwl", "1-rwl"), ("weak-rwl", "1-wl"), ("mean-rwl", "1-wl")}),
        (3, 1, 9, "both", 104, {("2-rlwl", "1-rwl"), ("1-rwl", "1-wl"), ("weak-rwl", "mean-rwl")}),
        (3, 1, 9, "out", 104, {("2-rlwl", "1-rwl"), ("delta-1-lwl", "1-wl"), ("1-fwl", "1-wl")}),
        # Here two arcs may lead to the same neighbour, which only 1-wl sees.
        (4, 2, 4, "undirected", 61, {("1-wl", "1-rwl"), ("1-rwl", "1-wl"), ("1-wl", "weak-rwl")}),
    ],
)
def test_no_rule_fails_on_any_small_graph(
    vertices: int,
    relations: int,
    most: int,
    direction: Direction,
    count: int,
    refutable: set[tuple[str, str]],
) -> None:
    graphs = _all_graphs(vertices, relations, most, direction)
    assert len(graphs) == count
    refuted = set(_refuted(graphs, itertools.permutations(NAMED, 2)))
    assert refuted & ORDERED == set()
    assert refuted >= refutable


# -- the rules on the counterexamples -------------------------------------------------------------

COMPARED = (*LADDER, "2-wl", "2-fwl")
#: (a, b): a separates some built-in counterexample and b does not.
WITNESSED = {
    ("1-wl", "weak-rwl"),
    ("1-wl", "1-rwl"),
    ("1-rwl", "1-wl"),
    ("1-rwl", "weak-rwl"),
    *itertools.product(("2-rlwl", "2-fwl", "3-rlwl"), ("1-wl", "weak-rwl", "1-rwl", "2-wl")),
    *itertools.product(("2-wl",), ("1-wl", "weak-rwl", "1-rwl")),
    *itertools.product(("3-rlwl",), ("2-rlwl", "2-fwl")),
}
#: The counterexamples whose claims are about two graphs.
PAIRED = [
    name for name, family in FAMILIES.items() if family.vertices is None and family.pairs is None
]


def test_no_counterexample_refutes_the_order() -> None:
    witnessed = set()
    for name in PAIRED:
        one, two = find_family(name).build({})
        pair = SideBySide((one, two))
        separated = {test: judge(pair, test).separated for test in COMPARED}
        witnessed |= {
            (a, b)
            for a, b in itertools.permutations(COMPARED, 2)
            if separated[a] and not separated[b]
        }
    assert witnessed == WITNESSED
    assert not any(is_below(a, b) for a, b in witnessed)


#: The order is not about vertices of different graphs.
#: The order is about graphs and about vertices of one graph. For pairs it does not hold: 1-rwl may
#: separate their sources, of which rawl2 sees only that they are sources.
ORDERED_FAMILIES = [
    name
    for name, family in FAMILIES.items()
    if name in PAIRED or (len(family.graphs) == 1 and family.pairs is None)
]


@pytest.mark.parametrize("name", ORDERED_FAMILIES)
def test_no_claim_refutes_the_order(name: str) -> None:
    family = FAMILIES[name]
    settings_of_k: list[dict[str, int]] = [{}, {"k": 3}, {"k": 4}, {"k": 5}]
    for given_values in settings_of_k if "k" in family.parameters else [{}]:
        claims = family.claims(family.values(given_values))
        for low, high in itertools.permutations(claims, 2):
            if low.separated and not high.separated:
                assert not is_below(low.test, high.test), (low, high)
