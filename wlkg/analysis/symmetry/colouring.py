"""1-RWL colours for symmetries, which need the stable partition but no round before it.

Every split of `Worklist` is right: vertices of different colours are not symmetric. A split may be
missing, with a probability that is negligible but not zero. A search that checks the map it finds
can live with that; what relies on an equitable partition cannot.
"""

from __future__ import annotations

from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.refinement.proof import ATTEMPTS
from wlkg.refinement.vertices.equitable_check import check_run
from wlkg.refinement.vertices.vertex_problem import VertexProblem
from wlkg.refinement.vertices.vertex_tests import run_vertices
from wlkg.refinement.vertices.worklist import Worklist


def equitable_history(problem: VertexProblem, progress: Progress = SILENT) -> History:
    """A run whose last partition is equitable for certain; earlier rounds are not checked."""
    for seed in range(ATTEMPTS):
        worklist = _finished(problem, seed, progress)
        history = worklist.history()
        only_last = History.from_rounds([history.class_of])
        if check_run(problem, only_last, worklist.vertices_by_class, stable=True).holds:
            return history
    return run_vertices(problem, engine="textbook", progress=progress).history


def unchecked_history(problem: VertexProblem) -> History:
    """A run whose splits are right, but which may miss one."""
    return _finished(problem, 0, SILENT).history()


def _finished(problem: VertexProblem, seed: int, progress: Progress) -> Worklist:
    worklist = Worklist(problem, seed)
    worklist.run(problem.num_vertices + 1, progress)  # every round but the last splits a class
    return worklist
