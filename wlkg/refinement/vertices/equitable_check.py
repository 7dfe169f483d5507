"""Proof, without hashing, that a run missed no split.

Every split is right (see `worklist`), so a run is exact if vertices that share a
class at round t + 1 see the same colours of round t. That is compared for every round where there
are not too many of them. Otherwise it is compared for the last one, which proves the stable
partition: it is equitable, and no finer than the coarsest equitable one.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import BoolArray, IntArray
from wlkg.graph.arcs import Arcs
from wlkg.partition import History
from wlkg.refinement.compiled.arc_arrays import ArcArrays
from wlkg.refinement.compiled.kernel import run
from wlkg.refinement.compiled.threads import on_ranges
from wlkg.refinement.vertices.neighbourhood_kernels import find_difference, mark_neighbours
from wlkg.refinement.vertices.vertex_problem import VertexProblem

#: All rounds are checked up to so many; longer runs are checked in the last round only.
ALL_ROUNDS = 64

#: Vertices that are not alone are few if they are less than one in so many.
_FEW = 8


def proves(
    problem: VertexProblem, history: History, order: IntArray, *, stable: bool
) -> tuple[bool, bool]:
    """Whether the checks hold, and whether they covered every round.

    ``order`` lists the vertices class by class for the last round, and so for all earlier ones.
    """
    every_round = history.rounds <= ALL_ROUNDS
    everywhere = np.ones(problem.num_vertices, dtype=np.bool_)
    group = history.class_of
    if stable and not _sees_alike(problem, order, group, group, everywhere):
        return False, every_round
    for t in range(history.rounds if every_round else 0, 0, -1):
        # From the partition of round t back to that of round t - 1: classes are numbered by birth.
        fresh = np.flatnonzero(group >= np.searchsorted(history.birth, t))
        colour = group.copy()
        colour[fresh] = history.parent[group[fresh]]
        changed = colour >= np.searchsorted(history.birth, t - 1)
        if not _sees_alike(problem, order, group, colour, everywhere if t == 1 else changed):
            return False, every_round
        group = colour
    return True, every_round


def _size(problem: VertexProblem) -> int:
    return problem.num_arcs + problem.num_vertices


def _arrays(arcs: Arcs) -> ArcArrays:
    return ArcArrays(arcs.offsets, arcs.neighbour, arcs.relation)


def _touched(problem: VertexProblem, changed: BoolArray) -> BoolArray:
    """The vertices with a neighbour that changed its colour in the last round."""
    touched = np.zeros(problem.num_vertices, dtype=np.bool_)
    arcs = _arrays(problem.reversed_arcs)
    run(mark_neighbours, _size(problem), changed, arcs, touched)
    return touched


def _sees_alike(
    problem: VertexProblem, order: IntArray, group: IntArray, colour: IntArray, changed: BoolArray
) -> bool:
    """Whether vertices of one group see the same, those aside that see no changed vertex."""
    order, groups = _shared(order, group[order])
    cut = _group_start(groups, len(order) // 2)
    ranges = [(0, cut), (cut, len(order))]
    # Few vertices are sooner looked at than left aside.
    few = len(order) * _FEW < problem.num_vertices or changed.all()
    touched = np.ones_like(changed) if few else _touched(problem, changed)
    most = int(np.diff(problem.arcs.offsets).max(initial=0))
    colours = (colour, int(colour.max(initial=0)) + 1)
    count = problem.arcs.num_relations
    arcs = (_arrays(problem.arcs), count, problem.sees_relations and count > 1)
    arguments = (order, group, *colours, *arcs, problem.sees_shares, touched, most)
    found = on_ranges(find_difference, _size(problem), ranges, *arguments)
    return bool(max(found) < 0)


def _shared(order: IntArray, groups: IntArray) -> tuple[IntArray, IntArray]:
    """The vertices that are not alone in their group, and their groups."""
    shared = np.zeros(len(order), dtype=np.bool_)
    np.equal(groups[1:], groups[:-1], out=shared[1:])
    shared[:-1] |= shared[1:]
    return order[shared], groups[shared]


def _group_start(groups: IntArray, place: int) -> int:
    """The first place from here on at which a group begins."""
    others = np.flatnonzero(groups[place:] != groups[place - 1]) if place else np.zeros(1)
    return place + int(others[0]) if len(others) else len(groups)
