"""Which vertex pairs one test separates and another does not, or none does, counted exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

import numpy as np

from wlkg.arrays import IntArray
from wlkg.catalogue import Direction, TupleTest, find_test
from wlkg.display import Brief, Displayed
from wlkg.engines import DEFAULT_ENGINE, EngineChoice
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits
from wlkg.partition import Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines.running import engine_kept_open
from wlkg.refinement.refine import refine
from wlkg.refinement.results import Refinement

#: Bytes for each pair that is listed, by number and by name, until it is printed.
_PER_PAIR = 600


@dataclass(frozen=True)
class SeparatedPairs(Brief):
    """The number of pairs, and the first few as (v, w, round) with v < w."""

    count: int
    pairs: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class SamePairs(Brief):
    """The number of pairs that are not separated, and the first few as (v, w) with v < w."""

    count: int
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class PairsOfTests(Displayed):
    """The pairs that ``test`` separates and ``not_by``, if given, does not, by vertex name.

    If ``same``, the pairs that ``test`` does not separate, nor ``not_by``, if given.
    """

    test: str
    not_by: str | None
    same: bool
    direction: Direction
    #: Whether both colourings are exact.
    exact: bool
    count: int
    #: The first few as (v, w, round); pairs that are not separated have no round.
    pairs: tuple[tuple[str, str, int | None], ...]
    graph: RelationalGraph = field(repr=False, compare=False)


def pairs_of_tests(
    graph: RelationalGraph,
    test: str,
    not_by: str | None = None,
    *,
    same: bool = False,
    among: IntArray | None = None,
    sources: Sequence[int | str] | None = None,
    limit: int | None = None,
    max_memory: int | None = None,
    engine: EngineChoice = DEFAULT_ENGINE,
    progress: Progress = SILENT,
) -> PairsOfTests:
    """Run one or two tests on a graph and compare the pairs of vertices that they separate.

    With ``sources``, a test of pairs (u, v) separates two vertices if it gives them different
    colours for one of these sources u. If ``not_by`` is a test of vertices, they do not concern it.
    """
    run = partial(refine, graph, max_memory=max_memory, engine=engine, progress=progress)
    with engine_kept_open(engine):
        by = run(test, sources=sources)
        other = None
        if not_by is not None:
            is_of_pairs = isinstance(find_test(not_by), TupleTest)
            other = run(not_by, sources=sources if is_of_pairs else None)
    pairs: Iterable[tuple[int, int, int | None]]
    if same:
        alike = same_pairs(by, other, among=among, limit=limit, max_memory=max_memory)
        count, pairs = alike.count, ((v, w, None) for v, w in alike.pairs)
    else:
        apart = separated_pairs(by, other, among=among, limit=limit, max_memory=max_memory)
        count, pairs = apart.count, apart.pairs
    names = graph.vertex_names
    return PairsOfTests(
        test=by.test,
        not_by=None if other is None else other.test,
        same=same,
        direction=by.direction,
        exact=by.exact and (other is None or other.exact),
        count=count,
        pairs=tuple((names[v], names[w], t) for v, w, t in pairs),
        graph=by.graph,
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
    _require_refinements(by, not_by)
    vertices = np.arange(by.vertices.num_items) if among is None else np.unique(among)
    fine = by.vertices.partition().restricted(vertices)
    coarse = Partition.trivial(len(vertices))
    if not_by is not None:
        coarse = not_by.vertices.partition().restricted(vertices)
    count = coarse.indistinguishable_pairs - coarse.meet(fine).indistinguishable_pairs
    _check_list(count, limit, max_memory)
    first_pairs = islice(_split_pairs(coarse, fine), limit)
    pairs = ((int(vertices[v]), int(vertices[w])) for v, w in first_pairs)
    return SeparatedPairs(count, tuple((v, w, _separating_round(by, v, w)) for v, w in pairs))


def same_pairs(
    by: Refinement,
    nor_by: Refinement | None = None,
    *,
    among: IntArray | None = None,
    limit: int | None = None,
    max_memory: int | None = None,
) -> SamePairs:
    """The pairs of vertices that ``by`` does not separate, nor ``nor_by``, ordered by id.

    >>> import wlkg
    >>> same_pairs(wlkg.refine(wlkg.read("example:c6")), limit=2)
    SamePairs(count=15, pairs=((0, 1), (0, 2)))
    """
    _require_refinements(by, nor_by)
    vertices = np.arange(by.vertices.num_items) if among is None else np.unique(among)
    classes = by.vertices.partition().restricted(vertices)
    if nor_by is not None:
        classes = classes.meet(nor_by.vertices.partition().restricted(vertices))
    _check_list(classes.indistinguishable_pairs, limit, max_memory)
    pairs = ((int(vertices[v]), int(vertices[w])) for v, w in islice(_alike(classes), limit))
    return SamePairs(classes.indistinguishable_pairs, tuple(pairs))


def _require_refinements(*given: object) -> None:
    for each in given:
        if each is not None and not isinstance(each, Refinement):
            raise UsageError(f"expected the result of wlkg.refine, found {type(each).__name__}")


def _check_list(count: int, limit: int | None, max_memory: int | None) -> None:
    """Refuse a list of pairs that would not fit into memory."""
    listed = count if limit is None else min(count, limit)
    check_fits(
        "the list of pairs",
        f"{listed:,} pairs",
        _PER_PAIR * listed,
        max_memory,
        "list fewer pairs with --limit",
    )


def _alike(partition: Partition) -> Iterator[tuple[int, int]]:
    """Pairs (v, w), v < w, of one class, in order."""
    for v in np.flatnonzero(partition.sizes[partition.colours] > 1):
        members = partition.members(int(partition.colours[v]))
        for w in members[np.searchsorted(members, v, side="right") :]:
            yield int(v), int(w)


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
