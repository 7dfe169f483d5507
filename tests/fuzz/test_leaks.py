"""Memory does not grow over thousands of reads, damaged ones included.

It once grew by a gigabyte over 56,000 inputs: Arrow does not free the buffer of a read that fails,
so every damaged ``.zst`` file cost up to 16 MiB of address space.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.leaks import MOST, Memory, grow, growth
from tests.readers.compression import COMPRESS
from wlkg.errors import InputError
from wlkg.readers.source import Source


def test_memory_does_not_grow_over_mixed_reads() -> None:
    # In a process of its own, where nothing else is at work.
    command = [sys.executable, "-m", "tests.fuzz.leaks", "--reads", "1000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_read_of_damaged_data_frees_its_memory(tmp_path: Path) -> None:
    path = tmp_path / "g.nt.zst"
    path.write_bytes(COMPRESS[".zst"](b"<a:b> <a:c> <a:d> .\n" * 10)[:-4])

    def read() -> None:
        with pytest.raises(InputError, match="damaged"):
            Source(str(path)).read_document()

    for _ in range(5):
        read()
    before = Memory.now()
    for _ in range(20):
        read()
    assert Memory.now().in_use - before.in_use < 1 << 20


def test_a_leak_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    leaked: list[bytes] = []

    def leak(_cases: object, reads: int, _folder: object) -> None:
        leaked.extend(b"x" * 10_000 for _ in range(reads))

    monkeypatch.setattr("tests.fuzz.leaks._read", leak)
    states = grow(800, "table/among")
    assert growth(states, 800) > MOST
