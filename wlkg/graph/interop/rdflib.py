"""rdflib graphs in memory, with the names that `terms` gives to RDF terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyoxigraph as ox
import rdflib
from rdflib.term import Node

from wlkg.catalogue import check_literal_policy
from wlkg.errors import GraphError
from wlkg.graph.interop.ntriples import ntriples_lines
from wlkg.graph.terms import decode_name, kind, literal_tail

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph

_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"


def rdflib_triples(graph: rdflib.Graph, literals: str) -> Iterator[tuple[str, str, str]]:
    """The triples of a graph, or of all graphs of a dataset, as names under a literal policy."""
    if isinstance(graph, rdflib.Dataset | rdflib.ConjunctiveGraph):
        triples: Iterator[tuple[Node, ...]] = (quad[:3] for quad in graph.quads())
    else:
        triples = iter(graph)
    check_literal_policy(literals)
    for subject, predicate, node in triples:
        head, relation = term_name(subject), term_name(predicate)
        tail: str | None = term_name(node)
        if tail is not None and isinstance(node, rdflib.Literal):
            tail = literal_tail(tail, head, relation, literals)
        if tail is not None:
            yield head, relation, tail


def term_name(term: Node) -> str:
    """The name of an rdflib term."""
    if isinstance(term, rdflib.URIRef):
        if kind(term) not in ("iri", "name"):  # it would be mistaken for a term of that kind
            raise GraphError(f"an rdflib URIRef that is not an IRI: {str(term)!r}")
        return decode_name(str(term))
    if isinstance(term, rdflib.BNode):
        return f"_:{term}"
    if isinstance(term, rdflib.Literal):
        try:
            return str(_literal(str(term), term.language, term.datatype))
        except ValueError as error:
            raise GraphError(f"rdflib literal {term.n3()}: {error}") from error
    raise GraphError(f"rdflib term of an unknown kind: {term!r}")


def _literal(text: str, language: str | None, datatype: str | None) -> ox.Literal:
    if language is not None:
        return ox.Literal(text, language=language)
    if datatype is not None:
        return ox.Literal(text, datatype=ox.NamedNode(str(datatype)))
    return ox.Literal(text)


def to_rdflib(graph: RelationalGraph) -> rdflib.Graph:
    """An rdflib graph with the same triples, parsed by pyoxigraph and converted term by term.

    rdflib's own parser would rename blank nodes and rewrite numbers.
    """
    result = rdflib.Graph()
    text = "".join(ntriples_lines(graph)).encode()
    for triple in ox.parse(text, ox.RdfFormat.N_TRIPLES):
        result.add((_node(triple.subject), _node(triple.predicate), _node(triple.object)))
    return result


def _node(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> Node:
    if isinstance(term, ox.NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, ox.BlankNode):
        return rdflib.BNode(term.value)
    if isinstance(term, ox.Triple):
        raise GraphError(f"rdflib has no triple terms, found {term}")
    if term.language is not None:
        return rdflib.Literal(term.value, lang=term.language)
    datatype = None if term.datatype.value == _XSD_STRING else rdflib.URIRef(term.datatype.value)
    return rdflib.Literal(term.value, datatype=datatype, normalize=False)
