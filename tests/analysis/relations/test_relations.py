"""Colours of relations against dictionaries, and what must hold of them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.analysis.relations.dictionaries import (
    Relation,
    classes_of,
    hyperedges_slowly,
    name_of,
    relation_rounds_slowly,
    relations_of,
)
from tests.strategies import relational_graphs
from wlkg.analysis.relations.relation_graph import relation_graph
from wlkg.analysis.relations.relations import Relations, relations
from wlkg.analysis.relations.stage import Motifs, RelationStage, motifs_of, relation_stage
from wlkg.arrays import IntArray
from wlkg.errors import TooLargeError, UsageError
from wlkg.graph.relational_graph import RelationalGraph

MOTIFS = (
    Motifs(),
    Motifs(paths=True),
    Motifs(stars=2),
    Motifs(stars=3),
    Motifs(paths=True, stars=4),
)
some_motifs = st.sampled_from(MOTIFS)


def named(stage: RelationStage, colours: IntArray) -> set[frozenset[str]]:
    return classes_of(dict(zip(stage.edges.names, colours.tolist(), strict=True)))


def by_name(colours: dict[Relation, object]) -> set[frozenset[str]]:
    return classes_of({name_of(r): c for r, c in colours.items()})


def many_relations(seed: int) -> RelationalGraph:
    """A sparse random graph with loops, parallel relations and isolated vertices."""
    draw = random.Random(seed)
    n, names = draw.randint(1, 7), "abcdef"[: draw.randint(1, 6)]
    triples = [
        (str(draw.randrange(n)), draw.choice(names), str(draw.randrange(n)))
        for _ in range(draw.randint(0, 9))
    ]
    return RelationalGraph.from_triples(
        triples,
        vertices=map(str, range(n + draw.randint(0, 1))),
        direction=draw.choice(["both", "both", "in", "out", "undirected"]),
    )


def assert_as_by_dictionaries(graph: RelationalGraph, motifs: Motifs) -> None:
    stage = relation_stage(graph, motifs)
    everything = relations_of(graph)
    assert list(stage.edges.names) == [name_of(r) for r in everything]
    for q, query in enumerate([None, *everything], start=-1):
        rounds = relation_rounds_slowly(graph, query, motifs.paths, motifs.stars)
        number = None if query is None else q
        for t, colours in enumerate(rounds):
            assert named(stage, stage.given(number, t)) == by_name(colours)
        assert named(stage, stage.given(number)) == by_name(rounds[-1])


@pytest.mark.parametrize("motifs", MOTIFS)
def test_colours_of_relations_are_those_of_dictionaries(motifs: Motifs) -> None:
    for seed in range(80):
        assert_as_by_dictionaries(many_relations(seed), motifs)


@given(graph=relational_graphs(), motifs=some_motifs)
@settings(max_examples=30)
def test_colours_of_relations_of_any_graph_are_those_of_dictionaries(
    graph: RelationalGraph, motifs: Motifs
) -> None:
    assert_as_by_dictionaries(graph, motifs)


@given(graph=relational_graphs())
@settings(max_examples=30)
def test_the_relation_graph_is_the_set_of_pairs_that_share_a_vertex(graph: RelationalGraph) -> None:
    found = set(relation_graph(graph).named_triples())
    slowly = {
        (name_of(r), kind, name_of(s)) for kind, (r, s) in hyperedges_slowly(graph) if "2" in kind
    }
    assert found == slowly
    assert set(relation_graph(graph).vertex_names) == {name_of(r) for r in relations_of(graph)}


@given(graph=relational_graphs(), more=some_motifs)
@settings(max_examples=30)
def test_more_motifs_never_merge_classes(graph: RelationalGraph, more: Motifs) -> None:
    one, two = relation_stage(graph, Motifs()), relation_stage(graph, more)
    for query in (None, *range(one.edges.num_relations)):
        for t in (0, 1, 2, None):
            coarse, fine = one.given(query, t), two.given(query, t)
            pairs = {(f, c) for f, c in zip(fine.tolist(), coarse.tolist(), strict=True)}
            assert len(pairs) == len(set(fine.tolist()))


@given(seed=st.integers(0, 10**6), motifs=some_motifs)
@settings(max_examples=30)
def test_names_and_the_order_of_relations_do_not_matter(seed: int, motifs: Motifs) -> None:
    graph = many_relations(seed)
    draw = random.Random(seed)
    renamed = draw.sample([f"r{i}" for i in range(20)], graph.num_relations)
    other_name = dict(zip(graph.relation_names, renamed, strict=True))
    other = RelationalGraph.from_triples(
        [(h, other_name[r], t) for h, r, t in graph.named_triples()],
        vertices=graph.vertex_names,
        direction=graph.direction,
    )
    options = {"model": "motif", "paths": 3 if motifs.paths else 2, "stars": motifs.stars}
    one, two = relations(graph, **options), relations(other, **options)  # type: ignore[arg-type]
    back = {new: old for old, new in other_name.items()}

    def original(name: str) -> str:
        return back[name.removesuffix("^-1")] + ("^-1" if name.endswith("^-1") else "")

    def plain(result: Relations, rename: bool) -> dict[str | None, set[frozenset[str]]]:
        change = original if rename else str
        rows = [(change(q.relation), q.alike) for q in result.queries]
        return {
            query: {frozenset(map(change, each)) for each in alike}
            for query, alike in [(None, result.alike), *rows]
        }

    assert plain(one, rename=False) == plain(two, rename=True)
    assert one.classes_per_round == two.classes_per_round


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_heads_are_to_inverses_what_tails_are_to_relations(seed: int) -> None:
    """Given the inverse of q, inverses are alike exactly if, given q, the relations are."""
    graph = many_relations(seed).with_direction("both")
    stage = relation_stage(graph, Motifs(paths=True, stars=3))
    inverse = stage.edges.inverse
    for q in range(stage.edges.num_relations):
        one, two = stage.given(q), stage.given(int(inverse[q]))[inverse]
        assert len(set(zip(one.tolist(), two.tolist(), strict=True))) == len(set(one.tolist()))
        assert len(set(one.tolist())) == len(set(two.tolist()))


def test_the_result_counts_relations_classes_and_triples() -> None:
    graph = RelationalGraph.from_triples(
        [("a", "likes", "b"), ("a", "trusts", "c"), ("d", "knows", "e"), ("e", "knows", "f")]
    )
    result = relations(graph)
    assert (result.model, result.direction, result.relations) == ("ultra", "both", 6)
    pairs = (("knows", "knows^-1"), ("likes", "trusts"), ("likes^-1", "trusts^-1"))
    assert result.alike == pairs
    assert (result.classes, result.triples_alike, result.triples) == (3, 4, 4)
    assert result.classes_per_round[0] == 1
    assert result.classes_per_round[-1] == 3
    assert [each.relation for each in result.queries] == sorted(
        name + end for name in ("knows", "likes", "trusts") for end in ("", "^-1")
    )
    assert {each.relation: each.alike for each in result.queries}["likes"] == pairs[:1]
    assert relations(graph, rounds=0).classes == 1
    assert wlkg.relations(graph).alike == result.alike


def test_rounds_stop_early_and_queries_are_chosen() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b"), ("b", "s", "c"), ("c", "t", "d")])
    (start,) = relations(graph, query="s", rounds=0).queries
    assert (start.relation, start.classes, start.rounds) == ("s", 2, 0)
    (stable,) = relations(graph, query=["s^-1"]).queries
    assert (stable.classes, stable.alike) == (6, ())
    assert stable.rounds > 0


def test_a_graph_without_triples_has_no_relations_to_tell_apart() -> None:
    for model in ("ultra", "motif"):
        result = relations(RelationalGraph.from_triples([], vertices="ab"), model)
        assert (result.relations, result.classes, result.alike, result.queries) == (0, 0, (), ())


@pytest.mark.parametrize(
    ("model", "options", "words"),
    [
        ("gcn", {}, "ultra"),
        ("ultra", {"paths": 3}, "pairs"),
        ("ultra", {"stars": 3}, "pairs"),
        ("motif", {"paths": 4}, "2 or 3"),
        ("motif", {"stars": 1}, "at least 2"),
        ("ultra", {"query": "nothing"}, "nothing"),
        ("ultra", {"rounds": -1}, "rounds"),
    ],
)
def test_what_makes_no_sense_is_refused(model: str, options: dict[str, int], words: str) -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    with pytest.raises(UsageError, match=words):
        relations(graph, model, **options)  # type: ignore[arg-type]


def test_what_does_not_fit_is_refused_with_numbers() -> None:
    graph = RelationalGraph.from_triples([("a", f"r{i}", "b") for i in range(60)])
    wide = RelationalGraph.from_triples([("a", f"r{i}", "b") for i in range(200)])
    with pytest.raises(TooLargeError, match="14,400 pairs"):
        relations(graph, max_memory=10_000)
    with pytest.raises(TooLargeError, match="64,000,000 triples of relations"):
        relations(wide, "motif", max_memory=20_000_000)
    with pytest.raises(TooLargeError, match="stars of 4 relations"):
        relations(graph, "motif", stars=8, max_memory=10**8)


def test_a_kernel_agrees_compiled_and_plain() -> None:
    """Large enough for compiled code and for more than one word of bits."""
    draw = random.Random(1)
    triples = [
        (str(draw.randrange(300)), f"r{draw.randrange(40)}", str(draw.randrange(300)))
        for _ in range(900)
    ]
    graph = RelationalGraph.from_triples(triples)
    stage = relation_stage(graph, motifs_of("motif"))
    count = sum(1 for motif, _ in hyperedges_slowly(graph, paths=True) if motif == "tfh")
    assert stage.motifs["tfh"] == count
    rounds = relation_rounds_slowly(graph, None, paths=True)
    assert named(stage, stage.given(None)) == by_name(rounds[-1])
    assert np.array_equal(stage.given(None, 0), np.zeros(80))
