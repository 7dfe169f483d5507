"""The process that watches a worker: it ends one that hangs, and starts the next after a crash."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

from tests.fuzz.trial import SECONDS, Finding
from tests.fuzz.worker import Pulse

#: Seconds for which a worker may sleep at one input. One that waits for a busy machine does not.
_PATIENCE = 120.0
#: Processor time at one input after which a worker is ended. The worker itself says what is too
#: slow; it may also have to compile kernels.
_HANG = 3 * SECONDS
#: The same until the worker has loaded its libraries and tries its first input.
_START = 300.0
#: Seconds between two looks at the worker.
_LOOK = 0.2
#: A worker that occupies more is replaced: the next peak would be hard to see.
_LARGEST_WORKER = 3 * 10**9


@dataclass
class Totals:
    """What came out of a run so far."""

    done: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    #: The input numbers of each finding, by signature.
    findings: dict[str, list[int]] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)
    memory: list[tuple[int, int]] = field(default_factory=list)
    restarts: int = 0

    def add(self, finding: Finding, number: int) -> bool:
        """Count a finding; whether it is the first of its signature."""
        is_new = finding.signature not in self.findings
        self.findings.setdefault(finding.signature, []).append(number)
        self.details.setdefault(finding.signature, finding.details)
        return is_new


Listener = Callable[[Totals, dict[str, Any]], None]


def run(
    seed: int,
    first: int,
    end: int,
    only: str | None,
    listen: Listener,
    worker: Sequence[str] = ("-m", "tests.fuzz.worker"),
) -> Totals:
    """Try the inputs from ``first`` to before ``end``; ``listen`` hears every report."""
    totals = Totals(done=first)
    command = [sys.executable, *worker]
    while totals.done < end:
        with tempfile.TemporaryDirectory() as folder:
            watched = _Watched(Path(folder), command, totals, listen)
            watched.work([str(seed), str(totals.done), str(end), only or ""])
    return totals


class _Watched:
    """One worker, from its start to its end."""

    def __init__(self, folder: Path, command: list[str], totals: Totals, listen: Listener) -> None:
        self._command, self._totals, self._listen = command, totals, listen
        self._pulse_path, self._trace = folder / "pulse", folder / "trace"
        self._pulse_path.write_bytes(bytes(Pulse.SIZE))
        self._pulse = Pulse(str(self._pulse_path))

    def work(self, inputs: list[str]) -> None:
        """Let a worker try inputs until they are done, or it has to be ended."""
        process = subprocess.Popen(
            [*self._command, *inputs, str(self._pulse_path), str(self._trace)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        errors: list[str] = []
        threads = [
            Thread(target=self._hear, args=(process.stdout,)),
            Thread(target=lambda: errors.append(str(process.stderr and process.stderr.read()))),
        ]
        for thread in threads:
            thread.start()
        reason = self._wait(process)
        for thread in threads:
            thread.join()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        number = self._pulse.read()[0]
        if reason is not None:
            self._found(Finding(reason, _tail(self._trace)), number)
        elif process.returncode:
            text = f"status {process.returncode}\n{errors[0][-3000:]}"
            self._found(Finding(f"a crash, status {process.returncode}", text), number)
        if reason is not None or process.returncode:
            self._totals.done = max(self._totals.done, number + 1)
            self._totals.restarts += 1

    def _hear(self, reports: Any) -> None:
        for line in reports:
            report = json.loads(line)
            if "finding" in report:
                self._found(Finding(report["finding"], report["details"]), report["number"])
                continue
            self._totals.done = report["done"]
            self._totals.answers.update(report["answers"])
            self._totals.memory.append((report["done"], report["memory"]))
            self._listen(self._totals, report)

    def _found(self, finding: Finding, number: int) -> None:
        is_new = self._totals.add(finding, number)
        self._listen(self._totals, {"finding": finding, "number": number, "new": is_new})

    def _wait(self, process: subprocess.Popen[str]) -> str | None:
        """Wait for the worker to end; why it had to be ended, if it had to."""
        seen, slept, used = self._pulse.read(), 0.0, 0.0
        while process.poll() is None:
            time.sleep(_LOOK)
            beat = self._pulse.read()
            if beat != seen:
                seen, slept, used = beat, 0.0, processor_time(process.pid)
                if occupied(process.pid) > _LARGEST_WORKER:
                    return self._end(process, "a worker that grew")
                continue
            slept += _LOOK if is_asleep(process.pid) else 0.0
            limits = (_START, _START) if seen[1] <= 1 else (_PATIENCE, _HANG)
            if slept > limits[0] or processor_time(process.pid) - used > limits[1] + 1:
                return self._end(process, "a hang")
        return None

    def _end(self, process: subprocess.Popen[str], reason: str) -> str:
        process.send_signal(signal.SIGUSR1)  # it writes down where it is
        time.sleep(0.5)
        process.kill()
        return reason


def _tail(path: Path) -> str:
    return path.read_text()[-4000:] if path.exists() else ""


def processor_time(pid: int) -> float:
    """The seconds of processor time that a process has used; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_asleep(pid: int) -> bool:
    """Whether no thread of a process, or of its children, runs or could run."""
    try:
        states = [
            status.read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            for process in (pid, *_children(pid))
            for status in Path(f"/proc/{process}/task").glob("*/stat")
        ]
    except OSError:  # a thread or a child has just ended
        return False
    return all(state in "SDI" for state in states)


def _children(pid: int) -> list[int]:
    found = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in file.read_text(encoding="ascii").split()]
    return found


def occupied(pid: int) -> int:
    """The bytes of memory that a process occupies; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * 4096
    except OSError:
        return 0
