"""Colour refinement as in the textbook: every round sorts what every vertex sees.

O(m log m + d n log n) per round, where d is the largest degree, and nothing is hashed. The fast
engine is compared with it, and it is a pattern for engines that can only sort and group.
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


def _next(problem: VertexProblem, colouring: Partition, *, is_first: bool) -> Partition:
    """The partition of the next round."""
    arcs, test = problem.arcs, problem.test
    seen = colouring.colours[arcs.neighbour]
    if test.sees_relations:
        seen = Partition.of(arcs.relation.astype(np.int64) * colouring.num_classes + seen).colours
    if test.sees_shares:
        return _split(colouring, *_shares(problem, seen))
    refined = _split(colouring, arcs.source, seen)
    if test.sees_degrees and is_first:
        return _split(refined, arcs.source, arcs.relation)
    return refined


def _shares(problem: VertexProblem, seen: IntArray) -> tuple[IntArray, IntArray]:
    """For each vertex and each distinct value it sees: the vertex, and a number for (value, share).

    A share is the count of a value, divided by the greatest common divisor of all counts for the
    same vertex and relation.
    """
    relation, source = problem.arcs.relation, problem.arcs.source
    permutation = np.lexsort([seen, relation, source])
    relation, source, seen = relation[permutation], source[permutation], seen[permutation]
    starts_group = _begins(source, relation)
    starts_run = starts_group | _begins(seen)
    start = np.flatnonzero(starts_run)
    counts = np.diff(np.append(start, len(seen)))
    group = np.cumsum(starts_group[start]) - 1
    first_runs = np.flatnonzero(starts_group[start])
    divisors = np.gcd.reduceat(counts, first_runs) if len(start) else counts
    share = Partition.of(counts // divisors[group])
    return source[start], Partition.of(seen[start]).meet(share).colours


def _begins(*columns: IntArray) -> BoolArray:
    """Where a row differs from the row before it."""
    result = np.zeros(len(columns[0]), dtype=np.bool_)
    result[:1] = True
    for column in columns:
        result[1:] |= column[1:] != column[:-1]
    return result


def _split(colouring: Partition, source: IntArray, seen: IntArray) -> Partition:
    """Split classes by the sorted list of what each vertex sees, position by position."""
    in_order = seen[np.lexsort([seen, source])].astype(np.int64)
    lengths = np.bincount(source, minlength=colouring.num_items)
    starts = np.cumsum(lengths) - lengths
    result = colouring.meet(Partition.of(lengths))
    for position in range(int(lengths.max(initial=0))):
        value = np.full(len(lengths), -1, dtype=np.int64)
        long_enough = lengths > position
        value[long_enough] = in_order[starts[long_enough] + position]
        result = result.meet(Partition.of(value))
    return result
