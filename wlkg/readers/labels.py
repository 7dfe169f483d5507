"""Start colours from outside the graph: a table of labels, the kind of RDF term, or the types."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from wlkg.errors import GraphError, InputError
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import RDF_TYPE, kind
from wlkg.readers.tables import Row, assign_vertices, read_table

#: What people call the two columns of a table of labels.
#: Titles of the two columns, by which a header is recognised.
VERTEX_TITLES = {"vertex", "entity", "node", "name", "id"}
LABEL_TITLES = {"label", "colour", "color", "class", "type"}


def label(graph: RelationalGraph, labels: str | Path) -> RelationalGraph:
    """The graph with labels from ``kind``, ``type``, or the path of a TSV with vertex and label."""
    require_graphs(graph)
    choices = ("kind", "type")
    if labels == "kind":
        return graph.with_labels([kind(name) for name in graph.vertex_names])
    if labels == "type":
        return graph.with_labels(_types(graph))
    path = str(labels)
    near = get_close_matches(path.lower(), choices, n=1, cutoff=0.7)
    if near and not Path(path).exists():
        raise InputError("no such file", path=path, remedy=f"Did you mean --labels {near[0]}?")
    return graph.with_labels(read_labels(graph, path))


def _types(graph: RelationalGraph) -> list[str]:
    """For each vertex the set of its rdf:type objects as one text."""
    if RDF_TYPE not in graph.relation_names:
        raise GraphError(f"--labels type: the graph has no relation {RDF_TYPE}")
    types: list[list[str]] = [[] for _ in range(graph.num_vertices)]
    is_type = graph.relation == graph.relation_names.index(RDF_TYPE)
    for head, tail in zip(graph.head[is_type].tolist(), graph.tail[is_type].tolist(), strict=True):
        # Names from formats other than RDF may contain spaces; escaped, one name stays one word.
        types[head].append(graph.vertex_names[tail].replace("\\", r"\\").replace(" ", r"\ "))
    return [" ".join(sorted(names)) for names in types]


def read_labels(graph: RelationalGraph, path: str) -> list[str]:
    """A label for each vertex from a TSV; every vertex needs exactly one."""
    table = read_table(path, width=2, layout="(vertex and label)")
    if table.rows and _is_header(table.rows[0], graph):
        table = table.below_header()
    labels = assign_vertices(graph, table, lambda row: row.cells[1], noun="label")
    return [labels[v] for v in range(graph.num_vertices)]


def _is_header(row: Row, graph: RelationalGraph) -> bool:
    """Whether a first row names the columns; a vertex that is called like a column is a vertex."""
    vertex, label = row.cells
    return (
        vertex.lower() in VERTEX_TITLES
        and label.lower() in LABEL_TITLES
        and graph.find_vertex(vertex) is None
    )
