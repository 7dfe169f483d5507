"""What shells are told when somebody presses the tab key."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import PROGRAM
from tests.loaded_modules import HEAVY, modules_after
from wlkg.catalogue import DIRECTIONS, LITERAL_POLICIES
from wlkg.generation.generate import FAMILIES
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import CLASSIFIERS, PAIR_AGGREGATIONS


def zsh(line: str, folder: Path | None = None) -> set[str]:
    """What zsh is told for a line."""
    env = os.environ | {"_WLKG_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": line}
    text = _run(env, folder)
    if text == "_files":
        return {"_files"}
    words = text.removeprefix("_arguments '*: :((").removesuffix("))'").splitlines()
    return {word.split('":"')[0].strip('"').replace(r"\\:", ":") for word in words}


def bash(*words: str, folder: Path | None = None) -> list[str]:
    """What bash is told for the words into which it breaks a line."""
    env = os.environ | {
        "_WLKG_COMPLETE": "complete_bash",
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    return _run(env, folder).splitlines()


def _run(env: dict[str, str], folder: Path | None) -> str:
    done = subprocess.run(
        PROGRAM, env=env, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    return done.stdout.strip()


def test_commands_and_options_are_completed() -> None:
    assert {"refine", "reproduce"} == zsh("wlkg re") & {"refine", "reproduce", "info"}
    assert "--literals" in zsh("wlkg refine --l")


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("wlkg compare a b --model ", set(CLASSIFIERS)),
        ("wlkg refine a --literals ", set(LITERAL_POLICIES)),
        ("wlkg refine a --direction ", set(DIRECTIONS)),
        ("wlkg versus a --aggregation ", set(PAIR_AGGREGATIONS)),
        ("wlkg versus a --composition ", set(COMPOSITIONS)),
        ("wlkg refine a --test weak", {"weak-rwl"}),
        ("wlkg pairs a --not-by 2-r", {"2-rlwl"}),
        ("wlkg refine a --labels ", {"kind", "type"}),
        ("wlkg counterexample csl", {"csl"}),
        ("wlkg generate ", set(FAMILIES)),
        ("wlkg compare example:c6 example:2x", {"example:2xc3"}),
    ],
)
def test_names_of_the_tables_are_completed(line: str, names: set[str]) -> None:
    assert zsh(line) == names


@pytest.mark.parametrize("line", ["wlkg info ", "wlkg info fam", "wlkg refine a --colours "])
def test_files_are_left_to_the_shell(line: str) -> None:
    assert zsh(line) == {"_files"}


def test_examples_do_not_hide_files(tmp_path: Path) -> None:
    (tmp_path / "experts.ttl").touch()
    assert {"experts.ttl", "example:c6"} <= zsh("wlkg info ex", tmp_path)
    assert zsh("wlkg info exp", tmp_path) == {"_files"}


def test_bash_breaks_words_at_colons_and_equals_signs() -> None:
    assert bash("wlkg", "info", "example", ":", "2") == ["2xc3"]
    assert "c6" in bash("wlkg", "info", "example", ":")
    assert "example:c6" in bash("wlkg", "compare", "example", ":", "c6", "exam")
    assert bash("wlkg", "refine", "a", "--test", "=", "weak") == ["weak-rwl"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_itself_completes_a_built_in_graph(tmp_path: Path) -> None:
    """The script that ``--show-completion`` prints, run by bash as the tab key does."""
    (tmp_path / "wlkg").write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n')
    (tmp_path / "wlkg").chmod(0o755)
    script = f"""
PATH={tmp_path}:$PATH
eval "$(_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION=1 wlkg --show-completion bash)"
COMP_WORDS=(wlkg info example : pet); COMP_CWORD=4
_wlkg_completion wlkg pet :
echo "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "petersen"


def test_completion_of_a_test_loads_no_numbers() -> None:
    program = """
import os
os.environ |= {"_WLKG_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "wlkg refine a --test "}
from wlkg.cli import app
try:
    app(prog_name="wlkg")
except SystemExit as end:
    assert not end.code
"""
    assert not modules_after(program) & (HEAVY | {"numpy", "pyarrow"})
