"""A corpus: groups of graphs whose pairs a test should separate, as in expressivity benchmarks.

==============================  ====================================================================
a file of many graphs           one group (graph6, sparse6 and digraph6, compressed or not)
a NumPy array ``.npy``          one group of graph6 texts, as in BREC: the pairs are consecutive
                                entries if the shape is (N,), and the rows if it is (N, 2)
a folder                        one group per such file and per subfolder of graphs; the files in
                                the folder that hold a single graph form one more group
==============================  ====================================================================

In an array, consecutive graphs form pairs; elsewhere every graph is paired with every other graph
of its group. Files are read in the order of their names. Nothing is ever unpickled, and the size
in the header of an array is compared with the file before anything is allocated.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, get_args

from wlkg.errors import InputError, TooLargeError, unknown_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.readers.formats import SUFFIXES
from wlkg.readers.labels import label
from wlkg.readers.npy import ARRAY, read_array
from wlkg.readers.read import read_all
from wlkg.readers.source import Source
from wlkg.text import counted, first_few

Pairing = Literal["consecutive", "all"]
PAIRINGS: tuple[Pairing, ...] = get_args(Pairing)

#: Limits on a corpus: a few bytes of sparse6 can declare millions of vertices.
MAX_VERTICES = 100_000_000
MAX_GRAPHS = 1_000_000


@dataclass(frozen=True, eq=False)
class Group:
    """Graphs and their pairs: each two consecutive graphs, or all pairs."""

    name: str
    graphs: tuple[RelationalGraph, ...]
    pairing: Pairing = "all"
    #: The path that it was read from.
    source: str | None = None

    def __post_init__(self) -> None:
        count, place = len(self.graphs), self.source or self.name
        if count < 2:
            raise InputError(
                f"there {'is only one graph' if count else 'are no graphs'}, so there is no pair",
                path=place,
                remedy="Give a file or a folder of several graphs",
            )
        if self.pairing == "consecutive" and count % 2:
            raise InputError(
                f"{count:,} graphs cannot form consecutive pairs: the number is odd",
                path=place,
                remedy="To pair every graph with every other, use --pairing all",
            )
        modes = sorted({graph.direction for graph in self.graphs})
        if len(modes) > 1:
            raise InputError(
                f"its graphs have different direction modes: {' and '.join(modes)}",
                path=place,
                remedy="Choose one with --direction",
            )

    @property
    def num_pairs(self) -> int:
        count = len(self.graphs)
        return count // 2 if self.pairing == "consecutive" else count * (count - 1) // 2

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs as positions of graphs, counted from 0."""
        count = len(self.graphs)
        if self.pairing == "all":
            return combinations(range(count), 2)
        return zip(range(0, count, 2), range(1, count, 2), strict=True)


@dataclass(frozen=True, eq=False)
class Corpus:
    """Groups of graphs, and notes for the user about how they were read."""

    groups: tuple[Group, ...]
    notes: tuple[str, ...]


def read_corpus(
    path: str | Path,
    *,
    pairing: str | None = None,
    progress: Progress = SILENT,
    **options: Any,
) -> Corpus:
    """The corpus at ``path``; ``options`` are those of `wlkg.read`, and ``labels``."""
    if pairing is not None and pairing not in PAIRINGS:
        raise unknown_name("pairing", pairing, PAIRINGS)
    reader = _Reader(options, progress)
    if os.path.isdir(path):  # noqa: PTH112  never raises
        parts = _uniquely_named(_parts_of_folder(Path(path), reader))
    else:
        parts = [_Part(_stem(str(path)), str(path), reader.read(str(path)))]
    if not parts:
        raise InputError(
            "the folder holds no graphs",
            path=path,
            remedy=f"Known suffixes: {' '.join([ARRAY, *SUFFIXES])}",
        )
    groups = tuple(part.group(pairing) for part in parts)
    notes = [text for group in groups for graph in group.graphs for text in graph.notes]
    return Corpus(groups, tuple(dict.fromkeys([*reader.notes, *notes])))


@dataclass(frozen=True, eq=False)
class _Part:
    """The graphs of one group, as they were read."""

    name: str
    source: str
    graphs: list[RelationalGraph]

    def group(self, pairing: str | None) -> Group:
        default: Pairing = "consecutive" if _suffix(self.source) == ARRAY else "all"
        chosen = next((known for known in PAIRINGS if known == pairing), default)
        return Group(name=self.name, graphs=tuple(self.graphs), pairing=chosen, source=self.source)


@dataclass
class _Reader:
    """Reads files with the user's options, and counts what it has read."""

    options: dict[str, Any]
    progress: Progress
    notes: list[str] = field(default_factory=list)
    graphs: int = 0
    vertices: int = 0

    def read(self, path: str) -> list[RelationalGraph]:
        """The graphs of a file, labelled."""
        labels = self.options.get("labels")
        graphs = []
        for graph in self._unlabelled(path):
            self._count(graph, path)
            graphs.append(graph if labels is None else label(graph, labels))
        return graphs

    def _unlabelled(self, path: str) -> Iterable[RelationalGraph]:
        direction = self.options.get("direction")
        if _suffix(path) == ARRAY:
            graphs = read_array(Source(path, self.progress, self.options.get("max_input")))
            return (graph.with_direction(direction) for graph in graphs)
        options = {key: value for key, value in self.options.items() if key != "labels"}
        return read_all(path, progress=self.progress, **options)

    def _count(self, graph: RelationalGraph, path: str) -> None:
        self.graphs += 1
        self.vertices += graph.num_vertices
        if self.graphs > MAX_GRAPHS or self.vertices > MAX_VERTICES:
            raise TooLargeError(
                f"{path}: the corpus has more than {MAX_GRAPHS:,} graphs or {MAX_VERTICES:,}"
                " vertices. Split it"
            )

    def known_files(self, files: list[Path]) -> list[str]:
        """The files that may hold graphs; a note lists the others."""
        unknown = [
            path for path in files if not (self.options.get("format") or _has_known_suffix(path))
        ]
        if unknown:
            count = counted(len(unknown), "file", "files")
            names = first_few([str(path) for path in unknown])
            self.notes.append(f"{count} of unknown format skipped: {names}")
        return [str(path) for path in files if path not in unknown]


def _parts_of_folder(folder: Path, reader: _Reader) -> list[_Part]:
    files, folders = _entries(folder)
    parts = []
    single: list[RelationalGraph] = []
    for path in reader.known_files(files):
        graphs = reader.read(path)
        if len(graphs) == 1 and _suffix(path) != ARRAY:
            single += graphs
        else:
            parts.append(_Part(_stem(path), path, graphs))
    parts += [_Part(inner.name, str(inner), _graphs_of_folder(inner, reader)) for inner in folders]
    if single:
        parts.append(_Part(folder.resolve().name or "graphs", str(folder), single))
    return parts


def _graphs_of_folder(folder: Path, reader: _Reader) -> list[RelationalGraph]:
    paths = reader.known_files(_entries(folder)[0])
    for path in paths:
        if _suffix(path) == ARRAY:
            raise InputError(
                "an array is a group of its own, so it cannot be in the folder of another group",
                path=path,
                remedy=f"Pass the folder {folder} itself",
            )
    return [graph for path in paths for graph in reader.read(path)]


def _entries(folder: Path) -> tuple[list[Path], list[Path]]:
    """The files and the subfolders of a folder that are not hidden, in the order of their names."""
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
        return [p for p in paths if p.is_file()], [p for p in paths if p.is_dir()]
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", path=folder) from error


def _suffix(path: str | Path) -> str:
    return Source(str(path)).suffixes[0]


def _has_known_suffix(path: str | Path) -> bool:
    return _suffix(path) in (ARRAY, *SUFFIXES)


def _stem(path: str) -> str:
    """The name of a file without the suffixes of its format and compression."""
    name = Path(path).name
    suffix, compression = Source(path).suffixes
    cut = len(compression) + (len(suffix) if _has_known_suffix(path) else 0)
    return name[: len(name) - cut]


def _uniquely_named(parts: list[_Part]) -> list[_Part]:
    """Groups whose name is not unique are named after their files instead."""
    uses = Counter(part.name for part in parts)
    return [
        part if uses[part.name] == 1 else replace(part, name=Path(part.source).name)
        for part in parts
    ]
