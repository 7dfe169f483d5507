"""Colours or orbits as a file: a row for each vertex, or for each tuple."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.refinement.results import Refinement
from wlkg.refinement.sources import SourceRefinement
from wlkg.reports import row_files
from wlkg.reports.row_files import Chunk, Names, check_rows_path, write_rows


def check_colours_path(path: str, what: str = "colours") -> None:
    """Refuse a path that cannot be written, before any work is done."""
    check_rows_path(path, what)


def write_colours(graph: RelationalGraph, refinement: Refinement, path: str) -> None:
    """Write the columns ``vertex`` and ``colour``."""
    _write(path, ("vertex", "colour"), graph.vertex_names, refinement.vertices.partition())


def write_orbits(graph: RelationalGraph, orbits: Partition, path: str) -> None:
    """Write the columns ``vertex`` and ``orbit``."""
    _write(path, ("vertex", "orbit"), graph.vertex_names, orbits)


def write_tuple_colours(graph: RelationalGraph, refinement: Refinement, path: str) -> None:
    """Write the columns ``vertex1`` .. ``vertexK`` and ``colour``.

    For chosen sources, the columns ``source``, ``vertex`` and ``colour``.
    """
    if isinstance(refinement, SourceRefinement):
        _write_pairs(graph, refinement, path)
        return
    titles = tuple(f"vertex{j}" for j in range(1, refinement.arity + 1))
    _write(path, (*titles, "colour"), graph.vertex_names, refinement.partition)


def _write_pairs(graph: RelationalGraph, refinement: SourceRefinement, path: str) -> None:
    check_colours_path(path)
    write_rows(path, ("source", "vertex", "colour"), _pairs(graph.vertex_names, refinement))


def _pairs(names: Sequence[str], refinement: SourceRefinement) -> Iterator[Chunk]:
    """Sources, vertices and colours, in chunks."""
    size, colours = row_files.CHUNK, refinement.partition.colours
    for begin in range(0, max(len(colours), 1), size):
        chunk = colours[begin : begin + size]
        place, vertex = np.divmod(np.arange(begin, begin + len(chunk)), max(len(names), 1))
        yield [Names(names, refinement.sources[place]), Names(names, vertex), chunk]


def _write(path: str, titles: tuple[str, ...], names: Sequence[str], partition: Partition) -> None:
    check_colours_path(path)
    write_rows(path, titles, _chunks(len(titles) - 1, names, partition))


def _chunks(arity: int, names: Sequence[str], partition: Partition) -> Iterator[Chunk]:
    """The vertices of the tuples, one column per position, and their colours, in chunks."""
    n, size = max(len(names), 1), row_files.CHUNK
    for begin in range(0, max(partition.num_items, 1), size):
        colours = partition.colours[begin : begin + size]
        rest = np.arange(begin, begin + len(colours))
        columns = []
        for _ in range(arity):
            columns.append(Names(names, rest % n))
            rest //= n
        yield [*columns[::-1], colours]
