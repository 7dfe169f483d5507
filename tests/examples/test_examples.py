"""The built-in graphs and families, their claims, 2-lifts, and the files under examples/graphs."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import wlkg
from tests.oracles import refine_slowly, refine_tuples_slowly
from tests.places import EXAMPLE_GRAPHS
from tests.strategies import relational_graphs
from wlkg.catalogue import DIRECTIONS, TESTS, Direction
from wlkg.errors import TooLargeError, UsageError
from wlkg.examples import (
    EXAMPLES,
    FAMILIES,
    Claim,
    Family,
    building,
    cycles,
    example,
    find_family,
    lift_pair,
)
from wlkg.examples.building import refuse_large
from wlkg.examples.graphs import CSL_DEFAULTS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union

FOLDER = EXAMPLE_GRAPHS

#: File, options, and the expected (vertices, triples, relations, labels).
FILES: list[tuple[str, dict[str, Any], tuple[int, int, int, int]]] = [
    ("c6.g6", {}, (6, 6, 1, 0)),
    ("2xc3.g6", {}, (6, 6, 1, 0)),
    ("c6.tsv", {}, (6, 12, 1, 0)),
    ("weak-rwl.json", {}, (4, 4, 2, 3)),
    ("weak-rwl.tsv", {}, (4, 4, 2, 0)),
    ("family.ttl", {}, (21, 29, 6, 0)),
    ("family.ttl", {"literals": "drop"}, (10, 16, 3, 0)),
    ("friends.csv", {"columns": "head=person,relation=relation,tail=friend"}, (3, 4, 2, 0)),
    ("traffic.graphml", {}, (4, 5, 3, 0)),
    ("university.ttl", {}, (261, 620, 22, 0)),
]
#: Files that are not graphs.
COMPANIONS = {
    "README.md",
    "weak-rwl.labels.tsv",
    "university.train.tsv",
    "university.test.tsv",
}

every_example = pytest.mark.parametrize("name", EXAMPLES)
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)


# -- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options", "expected"), FILES)
def test_each_example_file_loads_as_described(
    name: str, options: dict[str, Any], expected: tuple[int, int, int, int]
) -> None:
    graph = wlkg.read(FOLDER / name, **options)
    labels = len(graph.label_names)
    assert (graph.num_vertices, graph.num_triples, graph.num_relations, labels) == expected


def test_every_example_file_is_tested() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {name for name, _, _ in FILES} | COMPANIONS


@pytest.mark.parametrize(
    ("file", "name"), [("c6.g6", "c6"), ("2xc3.g6", "2xc3"), ("weak-rwl.json", "weak-rwl")]
)
def test_the_files_are_the_built_in_graphs(file: str, name: str) -> None:
    assert wlkg.read(FOLDER / file) == wlkg.read(f"example:{name}")


def test_separate_labels_give_the_same_graph_as_embedded_labels() -> None:
    apart = wlkg.label(
        wlkg.read(FOLDER / "weak-rwl.tsv", direction="undirected"), FOLDER / "weak-rwl.labels.tsv"
    )
    inside = wlkg.read(FOLDER / "weak-rwl.json")
    assert wlkg.refine(apart).classes_per_round == wlkg.refine(inside).classes_per_round
    assert apart.label_names == inside.label_names


# -- graphs by name -----------------------------------------------------------------------------


def plain(graph: RelationalGraph) -> nx.Graph[int]:
    """The underlying simple undirected graph."""
    result: nx.Graph[int] = nx.Graph()
    result.add_nodes_from(range(graph.num_vertices))
    result.add_edges_from(zip(graph.head.tolist(), graph.tail.tolist(), strict=True))
    return result


@every_example
def test_no_built_in_graph_has_surprises(name: str) -> None:
    graph = wlkg.read(f"example:{name}")
    assert graph == example(name) == EXAMPLES[name].build(**defaults(EXAMPLES[name].parameters))
    assert len(graph.isolated) == (name in ("traffic", "one-triple"))  # where it is the point
    assert not graph.duplicates
    assert EXAMPLES[name].summary


def defaults(parameters: Any) -> dict[str, int]:
    return {key: parameter.default for key, parameter in parameters.items()}


@pytest.mark.parametrize("name", [name for name in EXAMPLES if "r" in EXAMPLES[name].parameters])
def test_more_relations_repeat_every_edge(name: str) -> None:
    one, three = example(name), example(f"{name},r=3")
    assert one.relation_names == ("edge",)
    assert three.relation_names == ("edge1", "edge2", "edge3")
    assert list(three.vertex_names) == list(one.vertex_names)
    edges = {(h, t) for h, _, t in one.named_triples()}
    assert len(edges) == one.num_triples
    assert set(three.named_triples()) == {
        (h, relation, t) for h, t in edges for relation in three.relation_names
    }


def molecule(*rings: list[str]) -> nx.Graph[str]:
    result: nx.Graph[str] = nx.Graph()
    for ring in rings:
        nx.add_cycle(result, ring)
    return result


def bicyclopentyl() -> nx.Graph[str]:
    result = molecule(list("abcde"), list("fghij"))
    result.add_edge("a", "f")
    return result


SAME = {
    "c6": nx.cycle_graph(6),
    "2xc3": nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)),
    "cycles-g,n=5": nx.cycle_graph(10),
    "cycles-h,n=5": nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(5)),
    "decalin": molecule(list("abcdef"), list("abghij")),
    "bicyclopentyl": bicyclopentyl(),
    "rook": nx.line_graph(nx.complete_bipartite_graph(4, 4)),
    "petersen": nx.petersen_graph(),
    "pentagonal-prism": nx.circular_ladder_graph(5),
    "k33": nx.complete_bipartite_graph(3, 3),
    "triangular-prism": nx.circular_ladder_graph(3),
    "dodecahedron": nx.dodecahedral_graph(),
    "desargues": nx.desargues_graph(),
    "csl-g": nx.circulant_graph(11, [1, 2]),
    "csl-h": nx.circulant_graph(11, [1, 3]),
    "csl-h,n=13,b=6": nx.circulant_graph(13, [1, 6]),
}


@pytest.mark.parametrize("spec", SAME)
def test_classical_graphs_are_those_of_networkx(spec: str) -> None:
    assert nx.is_isomorphic(plain(example(spec)), SAME[spec])
    assert example(spec).direction == "undirected"


def test_the_shrikhande_graph_is_strongly_regular_and_locally_a_hexagon() -> None:
    graph = plain(example("shrikhande"))
    assert sorted(dict(graph.degree()).values()) == [6] * 16
    for u, v in itertools.combinations(graph, 2):
        assert len(set(graph[u]) & set(graph[v])) == 2
    for v in graph:
        assert nx.is_isomorphic(graph.subgraph(graph[v]), nx.cycle_graph(6))


def subset_name(members: tuple[str, ...]) -> str:
    return "{" + ",".join(members) + "}"


def slow_cfi(k: int, odd_at_zero: bool) -> set[frozenset[str]]:
    """The edges between names, exactly as the paper defines them."""
    base_edges = [f"{u}{v}" for u, v in itertools.combinations(range(k + 1), 2)]
    edges = {frozenset({f"e{e}^0", f"e{e}^1"}) for e in base_edges}
    for v in range(k + 1):
        at_v = [e for e in base_edges if str(v) in e]
        for size in range(k + 1):
            if size % 2 != (odd_at_zero and v == 0):
                continue
            for members in itertools.combinations(at_v, size):
                vertex = f"({v},{subset_name(members)})"
                edges |= {frozenset({vertex, f"e{e}^{int(e in members)}"}) for e in at_v}
    return edges


@pytest.mark.parametrize("k", [2, 3, 4, 5])
@pytest.mark.parametrize(("name", "odd"), [("cfi-g", False), ("cfi-h", True)])
def test_g_k_and_h_k_are_built_as_the_paper_says(name: str, odd: bool, k: int) -> None:
    graph = example(f"{name},k={k}")
    assert {frozenset({h, t}) for h, _, t in graph.named_triples()} == slow_cfi(k, odd)
    assert graph.num_vertices == (k + 1) * 2 ** (k - 1) + k * (k + 1)
    assert graph.direction == "undirected"


def test_names_of_base_edges_are_unambiguous_with_many_base_vertices() -> None:
    graph = example("cfi-h,k=11")
    assert len(set(graph.vertex_names)) == graph.num_vertices == 12 * 2**10 + 11 * 12
    assert "e1-11^0" in graph.vertex_names
    assert graph.num_triples == 12 * 11 * 2**10 + 11 * 12 // 2


@pytest.mark.parametrize(
    ("name", "triples"),
    [
        ("loops-swap-g", "0-edge-1 1-edge-0"),
        ("loops-swap-h", "0-edge-0 1-edge-1"),
        ("triangles-g", "0-a-1 0-b-1 1-a-2 1-b-2 2-a-0 2-b-0"),
        ("triangles-h", "0-a-1 0-b-2 1-a-2 1-b-0 2-a-0 2-b-1"),
        ("two-cycles-g", "0-edge-1 1-edge-0 2-edge-3 3-edge-2"),
        ("two-cycles-h", "0-edge-1 1-edge-2 2-edge-3 3-edge-0"),
        ("double-edges-g", "0-a-3 0-b-3 1-a-2 1-b-2"),
        ("double-edges-h", "0-a-2 0-b-3 1-a-3 1-b-2"),
        ("relation-matters-g", "0-a-3 0-a-4 1-a-2 1-b-4 2-b-3 3-a-4"),
        ("relation-matters-h", "0-a-3 0-a-4 1-a-4 1-b-2 2-a-3 3-b-4"),
        ("direction-matters-g", "0-edge-3 1-edge-3 2-edge-0 2-edge-1 3-edge-2"),
        ("direction-matters-h", "0-edge-3 1-edge-2 2-edge-0 3-edge-1 3-edge-2"),
        ("weak-rwl-unlabelled", "0-a-4 1-a-3 1-b-4 2-a-4 2-b-3"),
    ],
)
def test_small_graphs_are_as_written(name: str, triples: str) -> None:
    graph = example(name)
    assert sorted("-".join(triple) for triple in graph.named_triples()) == triples.split()
    undirected = name.startswith(("double", "relation", "weak"))
    assert graph.direction == ("undirected" if undirected else "both")


def test_loading_an_example_imports_no_graph_library() -> None:
    program = "import sys, wlkg; wlkg.read('example:petersen'); print('networkx' in sys.modules)"
    assert output_of(program) == "False\n"


def output_of(program: str, hash_seed: str = "random") -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout


# -- parameters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("example:c7", "unknown example 'c7'. Known: family, traffic, university, 2xc3"),
        ("example:", "unknown example ''"),
        ("example:c6,q=2", "unknown parameter of example 'c6': 'q'. Known: r"),
        ("example:cfi-g,q=2", "Known: k, r"),
        ("example:c6,", "unknown parameter of example 'c6': ''. Known: r"),
        ("example:rook,r=2", "example 'rook' takes no parameters, found 'r'"),
        ("example:c6,r", "r must be a whole number, found ''"),
        ("example:c6,r=two", "r must be a whole number, found 'two'"),
        ("example:c6,r=1.0", "whole number, found '1.0'"),
        ("example:c6,r=1_0", "whole number"),
        ("example:c6,r=\u0663", "whole number"),
        ("example:c6,r=--1", "whole number"),
        ("example:c6,r=0", "example 'c6': r must be at least 1, found 0"),
        ("example:c6,r=-1", "at least 1, found -1"),
        ("example:c6,r=1000000", "r must be a whole number up to 999,999, found 1000000"),
        ("example:c6,r=" + "9" * 5000, "up to 999,999"),
        ("example:c6,r=2,r=3", "r is given twice"),
        ("example:cycles-g,n=2", "n must be at least 3"),
        ("example:cfi-h,k=1", "k must be at least 2"),
        ("example:csl-g,a=1", "a must be at least 2"),
        ("example:csl-g,a=6", "less than half the cycle"),
        ("example:csl-h,n=12,b=6", "less than half the cycle"),
    ],
)
def test_a_wrong_example_is_refused_with_the_known_names(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)) as caught:
        wlkg.read(spec)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(("length", "copies", "r"), [(2, 1, 1), (3, 0, 1), (3, 1, 0)])
def test_cycles_need_vertices_and_relations(length: int, copies: int, r: int) -> None:
    with pytest.raises(UsageError, match="at least"):
        cycles(length, copies, r)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cycles-g,n=999999,r=11", "1,999,998 vertices and 21,999,978 triples"),
        ("cfi-g,k=17", "G_17 has 1,179,954 vertices and 20,054,169 triples"),
        ("cfi-h,k=19,r=1", "H_19 has 5,243,260 vertices and 99,614,910 triples"),
        ("cfi-h,k=200,r=999999", "more than 10^62 vertices and more than 10^70 triples"),
        ("cfi-g,k=999999", "more than 10^301,035 vertices"),
    ],
)
def test_a_graph_that_is_too_large_is_refused_with_the_numbers(spec: str, message: str) -> None:
    with pytest.raises(TooLargeError, match=re.escape(message)) as caught:
        example(spec)
    assert caught.value.exit_code == 3
    assert "5,000,000 vertices and 20,000,000 triples" in str(caught.value)


def test_the_limits_themselves_are_allowed() -> None:
    refuse_large("a graph", 5_000_000, 20_000_000)
    with pytest.raises(TooLargeError, match="a graph has 0 vertices and 20,000,001 triples"):
        refuse_large("a graph", 0, 20_000_001)
    with pytest.raises(TooLargeError, match="5,000,001 vertices and 5,000,001 triples"):
        cycles(5_000_001, 1, 1)


@pytest.mark.parametrize("name", ["cfi-g", "cfi-h", "cycles-g", "cycles-h", "csl-g"])
@pytest.mark.parametrize("more", ["", ",r=2"])
def test_the_size_is_known_exactly_before_building(
    name: str, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = name if name == "csl-g" else name + more
    graph = example(spec)
    monkeypatch.setattr(building, "MOST_TRIPLES", graph.num_triples)
    monkeypatch.setattr(building, "MOST_VERTICES", graph.num_vertices)
    assert example(spec) == graph
    monkeypatch.setattr(building, "MOST_TRIPLES", graph.num_triples - 1)
    with pytest.raises(TooLargeError, match=f"{graph.num_triples} triples"):
        example(spec)
    monkeypatch.setattr(building, "MOST_TRIPLES", graph.num_triples)
    monkeypatch.setattr(building, "MOST_VERTICES", graph.num_vertices - 1)
    with pytest.raises(TooLargeError, match=f"{graph.num_vertices} vertices"):
        example(spec)


@every_family
def test_values_are_the_defaults_unless_given(family: Family) -> None:
    assert family.values({}) == defaults(family.parameters)
    for key, parameter in family.parameters.items():
        value = parameter.least + 10 if key == "n" else parameter.least
        if (family.name, key) != ("csl", "b"):
            assert (
                family.values({key: value})[key] == family.values({key: str(value)})[key] == value
            )
        with pytest.raises(UsageError, match=f"{family.name}.*{key} must be at least"):
            family.values({key: parameter.least - 1})
        with pytest.raises(UsageError, match=f"{family.name}.*{key} must be .* up to"):
            family.values({key: parameter.most + 1})
        with pytest.raises(UsageError, match=f"{key} must be a whole number, found 'x'"):
            family.values({key: "x"})
        assert parameter.meaning
    with pytest.raises(UsageError, match=f"family {family.name!r}") as caught:
        family.values({"zeta": 1})
    assert all(key in str(caught.value) for key in family.parameters)


def test_skips_must_differ_and_fit() -> None:
    with pytest.raises(UsageError, match="a and b must differ, found 4 for both"):
        find_family("csl").values({"a": 4, "b": 4})
    with pytest.raises(UsageError, match="less than half"):
        find_family("csl").values({"n": 8, "b": 4})
    assert find_family("csl").values({}) == CSL_DEFAULTS


def test_an_unknown_family_is_refused_with_the_known_names() -> None:
    with pytest.raises(UsageError, match=r"unknown family 'none'\. Known: cycles, cfi, weak-rwl"):
        find_family("none")


# -- families and their claims ------------------------------------------------------------------


@every_family
def test_every_family_builds_graphs_that_take_its_parameters(family: Family) -> None:
    assert find_family(family.name) is family
    assert family.summary
    assert family.source
    assert len(family.graphs) == 2 or family.vertices is not None or family.pairs is not None
    assert family.vertices is None or family.pairs is None
    for name in family.graphs:
        assert EXAMPLES[name].parameters == family.parameters
    built = family.build(family.values({}))
    assert built == tuple(example(name) for name in family.graphs)
    if family.vertices is not None:
        assert family.vertices[0] in built[0].vertex_names
        assert family.vertices[1] in built[-1].vertex_names


@every_family
def test_the_graphs_of_a_family_match_in_size_relations_and_direction(family: Family) -> None:
    least = {key: parameter.least for key, parameter in family.parameters.items()}
    if family.name == "csl":
        least["b"] = 3
    for values in ({}, least):
        first, *others = family.build(family.values(values))
        for other in others if family.name != "tri-sqr" else ():
            copies = 2 if family.name == "copies" else 1
            assert other.num_vertices == copies * first.num_vertices
            assert other.num_triples == copies * first.num_triples
            assert other.relation_names == first.relation_names
            assert other.direction == first.direction
            assert other != first


def test_every_graph_belongs_to_a_family() -> None:
    used = {name for family in FAMILIES.values() for name in family.graphs}
    alone = {"c6", "2xc3", "family", "traffic", "university"}
    assert used | alone == set(EXAMPLES)
    assert example("cycles-g") == example("c6")
    assert example("cycles-h,r=2") == example("2xc3,r=2")


#: Parameters to try beyond the defaults.
MORE: dict[str, list[dict[str, int]]] = {
    "cycles": [{"n": 4}, {"n": 5, "r": 2}, {"n": 12}],
    "cfi": [{"k": 2, "r": 2}, {"k": 3}, {"k": 4}, {"k": 5, "r": 2}, {"k": 7}],
    "copies": [{"n": 7}, {"n": 4, "r": 2}],
    "csl": [{"n": 41, "a": 5, "b": 9}, {"n": 7}],
    "tri-sqr": [{"n": 1}, {"seed": 1}, {"n": 9, "seed": 7}],
}
CASES = [
    pytest.param(family, given, id=f"{family.name}{given or ''}")
    for family in FAMILIES.values()
    for given in [{}, *MORE.get(family.name, [])]
]
NAME = re.compile(
    r"1-wl(-all)?|weak-rwl|1-rwl(-all)?|mean-rwl|1-rlwl|rawl2(-all)?|rwl2|([2-9]|\d\d+)-(wl|rlwl|fwl)|delta-([1-9]|\d\d+)-lwl"
)


@pytest.mark.parametrize(("family", "given_values"), CASES)
def test_claims_are_well_formed(family: Family, given_values: dict[str, int]) -> None:
    claims = family.claims(family.values(given_values))
    assert set(TESTS) <= {claim.test for claim in claims}
    assert len({claim.test for claim in claims}) == len(claims)
    for claim in claims:
        assert NAME.fullmatch(claim.test)
        assert claim.separated or claim.round is None


def first_difference(graphs: tuple[RelationalGraph, ...], test: str) -> int | None:
    """The first round at which the colour histograms of two graphs differ."""
    refinement = wlkg.refine(disjoint_union(*graphs), test)
    middle = graphs[0].num_vertices
    for t in range(refinement.rounds + 1):
        colours = refinement.history.partition(t).colours.tolist()
        if Counter(colours[:middle]) != Counter(colours[middle:]):
            return t
    return None


@pytest.mark.parametrize(("family", "given_values"), CASES)
def test_claims_about_vertex_tests_are_true(family: Family, given_values: dict[str, int]) -> None:
    values = family.values(given_values)
    graphs = family.build(values)
    for claim in family.claims(values):
        if claim.test not in TESTS or family.pairs is not None:
            continue
        if family.vertices is None:
            first = first_difference(graphs, claim.test)
        else:
            sizes = [graph.num_vertices for graph in graphs]
            v, w = graphs[0].vertex(family.vertices[0]), graphs[-1].vertex(family.vertices[1])
            refinement = wlkg.refine(disjoint_union(*graphs), claim.test, blocks=sizes)
            first = refinement.history.separated_at(v, sum(sizes[:-1]) + w)
        assert claim == Claim(claim.test, first is not None, first)


PAIR_CASES = [
    pytest.param(family, given, id=f"{family.name}{given or ''}")
    for family in FAMILIES.values()
    if family.pairs is not None
    for given in [{}, *MORE.get(family.name, [])]
]


@pytest.mark.parametrize(("family", "given_values"), PAIR_CASES)
def test_claims_about_pairs_are_true_by_dictionaries(
    family: Family, given_values: dict[str, int]
) -> None:
    values = family.values(given_values)
    graphs = family.build(values)
    assert family.pairs is not None
    names = [[*graph.vertex_names] for graph in (graphs[0], graphs[-1])]
    (u, v), (x, y) = ([names[side].index(name) for name in family.pairs[side]] for side in (0, 1))
    n, shift = len(names[0]), sum(graph.num_vertices for graph in graphs[:-1])
    direction = graphs[0].direction
    for claim in family.claims(values):
        if claim.test in TESTS:
            sizes = [graph.num_vertices for graph in graphs]
            rounds = refine_slowly(disjoint_union(*graphs), claim.test, direction, sizes)
            ends = [(u, shift + x), (v, shift + y)]
        else:
            rounds = refine_tuples_slowly(graphs, claim.test, direction)
            before = sum(graph.num_vertices**2 for graph in graphs[:-1])
            ends = [(u * n + v, before + x * len(names[1]) + y)]
        parted = [t for t, now in enumerate(rounds) if any(now[a] != now[b] for a, b in ends)]
        first = parted[0] if parted else None
        assert claim == Claim(claim.test, first is not None, first)


def test_tri_sqr_is_built_as_published() -> None:
    """Five vertices with random arcs in two relations, two directed cycles, nothing in between."""
    counts = set()
    for seed in range(20):
        for name, length in (("tri-sqr-g", 3), ("tri-sqr-h", 4)):
            graph = example(f"{name},seed={seed}")
            rows = set(graph.named_triples())
            cycles_found = {(h, r, t) for h, r, t in rows if "." in h}
            assert cycles_found == {
                (f"{r}.{k}", r, f"{r}.{(k + 1) % length}")
                for r in ("r1", "r2")
                for k in range(length)
            }
            inside = rows - cycles_found
            assert {v for h, _, t in inside for v in (h, t)} <= {"u", *"1234"}
            assert all(h != t for h, _, t in inside)
            assert len({(h, t) for h, _, t in inside}) == len(inside)
            counts.add(len(inside))
        assert set(example(f"tri-sqr-g,seed={seed}").named_triples()) - rows == {
            ("r1.2", "r1", "r1.0"),
            ("r2.2", "r2", "r2.0"),
        }
    assert len(counts) > 5


NEVER = None
_VERTICES = dict.fromkeys(TESTS, NEVER)
_BLIND = {**_VERTICES, "2-wl": NEVER}
_MULTIPLE = {**_VERTICES, "1-wl": 1, "1-wl-all": 1, "2-rlwl": 0}
_FINER = {"1-wl": NEVER, "weak-rwl": NEVER, "1-rwl": 2, "1-rwl-all": 2, "2-rlwl": 1}
_CFI_4 = {"2-rlwl": NEVER, "2-fwl": NEVER, "3-rlwl": NEVER, "3-fwl": NEVER}

#: Verdicts computed independently of this package: family, parameters, first round.
KNOWN: list[tuple[str, dict[str, int], dict[str, int | None]]] = [
    *[("cycles", {"r": r}, {**_BLIND, "2-rlwl": 1, "2-fwl": 1, "3-rlwl": 0}) for r in (1, 2, 3)],
    ("cycles", {"n": 4}, {**_BLIND, "2-rlwl": 1, "2-fwl": 1}),
    ("cycles", {"n": 5}, {**_BLIND, "2-rlwl": 2, "delta-2-lwl": 2, "2-fwl": 2}),
    ("cycles", {"n": 8}, {**_BLIND, "2-rlwl": 3, "delta-2-lwl": 3, "2-fwl": 2}),
    ("cycles", {"n": 9}, {**_BLIND, "2-rlwl": 4, "delta-2-lwl": 4, "2-fwl": 3}),
    ("cycles", {"n": 33}, {**_BLIND, "2-rlwl": 16, "delta-2-lwl": 16, "2-fwl": 5}),
    ("petersen", {}, {**_BLIND, "2-rlwl": 1, "2-fwl": 1}),
    ("k33", {}, {**_BLIND, "2-rlwl": 1, "2-fwl": 1}),
    ("decalin", {}, {**_BLIND, "2-rlwl": 2, "2-fwl": 2}),
    ("dodecahedron", {}, {**_BLIND, "2-rlwl": 2, "2-fwl": 2}),
    ("rook", {}, {**_BLIND, "2-rlwl": NEVER, "2-fwl": NEVER, "3-rlwl": 1}),
    ("csl", {}, {**_BLIND, "2-rlwl": 1, "2-fwl": 1}),
    *[("cfi", {"r": r}, {**_BLIND, "2-rlwl": 2, "2-fwl": 2, "3-rlwl": 1}) for r in (1, 2)],
    ("cfi", {"k": 3}, {**_BLIND, "2-rlwl": NEVER, "2-fwl": NEVER, "3-rlwl": 2, "3-wl": NEVER}),
    ("cfi", {"k": 4}, {**_BLIND, **_CFI_4, "4-rlwl": 2, "4-wl": NEVER}),
    ("loops-swap", {}, {**_VERTICES, "1-rlwl": 0, "delta-1-lwl": 0, "2-rlwl": 0}),
    ("triangles", {}, {**_VERTICES, "2-rlwl": 0}),
    ("two-cycles", {}, _MULTIPLE),
    ("double-edges", {}, _MULTIPLE),
    ("relation-matters", {}, {**_FINER, "mean-rwl": 3}),
    ("direction-matters", {}, {**_FINER, "mean-rwl": NEVER}),
    ("weak-rwl", {}, {"weak-rwl": NEVER, "1-rwl": 1, "mean-rwl": 1}),
    ("weak-rwl-unlabelled", {}, {"weak-rwl": NEVER, "1-rwl": 2, "mean-rwl": 3}),
    ("tri-sqr", {}, {"1-rwl": NEVER, "rawl2": NEVER, "rwl2": NEVER, "rawl2-all": 1}),
    ("one-triple", {}, {"rawl2": NEVER, "rwl2": 1}),
    *[("copies", {"n": n}, {"1-wl": NEVER, "1-rwl": NEVER, "1-wl-all": 1}) for n in (3, 4, 9)],
]


@pytest.mark.parametrize(("name", "values", "expected"), KNOWN)
def test_known_verdicts_are_claimed(
    name: str, values: dict[str, int], expected: dict[str, int | None]
) -> None:
    family = find_family(name)
    claims = {claim.test: claim for claim in family.claims(family.values(values))}
    for test, first in expected.items():
        assert claims[test] == Claim(test, first is not None, first)


def test_every_family_has_a_known_verdict() -> None:
    assert {name for name, _, _ in KNOWN} == set(FAMILIES)


@pytest.mark.parametrize("k", [5, 6, 50])
def test_the_paper_is_claimed_for_every_k(k: int) -> None:
    family = find_family("cfi")
    claims = {claim.test: claim.separated for claim in family.claims(family.values({"k": k}))}
    assert [claims[f"{j}-rlwl"] for j in (k - 1, k)] == [False, True]
    assert [claims[f"delta-{j}-lwl"] for j in (k - 1, k)] == [False, True]
    assert [claims[f"{j}-fwl"] for j in (k - 1, k)] == [False, True]
    assert claims[f"{k}-wl"] is False


def test_claims_about_skip_links_are_made_only_where_they_were_computed() -> None:
    family = find_family("csl")
    assert not any(claim.separated for claim in family.claims(family.values({"a": 5})))


# -- facts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("family", "given_values"), CASES)
def test_facts_hold(family: Family, given_values: dict[str, int]) -> None:
    values = family.values(given_values)
    facts = family.facts(values, family.build(values))
    assert all(fact.holds for fact in facts)
    assert len({fact.text for fact in facts}) == len(facts)
    assert bool(facts) == (family.name == "cfi")


@pytest.mark.parametrize("k", [2, 3, 4])
def test_facts_about_the_wrong_graphs_do_not_hold(k: int) -> None:
    family = find_family("cfi")
    values = family.values({"k": k})
    first, second = family.build(values)
    exchanged = family.facts(values, (second, first))
    assert [fact.holds for fact in exchanged] == [True, True, False, False, True]
    other = family.build(family.values({"k": k + 1}))
    assert not any(fact.holds for fact in family.facts(values, other)[:2])


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize(("name", "expected"), [("cfi-g", True), ("cfi-h", False)])
def test_distance_two_cliques_agree_with_exhaustive_search(
    name: str, expected: bool, k: int
) -> None:
    graph = example(f"{name},k={k}")
    distance = dict(nx.all_pairs_shortest_path_length(plain(graph)))
    at_base: list[list[int]] = [
        [i for i, vertex in enumerate(graph.vertex_names) if vertex.startswith(f"({v},")]
        for v in range(k + 1)
    ]
    exists = any(
        all(distance[u].get(v) == 2 for u, v in itertools.combinations(choice, 2))
        for choice in itertools.product(*at_base)
    )
    assert exists is expected


def test_the_lemma_on_distance_two_cliques_needs_its_restriction() -> None:
    """H_2 has a distance-two-clique of size 3 that contains a vertex of a base edge."""
    graph = example("cfi-h,k=2")
    chosen = [graph.vertex(name) for name in ("(0,{01})", "(1,{01,12})", "e01^0")]
    for u, v in itertools.combinations(chosen, 2):
        assert nx.shortest_path_length(plain(graph), u, v) == 2


def test_expensive_facts_are_left_out_for_large_k() -> None:
    family = find_family("cfi")
    values = family.values({"k": 7})
    assert len(family.facts(values, family.build(values))) == 2


# -- lifts --------------------------------------------------------------------------------------


def has_cycle(graph: RelationalGraph) -> bool:
    simple = plain(graph)
    return simple.number_of_edges() > 0 and not nx.is_forest(simple)


def seen_from(graph: RelationalGraph, vertex: int, direction: Direction, n: int) -> Any:
    """The arcs at a vertex of a lift, with neighbours projected to the base graph."""
    arcs = graph.arcs(direction)
    here = slice(arcs.offsets[vertex], arcs.offsets[vertex + 1])
    names = [arcs.relation_names[i] for i in arcs.relation[here].tolist()]
    neighbours = arcs.neighbour[here]
    projected = sorted(zip(names, (neighbours % n).tolist(), strict=True))
    return projected, sorted(np.unique(neighbours) % n)


@given(graph=relational_graphs(), seed=st.integers(0, 5))
def test_arcs_of_a_lift_project_one_to_one(graph: RelationalGraph, seed: int) -> None:
    assume(has_cycle(graph))
    n = graph.num_vertices
    for lift, direction in itertools.product(lift_pair(graph, seed), DIRECTIONS):
        assert lift.num_vertices == 2 * n
        for v in range(2 * n):
            assert seen_from(lift, v, direction, n) == seen_from(graph, v % n, direction, n)


@given(graph=relational_graphs(), seed=st.integers(0, 5))
def test_no_vertex_test_separates_a_lift_from_two_copies(graph: RelationalGraph, seed: int) -> None:
    assume(has_cycle(graph))
    pair = lift_pair(graph, seed)
    n = graph.num_vertices
    for test in TESTS:
        assert first_difference(pair, test) is None
        colours = wlkg.refine(disjoint_union(*pair), test).partition.colours.reshape(4, n)
        assert (colours == colours[0]).all()


@given(graph=relational_graphs(), seed=st.integers(0, 5))
def test_a_lift_connects_what_the_copies_do_not(graph: RelationalGraph, seed: int) -> None:
    assume(has_cycle(graph))
    copies, lift = lift_pair(graph, seed)
    parts = nx.number_connected_components(plain(graph))
    assert nx.number_connected_components(plain(copies)) == 2 * parts
    assert parts <= nx.number_connected_components(plain(lift)) < 2 * parts


@given(graph=relational_graphs(), seed=st.integers(0, 5))
def test_a_lift_keeps_names_labels_and_direction(graph: RelationalGraph, seed: int) -> None:
    assume(has_cycle(graph))
    names = [f"{name}~{side}" for side in "01" for name in graph.vertex_names]
    for lift in lift_pair(graph, seed):
        assert list(lift.vertex_names) == names
        assert lift.relation_names == graph.relation_names
        assert lift.label_names == graph.label_names
        assert lift.direction == graph.direction
        assert lift.num_triples == 2 * graph.num_triples
        assert not lift.duplicates
        if graph.labels is None:
            assert lift.labels is None
        else:
            assert lift.labels is not None
            assert lift.labels.tolist() == graph.labels.tolist() * 2


@given(graph=relational_graphs())
def test_the_first_of_a_pair_is_two_copies(graph: RelationalGraph) -> None:
    assume(has_cycle(graph))
    copies, _ = lift_pair(graph)
    expected = {
        (f"{h}~{side}", relation, f"{t}~{side}")
        for h, relation, t in graph.named_triples()
        for side in "01"
    }
    assert set(copies.named_triples()) == expected


@given(graph=relational_graphs())
def test_forests_and_only_forests_are_refused(graph: RelationalGraph) -> None:
    if has_cycle(graph):
        lift_pair(graph)
    else:
        with pytest.raises(UsageError, match="forest"):
            lift_pair(graph)


def test_a_lifted_loop_is_a_two_cycle() -> None:
    loop = RelationalGraph.from_triples([(0, "edge", 0)])
    copies, lift = lift_pair(loop)
    assert set(copies.named_triples()) == {("0~0", "edge", "0~0"), ("0~1", "edge", "0~1")}
    assert set(lift.named_triples()) == {("0~0", "edge", "0~1"), ("0~1", "edge", "0~0")}


@pytest.mark.parametrize("seed", range(12))
def test_a_lifted_triangle_is_always_the_six_cycle(seed: int) -> None:
    copies, lift = lift_pair(cycles(3, 1, 1), seed)
    assert nx.is_isomorphic(plain(copies), plain(example("2xc3")))
    assert nx.is_isomorphic(plain(lift), plain(example("c6")))


def test_names_that_look_like_lifted_names_do_not_clash() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "a~0"), ("a~0", "r", "b"), ("b", "r", "a")])
    lift = lift_pair(graph)[1]
    assert sorted(lift.vertex_names) == ["a~0", "a~0~0", "a~0~1", "a~1", "b~0", "b~1"]


def test_lifts_depend_on_the_seed_and_on_nothing_else() -> None:
    graph = example("rook")
    assert lift_pair(graph, 3) == lift_pair(graph, 3)
    assert len({tuple(lift_pair(graph, seed)[1].tail.tolist()) for seed in range(5)}) == 5
    program = (
        "from wlkg.examples import example, lift_pair\n"
        "print(list(lift_pair(example('rook'), 3)[1].named_triples()))"
    )
    assert output_of(program, "1") == output_of(program, "2")
    with pytest.raises(UsageError, match="seed must not be negative, found -1"):
        lift_pair(graph, -1)
