"""Rows about vertices as a file: CSV, JSON or Parquet, by suffix."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt

from wlkg.arrays import IntArray
from wlkg.errors import OutputError
from wlkg.writers.aside import written_aside

SUFFIXES = (".csv", ".json", ".parquet")
#: The number of rows that are best held in memory as text at a time.
CHUNK = 500_000


@dataclass(frozen=True, eq=False)
class Names:
    """A column of names: row i has ``texts[places[i]]``."""

    texts: Sequence[str]
    places: IntArray

    def tolist(self) -> list[str]:
        return [self.texts[place] for place in self.places.tolist()]


#: Names or numbers.
Column: TypeAlias = Names | npt.NDArray[Any]
#: Some of the rows, column by column.
Chunk: TypeAlias = Sequence[Column]


def check_rows_path(path: str, what: str) -> None:
    """Refuse a path that cannot be written, before any work is done."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise OutputError(f"{path}: {what} are written as {', '.join(SUFFIXES)}, by suffix")
    if not Path(path).resolve().parent.is_dir():
        raise OutputError(f"{path}: there is no such folder")


def write_rows(path: str, titles: Sequence[str], chunks: Iterable[Chunk]) -> None:
    """Write rows under column titles; the chunks, at least one, share the texts of their names."""
    several = iter(chunks)
    first = next(several)
    with written_aside(Path(path)) as stream:
        write = _WRITERS[Path(path).suffix.lower()]
        write(titles, first, chain([first], several), stream)


def _rows(chunks: Iterable[Chunk]) -> Iterator[Iterator[tuple[Any, ...]]]:
    for chunk in chunks:
        yield zip(*(column.tolist() for column in chunk), strict=True)


def _write_csv(
    titles: Sequence[str], first: Chunk, chunks: Iterable[Chunk], stream: BinaryIO
) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    plain = csv.writer(text, lineterminator="\n")
    quoted = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    # Readers take a carriage return for the end of a line, but the plain writer does not quote it.
    names = chain.from_iterable(column.texts for column in first if isinstance(column, Names))
    writer = quoted if any("\r" in name for name in names) else plain
    (quoted if any("\r" in title for title in titles) else plain).writerow(titles)
    for rows in _rows(chunks):
        writer.writerows(rows)
    text.detach()


def _write_json(titles: Sequence[str], _: Chunk, chunks: Iterable[Chunk], stream: BinaryIO) -> None:
    before = b"[\n"
    for rows in _rows(chunks):
        for row in rows:
            stream.write(before + json.dumps(dict(zip(titles, row, strict=True))).encode())
            before = b",\n"
    stream.write(b"[]\n" if before == b"[\n" else b"\n]\n")


def _write_parquet(
    titles: Sequence[str], first: Chunk, chunks: Iterable[Chunk], stream: BinaryIO
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = [
        pa.array(column.texts, pa.large_string()) if isinstance(column, Names) else None
        for column in first
    ]

    def array(column: Column, names: pa.Array | None) -> pa.Array:
        if isinstance(column, Names):
            assert names is not None
            return names.take(pa.array(column.places))
        return pa.array(column.astype(np.int64) if column.dtype.kind == "i" else column)

    columns = zip(titles, first, texts, strict=True)
    schema = pa.schema([(title, array(column, names).type) for title, column, names in columns])
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for chunk in chunks:
            arrays = [array(*both) for both in zip(chunk, texts, strict=True)]
            writer.write_table(pa.table(arrays, schema=schema))


_WRITERS: dict[str, Callable[[Sequence[str], Chunk, Iterable[Chunk], BinaryIO], None]] = {
    ".csv": _write_csv,
    ".json": _write_json,
    ".parquet": _write_parquet,
}
