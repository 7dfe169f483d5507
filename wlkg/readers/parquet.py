"""Parquet tables of triples: columns by common titles, by ``--columns``, or the first three."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from wlkg.errors import InputError
from wlkg.graph.name_columns import name_column, single_relation
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.triple_table import TripleSink, TripleTable
from wlkg.readers.columns import choose_columns
from wlkg.readers.complaints import complaints
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import STDIN, Source, check_file

_ROWS = 1 << 18
#: Bytes that a row takes while it is read, if blocks are to be small: its names, several times.
_BYTES_OF_A_ROW = 64
_UNREADABLE = "not a readable Parquet file"


def read_parquet(source: Source, _format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read a table of triples."""
    table = TripleTable(source.progress)
    add_parquet(source, options, table)
    if not len(table):
        raise InputError("the file holds no triple", path=source.path)
    return RelationalGraph.from_arrays(**table.arrays())


def add_parquet(source: Source, options: ReadOptions, table: TripleSink) -> None:
    """Add the rows of a file to a table of triples, a batch at a time."""
    in_memory = source.path == STDIN or source.suffixes[1] != ""
    if not in_memory:
        check_file(source.path)
        source.budget.stored = Path(source.path).stat().st_size
    content = io.BytesIO(source.read_document()) if in_memory else source.path
    with complaints(_UNREADABLE, source.path):
        file = pq.ParquetFile(content)
    with file:
        _read_batches(file, table, source, options)


def _read_batches(
    file: pq.ParquetFile, table: TripleSink, source: Source, options: ReadOptions
) -> None:
    header = file.schema_arrow.names
    columns = choose_columns(options.columns, header, source.path)
    if columns.width != len(header):
        raise InputError(
            f"expected {columns.width} columns, found {len(header)}: {', '.join(header)}",
            path=source.path,
        )
    wanted = [header[j] for j in columns.places if j is not None]
    twice = [name for name in wanted if header.count(name) > 1]
    if twice:
        raise InputError(f"several columns are called {twice[0]!r}", path=source.path)
    row = 0
    source.progress.start(f"reading {source.path}", file.metadata.num_rows, "rows")
    try:
        for batch in _batches(file, wanted, source):
            source.budget.spend(batch.nbytes, "with its columns decompressed")
            table.add(
                *(
                    single_relation(len(batch))
                    if j is None
                    else name_column(batch.column(header[j]), header[j], row)
                    for j in columns.places
                )
            )
            row += len(batch)
            source.progress.done(row)
    finally:
        source.progress.finish()


def _batches(file: pq.ParquetFile, columns: list[str], source: Source) -> Iterator[pa.RecordBatch]:
    with complaints(_UNREADABLE, source.path):
        if source.most_at_once is None:
            yield from file.iter_batches(_ROWS, columns=columns)
            return
        rows = min(_ROWS, max(source.most_at_once // _BYTES_OF_A_ROW, 1))
        # One row group at a time: asked for all, Arrow keeps several in memory.
        for group in range(file.num_row_groups):
            yield from file.iter_batches(rows, row_groups=[group], columns=columns)
