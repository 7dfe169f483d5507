"""graph6, for graphs it can hold: undirected, one relation, no loops, vertices 0 .. n-1."""

from __future__ import annotations

from typing import BinaryIO

from wlkg.errors import OutputError
from wlkg.graph.names import DEFAULT_RELATION, NumberNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.graph6 import encode_graph6


def write_graph6(graph: RelationalGraph, stream: BinaryIO) -> None:
    """One line; whatever it would forget is an error."""
    obstacles = {
        "directed edges": graph.direction != "undirected",
        "more than one relation, or one not called 'edge'": graph.relation_names
        not in ((), (DEFAULT_RELATION,)),
        "loops": graph.num_self_loops > 0,
        "vertex names": NumberNames(graph.num_vertices) != graph.vertex_names,
    }
    found = [what for what, is_there in obstacles.items() if is_there]
    if found:
        raise OutputError(f"graph6 cannot hold {' or '.join(found)}. Write .json or .graphml")
    stream.write(encode_graph6(graph) + b"\n")
