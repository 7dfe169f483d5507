"""Parquet tables of triples: columns by common titles, by ``--columns``, or the first three."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wlkg.errors import InputError
from wlkg.graph.names import DEFAULT_RELATION
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.bulk import TripleTable
from wlkg.readers.columns import choose_columns
from wlkg.readers.complaints import complaints
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import STDIN, Source, check_file

_ROWS = 1 << 18
_UNREADABLE = "not a readable Parquet file"


def read_parquet(source: Source, _format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read a table of triples, a batch of rows at a time."""
    in_memory = source.path == STDIN or source.suffixes[1] != ""
    if not in_memory:
        check_file(source.path)
        source.budget.stored = Path(source.path).stat().st_size
    table = TripleTable(source.progress)
    content = io.BytesIO(source.read_document()) if in_memory else source.path
    with complaints(_UNREADABLE, source.path):
        file = pq.ParquetFile(content)
    with file:
        _read_batches(file, table, source, options)
    if not len(table):
        raise InputError("the file holds no triple", path=source.path)
    return RelationalGraph.from_arrays(**table.arrays())


def _read_batches(
    file: pq.ParquetFile, table: TripleTable, source: Source, options: ReadOptions
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
        for batch in _batches(file, wanted, source.path):
            source.budget.spend(batch.nbytes, "with its columns decompressed")
            table.add(
                *(
                    _single_relation(len(batch))
                    if j is None
                    else _text(batch.column(header[j]), header[j], row, source.path)
                    for j in columns.places
                )
            )
            row += len(batch)
            source.progress.done(row)
    finally:
        source.progress.finish()


def _batches(file: pq.ParquetFile, columns: list[str], path: str) -> Iterator[pa.RecordBatch]:
    with complaints(_UNREADABLE, path):
        yield from file.iter_batches(_ROWS, columns=columns)


def _single_relation(length: int) -> pa.DictionaryArray:
    codes = pa.array(np.zeros(length, dtype=np.int32))
    return pa.DictionaryArray.from_arrays(codes, pa.array([DEFAULT_RELATION], pa.large_string()))


def _text(column: pa.Array, name: str, first_row: int, path: str) -> pa.Array:
    """A column as non-empty text."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    simple = (
        pa.types.is_integer(column.type)
        or pa.types.is_string(column.type)
        or pa.types.is_large_string(column.type)
    )
    if not simple and not pa.types.is_null(column.type):
        raise InputError(
            f"column {name!r} holds {column.type}, expected text or whole numbers", path=path
        )
    if column.null_count:
        row = (
            first_row + int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0]) + 1
        )
        raise InputError(
            f"row {row}: column {name!r} is null",
            path=path,
            remedy="Every vertex and relation needs a name",
        )
    with complaints(_UNREADABLE, path):
        text = pc.cast(column, pa.large_string())
        text.validate(full=True)  # Parquet does not promise that text is UTF-8
    empty = np.flatnonzero(pc.equal(pc.binary_length(text), 0).to_numpy(zero_copy_only=False))
    if len(empty):
        raise InputError(
            f"row {first_row + int(empty[0]) + 1}: column {name!r} is empty",
            path=path,
            remedy="Every vertex and relation needs a name",
        )
    return text
