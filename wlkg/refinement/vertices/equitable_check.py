"""Proof, without hashing, that a run missed no split.

Every split is right (see `worklist`), so a run is exact if vertices that share a class at round
t + 1 see the same colours of round t. Runs with few rounds are checked in every round. Longer runs
are checked in the last round only, which proves the stable partition: it is equitable, and no finer
than the coarsest equitable partition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.arrays import BoolArray, IntArray
from wlkg.partition import History
from wlkg.refinement.compiled.arc_arrays import ArcArrays
from wlkg.refinement.compiled.kernel import run
from wlkg.refinement.compiled.threads import on_ranges
from wlkg.refinement.vertices.neighbourhood_kernels import find_difference, mark_neighbours
from wlkg.refinement.vertices.vertex_problem import VertexProblem

#: Runs with more rounds than this are checked in the last round only.
_MOST_ROUNDS = 64

#: Skip the filter for touched vertices below 1/8 of the vertices: it would cost more than it saves.
_FILTER_SHARE = 8


@dataclass(frozen=True)
class RunCheck:
    """The outcome of a check."""

    #: Whether no split was missed in the rounds that were checked.
    holds: bool
    #: Whether every round was checked, and not only the last.
    every_round: bool


def check_run(
    problem: VertexProblem, history: History, vertices_by_class: IntArray, *, stable: bool
) -> RunCheck:
    """Check every round of a short run, or the last round of a long run that became stable.

    ``vertices_by_class`` lists the vertices class by class. Classes of the last round lie within
    those of earlier rounds, so the list serves all rounds.
    """
    every_round = history.rounds <= _MOST_ROUNDS
    rounds = history.rounds if every_round else 0
    return RunCheck(
        holds=_rounds_hold(problem, history, vertices_by_class, rounds, stable=stable),
        every_round=every_round,
    )


def _rounds_hold(
    problem: VertexProblem, history: History, vertices: IntArray, rounds: int, *, stable: bool
) -> bool:
    """Whether no split was missed in rounds 1 .. ``rounds``, nor after a stable last round."""
    everywhere = np.ones(problem.num_vertices, dtype=np.bool_)
    group = history.class_of
    if stable and not _see_alike(problem, vertices, group, group, everywhere):
        return False
    for t in range(rounds, 0, -1):
        # From the partition of round t back to that of round t - 1: classes are numbered by birth.
        fresh = np.flatnonzero(group >= np.searchsorted(history.birth, t))
        colour = group.copy()
        colour[fresh] = history.parent[group[fresh]]
        changed = colour >= np.searchsorted(history.birth, t - 1)
        if not _see_alike(problem, vertices, group, colour, everywhere if t == 1 else changed):
            return False
        group = colour
    return True


def _see_alike(
    problem: VertexProblem,
    vertices: IntArray,
    group: IntArray,
    colour: IntArray,
    changed: BoolArray,
) -> bool:
    """Whether vertices of one group see the same colours.

    Vertices without a changed neighbour may be left out. ``vertices`` lists them group by group.
    """
    vertices, groups = _in_shared_groups(vertices, group[vertices])
    cut = _group_start(groups, len(vertices) // 2)
    ranges = [(0, cut), (cut, len(vertices))]
    unfiltered = len(vertices) * _FILTER_SHARE < problem.num_vertices or changed.all()
    touched = np.ones_like(changed) if unfiltered else _touched(problem, changed)
    arcs, test = problem.arcs, problem.test
    differing = on_ranges(
        find_difference,
        problem.size,
        ranges,
        vertices,
        group,
        colour,
        int(colour.max(initial=0)) + 1,
        ArcArrays.of(arcs),
        arcs.num_relations,
        test.sees_relations and arcs.num_relations > 1,
        test.sees_shares,
        touched,
        int(np.diff(arcs.offsets).max(initial=0)),
    )
    return bool(max(differing) < 0)


def _touched(problem: VertexProblem, changed: BoolArray) -> BoolArray:
    """The vertices with a neighbour that changed its colour in the last round."""
    touched = np.zeros(problem.num_vertices, dtype=np.bool_)
    run(mark_neighbours, problem.size, changed, ArcArrays.of(problem.reversed_arcs), touched)
    return touched


def _in_shared_groups(vertices: IntArray, groups: IntArray) -> tuple[IntArray, IntArray]:
    """The vertices that share their group with others, and their groups."""
    shared = np.zeros(len(vertices), dtype=np.bool_)
    np.equal(groups[1:], groups[:-1], out=shared[1:])
    shared[:-1] |= shared[1:]
    return vertices[shared], groups[shared]


def _group_start(groups: IntArray, place: int) -> int:
    """The first place, from here on, at which a group begins."""
    others = np.flatnonzero(groups[place:] != groups[place - 1]) if place else np.zeros(1)
    return place + int(others[0]) if len(others) else len(groups)
