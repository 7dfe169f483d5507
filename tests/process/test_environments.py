"""Hostile and poor environments: the answer is the same in all of them, or the refusal is clear.

One process for each row of the matrix; what a row needs from the system and does not find, such as
a name space of its own, is a reason to skip it.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import PROGRAM
from tests.places import ROOT

WLKG = shlex.join(PROGRAM)
#: What a process cannot do without.
BARE = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with names outside of ASCII."""
    return written(tmp_path_factory.mktemp("graph") / "g.tsv", 600)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph that is large enough for compiled kernels."""
    return written(tmp_path_factory.mktemp("graph") / "g.tsv", 1800)


def written(path: Path, triples: int) -> Path:
    draw = random.Random(1)
    rows = {(draw.randrange(400), draw.randrange(3), draw.randrange(400)) for _ in range(triples)}
    lines = (f"é{head}\tr{relation}\té{tail}\n" for head, relation, tail in sorted(rows))
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def expected(graph: Path, large: Path) -> dict[Path, dict[str, Any]]:
    """The answers in an ordinary environment, without the time that they took."""
    return {path: answer(shell(f"{WLKG} refine {path} --json")) for path in (graph, large)}


def shell(command: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
        env=env,
    )


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The document that a run has printed, after it ended well and without a word."""
    assert (done.returncode, done.stderr) == (0, "")
    document: dict[str, Any] = json.loads(done.stdout)
    assert document.pop("seconds") >= 0
    return document


ENVIRONMENTS: dict[str, tuple[str, dict[str, str]]] = {
    "no home, no language": ("", BARE),
    "a home that is not there": ("", {**BARE, "HOME": "/nonexistent"}),
    "ASCII only": ("", {**BARE, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "no docstrings, no assertions": ("", {**BARE, "PYTHONOPTIMIZE": "2"}),
    "60 columns": ("", {**BARE, "COLUMNS": "60", "TERM": "dumb"}),
    "few files": ("ulimit -n 32;", BARE),
    "no folder for temporary files": ("cd /;", {**BARE, "TMPDIR": "/nonexistent"}),
}
#: Those that matter for compiled kernels.
FOR_KERNELS: dict[str, tuple[str, dict[str, str]]] = {
    "warnings are errors": ("", {**BARE, "PYTHONWARNINGS": "error"}),
    "one thread": ("", {**BARE, "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}),
    "2 GB of address space": ("ulimit -v 2000000;", BARE),
}


@pytest.mark.parametrize("name", [*ENVIRONMENTS, *FOR_KERNELS])
def test_the_answer_is_the_same(
    name: str, graph: Path, large: Path, expected: dict[Path, dict[str, Any]]
) -> None:
    before, env = (ENVIRONMENTS | FOR_KERNELS)[name]
    path = large if name in FOR_KERNELS else graph
    assert answer(shell(f"{before} {WLKG} refine {path} --json", env)) == expected[path]


def test_names_are_escaped_where_the_terminal_cannot_show_them(graph: Path) -> None:
    env = {**BARE, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = shell(f"{WLKG} pairs {graph} --limit 2 -q", env)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\xe9" in done.stdout
    missing = shell(f"{WLKG} explain {graph} é9999 é0", env)
    assert missing.returncode == 2
    assert missing.stderr.startswith("error: no vertex is called '\\xe99999'")
    assert shell(f"{WLKG} explain {graph} é1 é0", env).returncode == 0


def test_help_survives_without_docstrings_and_in_60_columns(graph: Path) -> None:
    help_page = shell(f"{WLKG} refine --help", {**BARE, "PYTHONOPTIMIZE": "2", "COLUMNS": "60"})
    assert help_page.returncode == 0
    assert "--colours" in help_page.stdout
    table = shell(f"{WLKG} refine {graph}", {**BARE, "COLUMNS": "60"})
    assert table.returncode == 0
    assert max(map(len, table.stdout.splitlines()[1:])) <= 60


def test_too_little_memory_is_said_and_ends_with_status_3(tmp_path: Path) -> None:
    path = tmp_path / "large.tsv"
    path.write_text("".join(f"{i}\tr\t{i + 1}\n" for i in range(300_000)))
    done = shell(f"ulimit -v 500000; {WLKG} info {path}", {**BARE, "OMP_NUM_THREADS": "1"})
    assert done.returncode in (0, 3)  # libraries differ in what they reserve
    assert "Traceback" not in done.stderr


def test_two_runs_that_write_the_same_target_leave_one_whole_file(
    graph: Path, tmp_path: Path
) -> None:
    target = tmp_path / "colours.csv"
    command = [*PROGRAM, "refine", str(graph), "--colours", str(target)]
    runs = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [run.wait(timeout=300) for run in runs] == [0, 0]
    lines = target.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "vertex,colour"
    assert len(lines) == 1 + len({*lines[1:]}) > 200
    assert list(tmp_path.iterdir()) == [target]


def test_eight_processes_with_a_cold_cache_of_kernels(tmp_path: Path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    program = (
        "import numpy as np\n"
        "from wlkg.refinement.compiled.shell_sort import shell_sort\n"
        "numbers = np.array([3, 1, 2])\n"
        "shell_sort.compiled(numbers, 0, 3)\n"
        "print(numbers)\n"
    )
    command = [sys.executable, "-c", program]
    runs = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )
        for _ in range(8)
    ]
    answers = [run.communicate(timeout=300) for run in runs]
    assert answers == [("[1 2 3]\n", "")] * 8
    assert {run.returncode for run in runs} == {0}
    assert any((tmp_path / "cache").rglob("*.nbi"))


# -- file systems of our own ----------------------------------------------------------------------


def _mounts() -> bool:
    """Whether this user may mount file systems in a name space of its own."""
    if shutil.which("unshare") is None:
        return False
    return shell("unshare -rm mount -t tmpfs none /mnt").returncode == 0


mounts = pytest.mark.skipif(not _mounts(), reason="no name spaces to mount file systems in")


@mounts
def test_a_full_disk_ends_with_status_74_and_leaves_the_old_file(
    graph: Path, tmp_path: Path
) -> None:
    target = tmp_path / "g.nt"
    script = (
        f"mount -t tmpfs -o size=16k none {tmp_path}; echo old > {target};"
        f" {WLKG} convert {graph} {target} --force; echo $?; cat {target}; ls -A {tmp_path}"
    )
    done = shell(f"unshare -rm bash -c {shlex.quote(script)}")
    assert done.stdout.split() == ["74", "old", "g.nt"]
    assert done.stderr == f"error: {tmp_path}/g.nt: cannot be written: No space left on device\n"


@mounts
def test_a_folder_that_is_read_only_is_refused(graph: Path, tmp_path: Path) -> None:
    script = (
        f"mount -t tmpfs none {tmp_path}; mount -o remount,ro {tmp_path};"
        f" {WLKG} convert {graph} {tmp_path}/g.nt; echo $?"
    )
    done = shell(f"unshare -rm bash -c {shlex.quote(script)}")
    assert done.stdout.split() == ["2"]
    assert done.stderr == f"error: {tmp_path}/g.nt: cannot be written: Read-only file system\n"
