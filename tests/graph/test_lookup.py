"""From what a user types to a vertex, and names in short."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from wlkg.errors import UsageError
from wlkg.graph.bulk_lookup import find_vertices
from wlkg.graph.lookup import find_vertex, nearest_vertices
from wlkg.graph.prefixes import ShortNames, parse_prefixes
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union

NAMES = [
    "http://ex.org/anna",
    "http://ex.org/people#bert",
    "http://ex.org/a/id7",
    "http://ex.org/b/id7",
    "urn:isbn:123",
    "_:b0",
    '"Anna"@en',
    '"anna"',
    '"1"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '"a \\"quoted\\" text"',
]
RELATION = "http://ex.org/r"


def graph_of(names: list[str], **prefixes: str) -> RelationalGraph:
    graph = RelationalGraph.from_triples([("http://h.org/x", RELATION, name) for name in names])
    return graph._derived(prefixes=prefixes, literals="shared")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("http://ex.org/anna", "http://ex.org/anna"),
        ("<http://ex.org/anna>", "http://ex.org/anna"),
        ("ex:anna", "http://ex.org/anna"),
        ("anna", "http://ex.org/anna"),
        (":anna", "http://ex.org/anna"),
        ("bert", "http://ex.org/people#bert"),
        ("people#bert", "http://ex.org/people#bert"),
        ("a/id7", "http://ex.org/a/id7"),
        ("123", "urn:isbn:123"),
        ("_:b0", "_:b0"),
        ("Anna", '"Anna"@en'),
        ('"Anna"', '"Anna"@en'),
        ('"1"^^xsd:integer', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        ("1", '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        ('a "quoted" text', '"a \\"quoted\\" text"'),
    ],
)
def test_a_vertex_is_found_by_every_name_that_people_use(typed: str, name: str) -> None:
    graph = graph_of(NAMES, ex="http://ex.org/")
    assert graph.vertex_names[find_vertex(graph, typed)] == name


def test_given_prefixes_come_before_those_of_the_file() -> None:
    graph = graph_of(["http://one.org/x", "http://two.org/x"], p="http://one.org/")
    assert graph.vertex_names[find_vertex(graph, "p:x")] == "http://one.org/x"
    given = parse_prefixes(["p=http://two.org/"])
    assert graph.vertex_names[find_vertex(graph, "p:x", given)] == "http://two.org/x"


@pytest.mark.parametrize("setting", ["ex", "ex=", "e x=http://a", "ex=no iri", "=http://a b"])
def test_a_prefix_that_is_none_is_refused(setting: str) -> None:
    with pytest.raises(UsageError, match="expected PREFIX=IRI"):
        parse_prefixes([setting])


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("ana", "no vertex is called 'ana'. The nearest names: ex:anna"),
        ("id7", "'id7' fits 2 vertices: a/id7, b/id7. Write one in full"),
        ("foo:anna", "prefix foo: is not declared.*--prefix foo=IRI"),
        ("http://ex.org/anba", "The nearest names: ex:anna"),
        ("", "no vertex is called ''"),
        (":", "no vertex is called ':'"),
        ("%%%", "no vertex is called '%%%'"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_names(typed: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find_vertex(graph_of(NAMES, ex="http://ex.org/"), typed)


def test_every_short_name_finds_its_vertex() -> None:
    chance = random.Random(0)
    pieces = ["a", "b", "id7", "ex:a", "x y", "é", "", '"', "1"]
    bases = [
        "http://ex.org/",
        "http://ex.org/a#",
        "http://ex.org/a/",
        "urn:",
        "http://b/",
        "",
        "_:",
    ]
    for _ in range(200):
        names = [chance.choice(bases) + chance.choice(pieces) for _ in range(8)]
        names += [f'"{chance.choice(["a", "id7"])}"' + chance.choice(["", "@en"]) for _ in range(3)]
        triples = [(name or "0", RELATION, name or "0") for name in names]
        graph = RelationalGraph.from_triples(triples)
        graph = graph._derived(prefixes={"ex": "http://ex.org/", "": "http://ex.org/a#"})
        short = ShortNames(graph)
        for v in range(graph.num_vertices):
            assert find_vertex(graph, short.vertex(v)) == v


def test_relations_are_short_unless_two_end_alike() -> None:
    names = [
        "http://a.org/x#type",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
        "http://a.org/r",
    ]
    graph = RelationalGraph.from_triples([("a", name, "b") for name in names])
    short = ShortNames(graph)
    assert [short.relation(name) for name in names] == ["x#type", "rdf:type", "r"]


def test_the_nearest_names_do_not_need_a_comparison_with_every_vertex() -> None:
    names = [f"http://ex.org/person{i}" for i in range(20_000)]
    graph = graph_of([*names, "http://ex.org/Margarethe"])
    nearest = [graph.vertex_names[v] for v in nearest_vertices(graph, "ex:margarete")]
    assert nearest[0] == "http://ex.org/Margarethe"


def test_prefixes_and_literal_policy_survive_whatever_is_done_to_a_graph() -> None:
    graph = graph_of(NAMES, ex="http://ex.org/")
    derived = [
        graph.with_direction("out"),
        graph.with_label_ids([0] * graph.num_vertices, ["red"]),
        graph.with_relations([]),
        graph.both_ways(),
        graph.induced([1, 2]),
        graph.permuted(range(graph.num_vertices)),
        disjoint_union(graph, graph),
        pickle.loads(pickle.dumps(graph)),
    ]
    for other in derived:
        assert other.prefixes == {"ex": "http://ex.org/"}
        assert other.literals == "shared"
    assert graph == graph._derived(prefixes={}, literals=None)
    assert disjoint_union(graph, graph._derived(literals="drop")).literals is None


# -- many names at once ---------------------------------------------------------------------------


def test_many_names_are_found_as_single_ones_are() -> None:
    chance = random.Random(1)
    pieces = ["a", "b", "id7", "ex:a", "x y", "é", "a/b", "a:b", "1"]
    bases = ["http://ex.org/", "http://ex.org/a#", "urn:", "http://b/", "", "_:"]
    tails = ["", "@en", "^^<http://www.w3.org/2001/XMLSchema#string>", " [h r]", "@en [h r]"]
    kinds: Counter[str] = Counter()
    for _ in range(300):
        names = [chance.choice(bases) + chance.choice(pieces) for _ in range(6)]
        names += [f'"{chance.choice(pieces)}"' + chance.choice(tails) for _ in range(4)]
        graph = RelationalGraph.from_triples([(name, RELATION, name) for name in names])
        graph = graph._derived(prefixes={"ex": "http://ex.org/", "": "http://ex.org/a#"})
        texts = [*pieces, *names, *(f":{p}" for p in pieces), *(f'"{p}"' for p in pieces)]
        texts += ["", ":", "ex:", "nobody", '"a"@en', "p:x", *(f"p:{p}" for p in pieces)]
        found = find_vertices(graph, texts, {"p": "http://b/"})
        for text in texts:
            if text in found.vertices:
                assert find_vertex(graph, text, {"p": "http://b/"}) == found.vertices[text]
                kinds["found"] += 1
                continue
            fits = len(found.ambiguous.get(text, ()))
            message = f" fits {fits} vertices" if fits else "no vertex is called"
            assert (text in found.unknown) is not bool(fits)
            with pytest.raises(UsageError, match=message):
                find_vertex(graph, text, {"p": "http://b/"})
            kinds["ambiguous" if fits else "unknown"] += 1
    assert min(kinds.values()) > 100


def test_many_names_take_one_pass() -> None:
    class Watched(list[str]):
        passes = 0

        def __iter__(self) -> Iterator[str]:
            Watched.passes += 1
            return super().__iter__()

    names = [f"http://ex.org/{i}" for i in range(1000)]
    graph = graph_of(names)
    graph = graph._derived(vertex_names=Watched(graph.vertex_names))
    graph.find_vertex("")  # builds the dictionary
    Watched.passes = 0
    assert len(find_vertices(graph, names).vertices) == 1000
    assert Watched.passes == 0
    assert len(find_vertices(graph, [str(i) for i in range(1000)]).vertices) == 1000
    assert Watched.passes == 1
