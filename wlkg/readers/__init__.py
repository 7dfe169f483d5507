"""Reading graphs: one table from suffixes to formats to readers.

``read`` takes a path, ``-`` for standard input (with ``format``), ``FILE#3`` for the third graph
of a file that holds several, or ``example:NAME``.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from wlkg.errors import GraphError, InputError, UsageError, unknown_name
from wlkg.examples import PREFIX, example
from wlkg.progress import SILENT, Progress
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import COMPRESSIONS, STDIN, Source, check_file

if TYPE_CHECKING:
    from wlkg.arcs import Direction
    from wlkg.graph import RelationalGraph

ALL = "all"
_is_number = re.compile("-?[0-9]{1,9}").fullmatch


@dataclass(frozen=True)
class Format:
    """A format: its reader, loaded when needed, and the suffixes that mean it."""

    module: str
    function: str
    suffixes: tuple[str, ...]
    summary: str

    def reader(
        self,
    ) -> Callable[[Source, str, ReadOptions], RelationalGraph | list[RelationalGraph]]:
        found = getattr(importlib.import_module(f"wlkg.readers.{self.module}"), self.function)
        return cast(
            "Callable[[Source, str, ReadOptions], RelationalGraph | list[RelationalGraph]]", found
        )


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

SUFFIXES = {suffix: name for name, entry in FORMATS.items() for suffix in entry.suffixes}

#: Names that are also understood after ``--format``: any suffix without its dot.
_ALIASES = {suffix[1:]: name for suffix, name in SUFFIXES.items()}


def read(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    direction: Direction | None = None,
    progress: Progress = SILENT,
    **options: Any,
) -> RelationalGraph:
    """The graph at ``path``; ``options`` are the fields of `ReadOptions`."""
    graphs, choice = _read(str(path), format, direction, progress, ReadOptions(**options))
    if choice == ALL or (choice is None and len(graphs) > 1):
        raise InputError(
            f"the file holds {len(graphs)} graphs",
            path=path,
            remedy=f"Choose one: '{path}#1' to '{path}#{len(graphs)}'",
        )
    return graphs[0]


def read_all(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    direction: Direction | None = None,
    progress: Progress = SILENT,
    **options: Any,
) -> list[RelationalGraph]:
    """All graphs of a file; ``FILE#all`` says so explicitly."""
    return _read(str(path), format, direction, progress, ReadOptions(**options))[0]


def _read(
    text: str,
    format_name: str | None,
    direction: Direction | None,
    progress: Progress,
    options: ReadOptions,
) -> tuple[list[RelationalGraph], str | None]:
    if text.startswith(PREFIX):
        found: RelationalGraph | list[RelationalGraph] = example(text)
        choice = None
    else:
        path, choice = _split_choice(text)
        name = find_format(path, format_name)
        source = Source(path, progress)
        try:
            found = FORMATS[name].reader()(source, name, options)
        except GraphError as error:
            raise InputError(str(error), path=path) from error
        if choice is not None and choice != ALL:
            found = _chosen(found, choice, path)
    graphs = found if isinstance(found, list) else [found]
    return [
        graph if direction is None else graph.with_direction(direction) for graph in graphs
    ], choice


def _split_choice(text: str) -> tuple[str, str | None]:
    """``FILE#3`` and ``FILE#all``; a file whose name really ends so comes first."""
    path, mark, choice = text.rpartition("#")
    if mark and (choice == ALL or _is_number(choice)) and not os.path.exists(text):  # noqa: PTH110  never raises
        return path, choice
    return text, None


def _chosen(
    found: RelationalGraph | list[RelationalGraph], choice: str, path: str
) -> RelationalGraph:
    graphs = found if isinstance(found, list) else [found]
    if not 1 <= int(choice) <= len(graphs):
        raise UsageError(
            f"{path}#{choice}: graphs are counted from 1, and the file holds {len(graphs)}"
        )
    return graphs[int(choice) - 1]


def find_format(path: str, format_name: str | None) -> str:
    """The format of that name, else the one of the path's suffix."""
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
            remedy=f"Say what it is with --format; known suffixes: {known}",
        )
    return SUFFIXES[suffix]
