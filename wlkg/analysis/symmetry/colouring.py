"""1-RWL colours for a search that checks the map it finds.

Every split of `Worklist` is right: vertices of different colours are not symmetric. A split may be
missing, with a probability that is negligible but not zero. Such a search can live with that; what
relies on an equitable partition takes a run that is checked (`run_vertices`).
"""

from __future__ import annotations

from wlkg.partition import History
from wlkg.refinement.vertices.vertex_problem import VertexProblem
from wlkg.refinement.vertices.worklist import Worklist


def unchecked_history(problem: VertexProblem) -> History:
    """A run whose splits are right, but which may miss one."""
    worklist = Worklist(problem, 0)
    worklist.run(problem.num_vertices + 1)  # every round but the last splits a class
    return worklist.history()
