"""Help, version and shell completion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import wlkg
from tests.cli.running import PROGRAM, Run, run_process
from wlkg.analysis.compare import LADDER
from wlkg.analysis.hierarchy.table import DEFAULT_TESTS
from wlkg.cli import app

COMMANDS = [command.callback.__name__ for command in app.registered_commands if command.callback]


def test_the_version_is_shown_by_script_and_module() -> None:
    script = Path(sys.executable).with_name("wlkg")
    for command in (PROGRAM, [script] if script.exists() else PROGRAM):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"wlkg {wlkg.__version__}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_the_commands_and_their_options(run: Run, flag: str) -> None:
    top = run(flag)
    assert top.exit_code == 0
    assert all(name in top.stdout for name in ("info", "convert", "--version"))
    command = run("info", flag)
    assert command.exit_code == 0
    options = ("--json", "--format", "--direction", "--literals", "--columns", "--labels")
    assert all(option in command.stdout for option in options)
    assert "wlkg info museum.nt.xz" in command.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_of_the_command(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    examples = result.stdout.partition("Examples:")[2]
    assert examples.count(f"\n    wlkg {command} ") >= 2


def test_help_of_counterexample_shows_how_to_check_write_and_lift(run: Run) -> None:
    examples = run("counterexample", "--help").stdout.partition("Examples:")[2]
    for words in ("cfi -k 3 --check", "--out graphs --format graphml", "lift --of family.ttl"):
        assert words in examples


@pytest.mark.parametrize("command", ["refine", "pairs", "compare", "hierarchy", "ceiling"])
def test_help_names_every_kind_of_test(run: Run, command: str) -> None:
    text = "".join(run(command, "--help").stdout.split())
    assert all(test in text for test in (*wlkg.TESTS, *wlkg.TUPLE_TESTS, "--max-memory"))


@pytest.mark.parametrize(("command", "tests"), [("compare", LADDER), ("hierarchy", DEFAULT_TESTS)])
def test_help_names_the_tests_that_run_by_default(
    run: Run, command: str, tests: tuple[str, ...]
) -> None:
    # Without spaces: help breaks lines within names such as 2-rlwl.
    text = "".join(run(command, "--help").stdout.split())
    *others, last = tests
    assert f"Bydefault{','.join(others)}and{last}." in text


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completion_script_is_printed(shell: str) -> None:
    done = run_process(
        "--show-completion",
        shell,
        env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "_WLKG_COMPLETE" in done.stdout
