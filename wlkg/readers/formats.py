"""The table of input formats: names, suffixes and readers.

A reader is a function of a source, the name of the format and the options. Its module is imported
when the format is first read, so ``wlkg --help`` loads none of them.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from wlkg.errors import InputError, UsageError, unknown_name
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import COMPRESSIONS, STDIN, Source, check_file

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph

    Reader = Callable[[Source, str, ReadOptions], RelationalGraph | Sequence[RelationalGraph]]


@dataclass(frozen=True)
class Format:
    """Where the reader of a format is, and the suffixes of its files."""

    module: str
    function: str
    suffixes: tuple[str, ...]
    summary: str

    def reader(self) -> Reader:
        module = importlib.import_module(f"wlkg.readers.{self.module}")
        return cast("Reader", getattr(module, self.function))


FORMATS: dict[str, Format] = {
    "ntriples": Format("ntriples", "read_ntriples", (".nt", ".ntriples"), "N-Triples"),
    "nquads": Format("ntriples", "read_ntriples", (".nq", ".nquads"), "N-Quads"),
    "turtle": Format("rdf", "read_rdf", (".ttl", ".turtle"), "Turtle"),
    "trig": Format("rdf", "read_rdf", (".trig",), "TriG"),
    "n3": Format("rdf", "read_rdf", (".n3",), "Notation3"),
    "rdfxml": Format("rdf", "read_rdf", (".rdf", ".owl", ".rdfs", ".xml"), "RDF/XML"),
    "jsonld": Format("rdf", "read_rdf", (".jsonld",), "JSON-LD"),
    "tsv": Format("edgelist", "read_edgelist", (".tsv", ".tab"), "tab-separated triples"),
    "csv": Format("edgelist", "read_edgelist", (".csv",), "comma-separated triples"),
    "txt": Format(
        "edgelist", "read_edgelist", (".txt",), "triples separated by tabs or else whitespace"
    ),
    "edgelist": Format(
        "edgelist", "read_edgelist", (".edges", ".edgelist"), "whitespace-separated triples"
    ),
    "graph6": Format(
        "graph6",
        "read_graph6",
        (".g6", ".s6", ".d6", ".graph6", ".sparse6", ".digraph6"),
        "graph6, sparse6, digraph6",
    ),
    "graphml": Format("documents", "read_document", (".graphml",), "GraphML"),
    "gexf": Format("documents", "read_document", (".gexf",), "GEXF"),
    "json": Format("documents", "read_document", (".json",), "node-link JSON"),
    "parquet": Format("parquet", "read_parquet", (".parquet", ".pq"), "Parquet"),
    "folder": Format(
        "folders", "read_folder", (), "a folder with train.txt, or entity2id.txt and companions"
    ),
}

#: The format that each suffix means.
SUFFIXES = {suffix: name for name, entry in FORMATS.items() for suffix in entry.suffixes}

#: Other names that ``--format`` accepts: any suffix without its dot.
_ALIASES = {suffix[1:]: name for suffix, name in SUFFIXES.items()}


def find_format(path: str, format_name: str | None) -> str:
    """The format with this name; without a name, the format of the path's suffix."""
    if format_name is not None:
        name = _ALIASES.get(format_name.lower().removeprefix("."), format_name.lower())
        if name not in FORMATS:
            raise unknown_name("format", format_name, FORMATS)
        return name
    if path == STDIN:
        raise UsageError("reading from standard input needs --format")
    if os.path.isdir(path):  # noqa: PTH112  never raises
        return "folder"
    check_file(path)
    suffix = Source(path).suffixes[0]
    if suffix not in SUFFIXES:
        known = " ".join([*SUFFIXES, "(each also with", *COMPRESSIONS]) + ")"
        raise InputError(
            f"unknown suffix {suffix!r}" if suffix else "the name has no suffix",
            path=path,
            remedy=f"Name the format with --format; known suffixes: {known}",
        )
    return SUFFIXES[suffix]
