"""Many graphs with names: a folder of graph files, or one file with several graphs.

The name of a graph in a folder is its file name, with or without suffixes. The third graph of a
file with several graphs is ``FILE#3``; if there is only this file, also ``#3`` or ``3``.
"""

from __future__ import annotations

import difflib
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
    """Graphs with all the names by which they can be found; the first name is the one shown."""

    graphs: tuple[RelationalGraph, ...]
    spellings: tuple[tuple[str, ...], ...]
    noun: str = "a graph of the collection"

    @classmethod
    def numbered(cls, graphs: Sequence[RelationalGraph]) -> GraphCollection:
        """Graphs with the names #1, #2, ..."""
        return cls(tuple(graphs), tuple((f"#{i}", f"{i}") for i in range(1, len(graphs) + 1)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(spellings[0] for spellings in self.spellings)

    @cached_property
    def union(self) -> RelationalGraph:
        """All graphs side by side."""
        return disjoint_union(*self.graphs)

    @cached_property
    def _positions(self) -> dict[str, list[int]]:
        positions: dict[str, list[int]] = {}
        for position, spellings in enumerate(self.spellings):
            for name in spellings:
                positions.setdefault(name, []).append(position)
        return positions

    def find(self, name: str) -> int | None:
        """The position of the graph with this name, or None; an ambiguous name is an error."""
        positions = self._positions.get(name, [])
        if len(positions) > 1:
            names = first_few([self.names[position] for position in positions])
            raise UsageError(f"{name!r} could mean several graphs: {names}")
        return positions[0] if positions else None

    def nearest(self, name: str) -> list[str]:
        """Names of graphs that resemble a name that no graph has."""
        return difflib.get_close_matches(name, self._positions, n=3)


def read_collection(
    path: str,
    read_all: Callable[[str], list[RelationalGraph]],
    *,
    skipped: Collection[str] = (),
    any_suffix: bool = False,
) -> GraphCollection:
    """The graphs of a file, or of the files in a folder.

    In a folder, the files listed in ``skipped`` are left out and, unless ``any_suffix`` is true,
    those without a known suffix.
    """
    if not os.path.isdir(path):  # noqa: PTH112  never raises
        graphs = read_all(path)
        return GraphCollection(tuple(graphs), tuple(_spellings_of_only_file(path, len(graphs))))
    left_out = {Path(name).resolve() for name in skipped}
    collected: list[RelationalGraph] = []
    spellings: list[tuple[str, ...]] = []
    for file in _files(Path(path)):
        if file.resolve() not in left_out and (any_suffix or _is_graph(file.name)):
            graphs = read_all(str(file))
            collected += graphs
            spellings += _spellings(file.name, len(graphs))
    if not collected:
        raise InputError(
            "there is no file of graphs in this folder",
            path=path,
            remedy=f"Known suffixes: {' '.join(SUFFIXES)}",
        )
    return GraphCollection(tuple(collected), tuple(spellings))


def _files(folder: Path) -> list[Path]:
    try:
        names = [entry.name for entry in folder.iterdir() if entry.is_file()]
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", path=folder) from error
    return [folder / name for name in canonical_order(names)]


def _is_graph(name: str) -> bool:
    return not name.startswith(".") and Source(name).suffixes[0] in SUFFIXES


def _without_suffixes(name: str) -> tuple[str, ...]:
    """The file name, then without its compression suffix, then without its format suffix too."""
    suffix, compression = Source(name).suffixes
    unpacked = name[: len(name) - len(compression)]
    bare = unpacked[: len(unpacked) - len(suffix)] if suffix in SUFFIXES else unpacked
    return tuple(dict.fromkeys((name, unpacked, bare)))


def _spellings(name: str, count: int) -> Iterator[tuple[str, ...]]:
    words = _without_suffixes(name)
    for number in range(1, count + 1):
        numbered = tuple(f"{word}#{number}" for word in words)
        yield (*words, *numbered) if count == 1 else numbered


def _spellings_of_only_file(path: str, count: int) -> Iterator[tuple[str, ...]]:
    whole = path.removesuffix(f"#{ALL}")
    for number, words in enumerate(_spellings(Path(whole).name, count), 1):
        more = (f"{whole}#{number}", f"#{number}", f"{number}")
        yield tuple(dict.fromkeys((*words, *((whole,) if count == 1 else ()), *more)))
