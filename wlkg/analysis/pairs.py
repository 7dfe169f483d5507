"""Which pairs of vertices one test separates and another does not, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from wlkg.arrays import IntArray
from wlkg.catalogue import Direction
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits
from wlkg.partition import Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.refine import refine
from wlkg.refinement.results import Refinement

#: Bytes for each pair that is listed, by number and by name, until it is printed.
_PER_PAIR = 600


@dataclass(frozen=True)
class SeparatedPairs:
    """The number of pairs, and the first few as (v, w, round) with v < w."""

    count: int
    pairs: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class PairsOfTests:
    """The pairs that ``test`` separates and ``not_by``, if given, does not, by vertex name."""

    test: str
    not_by: str | None
    direction: Direction
    #: Whether both colourings are exact.
    exact: bool
    count: int
    #: The first few as (v, w, round).
    pairs: tuple[tuple[str, str, int], ...]


def pairs_of_tests(
    graph: RelationalGraph,
    test: str,
    not_by: str | None = None,
    *,
    among: IntArray | None = None,
    limit: int | None = None,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> PairsOfTests:
    """Run one or two tests on a graph and compare the pairs of vertices that they separate."""
    fine = refine(graph, test, max_memory=max_memory, progress=progress)
    coarse = None
    if not_by is not None:
        coarse = refine(graph, not_by, max_memory=max_memory, progress=progress)
    separated = separated_pairs(fine, coarse, among=among, limit=limit, max_memory=max_memory)
    names = graph.vertex_names
    return PairsOfTests(
        test=test,
        not_by=not_by,
        direction=fine.direction,
        exact=fine.exact and (coarse is None or coarse.exact),
        count=separated.count,
        pairs=tuple((names[v], names[w], t) for v, w, t in separated.pairs),
    )


def separated_pairs(
    by: Refinement,
    not_by: Refinement | None = None,
    *,
    among: IntArray | None = None,
    limit: int | None = None,
    max_memory: int | None = None,
) -> SeparatedPairs:
    """The pairs of vertices that ``by`` separates and ``not_by`` does not, ordered by id.

    Counting takes a sort; listing visits only classes that contain a pair, and stops at the limit.
    A list that needs more than ``max_memory`` bytes is refused.
    """
    vertices = np.arange(by.vertices.num_items) if among is None else np.unique(among)
    fine = by.vertices.partition().restricted(vertices)
    coarse = Partition.trivial(len(vertices))
    if not_by is not None:
        coarse = not_by.vertices.partition().restricted(vertices)
    count = coarse.indistinguishable_pairs - coarse.meet(fine).indistinguishable_pairs
    listed = count if limit is None else min(count, limit)
    check_fits(
        "the list of pairs",
        f"{listed:,} pairs",
        _PER_PAIR * listed,
        max_memory,
        "list fewer pairs with --limit",
    )
    first_pairs = islice(_split_pairs(coarse, fine), limit)
    pairs = ((int(vertices[v]), int(vertices[w])) for v, w in first_pairs)
    return SeparatedPairs(count, tuple((v, w, _separating_round(by, v, w)) for v, w in pairs))


def _separating_round(by: Refinement, v: int, w: int) -> int:
    first = by.vertices.separated_at(v, w)
    assert first is not None
    return first


def _split_pairs(coarse: Partition, fine: Partition) -> Iterator[tuple[int, int]]:
    """Pairs (v, w), v < w, that share a class of ``coarse`` but not of ``fine``, in order."""
    is_split = np.zeros(coarse.num_classes, dtype=bool)
    first = np.full(coarse.num_classes, -1, dtype=np.int64)
    first[coarse.colours[::-1]] = fine.colours[::-1]
    is_split[coarse.colours[fine.colours != first[coarse.colours]]] = True
    for v in np.flatnonzero(is_split[coarse.colours]).tolist():
        members = coarse.members(int(coarse.colours[v]))
        later = members[np.searchsorted(members, v, side="right") :]
        for w in later[fine.colours[later] != fine.colours[v]].tolist():
            yield v, w
