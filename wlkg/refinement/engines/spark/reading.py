"""Triples of names as a DataFrame, from Parquet, TSV, CSV or N-Triples, read in partitions.

Names are those of `wlkg.readers`, so that a graph has the same vertices with any engine. Lines of
N-Triples whose terms are plainly in canonical form are split in the JVM. All others (escapes,
comments, odd IRIs, mistakes) go to pyoxigraph in Python workers, if there are any.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as fn

from wlkg.errors import InputError
from wlkg.graph.names import DEFAULT_RELATION
from wlkg.graph.terms import NAME_PREFIX
from wlkg.readers.columns import choose_columns, is_header
from wlkg.readers.labels import LABEL_TITLES, VERTEX_TITLES
from wlkg.readers.source import Source, check_file
from wlkg.refinement.engines.spark.formats import COMPRESSIONS, is_elsewhere, is_parquet_folder
from wlkg.refinement.engines.spark.session import without_pandas_warning

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("head", "relation", "tail")

# Java's matcher recurses for every repetition of a group, so these repeat classes of characters.
_CHARS = r"[A-Za-z0-9._~!$&'()*+,;=:@/?-]*+"
_IRI = rf"<https?://[A-Za-z0-9._~-]++(?:/{_CHARS}(?:%[0-9A-Fa-f]{{2}}{_CHARS})*+)?(?:#{_CHARS})?>"
_BLANK = r"_:[A-Za-z0-9_]++"
_LITERAL = rf'"[^"\\\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]*+"(?:@[a-z]{{2,3}}|\^\^{_IRI})?'
#: How wlkg writes a name that is no RDF term; letters and digits stand for themselves.
_NAME = r"<urn:wlkg:name:[A-Za-z0-9]++>"
_PLAIN = rf"^({_IRI}|{_NAME}|{_BLANK}) ({_IRI}|{_NAME}) ({_IRI}|{_NAME}|{_BLANK}|{_LITERAL}) \.\r?$"
#: A datatype that only a language tag gives, and one that says nothing.
_DISGUISED = "[lL]angString> \\.\r?$"
_XSD_STRING = "^^<http://www.w3.org/2001/XMLSchema#string>"
_SKIPPED = r"^\s*(?:#.*)?$"


def read_triples(session: SparkSession, path: str) -> DataFrame:
    """The triples of a file or folder as texts; a triple may be repeated."""
    suffix, compression = Source(path).suffixes
    if compression not in COMPRESSIONS:
        raise InputError(
            f"Spark does not read {compression}",
            path=path,
            remedy="Unpack it, or write Parquet with wlkg convert",
        )
    reader = _READERS.get(suffix)
    if reader is None and is_parquet_folder(path):
        reader = _read_parquet
    if reader is None:
        raise InputError(
            f"the Spark engine does not read {suffix or 'this'}",
            path=path,
            remedy="Write Parquet, TSV, CSV or N-Triples with wlkg convert",
        )
    if not is_elsewhere(path) and not Path(path).is_dir():
        check_file(path)
    return reader(session, path)


def _read_parquet(session: SparkSession, path: str) -> DataFrame:
    table = session.read.parquet(path)
    places = choose_columns(None, table.columns, path).places
    columns = [
        fn.lit(DEFAULT_RELATION) if place is None else fn.col(f"`{table.columns[place]}`")
        for place in places
    ]
    return _checked(table.select(_named(columns)), path)


def _read_tsv(session: SparkSession, path: str) -> DataFrame:
    first = _first_row(path)
    fields = first.split("\t")
    header = fields if is_header(fields) else None
    columns = choose_columns(None, header, path)
    lines = session.read.option("lineSep", "\n").text(path)
    line = fn.regexp_replace("value", "\r$", "")
    kept = lines.select(line.alias("line")).filter(~fn.col("line").rlike(r"^(?:\s*$|#)"))
    if header is not None:
        kept = kept.filter(fn.col("line") != first)
    parts = fn.split("line", "\t")
    wrong = fn.size("parts") != columns.width
    complaint = fn.concat(
        fn.lit(f"InputError: {path}: expected {columns.width} tab-separated fields, found "),
        fn.size("parts"),
        fn.lit(" in the line: "),
        fn.substring("line", 1, 200),
    )
    # A wrong line stops the job with a message that names it.
    table = kept.select("line", parts.alias("parts")).select(
        fn.when(wrong, fn.raise_error(complaint)).otherwise(fn.col("parts")).alias("parts")
    )
    chosen = [
        fn.lit(DEFAULT_RELATION) if place is None else fn.col("parts")[place]
        for place in columns.places
    ]
    return _checked(table.select(_named(chosen)), path)


def _read_csv(session: SparkSession, path: str) -> DataFrame:
    import csv

    fields = next(csv.reader([_first_row(path)]), [])
    header = fields if is_header(fields) else None
    columns = choose_columns(None, header, path)
    names = [f"field{place}" for place in range(columns.width)]
    table = (
        session.read.option("mode", "FAILFAST")
        .option("header", header is not None)
        .option("enforceSchema", True)
        .option("escape", '"')
        .option("comment", "#")
        .schema(", ".join(f"{name} string" for name in names))
        .csv(path)
    )
    chosen = [
        fn.lit(DEFAULT_RELATION) if place is None else fn.col(names[place])
        for place in columns.places
    ]
    return _checked(table.select(_named(chosen)), path)


def _read_ntriples(session: SparkSession, path: str) -> DataFrame:
    lines = session.read.option("lineSep", "\n").text(path)
    plain = fn.col("value").rlike(_PLAIN) & ~fn.col("value").rlike(_DISGUISED)
    # The pattern has no space inside the first two terms, so splitting is all that is left to do.
    words = fn.split("value", " ", 3)
    last = fn.regexp_replace(words[2], " \\.\r?$", "")
    terms = [_term_name(term) for term in (words[0], words[1], last)]
    quick = lines.filter(plain).select(_named(terms))
    careful = lines.filter(~plain & ~fn.col("value").rlike(_SKIPPED))
    if careful.isEmpty():
        return quick
    schema = ", ".join(f"{name} string" for name in COLUMNS)
    with without_pandas_warning():
        return quick.union(careful.mapInArrow(_parser(path), schema))


def _term_name(term: Column) -> Column:
    """The name of a term: an IRI without its brackets, a literal without the default datatype."""
    inner = fn.substring(term, fn.lit(2), fn.length(term) - 2)
    short = fn.substring(term, fn.lit(1), fn.length(term) - len(_XSD_STRING))
    name = fn.when(term.startswith(f"<{NAME_PREFIX}"), fn.regexp_replace(inner, NAME_PREFIX, ""))
    return (
        name.when(term.startswith("<"), inner)
        .when(term.endswith(_XSD_STRING), short)
        .otherwise(term)
    )


def _parser(path: str) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What Python workers do with the lines in doubt."""

    def parse(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        from wlkg.readers.rdf_names import GraphChoice, TermNames
        from wlkg.readers.rdf_parsing import FORMATS, parsed_quads, parsed_rows

        names = TermNames()
        for batch in batches:
            rows = []
            for line in batch.column(0).to_pylist():
                try:
                    quads = parsed_quads(line.encode(), FORMATS["ntriples"], path)
                    rows += list(parsed_rows(quads, names, GraphChoice(None), "shared"))
                except (SyntaxError, ValueError) as error:
                    raise InputError(f"{error} in the line: {line[:200]}", path=path) from None
            columns = list(zip(*rows, strict=True)) or [()] * 3
            arrays = [pa.array(column, pa.string()) for column in columns]
            yield pa.RecordBatch.from_arrays(arrays, names=list(COLUMNS))

    return parse


def read_labels(session: SparkSession, path: str) -> DataFrame:
    """The columns ``name`` and ``label`` of a TSV; a header is recognised."""
    lines = session.read.option("lineSep", "\n").text(path)
    line = fn.regexp_replace("value", "\r$", "")
    kept = lines.select(line.alias("line")).filter(~fn.col("line").rlike(r"^\s*$"))
    first = _first_row(path)
    titles = first.lower().split("\t")
    if len(titles) == 2 and titles[0] in VERTEX_TITLES and titles[1] in LABEL_TITLES:
        kept = kept.filter(fn.col("line") != first)
    parts = fn.split("line", "\t")
    message = fn.concat(
        fn.lit(f"InputError: {path}: expected a vertex, a tab and a label, found the line: "),
        fn.substring("line", 1, 200),
    )
    pair = fn.when(fn.size(parts) == 2, parts).otherwise(fn.raise_error(message))
    return kept.select(pair.alias("parts")).select(
        fn.col("parts")[0].alias("name"), fn.col("parts")[1].alias("label")
    )


def _named(columns: Iterable[Column]) -> list[Column]:
    return [
        column.cast("string").alias(name) for column, name in zip(columns, COLUMNS, strict=True)
    ]


def _checked(table: DataFrame, path: str) -> DataFrame:
    """The table, which stops a job where a name is empty or null."""
    message = f"InputError: {path}: an empty name. Every vertex and relation needs a name"
    return table.select(
        [
            fn.when(fn.length(name) > 0, fn.col(name))
            .otherwise(fn.raise_error(fn.lit(message)))
            .alias(name)
            for name in COLUMNS
        ]
    )


def _first_row(path: str) -> str:
    """The first line that is neither empty nor a comment; a folder is represented by one file."""
    file = Path(path)
    if is_elsewhere(path):
        return ""
    if file.is_dir():
        file = min(part for part in file.iterdir() if part.name[0] not in "._")
    opener = gzip.open if file.suffix == ".gz" else open
    with opener(file, "rt", encoding="utf-8") as stream:
        lines = (line.rstrip("\r\n") for line in stream)
        return next((line for line in lines if line.strip() and not line.startswith("#")), "")


_READERS: dict[str, Callable[[SparkSession, str], DataFrame]] = {
    ".parquet": _read_parquet,
    ".pq": _read_parquet,
    ".tsv": _read_tsv,
    ".tab": _read_tsv,
    ".txt": _read_tsv,
    ".csv": _read_csv,
    ".nt": _read_ntriples,
    ".ntriples": _read_ntriples,
}
