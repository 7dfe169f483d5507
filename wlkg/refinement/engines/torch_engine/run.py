"""The torch engine: rounds on a device, checked there; a failed check repeats them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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
    with _one_thread():
        for seed in range(ATTEMPTS):
            run = _attempt(problem, last_round, progress, chosen, seed)
            if run is not None:
                return run
    return run_textbook(problem, last_round, progress)


def _attempt(
    problem: VertexProblem, last_round: int, progress: Progress, device: torch.device, seed: int
) -> VertexRun | None:
    """A run that passed the check, or None."""
    rounds = TensorRounds(problem, seed, device)
    stable = rounds.run(last_round, progress)
    parent, birth = rounds.tree()
    check = TensorCheck(
        arcs=TensorArcs.of(problem.arcs, device),
        test=problem.test,
        class_of=rounds.class_of,
        parent=parent,
        birth=birth,
        rounds=rounds.rounds,
    )
    if not check.holds(stable=stable):
        return None
    return VertexRun(history=rounds.history(), stable=stable, exact=True, proof=EVERY_ROUND)


@contextmanager
def _one_thread() -> Iterator[None]:
    """One thread of the CPU: on short operations several mostly wait for each other, busily.

    With two threads on two cores that had other work, runs took up to four times as long.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
