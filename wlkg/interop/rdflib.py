"""rdflib graphs in memory. Names are those of `wlkg.terms`, whichever library read the term."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyoxigraph as ox
import rdflib
from rdflib.term import Node

from wlkg.errors import GraphError
from wlkg.terms import decode_name, relation_iri, vertex_term, with_literal_policy

if TYPE_CHECKING:
    from wlkg.graph import RelationalGraph


def rdflib_triples(graph: rdflib.Graph, literals: str) -> Iterator[tuple[str, str, str]]:
    """The triples of a graph (all graphs of a dataset) as names, after the literal policy."""
    if isinstance(graph, rdflib.Dataset | rdflib.ConjunctiveGraph):
        triples: Iterator[tuple[Node, ...]] = (quad[:3] for quad in graph.quads())
    else:
        triples = iter(graph)
    rows = ((term_name(s), term_name(p), term_name(o)) for s, p, o in triples)
    return with_literal_policy(rows, literals)


def term_name(term: Node) -> str:
    """The name of an rdflib term."""
    if isinstance(term, rdflib.URIRef):
        return decode_name(str(term))
    if isinstance(term, rdflib.BNode):
        return f"_:{term}"
    if isinstance(term, rdflib.Literal):
        text = str(term)
        if term.language is not None:
            return str(ox.Literal(text, language=term.language))
        if term.datatype is not None:
            return str(ox.Literal(text, datatype=ox.NamedNode(str(term.datatype))))
        return str(ox.Literal(text))
    raise GraphError(f"rdflib term of an unknown kind: {term!r}")


def to_rdflib(graph: RelationalGraph) -> rdflib.Graph:
    """An rdflib graph with the same triples."""
    text = "".join(
        f"{vertex_term(h, is_head=True)} {relation_iri(r)} {vertex_term(t, is_head=False)} .\n"
        for h, r, t in graph.named_triples()
    )
    return rdflib.Graph().parse(data=text, format="nt")
