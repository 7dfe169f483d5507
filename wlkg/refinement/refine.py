"""The WL tests: one table, one function.

``refine(graph, test="1-rwl")`` runs a test of the tables `TESTS` and `TUPLE_TESTS` to its stable
colouring and tells the partition of every round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from wlkg.catalogue import (
    DEFAULT_TEST,
    Direction,
    Test,
    TupleTest,
    check_direction,
    find_test,
)
from wlkg.errors import TooLargeError, UsageError, unknown_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import free_memory
from wlkg.progress import SILENT, Progress
from wlkg.refinement.results import Refinement, TupleRefinement, VertexRefinement
from wlkg.refinement.tuples.tuple_problem import tuple_problem
from wlkg.refinement.tuples.tuple_tests import bytes_needed, run_tuples
from wlkg.refinement.vertices.engines import ENGINES
from wlkg.refinement.vertices.vertex_problem import vertex_problem


def refine(
    graph: RelationalGraph,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    rounds: int | None = None,
    *,
    blocks: Sequence[int] | None = None,
    max_memory: int | None = None,
    engine: str = "worklist",
    progress: Progress = SILENT,
) -> Refinement:
    """Run a test to its stable colouring, or for some rounds.

    ``blocks`` says that the graph is made of several graphs with so many vertices each (see
    `wlkg.disjoint_union`), whose tuples never mix. A tuple test that would take more than
    ``max_memory`` bytes (by default half of what is free) is refused.

    >>> import wlkg
    >>> refine(wlkg.read("example:c6")).classes_per_round
    [1]
    >>> refine(wlkg.read("example:c6"), "2-rlwl").classes_per_round
    [3, 4]
    """
    chosen = find_test(test)
    if rounds is not None and rounds < 0:
        raise UsageError(f"the number of rounds must not be negative, found {rounds}")
    if engine not in ENGINES:
        raise unknown_name("engine", engine, ENGINES)
    sizes = (graph.num_vertices,) if blocks is None else tuple(blocks)
    if sum(sizes) != graph.num_vertices or min(sizes, default=0) < 0:
        raise UsageError(f"blocks of {sizes} vertices in a graph with {graph.num_vertices}")
    mode = check_direction(graph.direction if direction is None else direction)
    progress.start(f"refining by {test}", rounds, "rounds")
    try:
        if isinstance(chosen, TupleTest):
            return _refine_tuples(graph, test, chosen, mode, rounds, sizes, max_memory, progress)
        return _refine_vertices(graph, test, chosen, mode, rounds, sizes, engine, progress)
    finally:
        progress.finish()


def _refine_vertices(
    graph: RelationalGraph,
    name: str,
    test: Test,
    direction: Direction,
    rounds: int | None,
    blocks: tuple[int, ...],
    engine: str,
    progress: Progress,
) -> VertexRefinement:
    problem = vertex_problem(
        graph,
        direction,
        sees_relations=test.sees_relations,
        sees_degrees=test.sees_degrees,
        sees_shares=test.sees_shares,
    )
    last_round = graph.num_vertices + 1 if rounds is None else rounds
    run = ENGINES[engine](problem, last_round, progress)
    return VertexRefinement(
        name, direction, 1, run.stable, run.exact, run.proof, blocks, run.history
    )


def _refine_tuples(
    graph: RelationalGraph,
    name: str,
    test: TupleTest,
    direction: Direction,
    rounds: int | None,
    blocks: tuple[int, ...],
    max_memory: int | None,
    progress: Progress,
) -> TupleRefinement:
    check_size(name, blocks, max_memory)
    # The only tuple of a single vertex says the same whatever its length.
    short = replace(test, arity=1) if max(blocks, default=0) < 2 else test
    problem = tuple_problem(graph, direction, short, blocks)
    run = run_tuples(problem, rounds, progress)
    return TupleRefinement(
        name, direction, test.arity, run.stable, run.exact, run.proof, blocks, problem, run
    )


def check_size(name: str, blocks: Sequence[int], max_memory: int | None = None) -> None:
    """Refuse a test whose colours of all tuples would not fit, with the numbers."""
    test = find_test(name)
    if not isinstance(test, TupleTest) or max(blocks, default=0) < 2:
        return
    limit = free_memory() // 2 if max_memory is None else max_memory
    largest = max(blocks)
    if test.arity * math.log2(largest) > 60:
        raise TooLargeError(
            f"{name} on {largest:,} vertices has {largest:,}^{test.arity} tuples, more than any"
            f" memory holds. Take a smaller K"
        )
    tuples, needed = bytes_needed(blocks, test)
    if needed > limit:
        raise TooLargeError(
            f"{name} on {' and '.join(f'{size:,}' for size in blocks)} vertices has {tuples:,}"
            f" tuples and needs {needed:,} bytes of memory, more than the {limit:,} allowed."
            f" Allow more with --max-memory, or take a smaller K or graph"
        )
