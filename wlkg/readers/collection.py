"""Many graphs with names: a folder of graph files, or one file that holds several.

A graph of a folder is called by its file name, with or without suffixes; the third graph of a file
that holds several is ``FILE#3``, and where there is only this file also ``#3`` or ``3``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wlkg.errors import InputError, UsageError
from wlkg.graph.names import canonical_order
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.readers.formats import SUFFIXES
from wlkg.readers.read import ALL
from wlkg.readers.source import Source
from wlkg.text import first_few


@dataclass(frozen=True, eq=False)
class GraphCollection:
    """Graphs, their names, and all names that mean them, the first of which is shown."""

    graphs: tuple[RelationalGraph, ...]
    spellings: tuple[tuple[str, ...], ...]
    noun: str = "a graph of the collection"

    @classmethod
    def numbered(cls, graphs: Sequence[RelationalGraph]) -> GraphCollection:
        """Graphs that are called #1, #2, ..."""
        return cls(tuple(graphs), tuple((f"#{i}", f"{i}") for i in range(1, len(graphs) + 1)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(each[0] for each in self.spellings)

    @cached_property
    def union(self) -> RelationalGraph:
        """All graphs side by side."""
        return disjoint_union(*self.graphs)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for place, spellings in enumerate(self.spellings):
            for name in spellings:
                places.setdefault(name, []).append(place)
        return places

    def find(self, name: str) -> int | None:
        """The place of the graph of that name; a name that could mean several is an error."""
        found = self._places.get(name, [])
        if len(found) > 1:
            meant = first_few([self.names[place] for place in found])
            raise UsageError(f"{name!r} could mean several graphs: {meant}")
        return found[0] if found else None


def read_collection(
    path: str,
    read_all: Callable[[str], list[RelationalGraph]],
    *,
    skipped: Collection[str] = (),
    any_suffix: bool = False,
) -> GraphCollection:
    """The graphs at a path; files of a folder are left out if ``skipped`` names them.

    In a folder, only files whose suffix means a format are graphs, unless ``any_suffix``.
    """
    if not os.path.isdir(path):  # noqa: PTH112  never raises
        graphs = read_all(path)
        return GraphCollection(tuple(graphs), tuple(_spellings_alone(path, len(graphs))))
    left_out = {Path(name).resolve() for name in skipped}
    found: list[RelationalGraph] = []
    spellings: list[tuple[str, ...]] = []
    for file in _files(Path(path)):
        if file.resolve() not in left_out and (any_suffix or _is_graph(file.name)):
            graphs = read_all(str(file))
            found += graphs
            spellings += _spellings(file.name, len(graphs))
    if not found:
        raise InputError(
            "there is no file of graphs in this folder",
            path=path,
            remedy=f"Known suffixes: {' '.join(SUFFIXES)}",
        )
    return GraphCollection(tuple(found), tuple(spellings))


def _files(folder: Path) -> list[Path]:
    try:
        names = [entry.name for entry in folder.iterdir() if entry.is_file()]
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", path=folder) from error
    return [folder / name for name in canonical_order(names)]


def _is_graph(name: str) -> bool:
    return not name.startswith(".") and Source(name).suffixes[0] in SUFFIXES


def _without_suffixes(name: str) -> tuple[str, ...]:
    """The name, without its compression's suffix, and without its format's."""
    suffix, packed = Source(name).suffixes
    unpacked = name[: len(name) - len(packed)]
    bare = unpacked[: len(unpacked) - len(suffix)] if suffix in SUFFIXES else unpacked
    return tuple(dict.fromkeys((name, unpacked, bare)))


def _spellings(name: str, count: int) -> Iterator[tuple[str, ...]]:
    words = _without_suffixes(name)
    for number in range(1, count + 1):
        numbered = tuple(f"{word}#{number}" for word in words)
        yield (*words, *numbered) if count == 1 else numbered


def _spellings_alone(path: str, count: int) -> Iterator[tuple[str, ...]]:
    whole = path.removesuffix(f"#{ALL}")
    for number, words in enumerate(_spellings(Path(whole).name, count), 1):
        more = (f"{whole}#{number}", f"#{number}", f"{number}")
        yield tuple(dict.fromkeys((*words, *((whole,) if count == 1 else ()), *more)))
