"""A corpus: groups of graphs whose pairs are to be told apart, as benchmarks of expressivity are.

==============================  ====================================================================
a file of many graphs           one group (graph6, sparse6 and digraph6, compressed or not)
a NumPy array ``.npy``          one group of graph6 texts, as in BREC: pairs are consecutive entries
                                of an array of shape (N,), and rows of one of shape (N, 2)
a folder                        a group for each such file and for each subfolder with its graphs;
                                files of one graph each that lie in it are one more group
==============================  ====================================================================

In an array, pairs are consecutive graphs; elsewhere every graph is paired with every other one of
its group. Files come in the order of their names. Nothing is ever unpickled, and the size that the
header of an array claims is held against the file before anything is allocated.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, get_args

from wlkg.errors import InputError, TooLargeError, unknown_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.readers.arrays import ARRAY, read_array
from wlkg.readers.formats import SUFFIXES
from wlkg.readers.labels import label
from wlkg.readers.read import read_all
from wlkg.readers.source import Source
from wlkg.text import counted, first_few

Pairing = Literal["consecutive", "all"]
PAIRINGS: tuple[Pairing, ...] = get_args(Pairing)

#: A few bytes of sparse6 may name millions of vertices; what is more than this is no corpus.
MAX_VERTICES = 100_000_000
MAX_GRAPHS = 1_000_000


@dataclass(frozen=True, eq=False)
class Group:
    """Graphs and which of them make pairs: the first with the second and so on, or all of them."""

    name: str
    graphs: tuple[RelationalGraph, ...]
    pairing: Pairing = "all"
    #: Where it was read.
    source: str | None = None

    def __post_init__(self) -> None:
        count, place = len(self.graphs), self.source or self.name
        if count < 2:
            raise InputError(
                f"there {'is only one graph' if count else 'are no graphs'}, so no pair",
                path=place,
                remedy="Give a file or a folder of several graphs",
            )
        if self.pairing == "consecutive" and count % 2:
            raise InputError(
                f"{count:,} graphs do not make consecutive pairs: their number is odd",
                path=place,
                remedy="--pairing all pairs every graph with every other one",
            )
        modes = sorted({graph.direction for graph in self.graphs})
        if len(modes) > 1:
            raise InputError(
                f"its graphs are read with directions {' and '.join(modes)}",
                path=place,
                remedy="Say which to take with --direction",
            )

    @property
    def num_pairs(self) -> int:
        count = len(self.graphs)
        return count // 2 if self.pairing == "consecutive" else count * (count - 1) // 2

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs as places of graphs, counted from 0."""
        count = len(self.graphs)
        if self.pairing == "all":
            return combinations(range(count), 2)
        return zip(range(0, count, 2), range(1, count, 2), strict=True)


@dataclass(frozen=True, eq=False)
class Corpus:
    """Groups of graphs, and what there is to say about how they were read."""

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
    """What was read for one group."""

    name: str
    source: str
    graphs: list[RelationalGraph]

    def group(self, pairing: str | None) -> Group:
        usual: Pairing = "consecutive" if _suffix(self.source) == ARRAY else "all"
        chosen = next((known for known in PAIRINGS if known == pairing), usual)
        return Group(self.name, tuple(self.graphs), chosen, self.source)


@dataclass
class _Reader:
    """Reads files as the user wants, and keeps count of what was read."""

    options: dict[str, Any]
    progress: Progress
    notes: list[str] = field(default_factory=list)
    graphs: int = 0
    vertices: int = 0

    def read(self, path: str) -> list[RelationalGraph]:
        """The graphs of a file, labelled."""
        labels = self.options.get("labels")
        found = []
        for graph in self._unlabelled(path):
            self._count(graph, path)
            found.append(graph if labels is None else label(graph, labels))
        return found

    def _unlabelled(self, path: str) -> Iterable[RelationalGraph]:
        direction = self.options.get("direction")
        if _suffix(path) == ARRAY:
            graphs = read_array(Source(path, self.progress))
            return (g if direction is None else g.with_direction(direction) for g in graphs)
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
        """The files that may hold graphs; what is passed over is noted."""
        unknown = [
            path for path in files if not (self.options.get("format") or _has_known_suffix(path))
        ]
        if unknown:
            count = counted(len(unknown), "file", "files")
            names = first_few([str(path) for path in unknown])
            self.notes.append(f"{count} of unknown format passed over: {names}")
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
                "an array is a group of its own and cannot lie in the folder of a group",
                path=path,
                remedy=f"Give the folder {folder} itself",
            )
    return [graph for path in paths for graph in reader.read(path)]


def _entries(folder: Path) -> tuple[list[Path], list[Path]]:
    """The files and the folders in a folder, in the order of their names, without hidden ones."""
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
    suffix, packed = Source(path).suffixes
    cut = len(packed) + (len(suffix) if _has_known_suffix(path) else 0)
    return name[: len(name) - cut]


def _uniquely_named(parts: list[_Part]) -> list[_Part]:
    """Groups of like names get those of their files."""
    times = Counter(part.name for part in parts)
    return [
        part if times[part.name] == 1 else _Part(Path(part.source).name, part.source, part.graphs)
        for part in parts
    ]
