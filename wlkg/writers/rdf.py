"""Turtle, TriG, Notation3 and RDF/XML through pyoxigraph, with the prefixes of the graph's file.

Names that are not RDF terms become IRIs, as in N-Triples (see `wlkg.graph.terms`). Blank nodes keep
their labels, but our own reader adds ``_`` to ``_:anon1``, ..., which it gives to those without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

import pyoxigraph as ox

from wlkg.errors import OutputError
from wlkg.graph.interop.ntriples import ntriples_lines
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import kind, relation_iri

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

#: Lines of N-Triples that are parsed at a time.
_BATCH = 10_000
_is_prefix = re.compile(r"(?:[A-Za-z][A-Za-z0-9_-]*)?").fullmatch
#: An element's name is the end of the relation's IRI; XML requires a letter or _ at its beginning.
_element_name = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*>$").search
_not_xml = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]").search


def write_turtle(graph: RelationalGraph, stream: BinaryIO) -> None:
    """Turtle."""
    _write(graph, stream, ox.RdfFormat.TURTLE)


def write_trig(graph: RelationalGraph, stream: BinaryIO) -> None:
    """TriG, with all triples in the default graph."""
    _write(graph, stream, ox.RdfFormat.TRIG)


def write_n3(graph: RelationalGraph, stream: BinaryIO) -> None:
    """Notation3, which has no triple terms."""
    if any(kind(name) == "triple" for name in graph.vertex_names if name.startswith("<<(")):
        raise OutputError("Notation3 cannot hold triple terms. Write .ttl or .nt")
    _write(graph, stream, ox.RdfFormat.N3)


def write_rdfxml(graph: RelationalGraph, stream: BinaryIO) -> None:
    """RDF/XML, for names that XML can hold."""
    for name in graph.relation_names:
        if not _element_name(relation_iri(name)):
            raise OutputError(
                f"the relation {name!r} does not end in a name for an XML element, which RDF/XML "
                "needs. Write .ttl"
            )
    _write(graph, stream, ox.RdfFormat.RDF_XML)


def _write(graph: RelationalGraph, stream: BinaryIO, rdf_format: ox.RdfFormat) -> None:
    prefixes = {
        prefix: iri
        for prefix, iri in sorted(graph.prefixes.items())
        # One that begins with xml is reserved; RDF/XML has no empty one for attributes.
        if _is_prefix(prefix) and not prefix.lower().startswith("xml")
    }
    try:
        triples = _triples(graph)
        is_xml = rdf_format == ox.RdfFormat.RDF_XML
        ox.serialize(
            _xml_triples(triples) if is_xml else triples, stream, rdf_format, prefixes=prefixes
        )
    except ValueError as error:  # a prefix that is not an IRI, from a file that is laxer than we
        raise OutputError(f"cannot be written as {rdf_format.name}: {error}") from error


def _triples(graph: RelationalGraph) -> Iterator[ox.Triple]:
    lines = ntriples_lines(graph)
    while batch := "".join(islice(lines, _BATCH)):
        for quad in ox.parse(batch.encode(), ox.RdfFormat.N_TRIPLES):
            yield quad.triple


def _xml_triples(triples: Iterator[ox.Triple]) -> Iterator[ox.Triple]:
    """The triples, unless a literal holds what XML cannot."""
    for triple in triples:
        term: Term = triple.object
        while isinstance(term, ox.Triple):
            term = term.object
        if isinstance(term, ox.Literal) and _not_xml(term.value):
            raise OutputError(
                f"the literal {term.value!r} has a control character, which RDF/XML cannot hold. "
                "Write .ttl"
            )
        yield triple
