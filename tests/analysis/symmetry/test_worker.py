"""The worker process: answers, time limits, failures, and that nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator

import pytest

import wlkg
from tests.analysis.symmetry.libraries import BLISS, needs_dejavu, needs_igraph, use_library
from wlkg.analysis.isomorphism import find_isomorphism
from wlkg.analysis.symmetry.deadline import Deadline, OutOfTimeError
from wlkg.analysis.symmetry.libraries import find_library
from wlkg.analysis.symmetry.worker import Worker, WorkerError
from wlkg.examples import example

PATH = [[0, 0, 0], [[0, 1], [1, 2]]]
unix = pytest.mark.skipif(os.name == "nt", reason="looks at processes as Unix does")


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()


def pid_of(worker: Worker) -> int:
    assert worker._process is not None
    return worker._process.pid


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@needs_igraph
def test_one_process_serves_many_requests(worker: Worker) -> None:
    generators, order = worker.call("bliss", "automorphisms", PATH, Deadline.after(60))
    assert (generators, order) == ([[2, 1, 0]], "2")
    pid = pid_of(worker)
    for _ in range(20):
        order = worker.call("bliss", "canonical_order", PATH, Deadline.after(60))
        assert sorted(order) == [0, 1, 2]
    assert pid_of(worker) == pid


@needs_dejavu
def test_remarks_that_a_library_prints_are_kept_away(worker: Worker) -> None:
    discrete = [[0, 1, 2], [[0, 1]]]
    assert worker.call("dejavu", "automorphisms", discrete, Deadline.after(60)) == [[], None]


@unix
def test_a_request_that_takes_too_long_is_killed_and_the_next_one_answered(worker: Worker) -> None:
    with pytest.raises(WorkerError):
        worker.call("deadline", "nothing", [], Deadline.after(60))
    pid = pid_of(worker)
    # A loop within the loop waits for input that never comes.
    with pytest.raises(OutOfTimeError):
        worker.call("worker", "serve", [], Deadline.after(0.2))
    assert not is_alive(pid)
    assert worker._process is None
    with pytest.raises(WorkerError, match="AttributeError"):
        worker.call("deadline", "nothing", [], Deadline.after(60))


def test_no_process_is_started_after_the_deadline(worker: Worker) -> None:
    with pytest.raises(OutOfTimeError):
        worker.call("bliss", "automorphisms", PATH, Deadline.after(-1))
    assert worker._process is None


def test_the_failure_of_a_library_is_reported(worker: Worker) -> None:
    with pytest.raises(WorkerError, match="AttributeError"):
        worker.call("deadline", "nothing", [], Deadline.after(60))
    with pytest.raises(WorkerError, match="TypeError"):
        worker.call("deadline", "Deadline", [], Deadline.after(60))


@unix
def test_a_crash_of_a_library_is_reported_and_the_worker_starts_again(worker: Worker) -> None:
    with pytest.raises(WorkerError):
        worker.call("deadline", "nothing", [], Deadline.after(60))
    pid = pid_of(worker)
    os.kill(pid, signal.SIGKILL)
    while is_alive(pid) and worker._process is not None and worker._process.poll() is None:
        time.sleep(0.01)
    with pytest.raises(WorkerError, match="AttributeError"):
        worker.call("deadline", "nothing", [], Deadline.after(60))
    assert pid_of(worker) != pid


#: Starts a worker, prints its process id, and ends in the given way while it computes or waits.
PROGRAM = """
import sys, threading, time
from wlkg.analysis.symmetry import worker
from wlkg.analysis.symmetry.deadline import Deadline
own = worker.WORKER
try:
    own.call("deadline", "nothing", [], Deadline.after(60))
except worker.WorkerError:
    pass
print(own._process.pid, flush=True)
{ending}
"""
ENDINGS = {
    "returns": "",
    "is interrupted while it waits for an answer": (
        "import os, signal\n"
        "threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()\n"
        'own.call("worker", "serve", [], Deadline.after(60))'
    ),
    "is killed": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
}


@unix
@pytest.mark.usefixtures("heeds_signals")
@pytest.mark.parametrize("ending", ENDINGS)
def test_no_worker_is_left_when_the_program(ending: str) -> None:
    program = textwrap.dedent(PROGRAM).format(ending=ENDINGS[ending])
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    pid = int(done.stdout)
    for _ in range(500):
        if not is_alive(pid):
            break
        time.sleep(0.01)
    assert not is_alive(pid)


@needs_igraph
def test_a_time_out_leaves_the_answer_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise OutOfTimeError

    use_library(monkeypatch, BLISS)
    monkeypatch.setattr("wlkg.analysis.symmetry.libraries._SMALL", 0)
    monkeypatch.setattr("wlkg.analysis.symmetry.worker.Worker.call", never)
    found = wlkg.symmetry(wlkg.disjoint_union(example("c6"), example("petersen")), ["1-wl"])
    assert (found.orbits.num_classes, found.group_order) == (16, None)
    assert (found.complete, found.proven) == (None, False)
    verdict = find_isomorphism(example("rook"), example("shrikhande"), seconds=2.5)
    assert (verdict.isomorphic, verdict.rests_on) == (None, "not decided within 2.5 s")


@needs_igraph
def test_the_worker_gives_the_same_answers_as_this_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = wlkg.symmetry(example("cfi-g"))
    monkeypatch.setattr("wlkg.analysis.symmetry.libraries._SMALL", 0)
    there = wlkg.symmetry(example("cfi-g"))
    assert there.orbits == here.orbits
    assert list(there.generators) == list(here.generators)
    assert there.group_order == here.group_order


@needs_igraph
def test_igraph_is_preferred() -> None:
    library = find_library()
    assert library is not None
    assert library.is_exact
    assert "BLISS" in library.name
