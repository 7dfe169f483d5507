"""Running a test: ``refine(graph, test="1-rwl")`` refines the colours until they are stable.

`refine` is `check_size` followed by `run_test`. Callers that have already checked the size call
`run_test` directly. The update rules are in `vertices.vertex_tests` and `tuples.tuple_tests`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from wlkg.catalogue import DEFAULT_TEST, Direction, TupleTest, VertexTest, find_test
from wlkg.compiled.compilation import compiling_is_said
from wlkg.engines import ASKED_FOR, AUTO, DEFAULT_ENGINE, EngineChoice, check_engine, check_rounds
from wlkg.errors import TooLargeError, UsageError
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines.running import TEXTBOOK, run_with_engine
from wlkg.refinement.results import Refinement, TupleRefinement, VertexRefinement
from wlkg.refinement.sources import refine_sources
from wlkg.refinement.tuples.tuple_problem import tuple_problem
from wlkg.refinement.tuples.tuple_tests import bytes_needed, run_tuples
from wlkg.refinement.vertices.vertex_problem import vertex_problem
from wlkg.refinement.whole_graph import seeing_whole_graphs

#: Above 2^60 tuples, numbers are too long to print and no memory holds them.
_MOST_BITS = 60
#: The most sizes of graphs that a message lists.
_SIZES_SHOWN = 4


def refine(
    graph: RelationalGraph,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    rounds: int | None = None,
    *,
    blocks: Sequence[int] | None = None,
    sources: Iterable[int | str] | None = None,
    max_memory: int | None = None,
    engine: str | EngineChoice = DEFAULT_ENGINE,
    progress: Progress = SILENT,
) -> Refinement:
    """Run a test until its colours are stable, or for a number of rounds.

    ``blocks`` says that the graph is the disjoint union of graphs with these numbers of vertices
    (see `wlkg.disjoint_union`); their tuples never mix. With ``sources``, vertices by name or by
    number, rawl2 and rawl2-all colour the pairs (u, v) of these sources u only. A tuple test that
    needs more than ``max_memory`` bytes (by default half of the free memory) is refused. ``engine``
    names what runs vertex tests: local, torch or duckdb, with equal results; see `wlkg.engines`.

    >>> import wlkg
    >>> refine(wlkg.read("example:c6")).classes_per_round
    [1]
    >>> refine(wlkg.read("example:c6"), "2-rlwl").classes_per_round
    [3, 4]
    >>> refine(wlkg.read("example:c6"), "rawl2", sources=["0"]).classes_per_round
    [2, 3, 4]
    """
    require_graphs(graph)
    graph = graph.with_direction(direction)
    check_rounds(rounds)
    chosen = _chosen_engine(engine, test, max_memory)
    if sources is not None:
        if blocks is not None:
            raise UsageError("sources= and blocks= cannot be combined: refine one graph at a time")
        with _announced(test, rounds, progress):
            return refine_sources(
                graph, test, sources, rounds, max_memory=max_memory, progress=progress
            )
    check_size(test, _block_sizes(graph, blocks), max_memory)
    return run_test(graph, test, rounds, blocks=blocks, engine=chosen, progress=progress)


def check_size(test: str, blocks: Sequence[int], max_memory: int | None = None) -> None:
    """Refuse a test whose tuples would not fit into memory, with the numbers."""
    chosen = find_test(test)
    largest = max(blocks, default=0)
    if not isinstance(chosen, TupleTest) or largest < 2:
        return
    if chosen.arity * math.log2(largest) > _MOST_BITS:
        raise TooLargeError(
            f"{test} on {largest:,} vertices has {largest:,}^{chosen.arity} tuples, more than any"
            f" memory holds. Use a smaller K"
        )
    sizes = " and ".join(f"{size:,}" for size in blocks[:_SIZES_SHOWN])
    more = f" and {len(blocks) - _SIZES_SHOWN:,} more" if len(blocks) > _SIZES_SHOWN else ""
    check_fits(
        f"{test} on {sizes}{more} vertices",
        f"{sum(size**chosen.arity for size in blocks):,} tuples",
        bytes_needed(chosen, blocks),
        max_memory,
        "use a smaller K or graph",
    )


def run_test(
    graph: RelationalGraph,
    test: str,
    rounds: int | None = None,
    *,
    blocks: Sequence[int] | None = None,
    engine: str | EngineChoice = DEFAULT_ENGINE,
    progress: Progress = SILENT,
) -> Refinement:
    """Run a test that fits into memory, in the graph's own direction mode; see `refine`."""
    chosen = find_test(test)
    check_rounds(rounds)
    selected = _chosen_engine(engine, test)
    sizes = _block_sizes(graph, blocks)
    with _announced(test, rounds, progress):
        if isinstance(chosen, TupleTest):
            return _run_tuple_test(graph, chosen, rounds, sizes, progress)
        return _run_vertex_test(graph, chosen, rounds, sizes, selected, progress)


@contextmanager
def _announced(test: str, rounds: int | None, progress: Progress) -> Iterator[None]:
    """Report the progress of a run."""
    progress.start(f"refining by {test}", rounds, "rounds")
    try:
        with compiling_is_said(progress):
            yield
    finally:
        progress.finish()


def _chosen_engine(
    engine: str | EngineChoice, test: str, max_memory: int | None = None
) -> EngineChoice:
    """The engine by name or with its settings; the graph is in memory, so auto means local."""
    if isinstance(engine, str):
        asked = EngineChoice(engine, max_memory=max_memory, reason=ASKED_FOR)
        engine = DEFAULT_ENGINE if engine == AUTO else asked
    if engine.name != TEXTBOOK:
        check_engine(engine.name, [test])
    return engine


def _block_sizes(graph: RelationalGraph, blocks: Sequence[int] | None) -> tuple[int, ...]:
    sizes = (graph.num_vertices,) if blocks is None else tuple(blocks)
    if sum(sizes) != graph.num_vertices or min(sizes, default=0) < 0:
        raise UsageError(f"blocks of {sizes} vertices in a graph with {graph.num_vertices}")
    return sizes


def _run_vertex_test(
    graph: RelationalGraph,
    test: VertexTest,
    rounds: int | None,
    blocks: tuple[int, ...],
    engine: EngineChoice,
    progress: Progress,
) -> VertexRefinement:
    problem = vertex_problem(graph, test)
    run = run_with_engine(problem, rounds, engine=engine, progress=progress)
    if test.sees_all:
        run = seeing_whole_graphs(run, problem.arcs, blocks, rounds)
    return VertexRefinement(
        test=test.name,
        graph=graph,
        direction=graph.direction,
        arity=1,
        stable=run.stable,
        exact=run.exact,
        proof=run.proof,
        blocks=blocks,
        engine=engine,
        _history=run.history,
    )


def _run_tuple_test(
    graph: RelationalGraph,
    test: TupleTest,
    rounds: int | None,
    blocks: tuple[int, ...],
    progress: Progress,
) -> TupleRefinement:
    # A block with a single vertex has a single tuple, which sees the same for every K. K = 1 saves
    # loops over the positions of very long tuples.
    is_short = max(blocks, default=0) < 2
    short = replace(test, arity=1, fixed=0, sees_all=False) if is_short else test
    problem = tuple_problem(graph, short, blocks)
    run = run_tuples(problem, rounds, progress)
    return TupleRefinement(
        test=test.name,
        graph=graph,
        direction=graph.direction,
        arity=test.arity,
        stable=run.stable,
        exact=run.exact,
        proof=run.proof,
        blocks=blocks,
        _problem=problem,
        _run=run,
    )
