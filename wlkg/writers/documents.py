"""GraphML and node-link JSON through networkx."""

from __future__ import annotations

import json
from typing import BinaryIO

import networkx as nx

from wlkg.errors import OutputError
from wlkg.graph.relational_graph import RelationalGraph


def write_graphml(graph: RelationalGraph, stream: BinaryIO) -> None:
    """GraphML with the relation as an edge attribute."""
    for name in (*graph.vertex_names, *graph.relation_names, *graph.label_names):
        if (
            any(ch < " " and ch not in "\t\n" for ch in name)
            or "\ufffe" in name
            or "\uffff" in name
        ):
            raise OutputError(
                f"the name {name!r} has a control character, which XML cannot hold. Write .json"
            )
    network = graph.to_networkx()
    # networkx writes edge keys as ids, which must be unique in XML; relations as keys are not.
    numbered = type(network)()
    numbered.add_nodes_from(network.nodes(data=True))
    for number, (u, v, data) in enumerate(network.edges(data=True)):
        numbered.add_edge(u, v, key=number, **data)
    nx.write_graphml_xml(numbered, stream, encoding="utf-8")


def write_json(graph: RelationalGraph, stream: BinaryIO) -> None:
    """Node-link JSON, as networkx and D3 read it."""
    document = nx.node_link_data(graph.to_networkx(), edges="edges")
    stream.write(json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n")
