"""Parquet: the columns head, relation and tail, dictionary-encoded."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from wlkg.graph.relational_graph import RelationalGraph


def write_parquet(graph: RelationalGraph, stream: BinaryIO) -> None:
    """A table of names, one row per triple."""
    vertices = pa.array(graph.vertex_names, pa.large_string())
    relations = pa.array(graph.relation_names, pa.large_string())
    columns = {
        "head": vertices.take(pa.array(graph.head)),
        "relation": relations.take(pa.array(graph.relation)),
        "tail": vertices.take(pa.array(graph.tail)),
    }
    pq.write_table(pa.table(columns), stream, compression="zstd")
