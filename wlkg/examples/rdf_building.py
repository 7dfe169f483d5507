"""Building a graph from triples of RDF terms that are written with prefixes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from wlkg.graph.relational_graph import RelationalGraph

COMMON = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
}
_typed = re.compile(r'(".*"\^\^)([^"<>]+)').fullmatch


def rdf_graph(
    triples: Iterable[tuple[str, str, str]], prefixes: Mapping[str, str]
) -> RelationalGraph:
    """A graph of terms such as ``foaf:name``, ``"Ada"@en``, ``"1990"^^xsd:gYear`` and ``_:b``.

    >>> graph = rdf_graph([("e:ada", "foaf:name", '"Ada"')], {"e": "http://e/", **COMMON})
    >>> list(graph.named_triples())
    [('http://e/ada', 'http://xmlns.com/foaf/0.1/name', '"Ada"')]
    """
    rows = [(name(h, prefixes), name(r, prefixes), name(t, prefixes)) for h, r, t in triples]
    used = {
        prefix: iri
        for prefix, iri in prefixes.items()
        if any(iri in term for row in rows for term in row)
    }
    return replace(RelationalGraph.from_triples(rows), prefixes=used, literals="shared")


def name(term: str, prefixes: Mapping[str, str]) -> str:
    """The vertex name of a term; see `wlkg.graph.terms`."""
    typed = _typed(term)
    if typed is not None:
        return f"{typed[1]}<{name(typed[2], prefixes)}>"
    if term.startswith(('"', "_:")):
        return term
    prefix, _, local = term.partition(":")
    return prefixes[prefix] + local
