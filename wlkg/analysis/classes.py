"""Which vertices cannot be told apart: the classes of a test, largest first.

All of it is array work on the split tree of the run; names are looked at only to put vertices into
their order, and for the members that are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from wlkg.arrays import IntArray
from wlkg.catalogue import DEFAULT_TEST, Direction
from wlkg.display import Brief, Displayed
from wlkg.errors import UsageError
from wlkg.graph.bulk_lookup import find_vertices
from wlkg.graph.checking import require_graphs
from wlkg.graph.lookup import find_vertex
from wlkg.graph.names import by_name
from wlkg.graph.rdf_types import vertices_of_type
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits
from wlkg.partition import Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.refine import refine

#: Bytes for each name that is listed, until it is printed.
_PER_NAME = 300


@dataclass(frozen=True)
class Group(Brief):
    """Vertices that a test does not separate from each other."""

    size: int
    #: The first round at which the test separates them from all other vertices in question.
    round: int
    #: The first members, by name.
    vertices: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Classes(Displayed):
    """The classes of a test on the vertices of a graph, or on some of them."""

    test: str
    direction: Direction
    #: The round of the colouring; the last one, if it was not stopped earlier.
    round: int
    stable: bool
    exact: bool
    #: The numbers of vertices in question and of their classes.
    vertices: int
    classes: int
    #: The number of vertices that are alone in their class.
    alone: int
    #: The number of pairs of vertices in question that share a class.
    indistinguishable_pairs: int
    #: The size from which on classes are listed.
    min_size: int
    #: The classes that are listed, largest first; of equal size, by their first names.
    groups: tuple[Group, ...]
    #: The number of classes that are large enough to be listed, but were not.
    omitted: int
    graph: RelationalGraph = field(repr=False, compare=False)

    def __repr__(self) -> str:
        return (
            f"Classes({self.test}, {self.vertices:,} vertices in {self.classes:,} classes,"
            f" {self.alone:,} alone)"
        )


def classes(
    graph: RelationalGraph,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    *,
    round: int | None = None,  # noqa: A002
    type: str | None = None,  # noqa: A002
    among: Iterable[str | int] | IntArray | None = None,
    min_size: int = 2,
    limit: int | None = None,
    members: int | None = None,
    prefixes: Mapping[str, str] | None = None,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Classes:
    """The groups of vertices that a test does not separate, largest first.

    ``round`` stops the test early. ``type`` restricts the question to vertices of an RDF type,
    ``among`` to given vertices: ids, or names as users write them. Groups have at least
    ``min_size`` vertices; at most ``limit`` are listed, with at most ``members`` names each.

    >>> import wlkg
    >>> star = wlkg.RelationalGraph.from_triples([("hub", "to", name) for name in "abc"])
    >>> classes(star).groups
    (Group(size=3, round=1, vertices=('a', 'b', 'c')),)
    """
    require_graphs(graph)
    _check_counts(min_size=min_size, limit=limit, members=members)
    chosen = _in_question(graph, among, type, prefixes)
    refinement = refine(graph, test, direction, round, max_memory=max_memory, progress=progress)
    history = refinement.vertices.restricted(chosen)
    # Colours are numbered by first occurrence, and the vertices stand in the order of their names.
    partition = Partition.of(history.class_of)
    large = np.flatnonzero(partition.sizes >= min_size)
    listed = large[np.argsort(-partition.sizes[large], kind="stable")][:limit]
    _check_names(partition.sizes[listed], members, max_memory)
    return Classes(
        test=refinement.test,
        direction=refinement.direction,
        round=refinement.rounds,
        stable=refinement.stable,
        exact=refinement.exact,
        vertices=len(chosen),
        classes=partition.num_classes,
        alone=int(np.count_nonzero(partition.sizes == 1)),
        indistinguishable_pairs=partition.indistinguishable_pairs,
        min_size=min_size,
        groups=tuple(
            Group(
                size=len(items := partition.members(colour)),
                round=int(history.complete_since[history.class_of[items[0]]]),
                vertices=tuple(graph.vertex_names[v] for v in chosen[items[:members]].tolist()),
            )
            for colour in listed.tolist()
        ),
        omitted=len(large) - len(listed),
        graph=refinement.graph,
    )


def _check_counts(**counts: int | None) -> None:
    for name, count in counts.items():
        if count is not None and count < 0:
            raise UsageError(f"{name} must not be negative, found {count}")


def _check_names(sizes: IntArray, members: int | None, max_memory: int | None) -> None:
    """Refuse a list that would not fit into memory."""
    names = int(sizes.sum() if members is None else np.minimum(sizes, members).sum())
    check_fits(
        "the list of classes",
        f"{names:,} names",
        _PER_NAME * names,
        max_memory,
        "list fewer with --limit or --members",
    )


def _in_question(
    graph: RelationalGraph,
    among: Iterable[str | int] | IntArray | None,
    type_name: str | None,
    prefixes: Mapping[str, str] | None,
) -> IntArray:
    """The vertices that are asked about, in the order of their names."""
    chosen = np.arange(graph.num_vertices)
    if type_name is not None:
        chosen = vertices_of_type(graph, type_name, prefixes)
    if among is not None:
        chosen = np.intersect1d(chosen, _ids(graph, among, prefixes))
    return np.array(by_name(graph.vertex_names, chosen.tolist()), dtype=np.int64)


def _ids(
    graph: RelationalGraph,
    among: Iterable[str | int] | IntArray,
    prefixes: Mapping[str, str] | None,
) -> IntArray:
    given = list(among)
    found = find_vertices(graph, (v for v in given if isinstance(v, str)), prefixes)
    for text in (*found.unknown, *found.ambiguous):
        find_vertex(graph, text, prefixes)  # raises the error that says what is near
    ids = [found.vertices[v] if isinstance(v, str) else int(v) for v in given]
    if ids and not 0 <= min(ids) <= max(ids) < graph.num_vertices:
        raise UsageError(f"ids of vertices are 0 .. {graph.num_vertices - 1}")
    return np.array(ids, dtype=np.int64)
