"""Help, version and shell completion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import wlkg
from tests.cli.running import PROGRAM, Run, run_process
from tests.places import ROOT
from wlkg.analysis.hierarchy.table import DEFAULT_TESTS
from wlkg.analysis.verdicts import LADDER
from wlkg.shell.groups import COMMANDS


def test_the_version_is_shown_by_script_and_module() -> None:
    script = Path(sys.executable).with_name("wlkg")
    for command in (PROGRAM, [script] if script.exists() else PROGRAM):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"wlkg {wlkg.__version__}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_the_commands_and_their_options(run: Run, flag: str) -> None:
    top = run(flag)
    assert top.exit_code == 0
    assert all(name in top.stdout for name in ("info", "convert", "--version", "--quiet"))
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


def test_every_command_is_in_a_group_and_its_summary_fits_one_line(run: Run) -> None:
    lines = run("--help").stdout.splitlines()
    modules = (ROOT / "wlkg" / "commands").glob("[!_]*.py")
    assert {path.stem.replace("_", "-") for path in modules} == set(COMMANDS)
    for command in COMMANDS:
        (line,) = (line for line in lines if line.startswith(f"  {command} "))
        summary = line.split(maxsplit=1)[1]
        assert len(line) <= 80
        assert summary.endswith(".")
        assert summary in run(command, "--help").stdout


@pytest.mark.parametrize("command", ["", *COMMANDS])
@pytest.mark.parametrize("width", [60, 80, 200])
def test_help_fits_the_terminal(
    run: Run, command: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = run(*([command] if command else []), "--help").stdout
    for line in text.splitlines():
        is_example = line.startswith("    wlkg ")
        # An option and its opposite may be longer than the narrowest line.
        assert len(line) <= width or is_example or line.startswith("  --"), line
        assert len(line) <= 110
        assert line == line.rstrip()
    assert "\x1b" not in text


@pytest.mark.parametrize("command", COMMANDS)
def test_options_stand_in_panels_and_say_what_to_give(run: Run, command: str) -> None:
    text = run(command, "--help").stdout
    assert "\nOutput:\n" in text
    assert not {"TEXT", "<str>", "<int>"} & set(text.split())
    if "\n  --literals" in text:
        assert text.index("\nInput:\n") < text.index("\n  --literals")
    if "\n  --layers" in text:
        assert text.index("\nModel:\n") < text.index("\n  --layers") < text.index("\nInput:\n")


def test_help_has_colour_only_where_it_is_wanted() -> None:
    for variables, coloured in (
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({}, False),
    ):
        usual = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}
        done = run_process("refine", "--help", env=usual | variables)
        assert ("\x1b[1mUsage:\x1b[0m" in done.stdout) == coloured
        assert "--colours OUT" in done.stdout
