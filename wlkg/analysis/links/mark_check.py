"""Proof, without hashing, that marked sources missed no split (see `mark_kernels`).

Differences that are not equal always mean different multisets, so every split is right. A split
could be missed in two ways, and both are looked for:

- a vertex sees a member, but its difference is 0, as if it saw none;
- two vertices of one group see members of different colours, or under different relations.

Two vertices of one class of the base see equally many vertices of each class of the round before.
So they see the same of the marked partition exactly if they see the same *members*, with their
colours and the relations that lead to them. In every round each vertex that shares its group is
compared with one other, the head of the group; the rest follows by transitivity, and from round to
round by induction. Groups of one vertex need no look at all.

When the marks are stable, it is shown instead that the partition is equitable: either all vertices
of a class see the same members, or none sees any. As every split was right, it is the coarsest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.graph.arcs import Arcs
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.shell_sort import shell_sort


class Witness(NamedTuple):
    """The arcs along which vertices see, and working memory."""

    arcs: ArcArrays
    #: Vertices group by group, and where the next one of each group goes.
    order: Array
    place: Array
    #: The members that the head of a group sees, and those that another vertex sees.
    theirs: Array
    mine: Array


def witness_of(arcs: Arcs) -> Witness:
    """Working memory for a graph with these arcs."""
    longest = int(np.diff(arcs.offsets).max(initial=0))
    return Witness(
        ArcArrays.of(arcs),
        np.zeros(arcs.num_vertices, dtype=np.int32),
        np.zeros(arcs.num_vertices + 1, dtype=np.int32),
        np.zeros(longest, dtype=np.int64),
        np.zeros(longest, dtype=np.int64),
    )


@Kernel
def list_members_seen(v: Any, colour: Array, arcs: ArcArrays, seen: Array) -> Any:
    """Write the members that v sees, in order; return how many there are.

    A member is written as its relation and its colour, which is its own in the whole graph.
    """
    width = np.int64(2 * len(colour) + 2)
    count: Any = 0
    for arc in range(arcs.offsets[v], arcs.offsets[v + 1]):
        w = arcs.neighbour[arc]
        if colour[w] >= 0:
            seen[count] = np.int64(arcs.relation[arc]) * width + colour[w]
            count += 1
    shell_sort(seen, 0, count)
    return count


@Kernel
def groups_see_alike(
    vertices: Array,
    count: Any,
    groups: Any,
    group: Array,
    group_size: Array,
    colour: Array,
    witness: Witness,
) -> bool:
    """Whether the vertices ``[:count]`` of each group see the same members.

    ``group`` has the group of each of them, ``group_size`` the size of each group.
    """
    order, place, theirs, mine = witness.order, witness.place, witness.theirs, witness.mine
    start: Any = 0
    for g in range(groups):
        place[g] = start
        start += group_size[g]
    for k in range(count):
        order[place[group[k]]] = vertices[k]
        place[group[k]] += 1
    for g in range(groups):
        if group_size[g] < 2:
            continue
        first = place[g] - group_size[g]
        length = list_members_seen(order[first], colour, witness.arcs, theirs)
        for k in range(first + 1, place[g]):
            if list_members_seen(order[k], colour, witness.arcs, mine) != length:
                return False
            for j in range(length):
                if mine[j] != theirs[j]:
                    return False
    return True
