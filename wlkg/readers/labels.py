"""Start colours from outside the graph: a table of labels, the kind of RDF term, or the types."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wlkg.errors import GraphError, InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import RDF_TYPE, kind
from wlkg.readers.lines import text_lines
from wlkg.readers.source import Source
from wlkg.text import first_few

_HEADERS = (
    {"vertex", "entity", "node", "name", "id"},
    {"label", "colour", "color", "class", "type"},
)


def label(graph: RelationalGraph, labels: str | Path) -> RelationalGraph:
    """The graph with labels from ``kind``, ``type``, or the path of a TSV with vertex and label."""
    if labels == "kind":
        return graph.with_labels([kind(name) for name in graph.vertex_names])
    if labels == "type":
        return graph.with_labels(_types(graph))
    return graph.with_labels(read_labels(graph, str(labels)))


def _types(graph: RelationalGraph) -> list[str]:
    """For each vertex the set of its rdf:type objects as one text."""
    if RDF_TYPE not in graph.relation_names:
        raise GraphError(f"--labels type: the graph has no relation {RDF_TYPE}")
    types: list[list[str]] = [[] for _ in range(graph.num_vertices)]
    relation = graph.relation_names.index(RDF_TYPE)
    chosen = graph.relation == relation
    for head, tail in zip(graph.head[chosen].tolist(), graph.tail[chosen].tolist(), strict=True):
        # Other names than those of RDF may hold spaces, and must not look like two.
        types[head].append(graph.vertex_names[tail].replace("\\", r"\\").replace(" ", r"\ "))
    return [" ".join(sorted(names)) for names in types]


def read_labels(graph: RelationalGraph, path: str) -> list[str]:
    """A label for each vertex from a TSV; every vertex needs exactly one."""
    found: dict[int, str] = {}
    unknown: list[str] = []
    rows = _rows(Source(path).read_document(), path)
    if rows and _is_header(rows[0][1]) and rows[0][1][0] not in graph.vertex_names:
        del rows[0]
    for number, (name, text) in rows:
        try:
            vertex = graph.vertex(name)
        except GraphError:
            unknown.append(name)
            continue
        if found.setdefault(vertex, text) != text:
            raise InputError(
                f"a second label for {name!r}: {found[vertex]!r} and {text!r}",
                path=path,
                line=number,
            )
    if unknown:
        raise InputError(
            f"{len(unknown):,} labels are for vertices that the graph does not have: "
            f"{first_few(unknown)}",
            path=path,
        )
    missing = [name for i, name in enumerate(graph.vertex_names) if i not in found]
    if missing:
        raise InputError(
            f"{len(missing):,} vertices have no label: {first_few(missing)}",
            path=path,
            remedy="Every vertex needs one",
        )
    return [found[i] for i in range(graph.num_vertices)]


def _rows(data: bytes, path: str) -> list[tuple[int, Sequence[str]]]:
    rows = [(number, line.split("\t")) for number, line in text_lines(data, path)]
    for number, row in rows:
        if len(row) != 2:
            raise InputError(
                f"expected 2 tab-separated fields (vertex and label), found {len(row)}",
                path=path,
                line=number,
            )
    return [(number, row) for number, row in rows]


def _is_header(row: Sequence[str]) -> bool:
    return all(word.lower() in known for word, known in zip(row, _HEADERS, strict=True))
