"""Reading a graph into a table of any kind, block by block, so that it need not fit into memory."""

from __future__ import annotations

from wlkg.examples import PREFIX
from wlkg.graph.triple_table import TripleSink
from wlkg.readers.formats import find_format
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import Source

_LINES = ("ntriples", "nquads")
_TABLES = ("tsv", "csv", "txt", "edgelist")
STREAMED_FORMATS = (*_LINES, *_TABLES, "parquet")


def can_stream(path: str, format_name: str | None = None) -> bool:
    """Whether a graph argument is a single file in a format that is read block by block."""
    return not path.startswith(PREFIX) and find_format(path, format_name) in STREAMED_FORMATS


def stream_triples(
    source: Source, format_name: str | None, options: ReadOptions, table: TripleSink
) -> tuple[str, ...]:
    """Add the triples of a file to a table; the notes say which lines were skipped."""
    name = find_format(source.path, format_name)
    if name in _TABLES:
        from wlkg.readers.edgelist import read_edges

        return read_edges(source, name, options, table)
    if name == "parquet":
        from wlkg.readers.parquet import add_parquet

        add_parquet(source, options, table)
    else:
        from wlkg.readers.ntriples import add_ntriples

        add_ntriples(source, name, options, table)
    return ()
