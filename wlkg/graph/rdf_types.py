"""The vertices of an RDF type, as the triples of a graph state it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wlkg.arrays import IntArray
from wlkg.errors import GraphError, UsageError
from wlkg.graph.lookup import find_vertex
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import RDF_TYPE


def vertices_of_type(
    graph: RelationalGraph, type_name: str, prefixes: Mapping[str, str] | None = None
) -> IntArray:
    """The vertices with a triple (vertex, rdf:type, type); the type may be named in short.

    The end of a name counts as unique if no other type has it: a person may be called Person.
    """
    if RDF_TYPE not in graph.relation_names:
        raise GraphError(f"--type {type_name}: the graph has no relation {RDF_TYPE}")
    is_type = graph.relation == graph.relation_names.index(RDF_TYPE)
    types = np.unique(graph.tail[is_type])
    # A graph of the types alone, in which the lookup passes over all other names.
    try:
        place = find_vertex(graph.induced(types), type_name, prefixes)
    except UsageError as error:
        raise UsageError(f"--type: {error}".replace("no vertex", "no type")) from error
    return np.unique(graph.head[is_type & (graph.tail == types[place])])
