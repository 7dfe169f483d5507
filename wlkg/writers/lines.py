"""Formats with one triple per line: N-Triples, TSV, CSV."""

from __future__ import annotations

import csv
import io
from typing import BinaryIO

import numpy as np

from wlkg.errors import OutputError
from wlkg.graph import RelationalGraph
from wlkg.readers.columns import is_header
from wlkg.terms import relation_iri, vertex_term

_COMMENT = "#"


def write_ntriples(graph: RelationalGraph, stream: BinaryIO) -> None:
    """N-Triples; names that are no RDF terms become IRIs (see `wlkg.terms`)."""
    # A literal may not be a subject; the same vertex must be the same term in both places.
    is_head = np.zeros(graph.num_vertices, dtype=bool)
    is_head[graph.head] = True
    terms = [
        vertex_term(name, is_head=subject)
        for name, subject in zip(graph.vertex_names, is_head.tolist(), strict=True)
    ]
    relations = [relation_iri(name) for name in graph.relation_names]
    for h, r, t in zip(
        graph.head.tolist(), graph.relation.tolist(), graph.tail.tolist(), strict=True
    ):
        stream.write(f"{terms[h]} {relations[r]} {terms[t]} .\n".encode())


def write_tsv(graph: RelationalGraph, stream: BinaryIO) -> None:
    """Tab-separated names without a header; a name that this cannot hold is an error."""
    for name in (*graph.vertex_names, *graph.relation_names):
        if "\t" in name or "\n" in name or "\r" in name:
            raise OutputError(
                f"the name {name!r} has a tab or line break, which TSV cannot hold. Write .csv, "
                ".json or .parquet"
            )
    rows = graph.named_triples()
    for number, row in enumerate(rows):
        if row[0].startswith(_COMMENT):
            raise OutputError(
                f"the name {row[0]!r} would be read as a comment. Write .csv, .json or .parquet"
            )
        if number == 0 and is_header(row):
            stream.write(b"head\trelation\ttail\n")
        stream.write(("\t".join(row) + "\n").encode())


def write_csv(graph: RelationalGraph, stream: BinaryIO) -> None:
    """Comma-separated names with a header, quoted where needed."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    text.write("head,relation,tail\n")
    plain = csv.writer(text, lineterminator="\n")
    quoted = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in graph.named_triples():
        (quoted if row[0].startswith(_COMMENT) or "\r" in "".join(row) else plain).writerow(row)
    text.detach()
