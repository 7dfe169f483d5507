"""Counterexamples in use: claims are checked, graphs are written and lifted."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.analysis.counting import counting
from tests.places import EXAMPLE_GRAPHS
from tests.strategies import relational_graphs
from wlkg.analysis.counterexample import Counterexample, Outcome, build, examine, lift, write_graphs
from wlkg.analysis.isomorphism import isomorphic
from wlkg.analysis.verdicts import LADDER, Verdict
from wlkg.errors import OutputError, TooLargeError, UsageError, WlkgError
from wlkg.examples import FAMILIES, Claim, example, piece_with_cycle
from wlkg.examples.model import VERTEX_TESTS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.writers.formats import WRITERS

FAMILY = EXAMPLE_GRAPHS / "family.ttl"
#: Families by name, and with other parameters.
SPECS = [*FAMILIES, "cfi,k=3", "cfi,r=2", "cycles,n=4,r=2", "cycles,n=5,r=2", "copies,n=5,r=2"]


# -- claims ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_the_claims_about_a_family_hold(spec: str) -> None:
    made = build(spec, {})
    findings = examine(made)
    assert findings.hold
    assert [outcome.claim for outcome in findings.outcomes] == list(made.claims)
    for outcome in findings.outcomes:
        assert outcome.holds is True
        assert outcome.verdict.exact
        assert outcome.claim is not None
        assert outcome.verdict.test == outcome.claim.test
    assert all(fact.holds for fact in findings.facts)
    assert bool(findings.facts) == spec.startswith(("cfi", "connect-hub"))


def test_a_counterexample_describes_itself() -> None:
    made = build("cfi,r=2", {"k": 3})
    family = FAMILIES["cfi"]
    assert (made.name, made.summary, made.source) == ("cfi", family.summary, family.source)
    assert made.parameters == {"k": 3, "r": 2}
    assert made.graph_names == ("cfi-g,k=3,r=2", "cfi-h,k=3,r=2")
    assert made.graphs == tuple(example(name) for name in made.graph_names)
    assert made.claims == family.claims({"k": 3, "r": 2})
    assert made.vertices is None
    assert build("weak-rwl", {}).vertices == ("v", "w")


def test_claims_about_vertices_are_checked_on_those_vertices() -> None:
    made = build("weak-rwl-unlabelled", {})
    rounds = {outcome.verdict.test: outcome.verdict.round for outcome in examine(made).outcomes}
    never = dict.fromkeys(["1-wl", "1-wl-all", "weak-rwl"])
    assert rounds == {**never, "1-rwl": 2, "1-rwl-all": 2, "mean-rwl": 3}
    other = examine(replace(made, vertices=("0", "1")))
    assert not other.hold
    assert {outcome.verdict.round for outcome in other.outcomes} == {1}


@pytest.mark.parametrize(
    "claim",
    [
        Claim("1-rwl", separated=True, round=1),
        Claim("1-rwl", separated=True),
        Claim("2-rlwl", separated=False),
        Claim("2-rlwl", separated=True, round=0),
        Claim("2-rlwl", separated=True, round=2),
    ],
)
def test_a_false_claim_does_not_hold(claim: Claim) -> None:
    made = build("cycles", {})
    true = Claim("2-rlwl", separated=True, round=1)
    findings = examine(replace(made, claims=(true, claim)))
    assert [outcome.holds for outcome in findings.outcomes] == [True, False]
    assert not findings.hold


def test_a_claim_without_a_round_holds_at_any() -> None:
    made = build("decalin", {})
    assert examine(replace(made, claims=(Claim("2-rlwl", separated=True),))).hold


def test_a_skipped_claim_neither_holds_nor_fails() -> None:
    claim = Claim("2-rlwl", separated=False)
    findings = examine(replace(build("cycles", {}), claims=(claim,)), max_memory=10)
    [outcome] = findings.outcomes
    assert outcome.verdict.separated is None
    assert outcome.verdict.skipped is not None
    assert "72 tuples" in outcome.verdict.skipped
    assert outcome.holds is None
    assert findings.hold
    assert Outcome(Verdict("1-wl", separated=True, round=1), None).holds is None


# -- lifts ----------------------------------------------------------------------------------------


def _check_lift(made: Counterexample) -> list[str]:
    """Check the claims about a lift; return the other tests that were run."""
    findings = examine(made)
    assert findings.hold
    assert findings.facts == ()
    claimed, more = findings.outcomes[: len(VERTEX_TESTS)], findings.outcomes[len(VERTEX_TESTS) :]
    assert [(outcome.verdict.test, outcome.holds) for outcome in claimed] == [
        (test, True) for test in VERTEX_TESTS
    ]
    assert set(LADDER[:3]) <= set(VERTEX_TESTS)
    assert all(outcome.claim is None and outcome.holds is None for outcome in more)
    assert not any(outcome.verdict.separated for outcome in more[:-1])
    return [outcome.verdict.test for outcome in more if outcome.verdict.separated is not None]


def test_a_test_of_pairs_separates_a_lifted_file_from_two_copies() -> None:
    made = lift(wlkg.read(FAMILY), "family.ttl", 0)
    assert made.parameters == {"of": "family.ttl", "seed": 0}
    assert made.graph_names == ("copies", "lift")
    assert _check_lift(made) == ["2-rlwl"]
    one, two = made.graphs
    assert isomorphic(one, two) is False


def test_the_search_for_a_separating_test_ends_with_the_ladder() -> None:
    # Not really lifts: two graphs that no test of pairs separates, then the same graph twice.
    made = replace(lift(example("c6"), "c6", 0), graphs=build("rook", {}).graphs)
    assert _check_lift(made) == ["2-rlwl", "3-rlwl"]
    same = replace(made, graphs=(made.graphs[0], made.graphs[0]))
    assert _check_lift(same) == ["2-rlwl", "3-rlwl"]
    assert not any(outcome.verdict.separated for outcome in examine(same).outcomes)


def test_tests_that_do_not_fit_are_skipped_for_a_lift_too() -> None:
    findings = examine(lift(example("c6"), "c6", 0), max_memory=10)
    assert findings.hold
    skipped = [outcome.verdict.test for outcome in findings.outcomes if outcome.verdict.skipped]
    assert skipped == ["2-rlwl", "3-rlwl"]


@given(graph=relational_graphs(max_vertices=4, max_relations=2), seed=st.integers(0, 3))
@settings(max_examples=40)
def test_lifts_of_any_graph_with_a_cycle_are_counterexamples(
    graph: RelationalGraph, seed: int
) -> None:
    simple: nx.Graph[int] = nx.Graph()
    simple.add_edges_from(zip(graph.head.tolist(), graph.tail.tolist(), strict=True))
    if len(simple) == 0 or nx.is_forest(simple):
        with pytest.raises(UsageError, match="forest"):
            lift(graph, "g", seed)
        return
    made = lift(graph, "g", seed)
    _check_lift(made)
    one, two = made.graphs
    assert one.num_vertices == two.num_vertices == 2 * graph.num_vertices
    assert isomorphic(one, two) is False


def test_all_claims_about_two_graphs_share_one_union_and_its_arcs() -> None:
    made = lift(example("c6"), "c6", 0)
    with counting() as built:
        findings = examine(made)
    assert len(findings.outcomes) > len(VERTEX_TESTS)
    assert (built.graphs, built.arcs) == (1, 1)


# -- files ----------------------------------------------------------------------------------------


def _can_hold(format_name: str, graph: RelationalGraph) -> bool:
    if format_name == "graph6":
        plain = graph.direction == "undirected" and graph.relation_names == ("edge",)
        return plain and all(name.isdigit() for name in graph.vertex_names)
    is_plain = graph.labels is None and not len(graph.isolated)
    return is_plain or format_name in ("json", "graphml")


@pytest.mark.parametrize("format_name", WRITERS)
@pytest.mark.parametrize("spec", [*FAMILIES, "cycles,n=5,r=2"])
def test_written_graphs_read_back_unchanged(spec: str, format_name: str, tmp_path: Path) -> None:
    made = build(spec, {})
    folder = tmp_path / "a" / "b"
    if not all(_can_hold(format_name, graph) for graph in made.graphs):
        with pytest.raises(OutputError, match="cannot hold"):
            write_graphs(made, str(folder), format_name)
        assert list(folder.iterdir()) == []
        return
    paths = write_graphs(made, str(folder), format_name)
    assert sorted(map(Path, paths)) == sorted(folder.iterdir())
    assert len(paths) == len(made.graphs)
    for path, graph in zip(paths, made.graphs, strict=True):
        assert not re.search("[=, ]", Path(path).name)
        back = wlkg.read(path)
        assert isomorphic(graph, back, graph.direction) is True
        if graph.direction == "undirected" and not WRITERS[format_name].holds_undirected:
            assert back.num_triples == 2 * graph.num_triples
        else:
            assert back.direction == graph.direction
            assert back.num_triples == graph.num_triples


def test_parameters_are_part_of_the_file_names(tmp_path: Path) -> None:
    paths = write_graphs(build("cfi", {"k": 3}), str(tmp_path), "json")
    assert [Path(path).name for path in paths] == ["cfi-g-k3-r1.json", "cfi-h-k3-r1.json"]


def test_graphs_are_written_over_older_ones(tmp_path: Path) -> None:
    target = tmp_path / "k33.json"
    target.write_text("old")
    write_graphs(build("k33", {}), str(tmp_path), "json")
    assert wlkg.read(target) == example("k33")


def test_a_lift_is_written_with_its_names(tmp_path: Path) -> None:
    made = lift(wlkg.read(FAMILY, literals="drop"), "family.ttl", 1)
    for path, graph in zip(write_graphs(made, str(tmp_path), "json"), made.graphs, strict=True):
        assert set(wlkg.read(path).named_triples()) == set(graph.named_triples())
    assert {path.name for path in tmp_path.iterdir()} == {"copies.json", "lift.json"}


# -- refused input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "given_values", "error", "message"),
    [
        ("nothing", {}, UsageError, "unknown family 'nothing'. Known: cycles, cfi"),
        ("", {}, UsageError, "unknown family ''"),
        ("cfi,k=1", {}, UsageError, "'cfi': k must be at least 2, found 1"),
        ("cfi", {"k": 1}, UsageError, "'cfi': k must be at least 2, found 1"),
        ("cfi,k=x", {}, UsageError, "'cfi': k must be a whole number, found 'x'"),
        ("cfi,k=", {}, UsageError, "'cfi': k must be a whole number, found ''"),
        ("cfi,k", {}, UsageError, "'cfi': k must be a whole number, found ''"),
        ("cfi,n=3", {}, UsageError, "unknown parameter of family 'cfi': 'n'. Known: k, r"),
        ("cfi,", {}, UsageError, "unknown parameter of family 'cfi': ''"),
        ("rook", {"k": 3}, UsageError, "family 'rook' takes no parameters, found 'k'"),
        ("csl,a=3", {}, UsageError, "the skips a and b must differ"),
        ("cfi", {"k": 40}, TooLargeError, "G_40 has 22,539,988,371,048 vertices"),
        ("cfi,k=999999", {}, TooLargeError, "G_999999 has more than 10^"),
        ("cycles", {"n": 999_999, "r": 99}, TooLargeError, "197,999,802 triples"),
    ],
)
def test_a_counterexample_that_cannot_be_built_is_refused(
    spec: str, given_values: dict[str, int | str], error: type[WlkgError], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        build(spec, given_values)


def test_a_parameter_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="given twice"):
        build("cfi,k=3,k=2", {})


# -- pieces to lift -------------------------------------------------------------------------------


@given(graph=relational_graphs(), size=st.integers(1, 7))
@settings(max_examples=150)
def test_a_piece_is_connected_small_enough_and_contains_a_cycle(
    graph: RelationalGraph, size: int
) -> None:
    network: nx.Graph[int] = nx.Graph()
    network.add_edges_from(zip(graph.head.tolist(), graph.tail.tolist(), strict=True))
    lengths = [len(cycle) for cycle in nx.simple_cycles(network)]
    lengths += [1] * nx.number_of_selfloops(network)
    if not lengths or min(lengths) > size:
        with pytest.raises(UsageError, match="no cycle with at most"):
            piece_with_cycle(graph, size)
        return
    piece = piece_with_cycle(graph, size)
    assert piece.num_vertices <= size
    part: nx.Graph[int] = nx.Graph()
    part.add_nodes_from(range(piece.num_vertices))
    part.add_edges_from(zip(piece.head.tolist(), piece.tail.tolist(), strict=True))
    assert nx.is_connected(part)
    assert list(nx.simple_cycles(part)) or nx.number_of_selfloops(part)
    vertices = [graph.vertex(name) for name in piece.vertex_names]
    assert piece == graph.induced(vertices)
    whole = nx.node_connected_component(network, vertices[0])
    assert piece.num_vertices == min(size, len(whole))
