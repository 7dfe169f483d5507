"""graph6, for the graphs it can hold: undirected, one relation, no loops, vertices 0 .. n-1."""

from __future__ import annotations

from typing import BinaryIO

from wlkg.errors import OutputError
from wlkg.graph.names import DEFAULT_RELATION, NumberNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.graph6 import encode_graph6


def write_graph6(graph: RelationalGraph, stream: BinaryIO) -> None:
    """Write one line of graph6; a graph that the format cannot hold is an error."""
    obstacles = {
        "directed edges": graph.direction != "undirected",
        "more than one relation, or one not called 'edge'": graph.relation_names
        not in ((), (DEFAULT_RELATION,)),
        "loops": graph.num_self_loops > 0,
        "vertex names": NumberNames(graph.num_vertices) != graph.vertex_names,
    }
    present = [obstacle for obstacle, is_present in obstacles.items() if is_present]
    if present:
        raise OutputError(f"graph6 cannot hold {' or '.join(present)}. Write .json or .graphml")
    stream.write(encode_graph6(graph) + b"\n")
