"""Graphs compared with the names of their vertices, against trying all maps of the blank nodes."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from wlkg.analysis.compare import compare
from wlkg.graph.name_labels import ANONYMOUS, has_names, labelled_by_name, own_name
from wlkg.graph.relational_graph import RelationalGraph

Triple = tuple[str, str, str]
terms = st.sampled_from(["http://a/x", "http://a/y", '"x"', '"y"@en', "_:b0", "_:b1", "_:b2"])
triples = st.lists(st.tuples(terms, st.sampled_from("pq"), terms), max_size=6)


def rdf(rows: list[Triple], literals: str = "shared") -> RelationalGraph:
    return RelationalGraph.from_triples(rows)._derived(literals=literals)


def same_slowly(one: set[Triple], two: set[Triple]) -> bool:
    """Whether some bijection of blank nodes maps one set of triples to the other."""

    def blank(rows: set[Triple]) -> list[str]:
        return sorted({v for h, _, t in rows for v in (h, t) if v.startswith("_:")})

    if len(blank(one)) != len(blank(two)):
        return False
    return any(
        {(to.get(h, h), r, to.get(t, t)) for h, r, t in one} == two
        for order in itertools.permutations(blank(two))
        for to in [dict(zip(blank(one), order, strict=True))]
    )


@settings(max_examples=500)
@given(one=triples, two=triples, data=st.data())
def test_rdf_graphs_are_the_same_up_to_blank_nodes(
    one: list[Triple], two: list[Triple], data: st.DataObject
) -> None:
    if data.draw(st.booleans()):  # the same with other labels for blank nodes
        labels = data.draw(st.permutations(["_:x", "_:y", "_:z"]))
        to = dict(zip(["_:b0", "_:b1", "_:b2"], labels, strict=True))
        two = [(to.get(h, h), r, to.get(t, t)) for h, r, t in one]
    if not (one or two):
        return
    comparison = compare(rdf(one), rdf(two), ["1-rwl"], names=True)
    assert comparison.isomorphic is same_slowly(set(one), set(two))
    assert (comparison.names, comparison.names_ignored) == (True, False)


@settings(max_examples=200)
@given(one=triples, two=triples)
def test_elsewhere_every_name_is_compared(one: list[Triple], two: list[Triple]) -> None:
    if not (one or two):
        return
    graphs = RelationalGraph.from_triples(one), RelationalGraph.from_triples(two)
    assert compare(*graphs, ["1-rwl"], names=True).isomorphic is (set(one) == set(two))


@settings(max_examples=200)
@given(rows=triples.filter(bool), data=st.data())
def test_with_labels_both_names_and_labels_are_compared(
    rows: list[Triple], data: st.DataObject
) -> None:
    graph = RelationalGraph.from_triples(rows)
    labels = st.lists(st.sampled_from(["red", "", "x"]), min_size=graph.num_vertices)
    one, two = (data.draw(labels)[: graph.num_vertices] for _ in range(2))
    pair = graph.with_labels(one), graph.with_labels(two)
    assert compare(*pair, ["1-rwl"], names=True).isomorphic is (one == two)
    assert compare(pair[0], graph, ["1-rwl"], names=True).isomorphic is (not any(one))


def _triples(place: str) -> list[Any]:
    return [("http://a/dom", "http://a/in", place)]


def test_ulm_is_not_bonn() -> None:
    ulm, bonn = (rdf(_triples(f'"{name}"')) for name in ("Ulm", "Bonn"))
    without = compare(ulm, bonn)
    assert (without.isomorphic, without.names, without.names_ignored) == (True, False, True)
    with_names = compare(ulm, bonn, names=True)
    assert (with_names.isomorphic, with_names.names_ignored) == (False, False)
    assert {verdict.round for verdict in with_names.verdicts if not verdict.skipped} == {0}
    assert with_names.notes == (
        '1 vertex name only in the first graph: "Ulm"',
        '1 vertex name only in the second graph: "Bonn"',
    )
    assert compare(ulm, ulm).names_ignored is False, "the same graph, names and all"


def test_numbers_and_blank_nodes_are_no_names() -> None:
    cycle = wlkg.read("example:c6")
    assert not has_names(cycle)
    assert not compare(cycle, cycle.permuted([1, 0, 2, 3, 4, 5])).names_ignored
    blank = rdf([("_:a", "p", "_:b")])
    assert not has_names(blank)
    assert not compare(blank, rdf([("_:c", "p", "_:d")])).names_ignored
    assert has_names(RelationalGraph.from_triples([("0", "p", "x")]))
    assert not has_names(RelationalGraph.from_triples([]))


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("http://a/x", "http://a/x"),
        ("_:b0", ANONYMOUS),
        ('"_:b0"', '"_:b0"'),
        ('"a \\"b\\""@en', '"a \\"b\\""@en'),
        ('"a"@en [_:b0 http://a/p]', '"a"@en'),
        ('<<( _:b0 <http://a/_:p> "x _:b"@en )>>', '<<( _: <http://a/_:p> "x _:b"@en )>>'),
    ],
)
def test_own_names_are_the_same_in_every_graph(name: str, own: str) -> None:
    assert own_name(name) == own


def test_occurrences_of_a_literal_have_its_text_as_name(tmp_path: Path) -> None:
    paths = [tmp_path / "one.ttl", tmp_path / "two.ttl"]
    paths[0].write_text('_:a <http://a/p> "x" . _:b <http://a/p> "x" .\n')
    paths[1].write_text('_:c <http://a/p> "x" . _:d <http://a/p> "x" .\n')
    one, two = (wlkg.read(path, literals="occurrence") for path in paths)
    labelled = labelled_by_name(one, with_labels=False)
    assert labelled.label_names == ('"x"', ANONYMOUS)
    assert compare(one, two, names=True).isomorphic is True


# -- against the canonical forms that W3C publishes -----------------------------------------------

#: Its canonical form is made with another hash function, and so has other labels.
OTHER_HASH = "test075"


@pytest.fixture(scope="module")
def canonical(data_dir: Path) -> dict[str, tuple[RelationalGraph, RelationalGraph, str]]:
    """Graphs by name, each beside the graph and the text of its canonical form."""
    found = {}
    for path in sorted((data_dir / "rdf-canon").glob("*-rdfc10.nq")):
        source = path.with_name(path.name.replace("-rdfc10", "-in"))
        if source.exists() and path.read_text().strip():
            found[path.stem[:7]] = (wlkg.read(source), wlkg.read(path), path.read_text())
    return found


def test_a_graph_is_the_same_as_its_canonical_form(canonical: Any) -> None:
    assert len(canonical) > 60
    for name, (graph, form, _) in canonical.items():
        assert compare(graph, form, ["1-rwl"], names=True).isomorphic is True, name


def test_graphs_are_the_same_if_their_canonical_forms_are(canonical: Any) -> None:
    rows = {name: row for name, row in canonical.items() if name != OTHER_HASH}
    # A form with quads says more than the triples that are read.
    rows = {name: row for name, row in rows.items() if _has_only_triples(row[2])}
    answers = Counter(
        (compare(one[0], two[1], ["1-rwl"], names=True).isomorphic, one[2] == two[2])
        for one, two in itertools.combinations(rows.values(), 2)
    )
    assert set(answers) == {(True, True), (False, False)}
    assert min(answers.values()) > 50


def _has_only_triples(text: str) -> bool:
    """Whether all N-Quads belong to the default graph."""
    quads = pyoxigraph.parse(text.encode(), pyoxigraph.RdfFormat.N_QUADS)
    return all(isinstance(quad.graph_name, pyoxigraph.DefaultGraph) for quad in quads)
