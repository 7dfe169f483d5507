"""A process of its own for libraries, which know no time limit: it is killed when time is up.

One process serves many requests and is only started again after it was killed. It never outlives
its parent: when that ends, the pipe closes and the worker ends; while it computes, an alarm of the
operating system ends it soon after its time is up.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import threading
from typing import Any

from wlkg.analysis.symmetry.deadline import Deadline, OutOfTimeError

_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from wlkg.analysis.symmetry.worker import serve; serve()"
)


class WorkerError(RuntimeError):
    """A library failed."""


class Worker:
    """Runs functions of library adapters in another process."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def call(self, module: str, function: str, arguments: list[Any], deadline: Deadline) -> Any:
        """The answer of ``module.function(*arguments)``; arguments and answer are JSON."""
        with self._lock:
            seconds = deadline.seconds_left()
            request = {
                "module": module,
                "function": function,
                "arguments": arguments,
                "seconds": seconds,
            }
            try:
                answer = self._ask(json.dumps(request).encode(), seconds)
            except BaseException:
                # Also if the user interrupts: nothing may be left behind.
                self.stop()
                raise
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer["result"]

    def _ask(self, request: bytes, seconds: float) -> Any:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        out_of_time = threading.Event()

        def kill() -> None:
            out_of_time.set()
            process.kill()

        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), kill)
        timer.daemon = True
        timer.start()
        line = b""
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(request + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
        finally:
            timer.cancel()
        if line.endswith(b"\n"):
            return json.loads(line)
        if out_of_time.is_set():
            raise OutOfTimeError
        raise WorkerError("the library ended its process")

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-c", _PROGRAM, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        return self._process

    def stop(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()


#: The worker that all questions of this process share.
WORKER = Worker()
atexit.register(WORKER.stop)


def serve() -> None:
    """The loop of the worker: a line of JSON in, a line of JSON out."""
    from importlib import import_module

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback.
    # Libraries print remarks; they must not end up among the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if hasattr(signal, "alarm"):
            signal.alarm(min(math.ceil(request["seconds"]) + 1, 2**30))
        try:
            adapter = import_module(f"wlkg.analysis.symmetry.{request['module']}")
            answer = {"result": getattr(adapter, request["function"])(*request["arguments"])}
        except Exception as error:  # noqa: BLE001
            answer = {"error": f"{type(error).__name__}: {error}"}
        if hasattr(signal, "alarm"):
            signal.alarm(0)
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()
