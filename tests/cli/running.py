"""How the command-line tests run the program: types of the fixtures, and shared helpers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Protocol

from typer.testing import Result

PROGRAM = (sys.executable, "-m", "wlkg")


class Run(Protocol):
    """Runs ``wlkg`` in this process: the fixture ``run``."""

    def __call__(self, *arguments: object, stdin: bytes | None = None) -> Result: ...


class RunJson(Protocol):
    """Runs ``wlkg`` with ``--json`` and returns its document: the fixture ``run_json``."""

    def __call__(self, *arguments: object, status: int = 0) -> dict[str, Any]: ...


def run_process(
    *arguments: object, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``wlkg`` in a process of its own."""
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)


def assert_refused(result: Result, message: str, *, status: int = 2) -> None:
    """Check that the program printed one line, an error that contains ``message``, and ended."""
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def words_of(text: str) -> list[list[str]]:
    """The words of each line of a table."""
    return [line.split() for line in text.splitlines()]
