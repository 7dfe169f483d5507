"""Commands that need PyTorch say how to install it if it is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: A program that runs ``wlkg`` as if PyTorch were not installed.
WITHOUT_TORCH = "import sys; sys.modules['torch'] = None; from wlkg.cli import main; main()"


def run_without_torch(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_TORCH, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a table of targets and a corpus of two graphs."""
    (tmp_path / "targets.tsv").write_text("entity\tlabel\n0\tx\n1\ty\n")
    (tmp_path / "two.g6").write_bytes(b"A_\nA?\n")
    (tmp_path / "study.toml").write_text(
        'graph = "example:c6"\ntargets = "targets.tsv"\nmodels = [{model = "rgcn"}]\n'
    )
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "example:c6", "--targets", "{folder}/targets.tsv"],
        ["versus", "example:c6"],
        ["reproduce", "{folder}/study.toml"],
        ["witness", "example:c6"],
        ["translate", "{folder}/model.pt", "--to", "rgcn"],
        ["hierarchy", "{folder}/two.g6", "--model", "rgcn"],
        ["compare", "example:c6", "example:2xc3", "--model", "rgcn"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_that_needs_pytorch_says_how_to_install_it(
    arguments: list[str], folder: Path
) -> None:
    done = run_without_torch(*(argument.format(folder=folder) for argument in arguments))
    assert done.returncode == 4, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.endswith("Install it with: pip install 'wlkg[gnn]'\n")
    assert done.stderr.count("\n") == 1


def test_hierarchy_without_models_does_not_need_pytorch(folder: Path) -> None:
    done = run_without_torch("hierarchy", str(folder / "two.g6"), "--test", "1-wl")
    assert done.returncode == 0, done.stderr
