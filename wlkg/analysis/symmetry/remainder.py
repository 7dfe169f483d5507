"""What colour refinement leaves: stable colours, and the arcs among vertices that share theirs.

An automorphism, and an isomorphism of two graphs that were coloured together, preserves the colours
of 1-RWL. The colours here start from labels and loops, so a loop needs no arc. A vertex alone in
its class is fixed; all vertices of another class have the same arcs to it, so these arcs carry
nothing. The other arcs are joined: all relations from v to u make one *kind* of pair. If some
vertices have several relations between them, the colours are refined again by kinds, which see more
than single relations do. Afterwards every vertex of a class has as many arcs of each kind into each
class as any other: this is all that `decomposition` relies on.

Modes ``in`` and ``out`` have the symmetries of mode ``both``, in which colours see more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from wlkg.arrays import IntArray
from wlkg.catalogue import TESTS
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.atomic_types import relation_sets, vertex_types
from wlkg.refinement.vertices.vertex_problem import VertexProblem, vertex_problem
from wlkg.refinement.vertices.vertex_tests import run_vertices


@dataclass(frozen=True, eq=False)
class Remainder:
    """Coloured vertices of one or several graphs, and the arcs that colours do not determine."""

    #: The graph that each vertex belongs to.
    block: IntArray
    colours: IntArray
    #: Arcs, each in both directions: of kind ``kind[j]`` from ``source[j]`` to ``neighbour[j]``.
    source: IntArray
    neighbour: IntArray
    kind: IntArray


def undirected_or_both(graph: RelationalGraph) -> RelationalGraph:
    """The same symmetries in a mode in which every vertex sees all its arcs."""
    return graph.with_direction("undirected" if graph.direction == "undirected" else "both")


def remainder(
    graph: RelationalGraph, blocks: Sequence[int], progress: Progress = SILENT
) -> Remainder | None:
    """What is left of a union of graphs; None if their colour histograms differ."""
    problem = vertex_problem(undirected_or_both(graph), TESTS["1-rwl"])
    arcs = problem.arcs
    problem = replace(problem, start=vertex_types(problem.start, arcs))
    block = np.repeat(np.arange(len(blocks)), blocks)
    progress.start("refining by 1-rwl", None, "rounds")
    try:
        history = run_vertices(problem, progress=progress).history
    finally:
        progress.finish()
    if not _is_balanced(history, block):
        return None
    colours = history.partition().colours.astype(np.int64)
    is_shared = np.bincount(colours)[colours] > len(blocks)
    chosen = is_shared[arcs.source] & is_shared[arcs.neighbour] & (arcs.source != arcs.neighbour)
    source, neighbour, kind = relation_sets(arcs, chosen)
    left = Remainder(block=block, colours=colours, source=source, neighbour=neighbour, kind=kind)
    if len(source) == np.count_nonzero(chosen):
        return left
    history = run_vertices(_problem_of_kinds(left), progress=progress).history
    if not _is_balanced(history, block):
        return None
    return replace(left, colours=history.partition().colours.astype(np.int64))


def _is_balanced(history: History, block: IntArray) -> bool:
    """Whether all graphs have as many vertices of each colour as the first one."""
    return all(
        history.imbalanced_at(block == 0, block == other) is None
        for other in range(1, int(block.max(initial=0)) + 1)
    )


def _problem_of_kinds(left: Remainder) -> VertexProblem:
    return problem_of_pairs(left.colours, left.source, left.neighbour, left.kind)


def problem_of_pairs(
    colours: IntArray, source: IntArray, neighbour: IntArray, kind: IntArray
) -> VertexProblem:
    """1-RWL from these colours on, over arcs with these kinds as relations."""
    return VertexProblem(
        test=TESTS["1-rwl"],
        start=Partition.of(colours),
        arcs=_arcs(len(colours), source, kind, neighbour),
        reversed_arcs=_arcs(len(colours), neighbour, kind, source),
    )


def _arcs(num_vertices: int, source: IntArray, kind: IntArray, neighbour: IntArray) -> Arcs:
    order = np.lexsort([neighbour, kind, source])
    counts = np.bincount(source, minlength=num_vertices)
    return Arcs(
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        relation=kind[order],
        neighbour=neighbour[order],
        relation_names=tuple(map(str, range(int(kind.max(initial=0)) + 1))),
    )
