"""Runs that are killed at random moments; the program `tests.faults.kill` does it 200 times."""

from __future__ import annotations

import subprocess
import sys


def test_a_run_that_was_killed_is_resumed_or_done_again_to_equal_bytes() -> None:
    # In a process of its own: one that forks must not have threads.
    command = [sys.executable, "-m", "tests.faults.kill", "--times", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 runs" in done.stdout
