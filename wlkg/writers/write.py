"""Writing graphs: one table from suffixes to formats to writers.

Output goes to a file aside and is renamed at the end, so that an interrupted or failed run leaves
nothing behind. What a format cannot hold is refused, or lost only where ``lossy`` allows it.
Formats without undirected edges get each edge both ways: under direction mode ``both`` that graph
has the same colourings.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from wlkg.errors import OutputError, unknown_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import kind
from wlkg.readers.source import COMPRESSIONS
from wlkg.text import first_few
from wlkg.writers.aside import written_aside


@dataclass(frozen=True)
class Writer:
    """A format: its writer, its suffixes, and what of a graph it can hold."""

    module: str
    function: str
    suffixes: tuple[str, ...]
    holds_isolated: bool = False
    holds_labels: bool = False
    holds_undirected: bool = False
    #: Whether two vertices may be the same literal (literal policy ``occurrence``).
    holds_occurrences: bool = True

    def __call__(self, graph: RelationalGraph, stream: BinaryIO) -> None:
        found = getattr(importlib.import_module(f"wlkg.writers.{self.module}"), self.function)
        cast("Callable[[RelationalGraph, BinaryIO], None]", found)(graph, stream)


WRITERS: dict[str, Writer] = {
    "ntriples": Writer("lines", "write_ntriples", (".nt", ".ntriples"), holds_occurrences=False),
    "tsv": Writer("lines", "write_tsv", (".tsv", ".tab", ".txt")),
    "csv": Writer("lines", "write_csv", (".csv",)),
    "parquet": Writer("tables", "write_parquet", (".parquet", ".pq")),
    "graphml": Writer("documents", "write_graphml", (".graphml",), True, True, True),
    "json": Writer("documents", "write_json", (".json",), True, True, True),
    "graph6": Writer("graph6", "write_graph6", (".g6", ".graph6"), True, False, True),
}
SUFFIXES = {suffix: name for name, writer in WRITERS.items() for suffix in writer.suffixes}


def write(
    graph: RelationalGraph,
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    lossy: bool = False,
) -> tuple[str, ...]:
    """Write a graph; the answer says what of it the format could not hold."""
    place = Path(path)
    writer = WRITERS[find_writer(place, format)]
    losses = _losses(graph, writer)
    if losses and not lossy:
        raise OutputError(
            f"{place}: this format cannot hold {' or '.join(losses)}. Write .json or .graphml, "
            "or pass --lossy to do without"
        )
    if graph.direction == "undirected" and not writer.holds_undirected:
        graph = graph.both_ways()
        losses += ("that edges are undirected (each was written both ways)",)
    with written_aside(place) as stream:
        writer(graph, stream)
    return losses


def _losses(graph: RelationalGraph, writer: Writer) -> tuple[str, ...]:
    losses: list[str] = []
    if len(graph.isolated) and not writer.holds_isolated:
        names = [graph.vertex_names[i] for i in graph.isolated[:4].tolist()]
        losses.append(f"isolated vertices ({len(graph.isolated):,}: {first_few(names)})")
    if graph.labels is not None and not writer.holds_labels:
        losses.append("vertex labels")
    if not writer.holds_occurrences and any(map(_is_occurrence, graph.vertex_names)):
        losses.append("several vertices for one literal (literal policy occurrence)")
    return tuple(losses)


def _is_occurrence(name: str) -> bool:
    return name.startswith('"') and name.endswith("]") and kind(name) == "literal"


def find_writer(path: Path, format_name: str | None) -> str:
    """The format of that name, else the one of the path's suffix."""
    suffix = path.suffix.lower()
    if suffix in COMPRESSIONS and suffix != ".gz":
        raise OutputError(f"{path}: of compressed files only .gz can be written")
    if format_name is not None:
        name = SUFFIXES.get(f".{format_name.lower().removeprefix('.')}", format_name.lower())
        if name not in WRITERS:
            raise unknown_name("output format", format_name, WRITERS)
        return name
    if suffix == ".gz":
        suffix = Path(path.stem).suffix.lower()
    if suffix not in SUFFIXES:
        raise OutputError(
            f"{path}: cannot tell the format from the suffix {suffix!r}. "
            f"Say --to, or use one of {' '.join(SUFFIXES)}"
        )
    return SUFFIXES[suffix]
