"""Colour refinement as in the textbook: every round sorts what every vertex sees.

O(rounds · m log m), and nothing is hashed. The slow engine against which others are compared, and
a pattern for engines on other machinery.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import BoolArray, IntArray
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.vertices.vertex_problem import VertexProblem


def refine_textbook(
    problem: VertexProblem, last_round: int, progress: Progress = SILENT
) -> tuple[History, bool]:
    """The history of a run, and whether it became stable before the last round."""
    colourings = [problem.start]
    while len(colourings) <= last_round:
        following = _next(problem, colourings[-1], is_first=len(colourings) == 1)
        if following.num_classes == colourings[-1].num_classes:
            return History.from_rounds([p.colours for p in colourings]), True
        colourings.append(following)
        progress.done(len(colourings) - 1)
    return History.from_rounds([p.colours for p in colourings]), False


def _next(problem: VertexProblem, now: Partition, *, is_first: bool) -> Partition:
    arcs, colour = problem.arcs, now.colours[problem.arcs.neighbour]
    if problem.sees_relations:
        colour = Partition.of(arcs.relation.astype(np.int64) * now.num_classes + colour).colours
    if problem.sees_shares:
        return _with_sorted(now, *_shares(problem, colour))
    refined = _with_sorted(now, arcs.source, colour)
    if problem.sees_degrees and is_first:
        return _with_sorted(refined, arcs.source, arcs.relation)
    return refined


def _shares(problem: VertexProblem, seen: IntArray) -> tuple[IntArray, IntArray]:
    """For each vertex and all that it sees, a number for (what it sees, how large a share it is).

    A share is how often something is seen, divided by the greatest common divisor of all such
    numbers for the same vertex and relation.
    """
    relation, source = problem.arcs.relation, problem.arcs.source
    order = np.lexsort([seen, relation, source])
    relation, source, seen = relation[order], source[order], seen[order]
    is_group = _begins(source, relation)
    is_run = is_group | _begins(seen)
    start = np.flatnonzero(is_run)
    counts = np.diff(np.append(start, len(seen)))
    group = np.cumsum(is_group[start]) - 1
    divisors = np.gcd.reduceat(counts, np.flatnonzero(is_group[start])) if len(start) else counts
    share = Partition.of(counts // divisors[group])
    return source[start], Partition.of(seen[start]).meet(share).colours


def _begins(*columns: IntArray) -> BoolArray:
    """Where a row differs from the one before it."""
    result = np.zeros(len(columns[0]), dtype=np.bool_)
    result[:1] = True
    for column in columns:
        result[1:] |= column[1:] != column[:-1]
    return result


def _with_sorted(now: Partition, source: IntArray, seen: IntArray) -> Partition:
    """Split by the sorted list of what a vertex sees, position after position."""
    listed = seen[np.lexsort([seen, source])].astype(np.int64)
    lengths = np.bincount(source, minlength=now.num_items)
    starts = np.cumsum(lengths) - lengths
    result = now.meet(Partition.of(lengths))
    for position in range(int(lengths.max(initial=0))):
        value = np.full(len(lengths), -1, dtype=np.int64)
        long_enough = lengths > position
        value[long_enough] = listed[starts[long_enough] + position]
        result = result.meet(Partition.of(value))
    return result
