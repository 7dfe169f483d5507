"""Colour refinement as in the textbook: every round sorts what every vertex sees.

O(rounds · m log m), and nothing is hashed. The slow engine against which others are compared, and
a pattern for engines on other machinery.
"""

from __future__ import annotations

import numpy as np

from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.problem import VertexProblem
from wlkg.triples import IntArray


def refine_textbook(
    problem: VertexProblem, last_round: int, progress: Progress = SILENT
) -> tuple[History, bool]:
    """The history of a run, and whether it became stable before the last round."""
    colourings = [problem.start]
    source = np.repeat(np.arange(problem.num_vertices), np.diff(problem.arcs.offsets))
    while len(colourings) <= last_round:
        following = _next(problem, source, colourings[-1], is_first=len(colourings) == 1)
        if following.num_classes == colourings[-1].num_classes:
            return History.from_rounds([p.colours for p in colourings]), True
        colourings.append(following)
        progress.done(len(colourings) - 1)
    return History.from_rounds([p.colours for p in colourings]), False


def _next(problem: VertexProblem, source: IntArray, now: Partition, *, is_first: bool) -> Partition:
    colour = now.colours[problem.arcs.neighbour]
    if problem.sees_relations:
        colour = Partition.of(
            problem.arcs.relation.astype(np.int64) * now.num_classes + colour
        ).colours
    refined = _with_sorted(now, source, colour, problem.arcs.offsets)
    if problem.sees_degrees and is_first:
        return _with_sorted(refined, source, problem.arcs.relation, problem.arcs.offsets)
    return refined


def _with_sorted(now: Partition, source: IntArray, seen: IntArray, offsets: IntArray) -> Partition:
    """Split by the sorted list of what a vertex sees, position after position."""
    listed = seen[np.lexsort([seen, source])].astype(np.int64)
    degrees = np.diff(offsets)
    result = now.meet(Partition.of(degrees))
    for position in range(int(degrees.max(initial=0))):
        value = np.full(len(degrees), -1, dtype=np.int64)
        long_enough = degrees > position
        value[long_enough] = listed[offsets[:-1][long_enough] + position]
        result = result.meet(Partition.of(value))
    return result
