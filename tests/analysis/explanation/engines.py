"""SPARQL engines that hold the triples of a graph, and their answers as vertex names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pyoxigraph as ox

from wlkg.graph.interop.ntriples import ntriples_lines
from wlkg.graph.interop.rdflib import term_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.rdf_names import TermNames

#: Answers a query with the names of the terms that it returns; each answer has one column.
Engine = Callable[[str], list[str]]


def oxigraph(graph: RelationalGraph) -> Engine:
    """A pyoxigraph store."""
    store = ox.Store()
    text = "".join(ntriples_lines(graph))
    for quad in ox.parse(text.encode(), ox.RdfFormat.N_TRIPLES):
        store.add(ox.Quad(quad.subject, quad.predicate, quad.object))
    names = TermNames()

    def answer(query: str) -> list[str]:
        return [names(row[0]) for row in cast(Any, store.query(query))]

    return answer


def rdflib_graph(graph: RelationalGraph) -> Engine:
    """An rdflib graph."""
    # The triples as they are: undirected graphs are written in both directions otherwise.
    store = graph.with_direction("both").to_rdflib()

    def answer(query: str) -> list[str]:
        return [term_name(cast(Any, row)[0]) for row in store.query(query)]

    return answer


ENGINES = {"oxigraph": oxigraph, "rdflib": rdflib_graph}
