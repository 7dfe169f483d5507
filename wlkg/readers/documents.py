"""GraphML, GEXF and node-link JSON, checked first and then parsed by networkx."""

from __future__ import annotations

import io
import json
import warnings
from typing import Any

import networkx as nx

from wlkg.errors import GraphError, InputError
from wlkg.graph.interop.networkx import RELATION_ATTRIBUTE, networkx_arrays
from wlkg.graph.names import DEFAULT_RELATION
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.complaints import complaints
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import Source
from wlkg.readers.xml import check_prolog


def read_document(source: Source, format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read ``graphml``, ``gexf`` or ``json``."""
    data = source.read_document()
    graph = (
        _json(data, source.path) if format_name == "json" else _xml(data, format_name, source.path)
    )
    if graph.number_of_nodes() == 0:
        raise InputError("the graph has no vertex", path=source.path)
    try:
        # networkx keeps the ids of GraphML edges as keys, and writes keys as ids.
        arrays = networkx_arrays(
            graph, options.relation_attribute, options.label_attribute, ids_as_keys=True
        )
        return RelationalGraph.from_arrays(**arrays)
    except GraphError as error:
        raise InputError(str(error), path=source.path) from error


def _xml(data: bytes, format_name: str, path: str) -> nx.Graph[Any]:
    check_prolog(data, path, allow_entities=False)
    with complaints(f"not a {format_name} document", path), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as: a key without a type is read as text
        if format_name == "gexf":
            gexf: nx.Graph[Any] = nx.read_gexf(io.BytesIO(data))
            return gexf
        # Parallel edges may belong to different relations and must not be merged.
        graphml: nx.Graph[Any] = nx.read_graphml(io.BytesIO(data), force_multigraph=True)
    return graphml


def _json(data: bytes, path: str) -> nx.Graph[Any]:
    with complaints("not JSON", path):
        document = json.loads(data)
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
        raise InputError(
            'not node-link JSON: expected an object with "nodes" and "edges" (or "links")',
            path=path,
        )
    edges = "links" if "links" in document and "edges" not in document else "edges"
    document["multigraph"] = True  # the same pair may occur in two relations
    with complaints("not node-link JSON", path):
        keys = []
        for edge in document[edges]:
            keys.append(edge.pop("key", None))  # noqa: PERF401  a frame of our own is a bug here
        _name_relations(document[edges], keys)
        graph: nx.Graph[Any] = nx.node_link_graph(document, edges=edges)
    if graph.number_of_nodes() != len(document["nodes"]):
        declared, distinct = len(document["nodes"]), graph.number_of_nodes()
        raise InputError(
            f'{declared:,} entries under "nodes", but {distinct:,} different nodes in all',
            path=path,
            remedy="Every node must be listed once, and edges must refer to nodes by their id",
        )
    return graph


def _name_relations(edges: list[dict[str, Any]], keys: list[Any]) -> None:
    """If no edge names its relation, networkx may have kept it as the key: keys that are text."""
    is_text = [isinstance(key, str) for key in keys]
    if not any(is_text) or any(RELATION_ATTRIBUTE in edge for edge in edges):
        return
    for edge, key, names_it in zip(edges, keys, is_text, strict=True):
        edge[RELATION_ATTRIBUTE] = key if names_it else DEFAULT_RELATION
