"""Folders for the data of one run are gone when it has ended, in whichever way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from wlkg.writers.scratch import scratch_folder


def test_folders_of_killed_runs_are_removed_and_those_of_others_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program = (
        "import os, sys, tempfile; tempfile.tempdir = sys.argv[1];"
        "from wlkg.writers.scratch import scratch_folder;"
        "kept = scratch_folder(); folder = kept.__enter__();"
        "(folder / 'spill').touch(); os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert done.returncode == 9
    (abandoned,) = tmp_path.iterdir()
    with scratch_folder() as first, scratch_folder() as second:
        assert not abandoned.exists()
        assert {first, second} == set(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())
