"""Engines for vertex tests behind one interface: a problem and a last round in, a run out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wlkg.partition import History
from wlkg.progress import Progress
from wlkg.refinement.proof import ATTEMPTS, EVERY_ROUND
from wlkg.refinement.vertices.equitable_check import proves
from wlkg.refinement.vertices.textbook import refine_textbook
from wlkg.refinement.vertices.vertex_problem import VertexProblem
from wlkg.refinement.vertices.worklist import Worklist

STABLE_PARTITION = "the last round was checked without hashing; the others rest on two 64-bit sums"
SORTED = "every round was sorted, nothing was hashed"


@dataclass(frozen=True)
class Run:
    """What an engine gives back."""

    history: History
    stable: bool
    exact: bool
    proof: str


Engine = Callable[[VertexProblem, int, Progress], Run]


def run_worklist(problem: VertexProblem, last_round: int, progress: Progress) -> Run:
    """Quasi-linear refinement, checked, and run again with new random numbers if need be."""
    for seed in range(ATTEMPTS):
        worklist = Worklist(problem, seed)
        stable = worklist.run(last_round, progress)
        history = worklist.history()
        ok, every_round = proves(problem, history, worklist.order, stable=stable)
        if ok:
            return Run(
                history,
                stable,
                stable or every_round,
                EVERY_ROUND if every_round else STABLE_PARTITION,
            )
    return run_textbook(problem, last_round, progress)


def run_textbook(problem: VertexProblem, last_round: int, progress: Progress) -> Run:
    """Round by round, by sorting."""
    history, stable = refine_textbook(problem, last_round, progress)
    return Run(history, stable, True, SORTED)


ENGINES: dict[str, Engine] = {"worklist": run_worklist, "textbook": run_textbook}
