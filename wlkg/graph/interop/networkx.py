"""networkx graphs: a vertex is named by the text of its node, a relation by an edge attribute.

By default the attribute is ``relation``; if no edge has it, all edges belong to the relation
``edge``. Labels come from the given node attribute, by default ``wlkg_label``, which `to_networkx`
writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import networkx as nx

from wlkg.errors import GraphError
from wlkg.graph.names import DEFAULT_RELATION, canonical_order

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph

RELATION_ATTRIBUTE = "relation"
LABEL_ATTRIBUTE = "wlkg_label"


def networkx_arrays(
    graph: nx.Graph[Any], relation_attribute: str | None, label_attribute: str | None
) -> dict[str, Any]:
    """The arguments of `RelationalGraph.from_arrays` for this graph."""
    names = {node: _text(node) for node in graph.nodes}
    vertex_names = canonical_order(names.values())
    if len(vertex_names) != len(names):
        raise GraphError("two nodes have the same text, such as 1 and '1'. Rename one of them")
    vertex = dict(zip(names, _places(names.values(), vertex_names), strict=True))
    edges = [(vertex[u], vertex[v], data) for u, v, data in graph.edges(data=True)]
    relations = _relations([data for _, _, data in edges], relation_attribute)
    relation_names = canonical_order(relations)
    ends = [(u, v) if graph.is_directed() else (min(u, v), max(u, v)) for u, v, _ in edges]
    arrays: dict[str, Any] = {
        "head": [head for head, _ in ends],
        "relation": _places(relations, relation_names),
        "tail": [tail for _, tail in ends],
        "vertex_names": vertex_names,
        "relation_names": relation_names,
        "direction": "both" if graph.is_directed() else "undirected",
        "notes": _notes([data for _, _, data in edges], relation_attribute),
    }
    labels = _labels({names[node]: data for node, data in graph.nodes(data=True)}, label_attribute)
    if labels is not None:
        arrays["label_names"] = canonical_order(labels.values())
        arrays["labels"] = _places([labels[name] for name in vertex_names], arrays["label_names"])
    return arrays


def _text(name: object) -> str:
    text = str(name)
    if not text:
        raise GraphError(
            "a node or relation has an empty name. Every vertex and relation needs a name"
        )
    return text


def _places(values: Iterable[str], names: list[str]) -> list[int]:
    index = {name: i for i, name in enumerate(names)}
    return [index[value] for value in values]


def _relations(data: list[Mapping[str, Any]], attribute: str | None) -> list[str]:
    key = RELATION_ATTRIBUTE if attribute is None else attribute
    missing = sum(attributes.get(key) is None for attributes in data)
    if missing and attribute is None and missing == len(data):
        return [DEFAULT_RELATION] * len(data)
    if missing:
        raise GraphError(
            f"{missing} of {len(data)} edges have no attribute {key!r}; "
            f"attributes found: {', '.join(_attributes(data)) or 'none'}"
        )
    return [_text(attributes[key]) for attributes in data]


def _attributes(data: list[Mapping[str, Any]]) -> list[str]:
    return sorted({str(key) for attributes in data for key in attributes})


def _notes(data: list[Mapping[str, Any]], attribute: str | None) -> list[str]:
    # An id, which GEXF gives to every edge, is unique, so it cannot be the relation.
    names = [name for name in _attributes(data) if name != "id"]
    if attribute is not None or RELATION_ATTRIBUTE in names or not names:
        return []
    return [
        f"edge attributes {', '.join(names)} were not used (--relation-attribute NAME uses one)"
    ]


def _labels(data: dict[str, Mapping[str, Any]], attribute: str | None) -> dict[str, str] | None:
    key = LABEL_ATTRIBUTE if attribute is None else attribute
    missing = [name for name, attributes in data.items() if attributes.get(key) is None]
    if attribute is None and len(missing) == len(data):
        return None
    if missing:
        raise GraphError(
            f"{len(missing)} of {len(data)} nodes have no attribute {key!r}: {missing[0]}, ..."
        )
    return {name: str(attributes[key]) for name, attributes in data.items()}


def to_networkx(graph: RelationalGraph) -> nx.MultiDiGraph[str] | nx.MultiGraph[str]:
    """A multigraph with vertex names as nodes and relation names as keys and attributes."""
    result: nx.MultiDiGraph[str] | nx.MultiGraph[str]
    result = nx.MultiGraph() if graph.direction == "undirected" else nx.MultiDiGraph()
    if graph.labels is None:
        result.add_nodes_from(graph.vertex_names)
    else:
        for name, label in zip(graph.vertex_names, graph.labels.tolist(), strict=True):
            result.add_node(name, **{LABEL_ATTRIBUTE: graph.label_names[label]})
    for head, relation, tail in graph.named_triples():
        result.add_edge(head, tail, key=relation, **{RELATION_ATTRIBUTE: relation})
    return result
