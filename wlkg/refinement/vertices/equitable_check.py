"""Proof, without hashing, that a run missed no split: neither in the end nor in any round.

Write P_t for the partition that the run has after round t, and call two vertices *alike at t* if
they see the same under the colours P_t. A run that ended after round r is exact if

1. vertices that part at round t + 1 are not alike at t: every split is right. Each split is made
   because two sums differ, and equal multisets have equal sums (see `worklist`), so this always
   holds;
2. vertices that share a class of P_(t+1) are alike at t, for every t < r; if the run became stable,
   so that P_(r+1) would be P_r, for t = r too. No split was missed, nor made too late. A collision
   of sums could break this, so it is checked.

Compared are only vertices that stand side by side in a list in which the members of each class
are contiguous at *every* round; the engine keeps such a list, since it splits a class in place.

- Neighbours in the list that part at round s still share a class of P_(s-1), so by (2) they must be
  alike at s - 2. There is nothing to compare if s < 2.
- Neighbours that never part must be alike at the last t of (2).

*These comparisons prove (2).* P_t refines P_(t-1), hence vertices that are alike at t are alike at
t - 1. Let v and w share a class of P_(t+1). All of its members lie between them in the list, and no
two neighbours there part before round t + 2. So all these neighbours are alike at some round that
is t or later, hence alike at t; and being alike is transitive. Conversely each comparison is an
instance of (2), so a run that missed nothing passes.

There are n - 1 comparisons for all rounds together. The colour of a vertex at an earlier round is
an ancestor of its class in the split tree, whose depth is at most log2(n); no vertex takes part in
more than two comparisons. So the check costs O(m log n), however many rounds there were.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import IntArray
from wlkg.partition import History
from wlkg.refinement.compiled.threads import equal_ranges, on_ranges
from wlkg.refinement.vertices.neighbourhood_kernels import find_difference
from wlkg.refinement.vertices.share_kernels import find_other_shares
from wlkg.refinement.vertices.vertex_problem import VertexProblem

#: More pieces than threads: some pieces have many more arcs than others.
_PIECES = 16


def missed_no_split(
    problem: VertexProblem, history: History, vertices_by_class: IntArray, *, stable: bool
) -> bool:
    """Whether every round of a run, and the end of a stable run, is right.

    ``vertices_by_class`` lists the vertices such that the members of each class are contiguous at
    every round.
    """
    classes_at = history.classes_per_round
    if not stable and history.rounds == 0:
        return True  # no round was run
    arcs, test = problem.arcs, problem.test
    tree = (history.class_of, history.parent, history.birth, classes_at)
    last_classes = int(classes_at[-1] if stable else classes_at[-2])
    longest = int(np.diff(arcs.offsets).max(initial=0))
    seen = (arcs.offsets, arcs.neighbour, arcs.relation)
    ranges = equal_ranges(max(problem.num_vertices - 1, 0), _PIECES)
    arguments = (problem.size, ranges, vertices_by_class, *tree, last_classes, *seen)
    if test.sees_shares:
        differing = on_ranges(find_other_shares, *arguments, longest)
    else:
        by_relation = test.sees_relations and arcs.num_relations > 1
        how = (arcs.num_relations, longest, by_relation)
        differing = on_ranges(find_difference, *arguments, *how)
    return bool(max(differing) < 0)
