"""Tables of vertices."""

from __future__ import annotations

import numpy as np

from wlkg.arrays import IntArray
from wlkg.errors import GraphError, InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.lines import text_lines
from wlkg.readers.source import Source
from wlkg.text import first_few


def read_vertices(graph: RelationalGraph, path: str) -> IntArray:
    """The vertices named in a file, one per line."""
    found: list[int] = []
    unknown: list[str] = []
    for _, name in text_lines(Source(path).read_document(), path):
        try:
            found.append(graph.vertex(name))
        except GraphError:
            unknown.append(name)
    if unknown:
        raise InputError(
            f"{len(unknown):,} names are not vertices of the graph: {first_few(unknown)}", path=path
        )
    return np.array(found, dtype=np.int64)
