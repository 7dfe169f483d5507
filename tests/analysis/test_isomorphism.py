"""Isomorphism: against networkx, on copies, on the counterexamples, and within the time limit."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import wlkg
from tests.analysis.symmetry.brute_force import facts, isomorphisms
from tests.analysis.symmetry.libraries import BLISS, DEJAVU, needs_dejavu, needs_igraph, use_library
from tests.analysis.symmetry.lifts import lifts
from tests.strategies import rebuilt, relational_graphs, renumbered, switched
from wlkg.analysis.isomorphism import IsomorphismVerdict, find_isomorphism, isomorphic
from wlkg.analysis.symmetry import colouring
from wlkg.analysis.symmetry.coloured_graph import ColouredGraph
from wlkg.analysis.symmetry.libraries import Bliss, Dejavu
from wlkg.arrays import IntArray
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.examples import FAMILIES, example, find_family
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.refinement.vertices.vertex_problem import VertexProblem
from wlkg.refinement.vertices.worklist import Worklist

Pair = tuple[RelationalGraph, RelationalGraph]
every_direction = pytest.mark.parametrize("direction", DIRECTIONS)


def decided(
    one: RelationalGraph, two: RelationalGraph, direction: Direction | None = None
) -> bool | None:
    """The answer on a machine of any speed."""
    return isomorphic(one, two, direction, seconds=600)


def in_networkx(graph: RelationalGraph, direction: Direction) -> nx.DiGraph[int]:
    """A simple graph: each edge has the set of its relations, each vertex its label."""
    relations: dict[tuple[int, int], set[str]] = {}
    for h, i, t in zip(
        graph.head.tolist(), graph.relation.tolist(), graph.tail.tolist(), strict=True
    ):
        relations.setdefault((h, t), set()).add(graph.relation_names[i])
        if direction == "undirected":
            relations.setdefault((t, h), set()).add(graph.relation_names[i])
    result: nx.DiGraph[int] = nx.DiGraph()
    for v in range(graph.num_vertices):
        label = "" if graph.labels is None else graph.label_names[int(graph.labels[v])]
        result.add_node(v, label=label)
    for (u, v), names in relations.items():
        result.add_edge(u, v, relations=frozenset(names))
    return result


def isomorphic_in_networkx(pair: Pair, direction: Direction) -> bool:
    one, two = (in_networkx(graph, direction) for graph in pair)
    return nx.is_isomorphic(
        one,
        two,
        node_match=lambda a, b: a["label"] == b["label"],
        edge_match=lambda a, b: a["relations"] == b["relations"],
    )


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """Two graphs with up to five vertices: similar or not, of equal direction modes or not."""
    one = draw(relational_graphs(max_vertices=5))
    if draw(st.integers(0, 3)):
        two = draw(switched(one))
        return one, renumbered(two, draw(st.permutations(range(two.num_vertices))))
    return one, draw(relational_graphs(max_vertices=5))


@every_direction
@given(pair=pairs())
@settings(max_examples=150)
def test_the_answer_is_that_of_networkx(pair: Pair, direction: Direction) -> None:
    expected = isomorphic_in_networkx(pair, direction)
    event(f"isomorphic: {expected}")
    assert decided(*pair, direction) is expected
    assert decided(pair[1], pair[0], direction) is expected
    one, two = (graph.with_direction(direction) for graph in pair)
    assert decided(one, two) is expected


@every_direction
@given(graph=relational_graphs(max_vertices=12), data=st.data())
@settings(max_examples=60)
def test_renumbered_copies_are_isomorphic(
    graph: RelationalGraph, data: st.DataObject, direction: Direction
) -> None:
    order = data.draw(st.permutations(range(graph.num_vertices)))
    assert decided(graph, renumbered(graph, order), direction) is True


@given(pair=pairs(), seconds=st.sampled_from([0.0, 1e-3]))
@settings(max_examples=100)
def test_a_hurried_answer_is_none_or_right(pair: Pair, seconds: float) -> None:
    expected = isomorphic_in_networkx(pair, pair[0].direction)
    assert isomorphic(*pair, pair[0].direction, seconds=seconds) in (None, expected)


def test_after_the_deadline_only_different_sizes_are_decided() -> None:
    c6, c8 = example("c6"), example("cycles-g,n=4")
    assert isomorphic(c6, c6, seconds=-1.0) is None
    assert isomorphic(c6, example("2xc3"), seconds=-1.0) is None
    assert isomorphic(c6, c8, seconds=-1.0) is False


def test_a_search_stops_at_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    use_library(monkeypatch, None)
    clock = iter(range(1000))
    monkeypatch.setattr("wlkg.analysis.symmetry.deadline.time.monotonic", lambda: next(clock))
    one, two = find_family("rook").build({})
    verdict = find_isomorphism(one, two, seconds=3)
    assert (verdict.isomorphic, verdict.rests_on) == (None, "not decided within 3 s")
    assert next(clock) == 4
    assert isomorphic(one, two, seconds=990) is False


# -- libraries ------------------------------------------------------------------------------------


def answers(pair: Pair, library: Bliss | Dejavu | None, seconds: float = 600) -> IsomorphismVerdict:
    with pytest.MonkeyPatch.context() as patch:
        use_library(patch, library)
        return find_isomorphism(*pair, seconds=seconds)


def assert_maps(pair: Pair, verdict: IsomorphismVerdict) -> None:
    assert verdict.mapping is not None
    image = verdict.mapping.tolist()
    (arcs, labels), (expected, other_labels) = facts(pair[0]), facts(pair[1])
    assert sorted(image) == list(range(len(labels)))
    assert {(image[v], i, image[u]) for v, i, u in arcs} == expected
    assert all(labels[v] == other_labels[image[v]] for v in range(len(labels)))


@pytest.mark.parametrize(
    "library", [pytest.param(BLISS, marks=needs_igraph), None], ids=["BLISS", "own search"]
)
@given(pair=lifts(2))
@settings(max_examples=200)
def test_certain_libraries_give_the_answer_and_a_map(pair: Pair, library: Bliss | None) -> None:
    expected = bool(isomorphisms(facts(pair[0]), facts(pair[1])))
    verdict = answers(pair, library)
    event(f"{verdict.rests_on}")
    assert verdict.isomorphic is expected
    if expected:
        assert_maps(pair, verdict)
        assert verdict.rests_on == "a map, checked arc by arc"
    else:
        assert verdict.mapping is None
        assert verdict.rests_on.startswith("different ")


@needs_dejavu
@given(pair=lifts(2))
@settings(max_examples=100)
def test_dejavu_finds_maps_and_leaves_a_no_open(pair: Pair) -> None:
    expected = bool(isomorphisms(facts(pair[0]), facts(pair[1])))
    verdict = answers(pair, DEJAVU)
    if expected:
        assert verdict.isomorphic is True
        assert_maps(pair, verdict)
    elif verdict.isomorphic is None:
        assert verdict.rests_on.startswith("probably not isomorphic: dejavu")
    else:
        assert verdict.rests_on.startswith("different ")


@needs_dejavu
def test_dejavu_is_asked_only_about_what_colours_leave_open() -> None:
    rook = example("rook")
    assert answers((rook, example("shrikhande")), DEJAVU).isomorphic is None
    assert answers((rook, _shuffled(rook)), DEJAVU).isomorphic is True
    leaves = (_graph("0a1 0a2"), _graph("0a1 2a0"))
    assert answers(leaves, DEJAVU).isomorphic is False


@pytest.mark.parametrize(
    "library", [pytest.param(BLISS, marks=needs_igraph), None], ids=["BLISS", "own search"]
)
def test_equal_components_are_matched_as_multisets(library: Bliss | None) -> None:
    c6, triangles = example("c6"), example("2xc3")
    four = disjoint_union(c6, c6, c6, c6)
    mixed = disjoint_union(c6, c6, c6, triangles)
    assert answers((four, mixed), library).isomorphic is False
    assert answers((mixed, _shuffled(mixed)), library).isomorphic is True


@pytest.mark.parametrize("is_installed", [pytest.param(True, marks=needs_igraph), False])
@given(pair=pairs(), bits=st.integers(0, 2))
@settings(max_examples=60)
def test_sums_that_miss_splits_give_no_wrong_answer(
    pair: Pair, bits: int, is_installed: bool
) -> None:
    direction = pair[0].direction
    expected = isomorphic_in_networkx(pair, direction)

    class Weak(Worklist):
        def __init__(self, problem: VertexProblem, seed: int) -> None:
            super().__init__(problem, seed, 2**bits - 1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(colouring, "Worklist", Weak)
        use_library(patch, BLISS if is_installed else None)
        assert decided(*pair, direction) is expected


def test_a_wrong_map_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    use_library(monkeypatch, None)

    def wrong(one: ColouredGraph, *_: object) -> IntArray:
        return np.arange(one.num_vertices)

    monkeypatch.setattr("wlkg.analysis.symmetry.core_types.search_isomorphism", wrong)
    verdict = find_isomorphism(example("rook"), _shuffled(example("shrikhande")))
    assert (verdict.isomorphic, verdict.mapping) == (None, None)
    assert verdict.rests_on == "not decided: the map that was found is wrong"


@needs_igraph
@pytest.mark.parametrize("k", [3, 4, 5])
def test_cfi_graphs_are_decided(k: int) -> None:
    one, two = find_family("cfi").build({"k": k})
    assert decided(one, two) is False
    assert decided(one, _shuffled(one)) is True


# -- counterexamples ------------------------------------------------------------------------------

PAIRED = [
    name for name, family in FAMILIES.items() if family.vertices is None and family.pairs is None
]


@pytest.mark.parametrize("spec", [*PAIRED, "cfi,k=3", "cfi,r=2", "cycles,n=9", "cycles,n=4,r=3"])
def test_the_graphs_of_a_family_are_not_isomorphic(spec: str) -> None:
    name, *settings_of_family = spec.split(",")
    given_values = dict(setting.split("=") for setting in settings_of_family)
    values = find_family(name).values(given_values)
    one, two = find_family(name).build(values)
    assert decided(one, two) is False


def _shuffled(graph: RelationalGraph, seed: int = 0) -> RelationalGraph:
    order = np.random.default_rng(seed).permutation(graph.num_vertices)
    return renumbered(graph, order.tolist())


@pytest.mark.parametrize(
    "name",
    ["c6", "2xc3", "cfi-g,k=3", "cfi-h,k=4", "rook", "shrikhande", "dodecahedron", "weak-rwl"],
)
def test_copies_of_symmetric_graphs_are_recognised(name: str) -> None:
    for seed in range(3):
        assert decided(example(name), _shuffled(example(name), seed)) is True


def test_isomorphic_skip_links_are_recognised() -> None:
    # Three times 4 is 1 modulo 11: multiplication by 3 maps skips of 1 and 4 to skips of 3 and 1.
    one, two = find_family("csl").build({"n": 11, "a": 4, "b": 3})
    assert decided(one, two) is True


def test_many_equal_parts_are_matched_one_by_one() -> None:
    parts = [example("c6"), example("2xc3"), example("petersen"), example("k33")] * 8
    assert decided(disjoint_union(*parts), _shuffled(disjoint_union(*parts))) is True
    few = parts[:4]
    other = [parts[1], *parts[1:4]]
    assert decided(disjoint_union(*few), _shuffled(disjoint_union(*other))) is False


# -- names ----------------------------------------------------------------------------------------


def _graph(text: str, direction: Direction = "both") -> RelationalGraph:
    words = [(word[0], word[1], word[2]) for word in text.split()]
    return RelationalGraph.from_triples(words, direction=direction)


def test_relations_are_matched_by_name_and_vertices_are_not() -> None:
    assert decided(_graph("0a1 1b2"), _graph("5a7 7b6")) is True
    assert decided(_graph("0a1 1b2"), _graph("0b1 1a2")) is False
    assert decided(_graph("0a1"), _graph("0b1")) is False
    assert decided(_graph("0a1 0b1"), _graph("0a1")) is False


def test_labels_are_matched_by_name() -> None:
    red, blue, swapped = (
        _graph("0a1 2a3").with_labels(labels)
        for labels in (["x", "y", "x", "z"], ["x", "z", "x", "y"], ["y", "x", "x", "z"])
    )
    assert decided(red, blue) is True
    assert decided(red, swapped) is False
    assert decided(red, _graph("0a1 2a3")) is False
    other = red.with_label_ids(red.labels, ["x", "y", "w"]) if red.labels is not None else red
    assert decided(red, other) is False
    # In a graph without labels, every vertex has the empty label.
    assert decided(_graph("0a1").with_labels(["", ""]), _graph("0a1")) is True


@every_direction
def test_only_mode_undirected_forgets_the_direction(direction: Direction) -> None:
    forth, mixed = _graph("0a1 1a2"), _graph("0a1 2a1")
    assert decided(forth, mixed, direction) is (direction == "undirected")
    both_ways = _graph("0a1 1a0")
    assert decided(both_ways, _graph("0a1"), direction) is (direction == "undirected")


@every_direction
def test_graphs_of_different_sizes_are_not_isomorphic(direction: Direction) -> None:
    empty = RelationalGraph.from_triples([])
    single = RelationalGraph.from_triples([], vertices=["v"])
    loop = _graph("vav")
    assert decided(empty, empty, direction) is True
    assert decided(empty, single, direction) is False
    assert decided(single, empty, direction) is False
    assert decided(single, loop, direction) is False
    assert decided(loop, _graph("waw"), direction) is True
    assert decided(loop, _graph("0a1"), direction) is False


# -- a real graph ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def aifb(data_dir: Path) -> RelationalGraph:
    return wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz")


def test_aifb_is_isomorphic_to_a_renumbered_copy(aifb: RelationalGraph) -> None:
    assert decided(aifb, _shuffled(aifb)) is True


def test_aifb_is_not_isomorphic_to_a_copy_with_one_triple_reversed(aifb: RelationalGraph) -> None:
    head, tail = aifb.head.copy(), aifb.tail.copy()
    head[0], tail[0] = tail[0], head[0]
    changed = rebuilt(aifb, head=head, tail=tail)
    assert decided(aifb, _shuffled(changed)) is False
    assert decided(aifb, _shuffled(changed), "undirected") is True
