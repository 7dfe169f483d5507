"""Colours as a file: a row for each vertex, or for each tuple."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from wlkg.arrays import IntArray
from wlkg.errors import OutputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.results import Refinement
from wlkg.writers.aside import written_aside

COLOUR_SUFFIXES = (".csv", ".json", ".parquet")

#: The number of rows that are held in memory as text at a time.
_CHUNK = 500_000


def check_colours_path(path: str) -> None:
    """Refuse a path that cannot be written, before any work is done."""
    if Path(path).suffix.lower() not in COLOUR_SUFFIXES:
        raise OutputError(f"{path}: colours are written as {', '.join(COLOUR_SUFFIXES)}, by suffix")
    if not Path(path).resolve().parent.is_dir():
        raise OutputError(f"{path}: there is no such folder")


def write_colours(graph: RelationalGraph, refinement: Refinement, path: str) -> None:
    """Write the columns ``vertex`` and ``colour``."""
    _write(path, ("vertex",), graph.vertex_names, refinement.vertices.partition())


def write_tuple_colours(graph: RelationalGraph, refinement: Refinement, path: str) -> None:
    """Write the columns ``vertex1`` .. ``vertexK`` and ``colour``."""
    titles = tuple(f"vertex{j}" for j in range(1, refinement.arity + 1))
    _write(path, titles, graph.vertex_names, refinement.partition)


def _write(path: str, titles: tuple[str, ...], names: Sequence[str], partition: Partition) -> None:
    check_colours_path(path)
    with written_aside(Path(path)) as stream:
        _WRITERS[Path(path).suffix.lower()](titles, names, partition, stream)


def _chunks(arity: int, n: int, partition: Partition) -> Iterator[tuple[list[IntArray], IntArray]]:
    """The vertices of the tuples, one column per position, and their colours, in chunks."""
    for begin in range(0, partition.num_items, _CHUNK):
        colours = partition.colours[begin : begin + _CHUNK]
        rest = np.arange(begin, begin + len(colours))
        columns = []
        for _ in range(arity):
            columns.append(rest % n)
            rest //= n
        yield columns[::-1], colours


def _rows(
    arity: int, names: Sequence[str], partition: Partition
) -> Iterator[Iterator[tuple[str | int, ...]]]:
    for columns, colours in _chunks(arity, len(names), partition):
        texts = [[names[v] for v in column.tolist()] for column in columns]
        yield zip(*texts, colours.tolist(), strict=True)


def _write_csv(
    titles: tuple[str, ...], names: Sequence[str], partition: Partition, stream: BinaryIO
) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    plain = csv.writer(text, lineterminator="\n")
    quoted = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    plain.writerow([*titles, "colour"])
    # Readers take a carriage return for the end of a line, but the plain writer does not quote it.
    writer = quoted if any("\r" in name for name in names) else plain
    for rows in _rows(len(titles), names, partition):
        writer.writerows(rows)
    text.detach()


def _write_json(
    titles: tuple[str, ...], names: Sequence[str], partition: Partition, stream: BinaryIO
) -> None:
    keys = (*titles, "colour")
    before = b"[\n"
    for rows in _rows(len(titles), names, partition):
        for row in rows:
            stream.write(before + json.dumps(dict(zip(keys, row, strict=True))).encode())
            before = b",\n"
    stream.write(b"[]\n" if before == b"[\n" else b"\n]\n")


def _write_parquet(
    titles: tuple[str, ...], names: Sequence[str], partition: Partition, stream: BinaryIO
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = pa.array(names, pa.large_string())
    fields = [(title, texts.type) for title in titles]
    schema = pa.schema([*fields, ("colour", pa.int64())])
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for columns, colours in _chunks(len(titles), len(names), partition):
            arrays = [texts.take(pa.array(column)) for column in columns]
            table = pa.table([*arrays, pa.array(colours.astype(np.int64))], schema=schema)
            writer.write_table(table)


_WRITERS = {".csv": _write_csv, ".json": _write_json, ".parquet": _write_parquet}
