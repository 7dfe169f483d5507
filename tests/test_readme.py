"""What the README says is what the project does; ``tests/docs`` follows its commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import wlkg
from tests.places import EXAMPLE_GRAPHS, ROOT
from tools.docs.consoles import Command, steps
from wlkg.catalogue import PAIR_TESTS
from wlkg.gnn.config import MODELS

README = (ROOT / "README.md").read_text(encoding="utf-8")


def table(name: str) -> list[str]:
    """The rows of a table between two comments."""
    match = re.search(rf"<!-- {name} -->\n\n(.*?)\n\n<!-- /{name} -->", README, re.DOTALL)
    assert match is not None
    return match[1].splitlines()[2:]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_table_of_tests_is_the_table_in_the_code() -> None:
    tests: dict[str, Any] = {**wlkg.TESTS, **PAIR_TESTS, **wlkg.TUPLE_TESTS}
    assert table("tests") == [
        f"| `{name}` | {test.summary} | {test.bounds} |" for name, test in tests.items()
    ]


def test_the_table_of_models_is_the_table_in_the_code() -> None:
    assert table("models") == [
        f"| `{name}` | {kind.summary} | `{kind.bounded_by}` |" for name, kind in MODELS.items()
    ]


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    commands = [block.strip() for block in blocks("sh")]
    assert len(commands) == 2
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    for command in commands:
        assert any(line.strip().startswith(command) for line in script)


def test_every_example_file_has_a_line_in_the_examples_readme() -> None:
    text = (EXAMPLE_GRAPHS / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLE_GRAPHS.iterdir():
        if path.name != "README.md":
            assert f"`{path.name}`" in text


def test_the_first_command_is_the_first_output(tmp_path: Path) -> None:
    """The command that anybody runs first ends with 0 and prints what the README opens with."""
    command = blocks("sh")[0].strip().rpartition("/")[2]
    line = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    first = next(step for step in steps(README) if isinstance(step, Command))
    assert first.printed(done.stdout)
