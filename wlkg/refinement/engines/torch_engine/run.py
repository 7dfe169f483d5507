"""The torch engine: rounds on a device, checked there; a failed check repeats them."""

from __future__ import annotations

import torch

from wlkg.devices import find_device
from wlkg.progress import Progress
from wlkg.refinement.engines.torch_engine.arcs import TensorArcs
from wlkg.refinement.engines.torch_engine.check import TensorCheck
from wlkg.refinement.engines.torch_engine.rounds import TensorRounds
from wlkg.refinement.proof import ATTEMPTS, EVERY_ROUND
from wlkg.refinement.vertices.vertex_problem import VertexProblem
from wlkg.refinement.vertices.vertex_tests import VertexRun, run_textbook


def run_torch(
    problem: VertexProblem, last_round: int, progress: Progress, *, device: str = "auto"
) -> VertexRun:
    """Refine on a device, by default the fastest; if no attempt passes the check, the textbook."""
    chosen = find_device(device, torch.int64)
    for seed in range(ATTEMPTS):
        rounds = TensorRounds(problem, seed, chosen)
        stable = rounds.run(last_round, progress)
        parent, birth = rounds.tree()
        check = TensorCheck(
            arcs=TensorArcs.of(problem.arcs, chosen),
            test=problem.test,
            class_of=rounds.class_of,
            parent=parent,
            birth=birth,
            rounds=rounds.rounds,
        )
        if check.holds(stable=stable):
            return VertexRun(history=rounds.history(), stable=stable, exact=True, proof=EVERY_ROUND)
    return run_textbook(problem, last_round, progress)
