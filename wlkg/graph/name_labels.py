"""Names as labels, for questions in which it matters what vertices are called.

In RDF an IRI or a literal names the same thing in every graph, and a blank node has no name: its
label only counts within its file. In other formats every name is a name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from wlkg.graph.names import NUMBER, NumberNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import literal_of

#: The label of blank nodes; no RDF term has this name.
ANONYMOUS = "_:"

_blank_inside = re.compile(r'("(?:[^"\\]|\\.)*"|<[^<>]*>)|_:[^\s)]+', re.DOTALL)
_is_number = re.compile(NUMBER).fullmatch


def own_name(name: str) -> str:
    """The name of an RDF term that is the same in every graph.

    >>> own_name("http://example.org/ulm"), own_name("_:b0")
    ('http://example.org/ulm', '_:')
    >>> own_name('"Ulm"@de [_:b0 http://example.org/name]')
    '"Ulm"@de'
    """
    if name.startswith("_:"):
        return ANONYMOUS
    if name.startswith('"'):
        # Where each occurrence is a vertex, its name ends in the triple that it belongs to.
        return literal_of(name) or name
    if name.startswith("<<("):
        return _blank_inside.sub(lambda match: match[1] or ANONYMOUS, name)
    return name


def own_names(graph: RelationalGraph) -> Sequence[str]:
    """The name of each vertex that is the same in every graph."""
    if graph.literals is None:
        return graph.vertex_names
    return [own_name(name) for name in graph.vertex_names]


def labelled_by_name(graph: RelationalGraph, *, with_labels: bool) -> RelationalGraph:
    """The graph with the names of its vertices as labels.

    With ``with_labels`` the label of a vertex is the pair of its name and its label, or the empty
    label if the graph has none.
    """
    names = own_names(graph)
    if not with_labels:
        return graph.with_labels(names)
    labels = [""] * graph.num_vertices
    if graph.labels is not None:
        labels = [graph.label_names[i] for i in graph.labels.tolist()]
    return graph.with_labels([json.dumps(pair) for pair in zip(names, labels, strict=True)])


def has_names(graph: RelationalGraph) -> bool:
    """Whether some vertex has a name: more than a number, and not a blank node."""
    if isinstance(graph.vertex_names, NumberNames) or not graph.num_vertices:
        return False
    if graph.literals is not None:
        return any(own_name(name) != ANONYMOUS for name in graph.vertex_names)
    return not all(map(_is_number, graph.vertex_names))
