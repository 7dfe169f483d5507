"""The table of output formats: names, suffixes, writers, and what of a graph each can hold."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from wlkg.errors import OutputError, unknown_name
from wlkg.readers.source import Source

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph


@dataclass(frozen=True)
class Writer:
    """A format: its function, imported on first use, its suffixes, and what it can hold."""

    module: str
    function: str
    suffixes: tuple[str, ...]
    holds_isolated: bool = False
    holds_labels: bool = False
    holds_undirected: bool = False
    #: Whether two vertices may be the same literal (literal policy ``occurrence``).
    holds_occurrences: bool = True

    def __call__(self, graph: RelationalGraph, stream: BinaryIO) -> None:
        function = getattr(importlib.import_module(f"wlkg.writers.{self.module}"), self.function)
        cast("Callable[[RelationalGraph, BinaryIO], None]", function)(graph, stream)


WRITERS: dict[str, Writer] = {
    "ntriples": Writer("lines", "write_ntriples", (".nt", ".ntriples"), holds_occurrences=False),
    "turtle": Writer("rdf", "write_turtle", (".ttl", ".turtle"), holds_occurrences=False),
    "trig": Writer("rdf", "write_trig", (".trig",), holds_occurrences=False),
    "n3": Writer("rdf", "write_n3", (".n3",), holds_occurrences=False),
    "rdfxml": Writer("rdf", "write_rdfxml", (".rdf", ".owl", ".xml"), holds_occurrences=False),
    "tsv": Writer("lines", "write_tsv", (".tsv", ".tab", ".txt")),
    "csv": Writer("lines", "write_csv", (".csv",)),
    "parquet": Writer("parquet", "write_parquet", (".parquet", ".pq")),
    "graphml": Writer(
        "documents",
        "write_graphml",
        (".graphml",),
        holds_isolated=True,
        holds_labels=True,
        holds_undirected=True,
    ),
    "json": Writer(
        "documents",
        "write_json",
        (".json",),
        holds_isolated=True,
        holds_labels=True,
        holds_undirected=True,
    ),
    "graph6": Writer(
        "graph6", "write_graph6", (".g6", ".graph6"), holds_isolated=True, holds_undirected=True
    ),
}

#: The format that each suffix means.
SUFFIXES = {suffix: name for name, writer in WRITERS.items() for suffix in writer.suffixes}


def find_writer(path: Path, format_name: str | None) -> Writer:
    """The writer of the format with this name; without a name, of the path's suffix."""
    suffix, compression = Source(str(path)).suffixes
    if compression not in ("", ".gz"):
        raise OutputError(
            f"{path}: cannot write {compression}: the only compression for output is .gz"
        )
    if format_name is not None:
        name = SUFFIXES.get(f".{format_name.lower().removeprefix('.')}", format_name.lower())
        if name not in WRITERS:
            raise unknown_name("output format", format_name, WRITERS)
        return WRITERS[name]
    if suffix not in SUFFIXES:
        raise OutputError(
            f"{path}: cannot tell the format from the suffix {suffix!r}. "
            f"Name it with --to, or use one of {' '.join(SUFFIXES)}"
        )
    return WRITERS[SUFFIXES[suffix]]
