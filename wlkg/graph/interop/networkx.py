"""networkx graphs: nodes are named by their text, relations by an edge attribute or key.

The relation of an edge is the first of these that applies:

1. the given attribute;
2. the attribute ``relation``, if any edge has it;
3. the key of a multigraph's edge, unless it is a whole number: networkx numbers parallel edges;
4. ``edge``.

Labels come from the given node attribute, by default ``wlkg_label``, which `to_networkx` writes.
What is not used, of attributes and keys, is noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

import networkx as nx

from wlkg.errors import GraphError
from wlkg.graph.names import DEFAULT_RELATION, canonical_order
from wlkg.text import counted

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph

RELATION_ATTRIBUTE = "relation"
LABEL_ATTRIBUTE = "wlkg_label"


def networkx_arrays(
    graph: nx.Graph[Any],
    relation_attribute: str | None,
    label_attribute: str | None,
    *,
    ids_as_keys: bool = False,
) -> dict[str, Any]:
    """The arguments of `RelationalGraph.from_arrays` for this graph.

    ``ids_as_keys`` says that keys may be ids, as in GraphML: if they are all different, they are.
    """
    names = {node: _text(node) for node in graph.nodes}
    vertex_names = canonical_order(names.values())
    if len(vertex_names) != len(names):
        raise GraphError("two nodes have the same text, such as 1 and '1'. Rename one of them")
    vertex = dict(zip(names, _places(names.values(), vertex_names), strict=True))
    edges = [(vertex[u], vertex[v], data) for u, v, data in graph.edges(data=True)]
    edge_data = [data for _, _, data in edges]
    keys = _named_keys(graph, ids_as_keys)
    relations = _relations(edge_data, keys, relation_attribute)
    relation_names = canonical_order(relations)
    ends = [(u, v) if graph.is_directed() else (min(u, v), max(u, v)) for u, v, _ in edges]
    arrays: dict[str, Any] = {
        "head": [head for head, _ in ends],
        "relation": _places(relations, relation_names),
        "tail": [tail for _, tail in ends],
        "vertex_names": vertex_names,
        "relation_names": relation_names,
        "direction": "both" if graph.is_directed() else "undirected",
        "notes": [
            *_edge_notes(edge_data, relation_attribute),
            *_key_notes(keys, relations),
            *_node_notes(graph, label_attribute),
        ],
    }
    labels = _labels({names[node]: data for node, data in graph.nodes(data=True)}, label_attribute)
    if labels is not None:
        arrays["label_names"] = canonical_order(labels.values())
        arrays["labels"] = _places([labels[name] for name in vertex_names], arrays["label_names"])
    return arrays


def _named_keys(graph: nx.Graph[Any], ids_as_keys: bool) -> list[str | None]:
    """The key of each edge that could be a relation; None where the key is a whole number."""
    if not isinstance(graph, nx.MultiGraph):
        return [None] * graph.number_of_edges()
    keys = [None if isinstance(key, Integral) else str(key) for _, _, key in graph.edges(keys=True)]
    are_ids = ids_as_keys and len(set(keys)) == len(keys)
    return [None] * len(keys) if are_ids else keys


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


def _relations(
    data: Sequence[Mapping[str, Any]], keys: list[str | None], attribute: str | None
) -> list[str]:
    name = RELATION_ATTRIBUTE if attribute is None else attribute
    missing = sum(attributes.get(name) is None for attributes in data)
    if missing and attribute is None and missing == len(data):
        return [DEFAULT_RELATION if key is None else _text(key) for key in keys]
    if missing:
        raise GraphError(
            f"{missing} of {len(data)} edges have no attribute {name!r}; "
            f"attributes found: {', '.join(_attributes(data)) or 'none'}"
        )
    return [_text(attributes[name]) for attributes in data]


def _attributes(data: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted({str(key) for attributes in data for key in attributes})


def _edge_notes(data: Sequence[Mapping[str, Any]], attribute: str | None) -> list[str]:
    """What is said about edge attributes that were not used."""
    names = _attributes(data)
    used = RELATION_ATTRIBUTE if attribute is None else attribute
    # An id, which GEXF gives to every edge, is unique, so it cannot be the relation.
    unused = [name for name in names if name not in ("id", used)]
    hint = "" if used in names else " (--relation-attribute NAME uses one)"
    return [f"edge attributes {', '.join(unused)} were not used{hint}"] if unused else []


def _key_notes(keys: list[str | None], relations: list[str]) -> list[str]:
    """What is said about keys that are not relations, or not all of them."""
    named = [(key, name) for key, name in zip(keys, relations, strict=True) if key is not None]
    ignored = sum(key != name for key, name in named)
    if ignored:
        count = counted(ignored, "edge", "edges")
        return [f"keys were not used: {count} with a key that differs from the relation"]
    if named and len(named) < len(keys) and DEFAULT_RELATION in relations:
        count = counted(len(keys) - len(named), "edge", "edges")
        return [f"the relation {DEFAULT_RELATION!r} holds {count} with a number for a key"]
    return []


def _node_notes(graph: nx.Graph[Any], attribute: str | None) -> list[str]:
    """What is said about node attributes that were not used."""
    used = LABEL_ATTRIBUTE if attribute is None else attribute
    data = [attributes for _, attributes in graph.nodes(data=True)]
    names = _attributes(data)
    # What differs at every node, such as the label that GEXF asks for, is a name of the node.
    unused = [name for name in names if name != used and not _all_differ(data, name)]
    hint = "" if used in names else " (--label-attribute NAME uses one)"
    return [f"node attributes {', '.join(unused)} were not used{hint}"] if unused else []


def _all_differ(data: Sequence[Mapping[str, Any]], name: str) -> bool:
    return len({str(attributes.get(name)) for attributes in data}) == len(data)


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
