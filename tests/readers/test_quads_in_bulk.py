"""Quads read in bulk are those that a Python call for each term would name."""

from __future__ import annotations

import io
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.readers.family import FAMILY, RDF
from tests.readers.turtle_statements import documents
from wlkg.catalogue import LITERAL_POLICIES
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.triple_table import TripleTable
from wlkg.readers import quads_in_bulk
from wlkg.readers.lines import Block
from wlkg.readers.plain_lines import PlainLines, plain_lines
from wlkg.readers.rdf_names import GraphChoice, TermNames
from wlkg.readers.rdf_parsing import FORMATS, parsed_quads, parsed_rows
from wlkg.readers.rdf_stream import RecordingStream

SUFFIXES = {
    "turtle": ".ttl",
    "trig": ".trig",
    "n3": ".n3",
    "rdfxml": ".rdf",
    "jsonld": ".jsonld",
}


def one_by_one(data: bytes, format_name: str, policy: str) -> RelationalGraph:
    """The graph of a document, with a name made for every term of every quad."""
    text = RecordingStream(io.BytesIO(data), b"")
    quads = parsed_quads(text, FORMATS[format_name], "document")
    table = TripleTable()
    table.add_rows(parsed_rows(quads, TermNames(text), GraphChoice(None), policy))
    return RelationalGraph.from_arrays(**table.arrays(), literals=policy)


def written(turtle: str, format_name: str) -> bytes:
    """A Turtle document in another format; those that have the same grammar keep its text."""
    if format_name in ("turtle", "trig", "n3"):
        return turtle.encode()
    triples = [quad.triple for quad in ox.parse(turtle, ox.RdfFormat.TURTLE)]
    data = ox.serialize(triples, format=FORMATS[format_name])
    assert data is not None
    return data


@pytest.mark.parametrize("format_name", ["turtle", "trig", "n3", "jsonld"])
@settings(deadline=None, max_examples=60)
@given(documents, st.sampled_from(LITERAL_POLICIES), st.sampled_from([1, 3, 1 << 16]))
def test_bulk_and_one_by_one_agree(
    scratch: Path, format_name: str, statements: list[str], policy: str, quads: int
) -> None:
    turtle = "\n".join(statements)
    if format_name in ("n3", "jsonld") and "<<(" in turtle:
        return  # they have no triple terms
    data = written(turtle, format_name)
    path = scratch / f"document{SUFFIXES[format_name]}"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quads_in_bulk, "_PIECE_QUADS", quads)
        expected = one_by_one(data, format_name, policy)
        if not expected.num_triples:
            return
        graph = wlkg.read(path, literals=policy)
    assert graph == expected
    assert graph.vertex_names == expected.vertex_names
    assert graph.duplicates == expected.duplicates


@pytest.mark.parametrize("format_name", SUFFIXES)
@pytest.mark.parametrize("policy", LITERAL_POLICIES)
def test_the_family_is_read_alike(tmp_path: Path, format_name: str, policy: str) -> None:
    suffix = SUFFIXES[format_name]
    path = tmp_path / f"family{suffix}"
    path.write_text(FAMILY[suffix])
    expected = one_by_one(path.read_bytes(), format_name, policy)
    assert wlkg.read(path, literals=policy) == expected


def test_a_label_that_n_triples_cannot_write_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "dot.rdf"
    path.write_text(
        f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/"><rdf:Description rdf:nodeID="a.">'
        "<e:p><rdf:Description/></e:p></rdf:Description></rdf:RDF>"
    )
    assert list(wlkg.read(path).named_triples()) == [("_:a.", "http://e/p", "_:anon1")]


def test_blank_nodes_are_numbered_from_line_to_line_in_both_lanes(tmp_path: Path) -> None:
    path = tmp_path / "g.ttl"
    path.write_text('[] <p:1> "plain" . [] <p:2> "in\\tdoubt" . [] <p:3> <a:a> , <a:%2Fé> .')
    heads = {relation: head for head, relation, _ in wlkg.read(path).named_triples()}
    assert heads == {"p:1": "_:anon1", "p:2": "_:anon2", "p:3": "_:anon3"}


def test_pieces_with_long_names_have_few_quads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []

    def measured(
        block: Block, choice: GraphChoice, *, quads: bool, drop_literals: bool
    ) -> PlainLines:
        sizes.append(len(block.data))
        return plain_lines(block, choice, quads=quads, drop_literals=drop_literals)

    monkeypatch.setattr(quads_in_bulk, "plain_lines", measured)
    monkeypatch.setattr(quads_in_bulk, "BLOCK_BYTES", 100_000)
    path = tmp_path / "long.ttl"
    lines = [f"p:a <p:p> p:b{i} ." for i in range(100)]
    path.write_text(f"@prefix p: <http://e/{'x' * 10_000}> .\n" + "\n".join(lines))
    assert wlkg.read(path).num_triples == 100
    assert len(sizes) > 10
    assert max(sizes) < 200_000
