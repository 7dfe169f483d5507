"""Forged evidence holds exactly if it happens to be true: compared with the definitions."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.certificates import MORE_VERTEX_TESTS, TUPLE_TESTS, VERTEX_TESTS, holds, pairs, resealed
from tests.oracles import (
    ORACLES,
    all_tuples,
    arity,
    neighbours,
    refine_slowly,
    refine_tuples_slowly,
    signatures_slowly,
)
from tests.strategies import labels_by_name, relational_graphs
from wlkg.analysis.certificates.certificate import certificate
from wlkg.analysis.certificates.partitions import common_partition
from wlkg.analysis.certificates.tuple_tables import stable_tuples
from wlkg.analysis.side_by_side import SideBySide
from wlkg.catalogue import VertexTest, find_test
from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.verification.colourings import failures, read_colouring
from wlkg.verification.fractional import fractional_failures
from wlkg.verification.plain_graph import PlainGraph
from wlkg.verification.refinement import stable_colours
from wlkg.verification.verify import verify
from wlkg.verification.wl_tests import VERTEX_TESTS as VERTEX_TESTS_CHECKED

Pair = tuple[RelationalGraph, RelationalGraph]
#: The tests that start with loops, and what they see besides.
_WITH_LOOPS = {"1-rlwl": "1-rwl", "delta-1-lwl": "1-wl"}


def _label(graph: RelationalGraph, v: int) -> str:
    return "" if graph.labels is None else labels_by_name(graph)[graph.vertex_names[v]]


def _what_vertices_are(graphs: Pair, test: str, colours: Sequence[Hashable]) -> list[Hashable]:
    """The label of each vertex, the loops that count, and what it sees of a colouring."""
    found: list[Hashable] = []
    first = 0
    for graph in graphs:
        seen = neighbours(graph, graph.direction)
        here = list(colours[first : first + graph.num_vertices])
        for v in seen:
            loops = frozenset(i for i, u in seen[v] if u == v) if test == "1-rlwl" else frozenset()
            has_loop = test == "delta-1-lwl" and any(u == v for _, u in seen[v])
            view = ORACLES[_WITH_LOOPS.get(test, test)](v, seen, here)
            found.append((_label(graph, v), loops, has_loop, view))
        first += graph.num_vertices
    return found


def _agree(colours: Sequence[Hashable], values: Sequence[Hashable]) -> bool:
    """Whether items of one colour have one value."""
    return len(set(zip(colours, values, strict=True))) == len(set(colours))


@pytest.mark.parametrize("test", [*VERTEX_TESTS, *MORE_VERTEX_TESTS])
@given(graphs=pairs(max_vertices=4), data=st.data())
@settings(max_examples=60)
def test_a_partition_holds_if_and_only_if_its_classes_see_the_same(
    test: str, graphs: Pair, data: Any
) -> None:
    size = graphs[0].num_vertices
    one = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    colours = [*one, *data.draw(st.permutations(one))]
    chosen = find_test(test)
    assert isinstance(chosen, VertexTest)
    partition = Partition.of(np.array(colours, dtype=np.int64))
    evidence = common_partition(SideBySide(graphs), chosen, partition, fractional=False)
    is_true = _agree(colours, _what_vertices_are(graphs, test, colours))
    assert holds(certificate("same", graphs, evidence, test).document, *graphs) == is_true


@pytest.mark.parametrize("test", TUPLE_TESTS)
@given(graphs=pairs(max_vertices=3), data=st.data())
@settings(max_examples=60)
def test_classes_of_tuples_hold_if_and_only_if_they_see_the_same(
    test: str, graphs: Pair, data: Any
) -> None:
    rounds = refine_tuples_slowly(graphs, test, graphs[0].direction)
    merged = data.draw(st.lists(st.integers(0, 30), min_size=31, max_size=31))
    keep = data.draw(st.booleans())
    some = data.draw(st.sampled_from(rounds))
    colours = [c if keep else merged[cast(int, c)] for c in some]
    per_graph = [graph.num_vertices ** arity(test) for graph in graphs]
    refinement: Any = SimpleNamespace(
        partition=Partition.of(np.array(colours, dtype=np.int64)),
        items_per_block=per_graph,
        arity=arity(test),
    )
    evidence = stable_tuples(SideBySide(graphs), refinement)
    halves = colours[: per_graph[0]], colours[per_graph[0] :]
    is_true = (
        Counter(halves[0]) == Counter(halves[1])
        and _agree(colours, rounds[0])
        and _agree(colours, signatures_slowly(graphs, test, graphs[0].direction, colours))
    )
    assert len(colours) == len(list(all_tuples(graphs, arity(test))))
    assert holds(certificate("same", graphs, evidence, test).document, *graphs) == is_true


def _keeps_everything(image: dict[str, str], one: RelationalGraph, two: RelationalGraph) -> bool:
    """Whether a bijection of names keeps labels and triples."""
    labels = all(_label(one, one.vertex(v)) == _label(two, two.vertex(w)) for v, w in image.items())
    triples = [set(graph.named_triples()) for graph in (one, two)]
    mapped = {(image[h], r, image[t]) for h, r, t in triples[0]}
    if one.direction == "undirected":
        mapped, there = ({(min(h, t), r, max(h, t)) for h, r, t in s} for s in (mapped, triples[1]))
        return labels and mapped == there
    return labels and mapped == triples[1]


@given(graphs=pairs(max_vertices=4), data=st.data())
@settings(max_examples=200)
def test_a_map_holds_if_and_only_if_it_keeps_labels_and_triples(graphs: Pair, data: Any) -> None:
    one, two = graphs
    image = dict(zip(one.vertex_names, data.draw(st.permutations(two.vertex_names)), strict=True))
    document = certificate("isomorphic", graphs, {"map": [list(p) for p in image.items()]}).document
    assert holds(document, one, two) == _keeps_everything(image, one, two)
    if image:
        partial = {**document, "map": document["map"][1:]}
        assert not holds(resealed(partial), one, two)


def test_a_map_into_a_graph_with_more_triples_is_no_isomorphism() -> None:
    one = RelationalGraph.from_triples([("a", "r", "b")])
    two = RelationalGraph.from_triples([("a", "r", "b"), ("b", "r", "a")])
    evidence = {"map": [["a", "a"], ["b", "b"]]}
    assert holds(certificate("isomorphic", (one, one), evidence).document, one, one)
    assert not holds(certificate("isomorphic", (one, two), evidence).document, one, two)


def test_classes_of_different_sizes_do_not_show_that_graphs_are_the_same() -> None:
    one, two = wlkg.read("example:cycle,n=3"), wlkg.read("example:c6").induced([0, 1, 2])
    evidence = {
        "sizes": [3, 6],
        "colours": [[0, 1, 1, 1, 0, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]],
    }
    assert not holds(certificate("same", (one, two), evidence, "2-wl").document, one, two)
    evidence = {"sizes": [3, 6], "colours": [[0, 1, 1, 1, 0, 1, 1, 1, 0]] * 2}
    assert holds(certificate("same", (one, one), evidence, "2-wl").document, one, one)
    evidence["sizes"] = [2, 7]
    assert not holds(certificate("same", (one, one), evidence, "2-wl").document, one, one)


def test_classes_of_tuples_that_a_further_round_splits_prove_nothing() -> None:
    graphs = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    start = refine_tuples_slowly(graphs, "2-rlwl", "undirected")[0]
    refinement: Any = SimpleNamespace(
        partition=Partition.of(np.array(start)), items_per_block=[36, 36], arity=2
    )
    evidence = stable_tuples(SideBySide(graphs), refinement)
    assert holds(certificate("same", graphs, evidence, "2-wl").document, *graphs)
    assert not holds(certificate("same", graphs, evidence, "2-rlwl").document, *graphs)


@pytest.mark.parametrize("test", VERTEX_TESTS)
@given(graph=relational_graphs(max_vertices=7))
@settings(max_examples=60)
def test_the_checker_refines_as_defined(test: str, graph: RelationalGraph) -> None:
    order = sorted(range(graph.num_vertices), key=graph.vertex_names.__getitem__)
    expected = refine_slowly(graph, test, graph.direction)[-1]
    found = stable_colours(PlainGraph.of(graph), VERTEX_TESTS_CHECKED[test])
    assert _agree(found, [expected[v] for v in order])
    assert len(set(found)) == len(set(expected))


@given(graph=relational_graphs(max_vertices=4), data=st.data())
@settings(max_examples=200)
def test_symmetries_hold_if_and_only_if_they_are_some_and_connect_the_classes(
    graph: RelationalGraph, data: Any
) -> None:
    names = graph.vertex_names
    images = data.draw(st.lists(st.permutations(names), max_size=3))
    maps = [dict(zip(names, image, strict=True)) for image in images]
    orbit = {name: name for name in names}
    for _ in names:
        for image in maps:
            for v, w in image.items():
                orbit[v] = orbit[w] = min(orbit[v], orbit[w])
    evidence = {
        "orbits": len(set(orbit.values())),
        "generators": [[[v, w] for v, w in image.items() if v != w] for image in maps],
    }
    test = data.draw(st.sampled_from(VERTEX_TESTS))
    classes = refine_slowly(graph, test, graph.direction)[-1]
    is_true = all(_keeps_everything(image, graph, graph) for image in maps) and _agree(
        classes, [orbit[name] for name in names]
    )
    assert holds(certificate("complete", [graph], evidence, test).document, graph) == is_true


def test_a_matrix_that_does_not_commute_is_no_fractional_isomorphism() -> None:
    one = RelationalGraph.from_triples([("a", "r", "c"), ("b", "r", "d")], direction="out")
    two = RelationalGraph.from_triples(
        [("a", "r", "c"), ("b", "r", "c")], vertices=["d"], direction="out"
    )
    document = dict(wlkg.certify(one, two).document)
    assert (document["kind"], document["colours"]) == ("same", [[0, 0, 1, 1], [0, 0, 1, 1]])
    document["fractional"] = ["1/2", "1/2"]
    with pytest.raises(InputError, match="direction mode out gives no fractional isomorphism"):
        verify(resealed(document), one, two)
    graphs, test = [PlainGraph.of(one), PlainGraph.of(two)], VERTEX_TESTS_CHECKED["1-rwl"]
    colouring = read_colouring(document, test, graphs)
    assert not list(failures(colouring, test, graphs))
    first, second = fractional_failures(colouring, test, graphs)
    assert first == (
        "relation 'r': the entry of A X is 1/2 and that of X B is 1 for class 0 and vertex 'c' of"
        " graph 2"
    )
    assert second.startswith("relation 'r': A X has 1/2 for classes 0 and 1, and X B has 0")


def test_the_digest_is_that_of_the_documented_lines() -> None:
    graph = RelationalGraph.from_triples([("é", "r", "b"), ("a", "r", "b")], vertices=["10"])
    graph = graph.with_labels({"10": "", "a": "x", "b": "y", "é": "x"})
    lines = [
        '["direction","both"]',
        '["vertex","10",""]',
        '["vertex","a","x"]',
        '["vertex","b","y"]',
        '["vertex","\\u00e9","x"]',
        '["triple","\\u00e9","r","b"]',
        '["triple","a","r","b"]',
    ]
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    described = wlkg.certify(graph).document["graphs"]
    assert described == [{"vertices": 4, "triples": 2, "sha256": digest}]
    # An undirected triple is written once, whichever end comes first.
    pair = RelationalGraph.from_triples([("b", "r", "a"), ("a", "r", "b")], direction="undirected")
    lines = ['["direction","undirected"]', '["vertex","a",""]', '["vertex","b",""]']
    lines.append('["triple","a","r","b"]')
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    described = wlkg.certify(pair).document["graphs"]
    assert described == [{"vertices": 2, "triples": 1, "sha256": digest}]
