"""Signals that stop a run: everything is cleaned up, and the status names the signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import PROGRAM

#: A program that runs ``wlkg`` and stays in the middle of writing a TSV file.
WRITING = """
import sys, time
from wlkg.writers import lines
from wlkg.process import signals

def write_slowly(graph, stream):
    stream.write(b"half a")
    stream.flush()
    print("writing", flush=True)
    {wait}

signals._GRACE = 0.5
lines.write_tsv = write_slowly
from wlkg.cli import main
main()
"""
PATIENT = WRITING.format(wait="time.sleep(60)")
#: Compiled code without a moment for the interpreter, which does release its lock.
DEAF = WRITING.format(
    wait="import hashlib; hashlib.pbkdf2_hmac('sha256', b'x', b'y', 2_000_000_000)"
)


@contextmanager
def running(program: str, target: Path, *before: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has begun to write ``target``."""
    process = subprocess.Popen(
        [*before, sys.executable, "-c", program, "convert", "example:c6", target, "--force"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.usefixtures("heeds_signals")
@pytest.mark.parametrize(
    ("number", "status", "message"),
    [
        (signal.SIGTERM, 143, "error: interrupted by SIGTERM\n"),
        (signal.SIGHUP, 129, "error: interrupted by SIGHUP\n"),
        (signal.SIGINT, 130, "error: interrupted\n"),
    ],
)
def test_a_signal_while_writing_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, number: int, status: int, message: str
) -> None:
    target = tmp_path / "g.tsv"
    target.write_text("precious")
    with running(PATIENT, target) as process:
        assert len(list(tmp_path.iterdir())) == 2
        process.send_signal(number)
        errors = process.communicate(timeout=30)[1]
    assert (process.returncode, errors) == (status, message)
    assert [path.name for path in tmp_path.iterdir()] == ["g.tsv"]
    assert target.read_text() == "precious"


@pytest.mark.usefixtures("heeds_signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_run_that_is_busy_in_compiled_code_is_stopped_too(
    tmp_path: Path, number: int, status: int
) -> None:
    with running(DEAF, tmp_path / "g.tsv") as process:
        process.send_signal(number)
        process.communicate(timeout=30)
    assert process.returncode == status
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("heeds_signals")
def test_two_signals_at_once_do_not_disturb_the_cleaning_up(tmp_path: Path) -> None:
    with running(PATIENT, tmp_path / "g.tsv") as process:
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=30)
    assert process.returncode in (143, 129)
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    with running(PATIENT, tmp_path / "g.tsv", "nohup") as process:
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert process.returncode == 143


def test_a_signal_while_reading_ends_the_run_although_a_thread_still_waits(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.tsv"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [*PROGRAM, "info", pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with pipe.open("wb") as writer:  # opens once the program has opened it for reading
        writer.write(b"a\tr\tb\n")
        writer.flush()
        process.terminate()
        out, errors = process.communicate(timeout=30)
    assert (process.returncode, out) == (143, b"")
    assert errors == b"error: interrupted by SIGTERM\n"


def test_a_file_that_a_killed_run_left_behind_is_removed_by_the_next(tmp_path: Path) -> None:
    target = tmp_path / "g.tsv"
    with running(PATIENT, target) as process:
        process.kill()
        process.communicate(timeout=30)
    assert len(list(tmp_path.iterdir())) == 1
    subprocess.run(
        [*PROGRAM, "convert", "example:c6", target, "--force"], check=True, capture_output=True
    )
    assert [path.name for path in tmp_path.iterdir()] == ["g.tsv"]


def test_a_file_that_another_run_is_writing_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "g.tsv"
    with running(PATIENT, target):
        (part,) = tmp_path.iterdir()
        subprocess.run(
            [*PROGRAM, "convert", "example:c6", target, "--force"], check=True, capture_output=True
        )
        assert part.read_bytes() == b"half a"
        assert sorted(tmp_path.iterdir()) == sorted([part, target])
