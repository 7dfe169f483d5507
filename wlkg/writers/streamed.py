"""Triples written piece by piece, for graphs that do not fit into memory: TSV, N-Triples, Parquet.

Vertices are called 0, 1, 2, ... as far as the graph goes; relations have names. What is written is
what the writers of whole graphs write, and readers cannot tell the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wlkg.arrays import Int64Array
from wlkg.errors import OutputError
from wlkg.graph.terms import NAME_PREFIX, relation_iri
from wlkg.writers.formats import WRITERS, Writer
from wlkg.writers.lines import check_tsv_names

#: Heads, relations and tails of some triples, as numbers.
Columns = tuple[Int64Array, Int64Array, Int64Array]

#: Rows of a row group in Parquet. It is fixed, so that equal graphs give equal bytes.
_GROUP = 1 << 20
_TEXT = pa.large_string()
_NAMES = ("head", "relation", "tail")


def check_streamed(writer: Writer) -> None:
    """Refuse a format that is not written piece by piece."""
    if writer not in (WRITERS["tsv"], WRITERS["ntriples"], WRITERS["parquet"]):
        raise OutputError(
            f"{writer.suffixes[0]} cannot be written piece by piece. Write .tsv, .nt or .parquet"
        )


def write_streamed(
    pieces: Iterable[Columns], relation_names: Sequence[str], writer: Writer, stream: BinaryIO
) -> None:
    """Write the triples of all pieces, in order."""
    if writer is WRITERS["parquet"]:
        _write_parquet(pieces, relation_names, stream)
        return
    if writer is WRITERS["tsv"]:
        check_tsv_names(relation_names)
        opening, closing = "", "\n"
        relations = [f"\t{name}\t" for name in relation_names]
    else:
        opening, closing = f"<{NAME_PREFIX}", "> .\n"
        relations = [f"> {relation_iri(name)} " for name in relation_names]
    between = pa.array(relations, _TEXT)
    for head, relation, tail in pieces:
        lines = pc.binary_join_element_wise(
            _text(opening),
            _names(head),
            between.take(pa.array(relation)),
            _text(opening),
            _names(tail),
            _text(closing),
            _text(""),
        )
        # The texts of an array lie end to end in its last buffer: here, they are the file.
        stream.write(memoryview(lines.buffers()[2]) if len(lines) else b"")


def _write_parquet(
    pieces: Iterable[Columns], relation_names: Sequence[str], stream: BinaryIO
) -> None:
    schema = pa.schema([(name, _TEXT) for name in _NAMES])
    relations = pa.array(relation_names, _TEXT)
    with pq.ParquetWriter(stream, schema, compression="zstd") as file:
        for head, relation, tail in _regrouped(pieces):
            columns = [_names(head), relations.take(pa.array(relation)), _names(tail)]
            file.write_table(pa.table(columns, schema=schema), row_group_size=_GROUP)


def _regrouped(pieces: Iterable[Columns]) -> Iterator[Columns]:
    """The same triples in pieces of `_GROUP` rows."""
    waiting: list[Columns] = []
    rows = 0
    for piece in pieces:
        waiting.append(piece)
        rows += len(piece[0])
        while rows >= _GROUP:
            together = _joined(waiting)
            yield together[0][:_GROUP], together[1][:_GROUP], together[2][:_GROUP]
            waiting = [(together[0][_GROUP:], together[1][_GROUP:], together[2][_GROUP:])]
            rows -= _GROUP
    if rows:
        yield _joined(waiting)


def _joined(pieces: Sequence[Columns]) -> Columns:
    head, relation, tail = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return head, relation, tail


def _names(ids: Int64Array) -> pa.Array:
    return pa.array(ids).cast(_TEXT)


def _text(text: str) -> pa.Scalar:
    return pa.scalar(text, _TEXT)
