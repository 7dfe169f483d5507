"""The process that tries inputs: it reports by lines of JSON, and its pulse shows which it is at.

It may hang, run out of memory or crash; `tests.fuzz.watch` sees to that.
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

#: Inputs from one report to the next.
REPORT = 500
#: Address space beyond what the libraries take, so that a bomb cannot disturb the machine.
_HEADROOM = 6 << 30


class Pulse:
    """Two numbers in shared memory: the input at work, and the number of cases tried so far."""

    SIZE = 16

    def __init__(self, path: str) -> None:
        with Path(path).open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), self.SIZE)

    def beat(self, number: int) -> None:
        tried = int.from_bytes(self._memory[8:16], "little") + 1
        self._memory[:16] = number.to_bytes(8, "little") + tried.to_bytes(8, "little")

    def read(self) -> tuple[int, int]:
        content = self._memory[:16]
        return int.from_bytes(content[:8], "little"), int.from_bytes(content[8:], "little")


def main() -> None:
    """Try the inputs that the arguments name: seed, first, end, kind, pulse, trace."""
    seed, first, end, only, pulse_path, trace_path = sys.argv[1:]
    reports = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is printed by accident is no report
    trace = Path(trace_path).open("w")  # noqa: SIM115  open as long as the process lives
    faulthandler.register(signal.SIGUSR1, trace)
    pulse = Pulse(pulse_path)
    pulse.beat(int(first))
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        _Run(int(seed), only or None, pulse, reports, Path(folder)).through(int(first), int(end))


class _Run:
    """Tries inputs one after the other."""

    def __init__(
        self, seed: int, only: str | None, pulse: Pulse, reports: Any, folder: Path
    ) -> None:
        self._seed, self._only, self._pulse, self._reports = seed, only, pulse, reports
        self._folder = folder
        self._answers: Counter[str] = Counter()
        self._slowest = (0.0, -1)

    def through(self, first: int, end: int) -> None:
        from tests.fuzz.command_lines import remove_stock

        _limit_memory()
        try:
            self._warm_up()
            for number in range(first, end):
                self._pulse.beat(number)
                self._try(number)
                if (number + 1) % REPORT == 0:
                    self._report(number + 1)
            self._report(end)
        finally:
            remove_stock()

    def _warm_up(self) -> None:
        """Try an undamaged input of each kind: what is loaded and compiled once costs no input."""
        from tests.fuzz.inputs import kinds_named
        from tests.fuzz.kinds import seeds_of
        from tests.fuzz.trial import try_case

        for kind in kinds_named(self._only):
            try_case(seeds_of(kind)[0], self._folder)

    def _try(self, number: int) -> None:
        from tests.fuzz.inputs import make_input
        from tests.fuzz.trial import try_case

        case = make_input(self._seed, number, self._only)
        started = time.process_time()
        outcome = try_case(case, self._folder)
        self._answers[outcome.answer] += 1
        self._slowest = max(self._slowest, (time.process_time() - started, number))
        if outcome.finding is not None:
            finding = outcome.finding
            self._say(finding=finding.signature, number=number, details=finding.details)
            if finding.signature in ("too slow", "too large"):
                # Memory that was once taken hides the peaks of later inputs.
                self._report(number + 1)
                self._reports.flush()
                os._exit(0)

    def _report(self, done: int) -> None:
        from tests.fuzz.trial import memory

        answers, self._answers = dict(self._answers), Counter()
        slowest, self._slowest = self._slowest, (0.0, -1)
        self._say(done=done, answers=answers, memory=memory("VmRSS"), slowest=slowest)

    def _say(self, **report: Any) -> None:
        self._reports.write(json.dumps(report) + "\n")
        self._reports.flush()


def _limit_memory() -> None:
    """Limit the address space to what the libraries take, and some more."""
    import tests.fuzz.kinds  # noqa: F401  loads what all kinds need

    size = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size * resource.getpagesize() + _HEADROOM, most))


if __name__ == "__main__":
    main()
