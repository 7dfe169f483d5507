"""Formats with one triple per line: N-Triples, TSV and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import BinaryIO

from wlkg.errors import OutputError
from wlkg.graph.interop.ntriples import ntriples_lines
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.columns import is_header

_COMMENT = "#"
_BYTE_ORDER_MARK = "\ufeff"


def write_ntriples(graph: RelationalGraph, stream: BinaryIO) -> None:
    """N-Triples; names that are not RDF terms become IRIs (see `wlkg.graph.terms`)."""
    for line in ntriples_lines(graph):
        stream.write(line.encode())


def write_tsv(graph: RelationalGraph, stream: BinaryIO) -> None:
    """Tab-separated names, with a header only if the file would be misread without it."""
    check_tsv_names((*graph.vertex_names, *graph.relation_names))
    for vertex in set(graph.head.tolist()):
        if graph.vertex_names[vertex].startswith(_COMMENT):
            raise OutputError(
                f"the name {graph.vertex_names[vertex]!r} would be read as a comment. Write .csv, "
                ".json or .parquet"
            )
    if _needs_header(graph):
        stream.write(b"head\trelation\ttail\n")
    for row in graph.named_triples():
        stream.write(("\t".join(row) + "\n").encode())


def check_tsv_names(names: Iterable[str]) -> None:
    """Refuse names that TSV, which has no quotes, cannot hold."""
    for name in names:
        if "\t" in name or "\n" in name or "\r" in name:
            raise OutputError(
                f"the name {name!r} has a tab or line break, which TSV cannot hold. Write .csv, "
                ".json or .parquet"
            )


def _needs_header(graph: RelationalGraph) -> bool:
    """Whether a reader would mistake the first line for a header or a byte-order mark."""
    for number, row in enumerate(graph.named_triples()):
        if number == 0 and row[0].startswith(_BYTE_ORDER_MARK):
            return True
        if "".join(row).strip():
            return is_header(row)
    return False


def write_csv(graph: RelationalGraph, stream: BinaryIO) -> None:
    """Comma-separated names with a header, quoted where needed."""
    for name in (*graph.vertex_names, *graph.relation_names):
        if "\r\n" in name:
            raise OutputError(
                f"the name {name!r} has a line break of two characters, which CSV readers turn "
                "into one. Write .json or .parquet"
            )
        if len(name) > csv.field_size_limit():
            raise OutputError(
                f"the name {name[:40]!r}... is longer than {csv.field_size_limit():,} characters, "
                "which CSV readers refuse. Write .json or .parquet"
            )
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    text.write("head,relation,tail\n")
    plain = csv.writer(text, lineterminator="\n")
    quoted = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in graph.named_triples():
        (quoted if row[0].startswith(_COMMENT) or "\r" in "".join(row) else plain).writerow(row)
    text.detach()
