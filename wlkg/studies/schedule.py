"""Runs are trained by worker processes, each with one thread.

The process that schedules hands a run to every idle worker, and writes the result files: a worker
that is killed loses its own run only. Workers ignore Ctrl-C, which a terminal sends to all
processes; the scheduler ends them. A worker whose scheduler is gone ends when it next reports.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING

from wlkg.errors import WlkgError
from wlkg.progress import SILENT, Progress, Silent
from wlkg.studies.dataset import Dataset, load_dataset
from wlkg.studies.pace import Pace
from wlkg.studies.runs import RunResult
from wlkg.studies.study import DataFiles, Run
from wlkg.studies.training import train_run

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

Finished = Callable[[RunResult], None]
#: Seconds between two reports of a worker.
_REPORT = 0.5


class WorkerError(WlkgError):
    """A worker process failed or was killed."""


def train_all(
    runs: Iterable[Run],
    files: DataFiles,
    dataset: Dataset,
    *,
    workers: int,
    pace: Pace,
    finished: Finished,
    progress: Progress = SILENT,
) -> None:
    """Train all runs; ``finished`` is called in this process for each result as it arrives."""
    waiting = list(runs)
    if not waiting:
        return
    tracker = _Tracker(waiting, pace, finished, progress)
    try:
        if min(workers, len(waiting)) <= 1:
            for run in waiting:
                tracker.finish(train_run(dataset, run, _Reporter(tracker.reached, run)))
        else:
            _train_in_processes(waiting, files, min(workers, len(waiting)), tracker)
    finally:
        progress.finish()


class _Tracker:
    """Counts what is done, weighted by how long runs take."""

    def __init__(self, runs: list[Run], pace: Pace, finished: Finished, progress: Progress) -> None:
        # Ten units for each second, so that short runs count as well.
        self._weight = {run: max(10 * pace.seconds(run), 1) for run in runs}
        self._reached = dict.fromkeys(runs, 0.0)
        self._pace, self._finished, self._progress = pace, finished, progress
        self._count = 0
        progress.start(f"training {len(runs):,} runs", round(sum(self._weight.values())), "units")

    def reached(self, run: Run, epoch: int) -> None:
        """A run has come to an epoch."""
        self._reached[run] = epoch / max(run.epochs, 1)
        self._progress.say(f"{self._count:,} finished, {run.file_name.rpartition('-')[0]}")
        shares = (self._weight[each] * share for each, share in self._reached.items())
        self._progress.done(round(sum(shares)))

    def finish(self, result: RunResult) -> None:
        """A run is finished."""
        self._pace.learn(result)
        self._finished(result)
        self._count += 1
        self.reached(result.run, result.run.epochs)


class _Reporter(Silent):
    """The progress of one run, reported a few times per second."""

    def __init__(self, report: Callable[[Run, int], None], run: Run) -> None:
        self._report, self._run, self._last = report, run, 0.0

    def done(self, amount: int) -> None:
        now = time.monotonic()
        if now - self._last >= _REPORT:
            self._last = now
            self._report(self._run, amount)


def _train_in_processes(
    waiting: list[Run], files: DataFiles, workers: int, tracker: _Tracker
) -> None:
    context = multiprocessing.get_context("spawn")
    queue = waiting[::-1]
    processes: list[SpawnProcess] = []
    busy: list[Connection] = []
    try:
        for _ in range(workers):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, files), daemon=True)
            with _interrupts_ignored():
                process.start()
            there.close()
            processes.append(process)
            busy.append(here)
            _assign(here, queue)
        while busy:
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                if _hear(connection, tracker) and not _assign(connection, queue):
                    busy.remove(connection)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C for a moment; processes that are started meanwhile ignore it for ever."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may handle signals
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _hear(connection: Connection, tracker: _Tracker) -> bool:
    """Take a message of a worker; whether it is idle now."""
    try:
        message = connection.recv()
    except (EOFError, ConnectionError) as error:
        raise WorkerError(
            "a worker process ended, perhaps because memory ran out. Finished runs are kept: "
            "run the same command again, with fewer --workers"
        ) from error
    if isinstance(message, WorkerError):
        raise message
    if isinstance(message, RunResult):
        tracker.finish(message)
        return True
    tracker.reached(*message)
    return False


def _assign(connection: Connection, queue: list[Run]) -> bool:
    """Hand the next run to a worker; False sends it home because there is none."""
    run = queue.pop() if queue else None
    with suppress(ConnectionError):  # a worker that is gone is noticed when it is heard next
        connection.send(run)
    return run is not None


def _work(connection: Connection, files: DataFiles) -> None:
    """A worker: train the runs that arrive until None does."""
    try:
        dataset: Dataset | None = None
        while (run := connection.recv()) is not None:
            dataset = dataset or load_dataset(files)
            reporter = _Reporter(lambda each, epoch: connection.send((each, epoch)), run)
            connection.send(train_run(dataset, run, reporter))
    except WlkgError as error:
        failure = WorkerError(str(error))
        failure.exit_code = error.exit_code
        connection.send(failure)
    except (EOFError, ConnectionError):
        pass  # the scheduler is gone
