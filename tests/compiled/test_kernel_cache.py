"""Kernels are compiled even if there is no place, or no room, to keep them."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config
from numba.core.caching import FunctionCache

from wlkg.compiled import kernel_cache
from wlkg.compiled.kernel import Kernel


def doubled(values: Any) -> Any:
    total = 0
    for value in values:
        total += 2 * value
    return total


VALUES = np.arange(5)


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """The note has not been shown yet."""
    kernel_cache._note_once.cache_clear()
    yield
    kernel_cache._note_once.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which compiled code may be kept."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(config, "CACHE_LOCATOR_CLASSES", "UserProvidedCacheLocator")
    return tmp_path


def notes(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


def test_compiled_code_is_kept(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert Kernel(doubled).compiled(VALUES) == 20
    assert {path.suffix for path in folder.rglob("*.nb?")} == {".nbi", ".nbc"}
    again = Kernel(doubled).compiled
    assert again(VALUES) == 20
    assert sum(again.stats.cache_hits.values()) == 1  # type: ignore[attr-defined]
    assert notes(caplog) == []


def test_without_a_folder_to_write_kernels_are_compiled_and_a_note_says_so_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "file").touch()
    monkeypatch.setattr(config, "CACHE_DIR", str(folder / "file"))
    for _ in range(2):
        assert Kernel(doubled).compiled(VALUES) == 20
    (note,) = notes(caplog)
    assert "set NUMBA_CACHE_DIR to a folder that can be written" in note


def test_a_full_disk_is_no_reason_not_to_compile(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(FunctionCache, "_save_overload", fail)
    assert Kernel(doubled).compiled(VALUES) == 20
    assert len(notes(caplog)) == 1
    assert list(folder.rglob("*.nb?")) == []


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("content", [b"", b"\x80\x04garbage", b"cos\nsystem\n."])
def test_a_damaged_file_is_compiled_again_and_replaced(
    folder: Path, suffix: str, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    Kernel(doubled).compiled(VALUES)
    for path in folder.rglob(f"*{suffix}"):
        path.write_bytes(content)
    assert Kernel(doubled).compiled(VALUES) == 20
    mended = Kernel(doubled).compiled
    assert mended(VALUES) == 20
    assert sum(mended.stats.cache_hits.values()) == 1  # type: ignore[attr-defined]
    assert notes(caplog) == []


def test_the_note_is_one_line_on_stderr() -> None:
    program = "from wlkg.refinement.compiled.mixing import ONE, mixed; mixed.compiled(3, ONE)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("note: compiled code cannot be kept on disk")
    assert done.stderr.count("\n") == 1


@Kernel
def step(value: Any) -> Any:
    return value + 1


def stepped(values: Any) -> Any:
    total = 0
    for value in values:
        total += step(value)
    return total


@pytest.mark.usefixtures("folder")
def test_a_change_in_a_kernel_that_is_called_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Kernel(stepped).compiled(VALUES) == 15
    monkeypatch.setitem(globals(), "step", Kernel(lambda value: value + 2))
    assert Kernel(stepped).compiled(VALUES) == 20


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    program = (
        "from tests.compiled.test_kernel_cache import Kernel, stepped\n"
        "from wlkg.refinement.vertices.worklist import run_rounds\n"
        "print(Kernel(stepped).fingerprint, run_rounds.fingerprint)"
    )
    seeds = [os.environ | {"PYTHONHASHSEED": seed} for seed in ("1", "2")]
    line = [sys.executable, "-c", program]
    one, two = (subprocess.run(line, env=env, capture_output=True, check=True) for env in seeds)
    assert one.stdout == two.stdout
