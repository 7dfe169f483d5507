"""What readers of RDF keep beside the triples: prefixes and the literal policy."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib

import wlkg
from wlkg.graph.relational_graph import RelationalGraph

DOCUMENTS = {
    "g.ttl": "@prefix ex: <http://ex.org/> . ex:a ex:r ex:b .",
    "g.trig": "PREFIX ex: <http://ex.org/> ex:g { ex:a ex:r ex:b . }",
    "g.n3": "@prefix ex: <http://ex.org/> . ex:a ex:r ex:b .",
    "g.rdf": '<!DOCTYPE rdf:RDF [<!ENTITY e "http://ex.org/">]>'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="&e;">'
    '<rdf:Description rdf:about="http://ex.org/a"><ex:r rdf:resource="http://ex.org/b"/>'
    "</rdf:Description></rdf:RDF>",
    "g.jsonld": '{"@context": {"ex": "http://ex.org/"}, "@id": "ex:a", "ex:r": {"@id": "ex:b"}}',
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_prefixes_of_a_document_are_kept(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(DOCUMENTS[name])
    graph = wlkg.read(path, literals="drop")
    assert graph.prefixes["ex"] == "http://ex.org/"
    assert graph.literals == "drop"


def test_formats_without_prefixes_have_none(tmp_path: Path) -> None:
    lines = tmp_path / "g.nt"
    lines.write_text("<http://ex.org/a> <http://ex.org/r> <http://ex.org/b> .\n")
    assert (wlkg.read(lines).prefixes, wlkg.read(lines).literals) == ({}, "shared")
    table = tmp_path / "g.tsv"
    table.write_text("a\tr\tb\n")
    assert (wlkg.read(table).prefixes, wlkg.read(table).literals) == ({}, None)


def test_an_rdflib_graph_brings_its_prefixes() -> None:
    graph = rdflib.Graph().parse(data=DOCUMENTS["g.ttl"], format="turtle")
    read = RelationalGraph.from_rdflib(graph)
    assert read.prefixes["ex"] == "http://ex.org/"
    assert read.literals == "shared"
