"""The torch engine: collisions are caught, and every operation stays on its device."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import wlkg
from tests.refinement.engines.other_device import OTHER, Elsewhere, OtherDevice
from tests.refinement.engines.tiny_graphs import many_tiny_graphs
from wlkg.catalogue import TESTS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History
from wlkg.refinement.engines.torch_engine import check, rounds, run
from wlkg.refinement.engines.torch_engine.arcs import TensorArcs
from wlkg.refinement.engines.torch_engine.check import TensorCheck
from wlkg.refinement.engines.torch_engine.rounds import TensorRounds
from wlkg.refinement.proof import EVERY_ROUND, SORTED
from wlkg.refinement.refine import refine
from wlkg.refinement.vertices.vertex_problem import VertexProblem, vertex_problem

CPU = torch.device("cpu")
every_test = pytest.mark.parametrize("test", ["1-wl", "weak-rwl", "1-rwl", "mean-rwl"])


def _random_graph(n: int, m: int) -> RelationalGraph:
    draw = np.random.default_rng(0).integers
    return RelationalGraph.from_arrays(draw(0, n, m), draw(0, 3, m), draw(0, n, m), num_vertices=n)


@every_test
@pytest.mark.parametrize("bits", [0, 3])
def test_names_weakened_to_a_few_bits_are_detected_and_repaired(
    monkeypatch: pytest.MonkeyPatch, test: str, bits: int
) -> None:
    attempts = []

    class Weak(TensorRounds):
        def __init__(self, problem: VertexProblem, seed: int, device: torch.device) -> None:
            attempts.append(seed)
            super().__init__(problem, seed, device, -1 if seed else 2**bits - 1)

    monkeypatch.setattr(run, "TensorRounds", Weak)
    graph = _random_graph(2000, 4000)
    refinement, expected = refine(graph, test, engine="torch"), refine(graph, test)
    assert attempts == [0, 1]
    assert refinement.proof == EVERY_ROUND
    assert refinement.classes_per_round == expected.classes_per_round
    assert refinement.partition == expected.partition


def test_fingerprints_that_collide_do_not_join_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = many_tiny_graphs(60, seed=1, labels=True)
    expected = refine(graph)
    monkeypatch.setattr(rounds, "_mixed", lambda x: x & 3)
    grouped = rounds._grouped(torch.tensor([7, 9, 7, 9]), torch.tensor([[1, 2], [1, 2]] * 2))
    assert sorted(grouped.sizes.tolist()) == [2, 2]
    monkeypatch.undo()
    assert refine(graph, engine="torch").partition == expected.partition


def test_when_no_attempt_passes_the_check_the_textbook_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TensorCheck, "holds", lambda _self, *, stable: not stable)
    refinement = refine(wlkg.read("example:c6"), engine="torch")
    assert refinement.exact
    assert refinement.proof == SORTED


def _check(problem: VertexProblem, history: History) -> bool:
    class_of, parent, birth = (
        torch.tensor(array).long() for array in (history.class_of, history.parent, history.birth)
    )
    arcs = TensorArcs.of(problem.arcs, CPU)
    return TensorCheck(arcs, problem.test, class_of, parent, birth, history.rounds).holds(
        stable=True
    )


@every_test
@pytest.mark.parametrize("together", [1, 5, 10**6])
def test_the_check_notices_every_missed_or_late_split(
    monkeypatch: pytest.MonkeyPatch, test: str, together: int
) -> None:
    monkeypatch.setattr(check, "_ARCS_TOGETHER", together)
    graph = many_tiny_graphs(8, seed=5, labels=False)
    problem = vertex_problem(graph, TESTS[test])
    history = refine(graph, test).history
    assert _check(problem, history)
    colourings = [history.partition(t).colours for t in range(history.rounds + 1)]
    for t in range(1, history.rounds + 1):
        for one in np.unique(colourings[t]).tolist():
            other = int(colourings[t][np.argmax(colourings[t] != one)])
            before = [colourings[t - 1][np.argmax(colourings[t] == c)] for c in (one, other)]
            if before[0] != before[1]:
                continue  # they were apart already
            joined = [c.copy() for c in colourings]
            joined[t][joined[t] == one] = other
            # Split one round too late, or, in the last round, never.
            late = History.from_rounds(joined)
            assert not _check(problem, late)


@every_test
@pytest.mark.parametrize("labels", [False, True])
def test_every_operation_stays_on_the_chosen_device(
    monkeypatch: pytest.MonkeyPatch, test: str, labels: bool
) -> None:
    monkeypatch.setattr(rounds, "_ARCS_TOGETHER", 50)
    monkeypatch.setattr(check, "_ARCS_TOGETHER", 50)
    graph = many_tiny_graphs(30, seed=2, labels=labels)
    problem = vertex_problem(graph, TESTS[test])
    with OtherDevice() as mode:
        tensors = TensorRounds(problem, 0, OTHER)
        assert tensors.run(10**6)
        assert isinstance(tensors.class_of, Elsewhere)
        parent, birth = tensors.tree()
        arcs = TensorArcs.of(problem.arcs, OTHER)
        proof = TensorCheck(arcs, problem.test, tensors.class_of, parent, birth, tensors.rounds)
        assert proof.holds(stable=True)
        history = tensors.history()
    assert history.partition() == refine(graph, test).partition
    assert {"aten.sort.default", "aten.cumsum.default"} <= mode.operations


def test_the_other_device_notices_what_it_should() -> None:
    with OtherDevice():
        there = torch.zeros(3, device=OTHER)
        here = there.cpu() + 1
        with pytest.raises(AssertionError, match="mixes tensors of two devices"):
            there + here
        with pytest.raises(AssertionError, match="off the device"):
            torch.zeros(3)
        assert (there.cpu() + here).tolist() == [1, 1, 1]
