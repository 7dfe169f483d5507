"""What colour refinement leaves: stable colours, and the arcs among vertices that share theirs.

An automorphism, and an isomorphism of two graphs that were coloured together, preserves the colours
of 1-RWL. The colours here start from labels and loops, so a loop needs no arc. A vertex alone in
its class is fixed; all vertices of another class have the same arcs to it, so these arcs carry
nothing. The other arcs are joined: all relations from v to u make one *kind* of pair.

That every vertex of a class has as many arcs of each relation into each class as any other is all
that `decomposition` relies on.

Modes ``in`` and ``out`` have the symmetries of mode ``both``, in which colours see more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from wlkg.arrays import IntArray
from wlkg.catalogue import TESTS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.refinement.atomic_types import relation_sets, vertex_types
from wlkg.refinement.vertices.vertex_problem import vertex_problem
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
    return Remainder(block=block, colours=colours, source=source, neighbour=neighbour, kind=kind)


def _is_balanced(history: History, block: IntArray) -> bool:
    """Whether all graphs have as many vertices of each colour as the first one."""
    return all(
        history.imbalanced_at(block == 0, block == other) is None
        for other in range(1, int(block.max(initial=0)) + 1)
    )
