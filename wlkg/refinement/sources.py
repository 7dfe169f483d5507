"""rawl2 and rawl2-all for the pairs (u, v) of some sources u only, in memory linear in the graph.

Such a test never moves from one source to another. So rawl2 of a source is 1-rwl on a copy of the
graph in which the source is marked, and rawl2 of k sources is 1-rwl on k copies side by side, which
also makes the colours of pairs with different sources comparable. What rawl2-all adds is the
histogram of each copy, as 1-rwl-all does for graphs (see `whole_graph`).

Cost: that of 1-rwl on k times the graph. All n sources at once take less memory as a tuple test.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.arrays import IntArray, frozen, id_dtype
from wlkg.catalogue import PAIR_TESTS, TESTS, TupleTest, find_test
from wlkg.errors import UsageError
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines.running import run_with_engine
from wlkg.refinement.results import KeptRefinement
from wlkg.refinement.vertices.vertex_problem import VertexProblem, vertex_problem
from wlkg.refinement.whole_graph import seeing_whole_graphs

#: What a copy of the graph takes while it is refined.
_BYTES_PER_ARC = 40
_BYTES_PER_PAIR = 110
#: The vertex test that a test of pairs runs on marked copies.
_ON_COPIES = TESTS["1-rwl"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SourceRefinement(KeptRefinement):
    """The result of a test of pairs for some sources: pair (u, v) follows all pairs of sources < u.

    Two vertices share a class if every source gives both the same colour.
    """

    #: The sources, in ascending order; pair (sources[k], v) is item k n + v.
    sources: IntArray

    @property
    def items_per_block(self) -> tuple[int, ...]:
        return (len(self.sources) * self.graph.num_vertices,)

    @cached_property
    def vertices(self) -> History:
        everything = np.arange(self.num_items)
        rounds = [self._history.class_at(everything, t) for t in range(self.rounds + 1)]
        return History.from_rounds([self._told_apart(classes) for classes in rounds])

    @property
    def differs_at(self) -> int | None:
        return None

    def _told_apart(self, classes: IntArray) -> IntArray:
        """The partition of the vertices, given the classes of the pairs."""
        n = self.graph.num_vertices
        columns = np.ascontiguousarray(classes.reshape(len(self.sources), n).T)
        if not columns.size:
            return np.zeros(n, dtype=np.int64)
        bytes_of_column = columns.view(np.dtype((np.void, columns.itemsize * columns.shape[1])))
        return np.unique(bytes_of_column.reshape(n), return_inverse=True)[1]


def refine_sources(
    graph: RelationalGraph,
    test: str,
    sources: Iterable[int | str],
    rounds: int | None = None,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> SourceRefinement:
    """Run a test of pairs for these sources, in the graph's own direction mode."""
    chosen = check_sources(test)
    places = source_ids(graph, sources)
    plain = vertex_problem(graph, _ON_COPIES)
    pairs = len(places) * plain.num_vertices
    check_fits(
        f"{chosen.name} of {len(places):,} sources on {plain.num_vertices:,} vertices",
        f"{pairs:,} pairs",
        _BYTES_PER_PAIR * pairs + _BYTES_PER_ARC * len(places) * plain.num_arcs,
        max_memory,
        "name fewer sources",
    )
    problem = _marked_copies(plain, places)
    run = run_with_engine(problem, rounds, progress=progress)
    if chosen.sees_all:
        sizes = [plain.num_vertices] * len(places)
        run = seeing_whole_graphs(run, problem.arcs, sizes, rounds)
    return SourceRefinement(
        test=chosen.name,
        graph=graph,
        direction=graph.direction,
        arity=chosen.arity,
        stable=run.stable,
        exact=run.exact,
        proof=run.proof,
        blocks=(graph.num_vertices,),
        sources=frozen(places),
        _history=run.history,
    )


def check_sources(test: str) -> TupleTest:
    """The test, or an error if it cannot be run for some sources only."""
    chosen = find_test(test)
    if isinstance(chosen, TupleTest) and 0 < chosen.fixed == chosen.arity - 1:
        return chosen
    known = " or ".join(name for name, each in PAIR_TESTS.items() if each.fixed)
    reason = (
        "colours vertices, and has no sources"
        if not isinstance(chosen, TupleTest)
        else "moves from each source to others, so it needs the colours of all pairs"
    )
    raise UsageError(f"{chosen.name} {reason}. Sources can be chosen for {known}")


def source_ids(graph: RelationalGraph, sources: Iterable[int | str]) -> IntArray:
    """The distinct sources in ascending order, given by name or by number."""
    if isinstance(sources, str):
        raise UsageError(f"the sources must be a list, found the text {sources!r}")
    ids = [graph.vertex(s) if isinstance(s, str) else int(s) for s in sources]
    for source in ids:
        if not 0 <= source < graph.num_vertices:
            raise UsageError(
                f"there is no vertex number {source} in a graph of {graph.num_vertices:,} vertices"
            )
    if not ids:
        raise UsageError("there is no source: name at least one vertex")
    return np.unique(np.array(ids, dtype=np.int64))


def _marked_copies(problem: VertexProblem, sources: IntArray) -> VertexProblem:
    """Copies of the graph side by side, one for each source.

    Pairs (u, v) start with the labels of both, and with [u = v].
    """
    n, count = problem.num_vertices, len(sources)
    is_marked = np.zeros(n * count, dtype=np.int64)
    is_marked[np.arange(count) * n + sources] = 1
    own = problem.start.colours.astype(np.int64)
    labels = Partition.of(np.add.outer(own[sources] * problem.start.num_classes, own).reshape(-1))
    start = Partition.of(labels.colours.astype(np.int64) * 2 + is_marked)
    arcs = _copied(problem.arcs, count)
    is_symmetric = problem.reversed_arcs is problem.arcs
    back = arcs if is_symmetric else _copied(problem.reversed_arcs, count)
    return VertexProblem(test=problem.test, start=start, arcs=arcs, reversed_arcs=back)


def _copied(arcs: Arcs, count: int) -> Arcs:
    """The arcs of copies of a graph side by side."""
    n, m = arcs.num_vertices, len(arcs)
    dtype = id_dtype(n * count)
    first = np.repeat((np.arange(count, dtype=np.int64) * n).astype(dtype), m)
    offsets = np.append((np.arange(count)[:, None] * m + arcs.offsets[:-1]).reshape(-1), count * m)
    return Arcs(
        offsets=frozen(offsets.astype(np.int64)),
        relation=frozen(np.tile(arcs.relation, count)),
        neighbour=frozen(np.tile(arcs.neighbour.astype(dtype), count) + first),
        relation_names=arcs.relation_names,
    )
