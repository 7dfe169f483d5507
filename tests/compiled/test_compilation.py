"""The time for compiling is known, said, and not counted as refining."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config

from wlkg.compiled import compilation
from wlkg.compiled.compilation import (
    COMPILING,
    Stopwatch,
    compile_seconds,
    compiling_is_said,
)
from wlkg.compiled.kernel import Kernel
from wlkg.progress import Silent


class Listener(Silent):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def say(self, text: str) -> None:
        self.told.append(text)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for compiled code."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(config, "CACHE_LOCATOR_CLASSES", "UserProvidedCacheLocator")
    return tmp_path


def add_one(value: Any) -> Any:
    return value + 1


inner = Kernel(add_one)


def total(values: Any) -> Any:
    result = 0
    for value in values:
        result += inner(value)
    return result


VALUES = np.arange(5)


def test_compiling_takes_time_once_and_is_said() -> None:
    listener = Listener()
    before = compile_seconds()
    with compiling_is_said(listener):
        assert Kernel(total).compiled(VALUES) == 15
    took = compile_seconds() - before
    assert took > 0
    assert listener.told == [COMPILING, ""], "the kernel within is part of it"
    with compiling_is_said(listener):
        assert Kernel(total).compiled(VALUES) == 15  # from the cache on disk
    assert compile_seconds() - before == took
    assert len(listener.told) == 2


def test_nobody_is_told_outside_the_block() -> None:
    listener = Listener()
    with compiling_is_said(listener):
        pass
    Kernel(total).compiled(VALUES)
    assert listener.told == []


def test_a_stopwatch_leaves_compiling_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.perf_counter", lambda: now)
    monkeypatch.setattr(compilation, "_clock", compilation._Clock())
    watch = Stopwatch()
    now = 101.0
    compilation._clock.begin()
    now = 104.0
    compilation._clock.begin()  # a kernel within the kernel
    compilation._clock.end()
    now = 108.0
    compilation._clock.end()
    now = 110.0
    assert (watch.seconds, watch.compiled) == (3.0, 7.0)
    assert (Stopwatch().seconds, Stopwatch().compiled) == (0.0, 0.0)
